/*
 * perf_throttle.h - how long the kernel paused sampling, because there were more samples than it allows.
 *
 * The kernel takes at most kernel.perf_event_max_sample_rate samples a second, and lowers this limit when sampling
 * takes too long. Code that runs during a pause is missing from the recording, and no record counts it as lost.
 */
#ifndef COLLAPSE_PERF_THROTTLE_H
#define COLLAPSE_PERF_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "model/profile.h"

/* Zeroed is empty. */
struct perf_throttle {
	struct idmap counters; /* id -> its place in since */
	uint64_t *since;       /* ns; UINT64_MAX: it does not pause */
	size_t n, cap;
	uint64_t pauses, ended;
	uint64_t time; /* ns, of all counters together, of those that ended */
};

void perf_throttle_deinit(struct perf_throttle *);
/* A counter begins a pause, or ends it. ns. */
void perf_throttle_take(struct perf_throttle *, uint64_t id, uint64_t time, bool pauses);
/* Adds the pauses to the profile, and a note, if there were any. */
void perf_throttle_report(const struct perf_throttle *, struct profile *, unsigned side);

#endif
