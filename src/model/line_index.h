/*
 * line_index.h - where functions are in a fold and in its sites, so that the lines of one cost no walk over all.
 *
 * Nodes of a tree get ranks: a node comes before what is below it, and that is all there is up to its end. So what
 * is below a function is a few spans of ranks, those of its outermost nodes.
 */
#ifndef MODEL_LINE_INDEX_H
#define MODEL_LINE_INDEX_H

#include <stddef.h>
#include <stdint.h>

/* Nodes in the order of ranks. Zeroed memory is allowed. */
struct line_ranks {
	uint32_t *at;   /* by rank: the node */
	uint32_t *rank; /* by node */
	uint32_t *end;  /* by rank: that of the first node after it that is not below it */
	uint32_t n;
};

/* A parent has a smaller number than its children; node 0 is the root, and gets rank 0. */
void line_ranks_make(struct line_ranks *, const uint32_t *parent, uint32_t n);
void line_ranks_deinit(struct line_ranks *);

/* Items in groups, in their order within each. Zeroed memory is allowed. */
struct line_groups {
	uint32_t *start; /* by key, and one more: the group's first item in `items` */
	uint32_t *items;
	size_t n_keys;
};

/* key: of each item; those of n_keys or more are left out. */
void line_groups_make(struct line_groups *, const uint32_t *key, size_t n, size_t n_keys);
void line_groups_deinit(struct line_groups *);

/* Ranks from `from` to before `to`. */
struct line_span {
	uint32_t from, to;
};

struct line_spans {
	struct line_span *v; /* apart, in the order of ranks */
	size_t n, cap;
};

/* Adds the nodes of a group of ranks, with what is below them. */
void line_spans_add(struct line_spans *, const struct line_ranks *, const struct line_groups *, uint32_t key);
void line_spans_deinit(struct line_spans *);

#endif
