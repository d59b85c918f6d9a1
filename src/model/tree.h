/*
 * tree.h - a flame graph: frames in preorder, no pointers.
 *
 * Node 0 is "all". The subtree of i is [i, end[i]). x positions are prefix sums of self weights in preorder, so one
 * array answers everything, and zooming, adding up and searching by position need no walk:
 *
 *	self(i)  = pos[i + 1] - pos[i]            a frame's self weight lies at its left end,
 *	total(i) = pos[end[i]] - pos[i]           its children follow to the right
 *	x of i   = [pos[i], pos[end[i]])
 *
 *	node    0 all   1 main   2 read   3 write        all  |-------------|
 *	end     4       4        3        4              main |-------------|
 *	self    0       1        3        4              read   |---|write--|
 *	pos     0       0        1        4       8      pos  0 1   4       8
 *
 * Positions end at 2^64 - 1: where more comes in, fold.c cuts self weights, so whatever is a difference of
 * positions, or a sum of such of disjoint subtrees, fits.
 *
 * base[] is the same for the baseline, NULL without one. In a merged tree siblings have different names; in a flame
 * chart only neighbours do. A tree does not change once folded.
 *
 * In a tree merged from the leaves the place of self weight is where stacks begin, so it is the weight of their
 * outermost frame, and no function's own: those that did the work stand on the root, and all their weight is
 * theirs.
 */
#ifndef MODEL_TREE_H
#define MODEL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"

#define NODE_ALL 0u
#define NO_NODE UINT32_MAX

struct tree {
	uint32_t n;       /* nodes, at least 1 */
	uint32_t *sym;    /* symbol; sym[0] is 0 */
	uint32_t *parent; /* parent[0] is 0 */
	uint32_t *end;
	uint64_t *pos;  /* n + 1 entries */
	uint64_t *base; /* n + 1 entries, or NULL */
	uint64_t *ends; /* bits of nodes without self weight in which samples of weight 0 end; NULL: there are none */
	uint64_t *nameless; /* in a chart: bits of frames whose name is empty; NULL: there are none */
	uint32_t depth;     /* of the deepest node; "all" has 0 */
	bool is_chart;
	bool is_reversed;
	uint64_t excluded[2]; /* weight that filters, time range or task selection took out, per side */
	uint64_t samples;     /* log entries that went in (side 0) */
	/*
	 * A flame chart of samples that have times, else NULL: ns from the profile's start to each node's first sample.
	 */
	uint64_t *time;    /* n entries */
	uint64_t time_end; /* of the last sample */
	struct cut *cut;   /* owned; what is left out of a tree merged from the leaves, see cut.h. NULL: nothing */
};

/*
 * What is left out of a tree merged from the leaves (cut.h reads it): stacks that end in a frame of the tree and go
 * on in `whole`, a tree of the same stacks merged from the root.
 */
struct tail {
	uint32_t node; /* of the tree: the last frame that was built; it has no children */
	uint32_t at;   /* of `whole`: the next one */
	uint32_t leaf; /* of `whole`: where the stack begins, the frame that stands on the root */
	uint32_t rows; /* from `at` to the end */
};

struct cut {
	struct tree whole;
	struct tail *tails; /* in the order of their nodes */
	size_t n;
	uint64_t *sum[2];    /* n + 1 each, what the tails before weigh; [1]: in the baseline, NULL without one */
	uint32_t *most_rows; /* of each block of CUT_BLOCK tails: the most rows that one of them has */
	uint32_t *below;     /* recipe.below of the fold */
	size_t n_below;
};
#define CUT_BLOCK 512u

void cut_free(struct cut *); /* NULL is allowed */

void tree_init(struct tree *); /* an empty tree: node 0 alone */
void tree_deinit(struct tree *);

static inline uint64_t tree_self(const struct tree *t, uint32_t i)
{
	return t->pos[i + 1] - t->pos[i];
}
static inline uint64_t tree_total(const struct tree *t, uint32_t i)
{
	return t->pos[t->end[i]] - t->pos[i];
}
static inline uint64_t tree_base_self(const struct tree *t, uint32_t i)
{
	return t->base ? t->base[i + 1] - t->base[i] : 0;
}
static inline uint64_t tree_base_total(const struct tree *t, uint32_t i)
{
	return t->base ? t->base[t->end[i]] - t->base[i] : 0;
}
static inline bool tree_is_weightless_end(const struct tree *t, uint32_t i)
{
	return t->ends && (t->ends[i / 64] >> i % 64 & 1);
}
static inline bool tree_is_below(const struct tree *t, uint32_t i, uint32_t ancestor) /* or equal */
{
	return i >= ancestor && i < t->end[ancestor];
}

/*
 * A flame chart must keep time that a frame spends in itself after a child returned. Such a stretch is a leaf with
 * the empty symbol: space, not a frame. It is never drawn, named or counted as one; its weight is its parent's self
 * weight. A frame may have an empty name, too: `nameless` tells them apart.
 */
static inline bool tree_is_gap(const struct tree *t, uint32_t i)
{
	return t->is_chart && i != NODE_ALL && t->sym[i] == 0 && !(t->nameless && (t->nameless[i / 64] >> i % 64 & 1));
}

/* tree_self() and the gaps among its children: the weight on which no frame stands. */
uint64_t tree_bare(const struct tree *, uint32_t node);
/*
 * The weight that the function spent itself, not what it called: the bare weight of its frame; in a tree merged
 * from the leaves all weight of a frame on the root, and none of others.
 */
uint64_t tree_own(const struct tree *, uint32_t node);
uint64_t tree_base_own(const struct tree *, uint32_t node); /* in the baseline */

uint32_t tree_depth(const struct tree *, uint32_t node); /* 0 for "all"; walks to the root */
/* First child, next sibling: NO_NODE if there is none. */
static inline uint32_t tree_first_child(const struct tree *t, uint32_t i)
{
	return i + 1 < t->end[i] ? i + 1 : NO_NODE;
}
static inline uint32_t tree_next_sibling(const struct tree *t, uint32_t i)
{
	return i != NODE_ALL && t->end[i] < t->end[t->parent[i]] ? t->end[i] : NO_NODE;
}
/* The child of `parent` in whose subtree (or at which) `node` is; node must be strictly below parent. Walks up. */
uint32_t tree_child_towards(const struct tree *, uint32_t parent, uint32_t node);
/* The sibling just before i, NO_NODE for a first child. Does not scan the siblings before. */
uint32_t tree_previous_sibling(const struct tree *, uint32_t i);
/* First child of `parent` whose x range ends after `value` (an absolute position), by binary search; or NO_NODE. */
uint32_t tree_child_at(const struct tree *, uint32_t parent, uint64_t value);
/* The same among `first` and the siblings after it, in the positions pos (tree->pos or tree->base). */
uint32_t tree_sibling_at(const struct tree *, const uint64_t *pos, uint32_t first, uint64_t value);

/* When the sample at this position was taken, in a tree that has times; within a node as if samples came evenly. */
uint64_t tree_time_at(const struct tree *, uint64_t position);

/* Symbols from below the root down to node, at most max; returns how many there are. */
size_t tree_path(const struct tree *, uint32_t node, uint32_t *syms, size_t max);
/* The node that a path of symbols leads to; the deepest that exists. NODE_ALL for an empty path. */
uint32_t tree_find_path(const struct tree *, const uint32_t *syms, size_t n, size_t *found);
/* The child with this symbol (the widest in a chart), NO_NODE if there is none. */
uint32_t tree_find_child(const struct tree *, uint32_t parent, uint32_t sym);
/*
 * In a chart: of the children with this symbol the one that holds `at`, or is nearest to it; `starts` is pos or
 * time.
 */
uint32_t tree_find_child_near(const struct tree *, const uint64_t *starts, uint32_t parent, uint32_t sym,
                              uint64_t at);

/*
 * Checks the invariants (preorder, depth, sums, siblings); false with a description. For tests and debug builds.
 */
bool tree_check(const struct tree *, char *why, size_t size);

#endif
