/*
 * proc.c - reads small files of /proc and /sys (proc(5)).
 */
#include "base/proc.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

#define VARIABLES_MOST ((size_t)256 << 10)

size_t proc_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	ssize_t got;
	while (fd >= 0 && n < size - 1 && (got = read(fd, text + n, size - 1 - n)) > 0)
		n += (size_t)got;
	if (fd >= 0)
		close(fd);
	text[n] = '\0';
	return n;
}

bool proc_line(const char *path, const char *prefix, char *rest, size_t size)
{
	size_t n_prefix = strlen(prefix), cap = 0;
	char *line = NULL;
	bool is_found = false;
	FILE *f = fopen(path, "re");
	while (f && !is_found && getline(&line, &cap, f) > 0)
		is_found = strncmp(line, prefix, n_prefix) == 0;
	if (is_found)
		snprintf(rest, size, "%.*s", (int)strcspn(line + n_prefix, "\n"), line + n_prefix);
	free(line);
	if (f)
		fclose(f);
	return is_found;
}

bool proc_number(const char *path, int64_t *n)
{
	char text[64], *end;
	proc_read(path, text, sizeof text);
	long long number = strtoll(text, &end, 10);
	if (end == text)
		return false;
	*n = number;
	return true;
}

const char *proc_find_variable(const char *variables, size_t len, const char *name)
{
	size_t n = strlen(name);
	const char *end = variables + len, *at = variables;
	while (at < end && !((size_t)(end - at) > n && memcmp(at, name, n) == 0 && at[n] == '='))
		at += strnlen(at, (size_t)(end - at)) + 1;
	return at < end ? at + n + 1 : NULL;
}

bool proc_variable(pid_t pid, const char *name, char *value, size_t size)
{
	char path[32], *text = mem_alloc(VARIABLES_MOST);
	snprintf(path, sizeof path, "/proc/%ld/environ", (long)pid);
	size_t n = proc_read(path, text, VARIABLES_MOST);
	const char *found = proc_find_variable(text, n, name);
	bool fits = found && strlen(found) < size;
	if (fits)
		memcpy(value, found, strlen(found) + 1);
	free(text);
	return fits;
}

/* "123 (name) S 1 ...": the name may hold any byte; the words after it are counted from 3, as in proc(5). */
bool proc_stat(pid_t pid, struct proc_stat *s)
{
	char path[32], text[1024];
	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	proc_read(path, text, sizeof text);
	const char *name = strchr(text, '('), *end = strrchr(text, ')');
	static const char form[] = ") %c %*d %*d %d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64
							   " %*d %*d %*d %*d %u %*d %" SCNu64 " %*u %*d %*u %*u %*u %" SCNu64;
	unsigned n_threads;
	s->stack = 0;
	if (!name || !end)
		return false;
	/* NOLINTNEXTLINE(cert-err34-c): the kernel wrote it */
	if (sscanf(end, form, &s->state, &s->session, &s->user, &s->system, &n_threads, &s->begun, &s->stack) < 6)
		return false;
	s->is_over = (s->state == 'Z' || s->state == 'X') && n_threads <= 1;
	snprintf(s->name, sizeof s->name, "%.*s", (int)(end - name - 1), name + 1);
	return true;
}

char proc_thread_state(pid_t pid, pid_t tid)
{
	char path[96], text[512];
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/stat", (long)pid, (long)tid);
	proc_read(path, text, sizeof text);
	const char *end = strrchr(text, ')');
	return end && end[1] == ' ' ? end[2] : '\0';
}

pid_t proc_inner_id(pid_t pid, pid_t tid)
{
	char path[96], ids[256]; /* "\t123\t1" */
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/status", (long)pid, (long)tid);
	if (!proc_line(path, "NSpid:", ids, sizeof ids)) /* kernels before 4.1 do not say */
		return access(path, F_OK) == 0 ? tid : 0;
	const char *last = strrchr(ids, '\t');
	return (pid_t)strtol(last ? last + 1 : ids, NULL, 10);
}

void proc_children(pid_t pid, pid_t tid, proc_take_child *take, void *arg)
{
	char path[96];
	long child;
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)pid, (long)tid);
	FILE *f = fopen(path, "re");
	while (f && fscanf(f, "%ld", &child) == 1) /* NOLINT(cert-err34-c): the kernel wrote it */
		take(arg, (pid_t)child);
	if (f)
		fclose(f);
}
