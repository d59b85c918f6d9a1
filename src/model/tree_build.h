/*
 * tree_build.h - a tree that is being made: its columns, and those that follow from others.
 */
#ifndef MODEL_TREE_BUILD_H
#define MODEL_TREE_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"
#include "tree.h"

/* Columns of n nodes, not set; tree_deinit() frees them. */
void tree_build(struct tree *, uint32_t n, bool has_base);
/*
 * Positions have 64 bits. Where n weights (NULL: none) sum up to more, the heaviest are cut, all to the same
 * number, the largest with which the sum fits: light frames stay as they are, and the order of the frames does not
 * matter. That sums are cut was said when the samples came in.
 */
void tree_build_fit(uint64_t *weight, uint32_t n);
/*
 * Self weights, which stand in pos[0] to pos[n - 1] and have a sum that fits, become positions, of which there are
 * n + 1.
 */
void tree_build_positions(uint64_t *pos, uint32_t n);
/* Sets end[] and depth, given parent[]. If the progress is cancelled they are incomplete. */
void tree_build_ends(struct tree *, struct progress *);

#endif
