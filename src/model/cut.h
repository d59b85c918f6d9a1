/*
 * cut.h - caller trees, and the rows left out of those that would grow too large.
 *
 * If each of n nested frames has self time, merging from the leaves gives n stacks without a common frame: n * n /
 * 2 frames. So a fold builds only as many rows as fit a budget. The tree keeps the rest as tails: a tail says in
 * which frame of the tree stacks continue, and where they continue in `whole`, a tree of the same stacks merged
 * from the root.
 *
 *	whole    main    a       b       tree    b       tails   of frame "a" of the tree: stack main;a;b goes on at
 *	         main 0       1       2               0  a
 *
 * The weight of a tail is part of its frame's self weight, so frame weights and sums are the same with and without
 * the rows. Missing rows are built on demand: a fold with recipe.below adds rows below that path.
 */
#ifndef MODEL_CUT_H
#define MODEL_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "tree.h"

/* The first tail of this node or a later one. */
size_t cut_first(const struct cut *, uint32_t node);
/* Tails [*first, *end) begin in the subtree of node; false: there are none. */
bool tree_tails(const struct tree *, uint32_t node, size_t *first, size_t *end);
/* Weight of these tails. */
uint64_t tree_going_on(const struct tree *, unsigned side, uint32_t node);
/* Number of rows left out below the node. */
uint32_t tree_rows_left_out(const struct tree *, uint32_t node);

/*
 * Sums, by name, the weight of the stacks that continue below `zoom`, counting names from the zoom's row on; a name
 * inside itself counts once. Calls `add` for each such name. false: cancelled.
 */
typedef void cut_sum_fn(void *arg, uint32_t sym, uint64_t now, uint64_t before);
bool cut_sums(const struct tree *, uint32_t zoom, size_t n_symbols, cut_sum_fn *, void *arg, struct progress *);

/*
 * Entry i of the result is the number of tails before tail i that contain one of the symbols (bit set); n + 1
 * entries, the caller frees them. syms: a symbol for each frame of the cut's `whole`. NULL: cancelled.
 */
uint32_t *cut_count_hits(const struct cut *, const uint32_t *syms, const uint64_t *bits, struct progress *);

/*
 * Iterates over the stacks that continue from a frame, ordered by text ("a;b" after "a-;b"), equal ones joined; in
 * a chart in input order.
 */
struct cut_walk {
	const struct tree *tree;
	const uint32_t *rank, *ends; /* see symtab_rank() */
	uint32_t *syms;              /* of the present stack, from the row after the frame to its end */
	size_t n;
	size_t n_same,
		n_next; /* at the beginning of syms: those of the stack before, and all that a later one may share */
	uint64_t weight[2];
	bool is_leaf;             /* no other stack continues where it ends */
	struct cut_stack *stacks; /* private, as is the rest */
	struct cut_part *parts;
	struct cut_item *items;
	size_t n_stacks, n_parts, cap_syms, cap_parts;
};
void cut_walk_begin(struct cut_walk *, const struct tree *, uint32_t node, const uint32_t *rank,
                    const uint32_t *ends);
bool cut_walk_next(struct cut_walk *);
void cut_walk_end(struct cut_walk *);

#endif
