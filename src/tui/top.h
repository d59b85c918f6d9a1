/*
 * top.h - the table of functions.
 */
#ifndef TUI_TOP_H
#define TUI_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/table.h"
#include "tui/app.h"

struct top {
	/* Rows and their order; sums only below a zoom, valid while sums_zoom is the zoom. */
	struct table table;
	uint32_t sums_zoom;
	struct work *work; /* makes the next rows; NULL: none */
	unsigned wanted;   /* app.tree_stamp and zoom that it makes them for */
	uint32_t wanted_zoom;
	enum top_column sort;
	bool is_ascending;
	char *filter;        /* owned; NULL: none */
	char *filter_before; /* the filter before another one is typed, with the function then under the cursor */
	uint32_t symbol_before;
	size_t cursor, scroll;
	uint32_t symbol; /* function under the cursor, kept when sorting; NO_SYMBOL: none yet */
	int height;
	unsigned stamp; /* app.tree_stamp when made; 0: new rows are wanted */
	uint32_t zoom;  /* zoom that they were made for */
};

/* Puts the cursor on a function's row. */
void top_go_to(struct app *, uint32_t symbol);
void top_set_filter(struct app *, const char *pattern);
/* Saves the filter and the cursor while another filter is typed, for when that is cancelled. */
void top_keep(struct app *);
void top_restore(struct app *);
void top_sort_next(struct app *, int by);
void top_flip(struct app *);
/* Does the row under the cursor show all that the footer could: the sums of the whole tree, and the name? */
bool top_shows_numbers(const struct app *);
bool top_shows_name(struct app *);
/* Moves to the next row that the search matches; false: there is none. */
bool top_next_hit(struct app *, bool backwards);

#endif
