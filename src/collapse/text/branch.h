/*
 * branch.h - adds call trees that are printed from the root, one node a line, with its depth.
 *
 *	Total              depth 0
 *	 main              depth 1, below Total
 *	  read             depth 2, below main
 *	 clone             depth 1, below Total again
 *
 * The branch is the path from the root to the last node. A node that is new below its parent is a new path, and
 * joins the profile without a look-up.
 */
#ifndef COLLAPSE_TEXT_BRANCH_H
#define COLLAPSE_TEXT_BRANCH_H

#include <stddef.h>
#include <stdint.h>

#include "model/profile.h"

struct branch_level;

/* Zeroed is empty. */
struct branch {
	struct branch_level *levels; /* levels[0] is the root, above all nodes */
	size_t height;               /* nodes on the branch */
	size_t n_levels, cap;
	struct branch_link *links; /* of path `first` and those after it */
	size_t n_links, cap_links;
	uint32_t first;  /* paths before it came from other inputs */
	uint64_t credit; /* links that may still be followed */
};

void branch_deinit(struct branch *);

/* Goes to the node `sym` at this depth, at most branch.height, and returns its path. */
uint32_t branch_put(struct branch *, struct profile *, size_t depth, uint32_t sym);

#endif
