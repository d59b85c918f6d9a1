/*
 * top_state.h - the state of the table of functions, and of it what files and commands need.
 */
#ifndef TUI_TOP_STATE_H
#define TUI_TOP_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/cells.h"
#include "tui/app.h"
#include "tui/origins.h"

/* What the sums are of. */
struct top_zoom {
	uint32_t node;
	struct span span; /* to: 0: all times */
};

/* What rows are made for. */
struct top_rows {
	unsigned stamp; /* app.tree_stamp; 0: there are none */
	struct top_zoom zoom;
	enum top_column sort;
	bool is_ascending;
	char *filter; /* owned; NULL: none */
};

struct top {
	/* Rows and their order; sums only below a zoom, valid while sums_zoom is the zoom. */
	struct table table;
	struct top_zoom sums_zoom;
	uint64_t sums_weight; /* self of all sums */
	struct top_rows made;
	struct work *work; /* makes the next rows; NULL: none */
	struct top_rows wanted;
	enum top_column sort;
	bool is_ascending;
	struct origins origins; /* of the rows; only for the column of modules */
	char *filter;           /* owned; NULL: none */
	char *filter_before;    /* the filter before another one is typed, with the function then under the cursor */
	uint32_t symbol_before;
	size_t cursor, scroll;
	bool is_unmarked; /* no row is that of the graph beside the table */
	uint32_t symbol;  /* function under the cursor, kept when sorting; NO_SYMBOL: none yet */
	int height;
	unsigned stamp;       /* app.tree_stamp when made; 0: new rows are wanted */
	struct top_zoom zoom; /* zoom that they were made for */
	bool is_due;          /* scrolls as view.shown says when there are rows */
};

/* The column that rows are sorted by: in another view than the last, the one that corresponds, or the usual one. */
enum top_column top_order(const struct app *);
/* Order and filter of the rows, also for a file with a table while the graph is in front. */
void top_tell_rows(const struct app *, struct shown *);
/* pane.tell and pane.show of the table. */
void top_tell(const struct app *, struct shown *);
void top_show(struct app *, bool is_in_front);
/* Once there are rows: scrolls as view.shown says, as far as there are rows. */
void top_scroll_as_shown(struct app *);

#endif
