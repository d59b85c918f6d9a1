/*
 * threads.h - the samples of a flame chart by thread and time: from when to when each lasts.
 */
#ifndef MODEL_THREADS_H
#define MODEL_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "folding.h"

/* How long the samples of a series last. */
struct lasting {
	bool is_time;    /* the weight is a time */
	bool is_sampled; /* measured at intervals; else spans are exact */
	int exponent;    /* with is_time: a weight times 10^exponent is ns */
};

struct threads {
	const struct profile *profile;
	uint32_t *order;         /* entries of log[0], thread by thread, by time */
	size_t *start;           /* by lane: its first place in order; n_lanes + 1 of them */
	uint32_t *task;          /* by lane */
	size_t n_lanes;          /* the heaviest thread comes first */
	uint64_t from, to;       /* ns of the profiler's clock: the first sample begins, the last one ends */
	uint64_t usual;          /* ns: usual distance of samples whose weight is no time */
	struct lasting *lasting; /* by series */
};

/* Collects the selected samples, also those whose stacks are filtered out. false: cancelled, nothing to free. */
bool threads_make(struct threads *, struct folding *);
void threads_deinit(struct threads *);

/*
 * Begin and end of the sample at this place of `order`, which belongs to the lane, in ns of the profiler's clock.
 */
uint64_t threads_begin(const struct threads *, size_t place);
uint64_t threads_end(const struct threads *, size_t lane, size_t place);

/*
 * Sets folding->part to what a chart with a time axis shows of each sample from recipe->cut_from to cut_to. Of a
 * weight that is a time, that is the same share as of the sample's length; other weights have no parts. Needs a
 * profile with times. false: cancelled.
 */
bool threads_parts(struct folding *);

#endif
