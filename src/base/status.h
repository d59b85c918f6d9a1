/*
 * status.h - one line on standard error about long work outside the viewer.
 *
 *	flametop: reading perf.data: 34% of 506 MB, 48 MB/s; symbols of libLLVM-14.so.1
 *
 * The work names its stages; a thread of its own shows the present one after half a second, rewrites the line five
 * times a second, and erases it at the end, before a message, and when a signal ends the process. A terminal that
 * takes no output delays none of this. Without status_begin(), the other functions do nothing. There is one line
 * for the process, as there is one terminal.
 */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/buf.h"

struct status_stage {
	const char *verb; /* "reading"; NULL: nothing goes on, and the line is empty */
	const char *what; /* "perf.data"; may be NULL; cleaned before it is shown */
	/* How far it is, in bytes or in steps of any size. all may be NULL, or 0: unknown. done may be NULL. */
	const atomic_uint_fast64_t *done, *all;
	bool is_bytes;
};

/* From now on, long work is shown, if standard error is a terminal that can rewrite a line. */
void status_begin(void);
/* Erases the line and ends its thread. */
void status_end(void);

/*
 * Names the present stage, which replaces the one before; returns that one, to be named again if this one is a part
 * of it. What it refers to must live until another stage is named.
 */
struct status_stage status_enter(struct status_stage);
/* A detail of the present stage: "symbols of", PATH (copied). NULL, NULL: none. May be called from any thread. */
void status_detail(const char *verb, const char *path);

/* For a viewer, which shows details itself: from now on they are kept. */
void status_watch(void);
/* Appends the present detail; nothing if there is none. */
void status_add_detail(struct buf *);

/* Erases the line; call it before something else goes to standard error. The line comes back. */
void status_clear(void);

#endif
