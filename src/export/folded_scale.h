/*
 * folded_scale.h - counts that are scaled so that they add up to a given total, each a whole number.
 */
#ifndef EXPORT_FOLDED_SCALE_H
#define EXPORT_FOLDED_SCALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export.h"

struct folded_scale {
	uint64_t *counts; /* private, as all: those that are not 0 */
	size_t n, cap;
	uint64_t sum;      /* of them */
	bool keeps;        /* there is room for each: none becomes 0 */
	uint64_t least;    /* counts below become 1 */
	uint64_t from, to; /* what the others add up to, before and after */
	uint64_t seen, given;
	double cut
		/* to be set: counts are cut to their part of cut[0] in cut[1], as by difffolded, not rounded; 0: rounded */
		[2];
	struct export_loss loss;
};

/* First every count is told, then the total that is wanted, and then every count again, in any order. */
void folded_scale_add(struct folded_scale *, uint64_t count);
void folded_scale_begin(struct folded_scale *, uint64_t total);
uint64_t folded_scale_next(struct folded_scale *, uint64_t count);
void folded_scale_deinit(struct folded_scale *);

#endif
