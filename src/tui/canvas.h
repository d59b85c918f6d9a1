/*
 * canvas.h - one flame graph inside a rectangle of cells: used whole, and twice in the sandwich.
 */
#ifndef TUI_CANVAS_H
#define TUI_CANVAS_H

#include "model/diff.h"
#include "model/layout.h"
#include "model/view.h"
#include "tui/grid.h"
#include "tui/theme.h"

#define NO_BOX SIZE_MAX

struct canvas {
	const struct layout *layout;
	struct view *view; /* names, search hits, kind of colouring; the tree is the layout's */
	const struct theme *theme;
	struct rect area;
	size_t scroll;                  /* the layout's row that is nearest to the root's edge of the area */
	bool grows_up;                  /* the root's edge is the lower one */
	size_t selected;                /* box, or NO_BOX */
	uint64_t whole;                 /* 100 % for colours by share */
	double diff_most;               /* diff_most(); 0: no diff colouring */
	const struct diff_basis *basis; /* if diff_most */
	const struct name_sum *middle;  /* node 0 is the function with these sums; NULL: it is a frame as all others */
	double factor;                  /* of weights that are shown; 0: none */
	const bool *is_lit;             /* by node: search matches that the tree does not have; NULL: none */
	bool is_negated;                /* --negate: red and blue change places */
};

void canvas_paint(struct grid *, const struct canvas *);

/* Row of the layout that a row of the grid shows; false: outside. */
bool canvas_row_at(const struct canvas *, int grid_row, size_t *row);
/* Row in the layout of a box. */
size_t canvas_row_of(const struct layout *, size_t box);
/* First and past-the-last box above (away from the root) this one that have it as their parent. */
void canvas_children(const struct layout *, size_t box, size_t *first, size_t *end);
/* The box of a row that is nearest to a column; NO_BOX for a row without boxes. */
size_t canvas_nearest(const struct layout *, size_t row, uint32_t col);

/* Does the search match the frame of a box, or one of an aggregate? */
bool canvas_is_hit(const struct canvas *, const struct box *);

/* What a node is called: "all" for the root of a whole tree. */
const struct display_name *canvas_name(struct view *, const struct tree *, uint32_t node);

#endif
