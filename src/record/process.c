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

#include "base/proc.h"

/* Seconds of the process alone, without its children. */
static double time_of(const struct proc_stat *s)
{
	return (double)(s->user + s->system) / (double)sysconf(_SC_CLK_TCK);
}

static void take_first(void *first, pid_t child)
{
	pid_t *into = first;
	*into = *into ? *into : child;
}

pid_t process_child(pid_t process)
{
	pid_t first = 0;
	proc_children(process, process, take_first, &first);
	return first;
}

/* Follows sudo down to its program. sudo runs once or, with a terminal of its own, twice. */
static pid_t walk_sudo(pid_t process, double *seconds)
{
	*seconds = 0;
	for (int i = 0; i < 4 && process > 0; i++) {
		struct proc_stat s;
		if (!proc_stat(process, &s))
			return 0;
		*seconds += time_of(&s);
		if (strcmp(s.name, "sudo") != 0)
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
	struct proc_stat s;
	if (proc_stat(process, &s) && *s.name)
		buf_adds(out, s.name);
	else
		buf_addf(out, "process %ld", (long)process);
}
