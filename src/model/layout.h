/*
 * layout.h - assigns frames to cells.
 *
 * Columns are floor(x * width / total) of the zoomed frame: no drift, no overlap, siblings tile. Siblings too thin
 * to own a cell share one aggregate box. A run of them that crosses no cell edge takes a free neighbouring cell;
 * or, if it is worth half a cell, it borrows one from a neighbour that has two (first the right one). Otherwise it
 * lies within the edge of a neighbour's box (`first`, `final`), so that specks do not eat up a wide tower, one cell
 * per row. Every frame has a box unless its parent has none. Work is proportional to the cells, not to the frames:
 * binary search skips long runs of thin siblings.
 *
 * Row 0 is the zoomed frame at full width.
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
	uint32_t first;    /* siblings [first, final] have their place here: thin ones before `node` */
	uint32_t final;    /* and after `last` lie within its edges */
	uint32_t col, end; /* columns [col, end), end > col */
	uint32_t parent;   /* index of the parent's box, counted from the first box of the row before */
	uint32_t eighths;  /* of the column after `end` that the frame reaches into, 0-7; 0 if it is taken */
	uint64_t x0, x1;   /* value units, absolute positions in tree->pos */
};

static inline bool box_is_aggregate(const struct box *b)
{
	return b->last != b->node;
}
/* Does its left or right edge hide thin siblings? The edge should show it. */
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
	uint32_t width; /* columns */
	uint64_t
		min_value; /* frames below this total (in lanes: time) are left out: the view's smallest share; 0: none */
	struct box *boxes; /* row by row, left to right */
	size_t n, cap;
	size_t *row_start; /* rows + 1 entries */
	size_t rows, cap_rows;
	bool use_base; /* take positions from tree->base instead of tree->pos */
};

void layout_init(struct layout *);
void layout_deinit(struct layout *);
/* Computes the layout; the old one is overwritten. width > 0. max_rows: limit, 0: none. */
void layout_make(struct layout *, const struct tree *, uint32_t zoom, uint32_t width, uint64_t min_value,
                 size_t max_rows);

/* Boxes of a row: &boxes[row_start[row]] up to row_start[row + 1]. */
/* Index (in boxes) of the box at this row and column; SIZE_MAX: empty. Binary search. */
size_t layout_at(const struct layout *, size_t row, uint32_t col);
/*
 * Index of the box that shows `node`; if it is too thin, of the box that holds it or its nearest drawn ancestor (an
 * aggregate, or the neighbour whose edge hides it). SIZE_MAX: not below zoom.
 */
size_t layout_find(const struct layout *, uint32_t node);

#endif
