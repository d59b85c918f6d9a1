/*
 * layout.h - which frame stands in which cell.
 *
 * Columns are floor(x * width / total) of the zoomed frame: no drift, no overlap, siblings tile. Siblings too thin
 * to own a cell share one aggregate box. A run of them that crosses no cell edge takes a free cell beside it, or
 * borrows one from a neighbour that has two (the right one first) if the run is worth half a cell; anything less
 * lies within the edge of a neighbour's box (`first`, `final`), so that a wide tower is not eaten up by specks at
 * each of its storeys. Nothing is ever without a box, unless its parent is. Work is proportional to the cells, not
 * to the frames: long runs of thin siblings are passed by binary search.
 *
 * Row 0 is the zoomed frame itself, across the full width.
 */
#ifndef MODEL_LAYOUT_H
#define MODEL_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tree.h"

struct box {
	uint32_t node;     /* the frame, or the first sibling of an aggregate */
	uint32_t last;     /* the last sibling of an aggregate; = node for a single frame */
	uint32_t first;    /* siblings [first, final] have their place here: thin ones before `node` and */
	uint32_t final;    /* after `last` lie within its edges */
	uint32_t col, end; /* columns [col, end), end > col */
	uint32_t parent;   /* index of the parent's box in the row before (counted from that row's first box) */
	uint32_t eighths;  /* of the column past `end` that the frame reaches into, 0-7; 0 where that is taken */
	uint64_t x0, x1;   /* value units, absolute positions in tree->pos */
};

static inline bool box_is_aggregate(const struct box *b)
{
	return b->last != b->node;
}
/* Thin siblings lie within its left or right edge: the edge should say so. */
static inline bool box_hides_left(const struct box *b)
{
	return b->first != b->node;
}
static inline bool box_hides_right(const struct box *b)
{
	return b->final != b->last;
}

struct layout {
	const struct tree *tree;
	uint32_t zoom;
	uint32_t width;     /* columns */
	uint64_t min_value; /* frames below this total are left out (view's smallest share), 0: none */
	struct box *boxes;  /* row by row, left to right */
	size_t n, cap;
	size_t *row_start; /* rows + 1 entries */
	size_t rows, cap_rows;
	uint64_t left_out; /* frames (subtree roots) left out by min_value */
	bool use_base;     /* positions from tree->base instead of tree->pos */
};

void layout_init(struct layout *);
void layout_deinit(struct layout *);
/* Fills it anew. width > 0. max_rows: stop below (0: no limit). */
void layout_make(struct layout *, const struct tree *, uint32_t zoom, uint32_t width, uint64_t min_value,
                 size_t max_rows);

/* Boxes of a row: &boxes[row_start[row]] up to row_start[row + 1]. */
/* Index (in boxes) of the box at this row and column; SIZE_MAX: empty. Binary search. */
size_t layout_at(const struct layout *, size_t row, uint32_t col);
/*
 * Index of the box that shows `node` or, if too thin, the one that it or its nearest drawn ancestor lies in (an
 * aggregate, or the neighbour at whose edge it is). SIZE_MAX: not below zoom.
 */
size_t layout_find(const struct layout *, uint32_t node);

#endif
