/*
 * canvas.h - paints a flame graph into a rectangle of cells: once in the flame pane, twice in the sandwich.
 */
#ifndef TUI_CANVAS_H
#define TUI_CANVAS_H

#include "lib/cells.h"
#include "tui/grid.h"
#include "tui/marks.h"
#include "tui/theme.h"

#define NO_BOX SIZE_MAX

struct canvas {
	const struct layout *layout;
	struct view *view; /* names, search hits, colour scheme; the tree is the layout's */
	const struct theme *theme;
	struct rect area;
	size_t scroll;                  /* the layout's row nearest to the root's edge of the area */
	bool grows_up;                  /* the root is at the lower edge */
	size_t selected;                /* box, or NO_BOX */
	const struct marks *marks;      /* frames selected as well; NULL: none */
	uint64_t whole;                 /* 100 % for colours by share */
	double diff_most;               /* diff_most(); 0: no diff colouring */
	const struct diff_basis *basis; /* if diff_most */
	const struct name_sum *middle;  /* node 0 is the function with these sums; NULL: it is an ordinary frame */
	double factor;                  /* factor of displayed weights; 0: none */
	const bool *is_lit;             /* by node: search matches in frames that the tree leaves out; NULL: none */
	bool is_negated;                /* --negate: swaps red and blue */
};

void canvas_paint(struct grid *, const struct canvas *);

/* The layout row shown at a grid row; false: outside. */
bool canvas_row_at(const struct canvas *, int grid_row, size_t *row);
/* The layout row of a box. */
size_t canvas_row_of(const struct layout *, size_t box);
/* First and past-the-last of the boxes one row further from the root whose parent is this one. */
void canvas_children(const struct layout *, size_t box, size_t *first, size_t *end);
/* The box in a row nearest to a column; NO_BOX for a row without boxes. */
size_t canvas_nearest(const struct layout *, size_t row, uint32_t col);

/* Does the search match the box's frame, or a frame of an aggregate? */
bool canvas_is_hit(const struct canvas *, const struct box *);

/* A node's displayed name: "all" for the root of a whole tree. */
const struct display_name *canvas_name(struct view *, const struct tree *, uint32_t node);

#endif
