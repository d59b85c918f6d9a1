/*
 * cut.h - trees merged from the leaves, and what is left out of one that would be too large.
 *
 * Of n frames that call one another and all spend time themselves, merging from the leaves makes n stacks without a
 * frame in common, n * n / 2 frames. So only as many rows are built as fit into a budget, and the tree keeps the
 * rest as tails: that from this frame on these stacks go on there, in a tree of the same stacks merged from the
 * root.
 *
 *	whole    main    a       b       tree    b       tails   of frame "a" of the tree: stack main;a;b goes on at
 *	         main 0       1       2               0  a
 *
 * The weight of a tail is a part of its frame's self weight, so what a frame weighs, and the sum, are the same with
 * and without the rows. They come when they are wanted: a fold with recipe.below builds further ones below that
 * path.
 */
#ifndef MODEL_CUT_H
#define MODEL_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "tree.h"

/* The first tail of this node or of one after it. */
size_t cut_first(const struct cut *, uint32_t node);
/* What goes on from frames in [node, end of its subtree) is in these tails; false: nothing does. */
bool tree_tails(const struct tree *, uint32_t node, size_t *first, size_t *end);
/* What they weigh. */
uint64_t tree_going_on(const struct tree *, unsigned side, uint32_t node);
/* How many rows are left out below the node: those that no frame of the tree reaches. */
uint32_t tree_rows_left_out(const struct tree *, uint32_t node);

/*
 * What stacks weigh that go on below `zoom`, by each name that they have from the zoom's row on; a name inside
 * itself counts once. Called for every such name. false: cancelled.
 */
typedef void cut_sum_fn(void *arg, uint32_t sym, uint64_t now, uint64_t before);
bool cut_sums(const struct tree *, uint32_t zoom, size_t n_symbols, cut_sum_fn *, void *arg, struct progress *);

/*
 * In how many tails before each, n + 1 numbers, one of the symbols occurs (a bit each). The caller frees. NULL:
 * cancelled.
 */
uint32_t *cut_count_hits(const struct cut *, const uint64_t *bits, struct progress *);

/*
 * The stacks that go on from a frame, in the order of their texts ("a;b" behind "a-;b"), equal ones as one; those
 * of a chart as they came.
 */
struct cut_walk {
	const struct tree *tree;
	const uint32_t *rank, *ends; /* see symtab_rank() */
	uint32_t *syms;              /* the present stack's: from the row behind the frame to the end */
	size_t n;
	size_t n_same,
		n_next; /* at the beginning of syms: those of the stack before, and all that a later one may share */
	uint64_t weight[2];
	bool is_leaf;             /* no other stack goes on where it ends */
	struct cut_stack *stacks; /* private, and what follows */
	struct cut_part *parts;
	struct cut_item *items;
	size_t n_stacks, n_parts, cap_syms, cap_parts;
};
void cut_walk_begin(struct cut_walk *, const struct tree *, uint32_t node, const uint32_t *rank,
                    const uint32_t *ends);
bool cut_walk_next(struct cut_walk *);
void cut_walk_end(struct cut_walk *);

#endif
