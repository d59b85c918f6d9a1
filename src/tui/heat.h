/*
 * heat.h - the heat map: slices of time across, and the weight within each slice.
 */
#ifndef TUI_HEAT_H
#define TUI_HEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/app.h"

struct heat {
	uint64_t *cells;        /* rows * cols of them */
	int rows, cols;         /* a column is a slice of the run, and may be several columns wide on the screen */
	int width;              /* screen columns of all slices */
	int tall;               /* screen rows of a cell */
	uint64_t first, span;   /* ns; span of the whole run, at least 1 */
	uint64_t cell_ns;       /* ns per cell */
	uint64_t max, total;    /* weight of the heaviest cell, and of all */
	uint64_t untimed;       /* samples that are in no cell, since they have no time */
	int row, col;           /* cursor */
	int mark_row, mark_col; /* the other end of the range; -1: none */
	struct rect body;       /* area of the view when the map was made */
	struct rect area;       /* area of the cells on the screen */
	bool is_due;            /* opens with the times of view.shown at the next preparation */
};

void heat_init(struct app *);
void heat_deinit(struct app *);
void heat_open(struct app *);
/* Fits the map to another screen; the cursor and the marked end keep their times. */
void heat_prepare(struct app *, struct rect);
void heat_move(struct app *, enum motion);
/* Marks the cell under the cursor as one end of a range; the second end closes the map. */
void heat_mark(struct app *);
void heat_forget_range(struct app *);
/* Shows which keys work in the map. */
void heat_help(struct app *);
void heat_click(struct app *, int row, int col);
/* Is this cell away from the marked end? */
bool heat_is_dragged(const struct app *, int row, int col);
void heat_paint(struct app *, struct rect);

/* Writes the times of the cursor and of the marked end. */
void heat_tell(const struct app *, struct shown *);
/* Opens the map at those times at the next preparation. */
void heat_show(struct app *);

#endif
