/*
 * printed.h - keeps the output of a live recording's command until the user leaves the viewer.
 */
#ifndef RECORD_PRINTED_H
#define RECORD_PRINTED_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Bytes to keep; output between them is dropped, and a message says so. A test sets smaller numbers. */
#ifndef PRINTED_FIRST
#define PRINTED_FIRST ((uint64_t)64 << 20) /* in an unnamed file */
#define PRINTED_LAST ((size_t)4 << 20)     /* in memory */
#endif

struct printed {
	int in, file;    /* owned; -1: none */
	int wake[2];     /* owned pipe; a byte in it ends the thread */
	uint64_t first;  /* bytes in the file */
	uint64_t beyond; /* bytes after those; `last` holds the last ones */
	char *last;      /* a ring; NULL: everything is in the file */
	int error;       /* errno of the write that failed; 0: none, the file may be full */
	pthread_t thread;
	bool is_running;
};

/* Returns the descriptor to print to, which the caller owns; -1: failed. A separate thread reads from it. */
int printed_start(struct printed *, struct err *err);
/* Takes the output that is there now, and ends. Output that comes later is not read. */
void printed_stop(struct printed *);
/*
 * Prints the kept output to standard error, byte for byte, but without perf's routine lines; then how much was
 * dropped, unless is_quiet. What standard error does not take (process_write()) is left out. Call it after
 * printed_stop().
 */
void printed_show(struct printed *, bool is_quiet);
/* Also takes a struct that was not started if its descriptors are -1; a zeroed one would close descriptor 0. */
void printed_deinit(struct printed *);

#endif
