/*
 * folded_scale.h - scales counts to integers that add up to a given total.
 */
#ifndef EXPORT_FOLDED_SCALE_H
#define EXPORT_FOLDED_SCALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export.h"
#include "model/view.h"

struct folded_scale {
	uint64_t *counts; /* private, as is the rest; counts other than 0 */
	size_t n, cap;
	uint64_t sum;      /* of counts */
	bool keeps;        /* the total has room for each: none becomes 0 */
	uint64_t least;    /* counts below this become 1 */
	uint64_t from, to; /* sum of the other counts, before and after */
	uint64_t seen, given;
	double cut[2]; /* set by the caller: times cut[0] / cut[1], cut off as by difffolded; 0: rounded */
	struct export_loss loss;
};

/* Usage: add all counts, begin with the intended total, then get each count in any order. */
void folded_scale_add(struct folded_scale *, uint64_t count);
void folded_scale_begin(struct folded_scale *, uint64_t total, struct progress *);
uint64_t folded_scale_next(struct folded_scale *, uint64_t count);
void folded_scale_deinit(struct folded_scale *);

/*
 * Sets scale[0] / scale[1], which scales the baseline to the profile's total, if the view asks for that, or if two
 * columns of different units would be meaningless.
 */
void folded_scale_sides(const struct view *, double scale[2]);

#endif
