/*
 * printed.h - what the command of a live recording prints, kept until the viewer is left.
 */
#ifndef RECORD_PRINTED_H
#define RECORD_PRINTED_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Bytes that are kept; what is printed between them is dropped, and that is said. A test has smaller ones. */
#ifndef PRINTED_FIRST
#define PRINTED_FIRST ((uint64_t)64 << 20) /* in a file without a name */
#define PRINTED_LAST ((size_t)4 << 20)     /* in memory */
#endif

struct printed {
	int in, wake, file; /* owned; -1: none */
	uint64_t first;     /* bytes in the file */
	uint64_t beyond;    /* bytes that came behind them; the last ones are in `last` */
	char *last;         /* a ring; NULL: nothing came behind them */
	int error;          /* why the file took no more; 0: it is full */
	pthread_t thread;
	bool is_running;
};

/* The descriptor to print into, the caller's; -1: failed. Reading goes on on a thread of its own. */
int printed_start(struct printed *, struct err *err);
/* Takes what is there now, and ends. What still prints gets no answer any more. */
void printed_stop(struct printed *);
/*
 * All that is kept on standard error, byte for byte, of perf's own lines only those that are no routine, and how
 * much was dropped, unless is_quiet. After printed_stop().
 */
void printed_show(struct printed *, bool is_quiet);
/* A zeroed one was not started. */
void printed_deinit(struct printed *);

#endif
