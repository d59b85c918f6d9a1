/*
 * process.c - reads from /proc what the programs of a recording use.
 *
 *	flametop  ->  [sudo  ->  [sudo  ->]]  perf record  ->  the command
 */
#include "record/process.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Seconds of the process alone, without its children. Below 0: it is gone. */
static double time_of_process(pid_t process, char name[64])
{
	char path[64], text[1024];
	unsigned long long user, system;
	snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
	if (f)
		fclose(f);
	text[n] = '\0';
	/* "123 (name) S 1 ...": the name may hold anything, the times are words 14 and 15. */
	const char *open = strchr(text, '('), *p = strrchr(text, ')');
	if (open && p)
		snprintf(name, 64, "%.*s", (int)(p - open - 1), open + 1);
	for (int word = 2; p && word < 14; word++)
		p = strchr(p + 1, ' ');
	if (!p || sscanf(p, "%llu %llu", &user, &system) != 2) /* NOLINT(cert-err34-c): the kernel wrote it */
		return -1;
	return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

pid_t process_child(pid_t process)
{
	char path[64];
	long child = 0;
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)process, (long)process);
	FILE *f = fopen(path, "re");
	if (!f)
		return 0;
	bool is_there = fscanf(f, "%ld", &child) == 1; /* NOLINT(cert-err34-c): likewise */
	fclose(f);
	return is_there ? (pid_t)child : 0;
}

/* Follows sudo down to its program. sudo runs once or, with a terminal of its own, twice. */
static pid_t walk_sudo(pid_t process, double *seconds)
{
	*seconds = 0;
	for (int i = 0; i < 4 && process > 0; i++) {
		char name[64] = "";
		double own = time_of_process(process, name);
		if (own < 0)
			return 0;
		*seconds += own;
		if (strcmp(name, "sudo") != 0)
			return process;
		process = process_child(process);
	}
	return 0;
}

pid_t process_below_sudo(pid_t process)
{
	double seconds;
	return walk_sudo(process, &seconds);
}

double process_time(pid_t process)
{
	double seconds;
	return walk_sudo(process, &seconds) ? seconds : -1;
}

void process_add_name(pid_t process, struct buf *out)
{
	char name[64] = "";
	if (time_of_process(process, name) >= 0 && *name)
		buf_adds(out, name);
	else
		buf_addf(out, "process %ld", (long)process);
}
