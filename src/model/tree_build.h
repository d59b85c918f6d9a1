/*
 * tree_build.h - builds the columns of a tree.
 */
#ifndef MODEL_TREE_BUILD_H
#define MODEL_TREE_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/progress.h"
#include "symtab.h"
#include "tree.h"

/* Allocates columns of n nodes, uninitialised; tree_deinit() frees them. */
void tree_build(struct tree *, uint32_t n, bool has_base);
/*
 * Positions have 64 bits. If n weights (NULL: none) sum to more, this cuts the heaviest, all to the same number,
 * the largest with which the sum fits: light frames keep their weight, and the order of frames does not matter. The
 * overflow was noted when the samples came in.
 */
void tree_build_fit(uint64_t *weight, uint32_t n);
/* Turns the self weights in pos[0] to pos[n - 1], whose sum must fit, into n + 1 positions. */
void tree_build_positions(uint64_t *pos, uint32_t n);
/*
 * Makes origin[] of sym[], which may be variants, and gives the nodes plain names. In a tree of modules and the
 * like, tasks stay apart from modules of the same name.
 */
void tree_name_nodes(struct tree *, const struct symtab *);
/* Sets end[] and depth from parent[]; nodes are in preorder. Incomplete if progress is cancelled. */
void tree_build_ends(struct tree *, struct progress *);

/*
 * The same, node by node: the frames whose subtrees are not complete yet, node[d] at depth d. The last one is the
 * node that came last.
 */
struct tree_open {
	struct tree *tree;
	uint32_t *node, depth;
	size_t cap;
};

void tree_open_begin(struct tree_open *, struct tree *);
void tree_open_end(struct tree_open *); /* all nodes have come */

/* `next` is the first node that is not below the nodes deeper than `depth`. */
static inline void tree_open_close(struct tree_open *o, uint32_t depth, uint32_t next)
{
	while (o->depth > depth)
		o->tree->end[o->node[o->depth--]] = next;
}

/* false: the node does not come in preorder, as its parent is complete. */
static inline bool tree_open_next(struct tree_open *o, uint32_t i, uint32_t parent)
{
	while (o->depth && o->node[o->depth] != parent)
		o->tree->end[o->node[o->depth--]] = i;
	if (o->node[o->depth] != parent)
		return false;
	if (++o->depth == o->cap)
		o->node = mem_grow(o->node, &o->cap, o->cap + 1, sizeof *o->node);
	o->node[o->depth] = i;
	if (o->depth > o->tree->depth)
		o->tree->depth = o->depth;
	return true;
}

#endif
