/*
 * tree_sums.h - a table of functions: what each name of a tree weighs.
 */
#ifndef MODEL_TREE_SUMS_H
#define MODEL_TREE_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "tree.h"

/*
 * Sums over all nodes of each name, a name inside itself counted once in `total`. Weights are those of all stacks,
 * also of rows that are left out; frames are those of the tree.
 */
struct name_sum {
	uint32_t sym;
	uint32_t frames;      /* nodes with this name */
	uint64_t self, total; /* tree_own(), tree_total() */
	uint64_t base_self, base_total;
};
/*
 * For every symbol that occurs below `zoom`; the array is the caller's (free()), in no defined order. What a
 * cancelled progress (NULL: none) leaves is worth nothing.
 */
struct name_sum *tree_sums(const struct tree *, uint32_t zoom, size_t n_symbols, size_t *n, struct progress *);

#endif
