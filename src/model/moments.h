/*
 * moments.h - when the frames of a merged tree had their own weight: samples by frame and slice of time.
 */
#ifndef MODEL_MOMENTS_H
#define MODEL_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile.h"
#include "recipe.h"
#include "tree.h"

#define MOMENTS_SLICES 1000u /* at most */

/* The weight of all samples that begin in a slice and end in a frame. */
struct moment {
	uint32_t slice;
	uint32_t node; /* of the tree */
	uint64_t weight;
};

struct moments {
	uint64_t length; /* ns of a slice; the first one begins with the first sample */
	uint32_t slices;
	struct moment *v; /* by slice, then by node; each pair once */
	size_t n, cap;
};

/*
 * For a tree that the recipe made from the profile. false: the samples have no times, or the tree has other weights
 * than theirs: in a chart, a caller tree, one of a baseline, or one whose samples fade. Nothing is made then, nor
 * if the progress, which may be NULL, is cancelled.
 */
bool moments_make(struct moments *, struct profile *, const struct recipe *, const struct tree *,
                  struct progress *);
void moments_deinit(struct moments *);

#endif
