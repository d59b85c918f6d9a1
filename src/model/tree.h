/*
 * tree.h - a flame graph: frames in preorder, no pointers.
 *
 * Node 0 is "all". The subtree of i is [i, end[i]). x positions are prefix sums of self weights in preorder: this
 * one array serves zooming, sums and search by position without a walk:
 *
 *	self(i)  = pos[i + 1] - pos[i]            a frame's self weight is at its left end,
 *	total(i) = pos[end[i]] - pos[i]           its children follow to the right
 *	x of i   = [pos[i], pos[end[i]])
 *
 *	node    0 all   1 main   2 read   3 write        all  |-------------|
 *	end     4       4        3        4              main |-------------|
 *	self    0       1        3        4              read   |---|write--|
 *	pos     0       0        1        4       8      pos  0 1   4       8
 *
 * Positions end at 2^64 - 1: fold.c cuts self weights that sum to more, so every difference of positions fits, as
 * does a sum of them over disjoint subtrees.
 *
 * base[] is the same for the baseline, NULL without one. In a merged tree siblings have different names; in a flame
 * chart only neighbours do; with recipe.apart they differ in name or origin. A tree does not change after folding.
 *
 * In a caller tree (merged from the leaves) the place of self weight is where stacks begin: it is the weight of
 * their outermost frame, not a function's own time. The functions that did the work are on the root, and all their
 * weight is their own.
 */
#ifndef MODEL_TREE_H
#define MODEL_TREE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "group.h"

#define NODE_ALL 0u
#define NO_NODE UINT32_MAX

/* A stretch of time, [from, to), in ns from the profile's start. */
struct span {
	uint64_t from, to;
};

/* A thread in a chart with a time axis: those children of the root from `first` up to the next lane's. */
struct lane {
	uint32_t task;  /* of the profile */
	uint32_t first; /* node */
	uint32_t depth; /* of its deepest frame, at least 1 */
	uint64_t samples;
};

/* The heaviest nodes of a large tree, found by the first search in it, on any thread (search_order.c). */
struct tree_heavy {
	_Atomic(uint64_t *) found; /* owned; their bits, and a list of the heaviest; NULL: not yet */
};

struct tree {
	uint32_t n;       /* nodes, at least 1 */
	uint32_t *sym;    /* symbol; sym[0] is 0 */
	uint32_t *origin; /* a variant of sym, or sym: unknown or several (origin.h); NULL: as sym tells */
	/* Bits of the symbols (of variants, origin.h) in its stacks; NULL: unknown, or no name has several origins. */
	uint64_t *functions;
	uint32_t n_functions; /* symbols that may be in it */
	uint32_t *parent;     /* parent[0] is 0 */
	uint32_t *end;
	uint64_t *pos;      /* n + 1 entries */
	uint64_t *base;     /* n + 1 entries, or NULL */
	uint64_t *ends;     /* bits of nodes without self weight in which samples of weight 0 end; NULL: none */
	uint64_t *nameless; /* in a chart: bits of frames with an empty name; NULL: none */
	uint32_t depth;     /* of the deepest node; "all" has depth 0 */
	bool is_chart;
	bool is_reversed;
	bool is_parted;       /* sym[] is what origin[] would be: a plain name is a function of unknown origin */
	bool is_shortened;    /* it would have too many frames (profile_bound): some stacks are shown without theirs */
	enum group_by group;  /* what the names of nodes are; BY_FUNCTION in most trees */
	uint64_t excluded[2]; /* weight that filters, time range or task selection took out, per side */
	uint64_t samples;     /* samples that went in (side 0) */
	uint64_t untimed;     /* samples left out because they have no time (side 0) */
	double squares[2];    /* sums of their squared weights, per side; 0: not needed (diff.h) */
	/* For a flame chart with times: ns from the profile's start to the first sample of each node. Else NULL. */
	uint64_t *time;    /* n entries */
	uint64_t time_end; /* of the last sample */
	/* For a chart with a time axis: ns at which each node ends; nodes are lane by lane, each by time. Else NULL. */
	uint64_t *until; /* n entries */
	struct lane *lanes;
	uint32_t n_lanes;
	struct cut *cut;          /* owned; rows left out of a caller tree, see cut.h. NULL: none */
	struct tree_heavy *heavy; /* owned; NULL: not kept */
};

/*
 * A part left out of a caller tree (cut.h): stacks that end in a frame of the tree and continue in `whole`, a tree
 * of the same stacks merged from the root.
 */
struct tail {
	uint32_t node; /* of the tree: the last frame built; it has no children */
	uint32_t at;   /* of `whole`: the next frame */
	uint32_t leaf; /* of `whole`: the stack's leaf, which is on the root of the tree */
	uint32_t rows; /* number of rows from `at` to the end */
};

struct cut {
	struct tree whole;
	struct tail *tails; /* in the order of their nodes */
	size_t n;
	uint64_t *sum[2]; /* n + 1 entries: weight of the tails before each; [1]: of the baseline, NULL without one */
	uint32_t *most_rows; /* for each block of CUT_BLOCK tails: the largest number of rows */
	uint32_t *below;     /* recipe.below of the fold */
	size_t n_below;
};
#define CUT_BLOCK 512u

void cut_free(struct cut *); /* may be NULL */

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
 * A flame chart must show the time that a frame spends in itself after a child returned. Such a stretch is a leaf
 * with the empty symbol: space, not a frame. It is never drawn, named or counted; its weight is self weight of its
 * parent. Frames may have an empty name, too; their bits in `nameless` tell them apart.
 */
static inline bool tree_is_gap(const struct tree *t, uint32_t i)
{
	return t->is_chart && i != NODE_ALL && t->sym[i] == 0 && !(t->nameless && (t->nameless[i / 64] >> i % 64 & 1));
}

/* tree_self() plus the gaps among the children: the weight without a frame on it. */
uint64_t tree_bare(const struct tree *, uint32_t node);
/*
 * The function's self weight: the bare weight of its frame. In a caller tree: all weight of a frame on the root,
 * none of other frames.
 */
uint64_t tree_own(const struct tree *, uint32_t node);
uint64_t tree_base_own(const struct tree *, uint32_t node); /* in the baseline */

uint32_t tree_depth(const struct tree *, uint32_t node); /* 0 for "all"; climbs to the root */
/* First child, next sibling: NO_NODE if none. */
static inline uint32_t tree_first_child(const struct tree *t, uint32_t i)
{
	return i + 1 < t->end[i] ? i + 1 : NO_NODE;
}
static inline uint32_t tree_next_sibling(const struct tree *t, uint32_t i)
{
	return i != NODE_ALL && t->end[i] < t->end[t->parent[i]] ? t->end[i] : NO_NODE;
}
/* The child of `parent` whose subtree holds `node`, which must be strictly below parent. Climbs. */
uint32_t tree_child_towards(const struct tree *, uint32_t parent, uint32_t node);
/* The sibling just before i, NO_NODE for a first child. Does not scan siblings. */
uint32_t tree_previous_sibling(const struct tree *, uint32_t i);
/* First child of `parent` whose x range ends after `value` (an absolute position), by binary search; or NO_NODE. */
uint32_t tree_child_at(const struct tree *, uint32_t parent, uint64_t value);
/* The same for `first` and its later siblings, with positions pos (tree->pos or tree->base). */
uint32_t tree_sibling_at(const struct tree *, const uint64_t *pos, uint32_t first, uint64_t value);

/* Frames too light to draw. */
struct tree_light {
	uint64_t narrow;
	uint64_t gone; /* without weight, since they are only in the other side of a comparison */
};
/* Counts frames at or below a node: those lighter than `least`, and those with weight only in the baseline. */
void tree_add_light(const struct tree *, uint32_t node, uint64_t least, struct tree_light *);

/* The time of a position in a tree with times, interpolated within a node. */
uint64_t tree_time_at(const struct tree *, uint64_t position);

/* The lane's nodes are [first, end), children of the root and what is on them. */
static inline uint32_t tree_lane_end(const struct tree *t, uint32_t lane)
{
	return lane + 1 < t->n_lanes ? t->lanes[lane + 1].first : t->n;
}
static inline uint64_t tree_lane_total(const struct tree *t, uint32_t lane)
{
	return t->pos[tree_lane_end(t, lane)] - t->pos[t->lanes[lane].first];
}
/* The lane that holds the node, which is not the root. */
uint32_t tree_lane_of(const struct tree *, uint32_t node);
/*
 * In a lane: the last of `first` and its later siblings before the node `end` that begins at or before a time;
 * NO_NODE: none. Binary search.
 */
uint32_t tree_sibling_by_time(const struct tree *, uint32_t first, uint32_t end, uint64_t time);

/* Writes the symbols from below the root down to node, at most max; returns the full number. */
size_t tree_path(const struct tree *, uint32_t node, uint32_t *syms, size_t max);
/* The child with this symbol: in a chart the widest, else the first (see ways.h). NO_NODE: none. */
uint32_t tree_find_child(const struct tree *, uint32_t parent, uint32_t sym);
/* The widest frame of this symbol at or below `below`; of equals the outermost. NO_NODE: none. */
uint32_t tree_widest_frame(const struct tree *, uint32_t below, uint32_t sym);
/* In a chart: the child with this symbol that holds `at`, or is nearest to it; `starts` is pos or time. */
uint32_t tree_find_child_near(const struct tree *, const uint64_t *starts, uint32_t parent, uint32_t sym,
                              uint64_t at);

/* Checks the invariants (preorder, depth, sums, siblings); false with a description. For tests and debug builds. */
bool tree_check(const struct tree *, char *why, size_t size);

#endif
