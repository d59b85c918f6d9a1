/*
 * whole.h - weights as whole numbers, for files that have no others.
 *
 * Times with decimals become nanoseconds; other fractions are carried over to the next weight, so that the sum is
 * rounded only once.
 */
#ifndef EXPORT_WHOLE_H
#define EXPORT_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "export.h"

struct whole_side {
	uint64_t multiplier, divisor;
	unsigned decimals; /* of the sum of the weights, in the unit of the numbers */
	uint64_t rest;     /* of the divisions */
};

struct whole {
	struct whole_side sides[2];
	uint64_t sum[2]; /* of the weights, and of the numbers */
	uint64_t n, n_rounded,
		n_zero;  /* weights above 0, those that the number differs from, and those that became 0 */
	bool is_cut; /* a value was larger than 2^63 - 1, and was cut to that */
};

struct whole whole_begin(const struct view *);
/* The whole number for a weight of a side, at most 2^63 - 1. */
uint64_t whole_of(struct whole *, uint64_t weight, unsigned side);
/* Tells the user what was lost, if anything was. false: all of it, and err says so. */
bool whole_end(const struct whole *, const struct view *, struct export_loss *loss, struct err *);
/* What those of a side count: the event, or "samples" if it has no name. */
const char *whole_type(const struct view *, bool is_baseline);
/* Their unit, as pprof calls it: "nanoseconds", "bytes", "count". */
const char *whole_unit(const struct view *, bool is_baseline);

#endif
