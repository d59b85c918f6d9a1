/*
 * turns.h - shared by the measuring programs: labelled commands run in turn, clocks, and medians.
 */
#ifndef BENCH_TURNS_H
#define BENCH_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#define COMMANDS_MAX 32

struct command {
	const char *label;
	char **argv; /* ends with NULL */
};

static inline double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/*
 * Cuts words (they end with NULL) as in --of LABEL COMMAND [ARG...] --of LABEL COMMAND..., in place. The number of
 * commands; 0: they make no sense, or there are more than COMMANDS_MAX.
 */
static inline size_t take_commands(char **words, struct command *commands)
{
	size_t n = 0;
	while (*words) {
		if (strcmp(words[0], "--of") != 0 || words[1] == NULL || words[2] == NULL || n == COMMANDS_MAX)
			return 0;
		words[0] = NULL; /* where the one before ends */
		commands[n++] = (struct command){.label = words[1], .argv = words + 2};
		for (words += 2; *words && strcmp(*words, "--of") != 0; words++)
			;
	}
	return n;
}

static inline int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Sorts them. n > 0. */
static inline double median(double *values, size_t n)
{
	qsort(values, n, sizeof *values, compare_doubles);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

#endif
