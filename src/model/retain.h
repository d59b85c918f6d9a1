/*
 * retain.h - bounds the log of a profile that comes in for hours.
 */
#ifndef MODEL_RETAIN_H
#define MODEL_RETAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile.h"

#define RETAIN_SAMPLES (1u << 20) /* the usual limit: some 50 MB with the displayed copy */

struct retention {
	uint64_t window;   /* ns: samples this much older than the last one are let go; 0: none */
	uint64_t coarsest; /* ns: times are rounded to at most this; 0: as far as needed */
	size_t limit;      /* number of samples beyond which old ones are added up */
	/* private */
	uint64_t slice;  /* ns: present slice of added-up samples; 0: none yet */
	size_t next;     /* number of samples at which to check again */
	size_t added_up; /* number of samples after they were added up the last time */
};

/* Sets the limits so that samples without effect on a view of this window and half-life (as in a recipe) may go. */
void retain_init(struct retention *, uint64_t window, uint64_t half_life);
/* Also keeps what a view of this window and half-life needs from now on. */
void retain_widen(struct retention *, uint64_t window, uint64_t half_life);
/*
 * Lets go and adds up in log[0], among the samples of the current file. Call it after every piece of input: mostly
 * it has nothing to do. Paths, symbols and totals (with series.let_go) stay.
 */
void retain_recent(struct profile *, struct retention *);
/*
 * The same at once, for a log that is full: the newest sample to come is of the time `now` (NO_TIME: unknown). Any
 * number of calls adds up only what has come since.
 */
void retain_for(struct profile *, struct retention *, uint64_t now);
/* The time of the newest sample from number `first` on; 0: none has a time. */
uint64_t retain_last_time(const struct sample_log *, size_t first);
/* Gives this time to samples without one in log[0], from number `first` on: for sources without times. */
void retain_stamp(struct profile *, size_t first, uint64_t time);
/*
 * Takes the times away that retain_stamp() gave to the current file's samples before `end`, if the samples from
 * there on have some of their own: these are of another clock. false: they have none.
 */
bool retain_unstamp(struct profile *, size_t end);

#endif
