/*
 * heat.h - the heat map: time across, and how much happened within each slice of it.
 */
#ifndef TUI_HEAT_H
#define TUI_HEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/app.h"

struct heat {
	uint64_t *cells; /* rows * cols weights */
	int rows, cols;
	uint64_t first, span;   /* ns; span of the whole, at least 1 */
	uint64_t cell_ns;       /* of one cell */
	uint64_t max, total;    /* of a cell, of all of them */
	int row, col;           /* cursor */
	int mark_row, mark_col; /* the other end of the range; -1: none */
	struct rect body;       /* of the view, when it was made */
	struct rect area;       /* of the cells on the screen */
};

void heat_init(struct app *);
void heat_deinit(struct app *);
void heat_open(struct app *);
/* The same map on another screen: cursor and marked end stay at their times. */
void heat_prepare(struct app *, struct rect);
void heat_move(struct app *, enum motion);
/* The cell under the cursor is one end of a range; the second one closes the map. */
void heat_mark(struct app *);
void heat_forget_range(struct app *);
/* Which keys do something here. */
void heat_help(struct app *);
void heat_click(struct app *, int row, int col);
/* Away from the end that is marked? */
bool heat_is_dragged(const struct app *, int row, int col);
void heat_paint(struct app *, struct rect);

#endif
