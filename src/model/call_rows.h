/*
 * call_rows.h - the rows of a call tree: one for each frame whose ancestors are all open.
 *
 * The screen and the exports show the same rows.
 */
#ifndef MODEL_CALL_ROWS_H
#define MODEL_CALL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tree.h"

struct call_row {
	uint32_t node;
	uint32_t sym; /* identifies the frame in another tree */
	uint32_t depth;
	bool is_open;
};

/* In preorder, the children of a row heaviest first; zeroed: no rows. */
struct call_rows {
	struct call_row *rows; /* owned */
	size_t n, cap;
};

#define NO_CALL_ROW SIZE_MAX

/* Forgets the rows and begins with that of `top`, and its children. */
void call_rows_begin(struct call_rows *, const struct tree *, uint32_t top);
void call_rows_deinit(struct call_rows *);
void call_rows_copy(struct call_rows *to, const struct call_rows *from); /* `to` forgets its own */
/* Are the same frames of one tree open? */
bool call_rows_is_same(const struct call_rows *, const struct call_rows *);
/* Inserts the children of a row after it; nothing if it is open or has none. */
void call_rows_open(struct call_rows *, const struct tree *, size_t at);
/* Removes all deeper rows after this one. */
void call_rows_close(struct call_rows *, size_t at);
/* The row of a node, NO_CALL_ROW: it has none. Scans the rows. */
size_t call_rows_find(const struct call_rows *, uint32_t node);
/* Opens all ancestors of a node below the first row. */
void call_rows_open_around(struct call_rows *, const struct tree *, uint32_t node);
/* Begins at `top`, and opens what was open in `old`, rows of another tree that begin at the same frame. */
void call_rows_reopen(struct call_rows *, const struct tree *, uint32_t top, const struct call_rows *old);
/* Opens the heaviest child of the first row, and so on as long as it has half of its parent's weight. */
void call_rows_open_halves(struct call_rows *, const struct tree *);
/*
 * The rows of a call tree that was just opened: of the heaviest path, as far as each frame has half of its parent's
 * weight. If the cursor is elsewhere, of the way to it: that is what its owner wants to see.
 */
void call_rows_begin_as_usual(struct call_rows *, const struct tree *, uint32_t top, uint32_t cursor);
/* Opens the heaviest child of a row, again and again while it has a tenth of the row's weight; returns the last. */
size_t call_rows_open_hot_path(struct call_rows *, const struct tree *, size_t at);

#endif
