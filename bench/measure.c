/*
 * measure - how long a command takes and how much memory it needs.
 *
 *	measure RUNS INPUT COMMAND [ARG...]      prints "SECONDS CPU KIB": the medians of the time that passed and of the time on
 *	                                         all processors, and the highest peak
 *
 * INPUT becomes the command's standard input ("-": none); its output goes to /dev/null. One run more than asked for is
 * made, and the first one, which warms the page cache, is not counted. A command that fails prints "failed STATUS".
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "base/mem.h"

extern char **environ;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* One run; the wait status, or -1 if it could not be started. */
static int run(const char *input, char **command, double *seconds, double *cpu, long *peak)
{
	posix_spawn_file_actions_t actions;
	struct rusage usage;
	pid_t pid;
	int status;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, strcmp(input, "-") == 0 ? "/dev/null" : input, O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	double start = now();
	int failure = posix_spawnp(&pid, command[0], &actions, NULL, command, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (failure != 0) {
		fprintf(stderr, "measure: %s: %s\n", command[0], strerror(failure));
		return -1;
	}
	while (wait4(pid, &status, 0, &usage) < 0)
		if (errno != EINTR)
			return -1;
	*seconds = now() - start;
	*cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
	if (usage.ru_maxrss > *peak)
		*peak = usage.ru_maxrss;
	return status;
}

int main(int argc, char **argv)
{
	int runs = argc > 3 ? atoi(argv[1]) : 0;
	if (runs < 1) {
		fputs("usage: measure RUNS INPUT COMMAND [ARG...]\n", stderr);
		return 2;
	}
	double *times = mem_zalloc((size_t)runs + 1, sizeof *times), *cpu = mem_zalloc((size_t)runs + 1, sizeof *cpu);
	long peak = 0;
	for (int i = 0; i <= runs; i++) {
		int status = run(argv[2], argv + 3, &times[i], &cpu[i], &peak);
		if (status != 0) {
			printf("failed %d\n", status);
			free(times);
			free(cpu);
			return 1;
		}
	}
	qsort(times + 1, (size_t)runs, sizeof *times, compare);
	qsort(cpu + 1, (size_t)runs, sizeof *cpu, compare);
	printf("%.4f %.4f %ld\n", times[1 + runs / 2], cpu[1 + runs / 2], peak);
	free(times);
	free(cpu);
	return 0;
}
