/*
 * retain.h - keeping the log of a profile that comes in for hours at a size that does not grow for hours.
 */
#ifndef MODEL_RETAIN_H
#define MODEL_RETAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile.h"

#define RETAIN_SAMPLES (1u << 20) /* a usual limit: some 50 MB with the copy that is shown */

struct retention {
	uint64_t window;   /* ns: what is older than this before the last sample is let go; 0: nothing is */
	uint64_t coarsest; /* ns: times are not made less exact than this; 0: as much as it takes */
	size_t limit;      /* samples from which on old ones are added up */
	/* private */
	uint64_t slice; /* ns within which samples were added up; 0: not yet */
	size_t next;    /* samples at which it is time to look again */
};

/* What a view with this window and half-life (as in a recipe) has no use for may go. */
void retain_init(struct retention *, uint64_t window, uint64_t half_life);
/* From now on, what a view with this window and half-life has use for is kept as well. */
void retain_widen(struct retention *, uint64_t window, uint64_t half_life);
/*
 * Lets go and adds up in log[0], among the samples of the file that is being read. To be called after every piece
 * of input: mostly it finds that there is nothing to do yet. Paths, symbols and totals of all times stay.
 */
void retain_recent(struct profile *, struct retention *);
/* Gives this time to samples from number `first` on in log[0] that have none: for sources that give no times. */
void retain_stamp(struct profile *, size_t first, uint64_t time);

#endif
