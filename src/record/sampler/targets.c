/*
 * targets.c - reads processors from /sys and threads from /proc.
 */
#include "record/sampler/targets.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/proc.h"
#include "base/sort.h"

#define CPUS_MOST 65536

void number_list_deinit(struct number_list *l)
{
	free(l->v);
	*l = (struct number_list){0};
}

void number_list_add(struct number_list *l, int number)
{
	mem_push(l->v, l->n, l->cap, number);
}

pid_t targets_number(const char *text)
{
	uint64_t id = 0;
	return number_u64(text, strlen(text), &id) && id <= INT32_MAX ? (pid_t)id : -1;
}

bool targets_parse_cpus(const char *text, struct number_list *out)
{
	const char *p = text;
	char *end;
	while (*p && *p != '\n') {
		long first = strtol(p, &end, 10), last = first;
		if (end == p || first < 0)
			return false;
		p = end;
		if (*p == '-') {
			last = strtol(p + 1, &end, 10);
			if (end == p + 1 || last < first)
				return false;
			p = end;
		}
		for (long i = first; i <= last && i < CPUS_MOST; i++)
			number_list_add(out, (int)i);
		p += *p == ',';
	}
	return out->n > 0;
}

void targets_cpus(struct number_list *out)
{
	char list[4096];
	bool is_read =
		proc_line("/sys/devices/system/cpu/online", "", list, sizeof list) && targets_parse_cpus(list, out);
	for (int i = 0; !is_read && i < sysconf(_SC_NPROCESSORS_ONLN); i++)
		number_list_add(out, i);
}

static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}

bool targets_threads(pid_t pid, struct number_list *out)
{
	char path[64];
	size_t first = out->n;
	snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
	DIR *d = opendir(path);
	if (!d)
		return false;
	for (struct dirent *e; (e = readdir(d));) {
		uint64_t tid;
		if (number_u64(e->d_name, strlen(e->d_name), &tid) && tid <= INT32_MAX)
			number_list_add(out, (int)tid);
	}
	closedir(d);
	if (out->n > first)
		sort_array(out->v + first, out->n - first, sizeof *out->v, compare);
	return out->n > first;
}

pid_t targets_process(pid_t tid)
{
	char path[64], pid[32];
	snprintf(path, sizeof path, "/proc/%ld/status", (long)tid);
	return proc_line(path, "Tgid:", pid, sizeof pid) ? (pid_t)strtol(pid, NULL, 10) : -1;
}
