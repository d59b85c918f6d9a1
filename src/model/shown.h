/*
 * shown.h - which view is in front, and its state besides the tree, its zoom, its cursor and its search.
 *
 * `struct shown` is a member of struct view: with it, a view is all that the screen depends on, besides its size
 * and colours. Two places fill it for the present tree and zoom; a fold does not change it:
 *
 *	options_place()   from --view and the options that go with it, after the fold
 *	panes_tell()      from the viewer's panes, before the viewer writes a file or the command of `C`
 *
 * Exports and the command of `C` read it. The state of a view that is not in front is that of a view just opened;
 * but a file that tells the graph as a table has order and filter of the table.
 */
#ifndef MODEL_SHOWN_H
#define MODEL_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call_rows.h"
#include "match.h"
#include "table.h"
#include "tree_sums.h"

/* A flame chart is the flame graph of a recipe with `chart`. */
enum shown_view { SHOWN_FLAME, SHOWN_TABLE, SHOWN_SANDWICH, SHOWN_CALLS, SHOWN_LINES, N_SHOWN_VIEWS };

/* Scrolled only as far as the cursor needs. */
#define SCROLL_AS_USUAL SIZE_MAX
#define NO_HEAT_TIME UINT64_MAX
#define NO_PAGE_ROW SIZE_MAX

struct shown {
	enum shown_view view;
	bool is_beside; /* graph and table side by side, where there is room; the view is the one with the keys */
	bool has_heat;  /* the heat map lies over it; no file can hold that */

	/*
	 * A symbol, NO_SYMBOL: none. Sandwich: the function in the middle; none only if the tree has none. Table: the
	 * one under the cursor; none if that is on the first row. Lines: whose they are; none, in a file: those of the
	 * heaviest functions.
	 */
	uint32_t function;
	/* The cursor of the sandwich: the symbols from the middle, left out, to it. None: it is on the middle. */
	uint32_t *path; /* owned, n_path */
	size_t n_path;
	bool is_among_callers; /* else the path leads to callees */

	/* The table. */
	enum top_column sort; /* N_TOP_COLUMNS: the usual column of the table, or of the table of differences */
	bool is_ascending;    /* small numbers first; names from Z to A */
	char *filter;         /* owned; NULL: none */
	enum match_mode filter_mode;

	/*
	 * The rows of the call tree, from the zoom down; none: as when the view is opened. They
	 * belong to the present tree and zoom; whoever replaces the tree makes them again with call_rows_reopen().
	 */
	struct call_rows calls;

	/*
	 * Lines: the row of the page (line_page.h) under the cursor, or the number of a line, 0: the hottest; and the
	 * rows that are open, from the top, each with its number while those above it are open.
	 */
	size_t row;      /* NO_PAGE_ROW: see line */
	bool wants_code; /* instructions, which no file can show */
	uint32_t line;
	size_t *open_rows; /* owned, n_open_rows */
	size_t n_open_rows;

	/*
	 * Rows before the first one on the screen, or SCROLL_AS_USUAL: rows of boxes from the zoom on, of the table, of
	 * the call tree. Sandwich: rows of callers, from the middle upwards; and in [1] rows from the middle downwards.
	 * Side by side: rows of boxes; and in [1] rows of the table. Lines: rows, and in [1] columns of the text.
	 */
	size_t scroll[2];
	/* Flame graph: the cursor is on all narrow frames in the place of view.cursor, not on that one alone. */
	bool is_on_cell;
	uint32_t given_up; /* names on which the pattern of --function exceeded its limit */

	/* Lanes of a chart with a time axis: those folded (numbers from 0), and the one whose title has the cursor. */
	uint32_t *folded; /* owned, n_folded */
	size_t n_folded;
	bool folds_all;
	uint32_t lane;

	/* The heat map, in ns after the first sample: the cursor and the marked end of a range; NO_HEAT_TIME: none. */
	uint64_t heat_at, heat_mark;
};

void shown_init(struct shown *);
/* Leaves it as after shown_init(). */
void shown_deinit(struct shown *);
/* Both copy. */
void shown_set_path(struct shown *, bool is_among_callers, const uint32_t *path, size_t n);
void shown_set_filter(struct shown *, const char *pattern, enum match_mode);

/* Does the plain table have the column, or the one of differences? */
bool shown_has_column(enum top_column, bool is_diff);
/*
 * The column that sorts the table: the chosen one if the table has it. Columns of self and total in one table stand
 * for those in the other, where that is sorted by the change; all else is as usual.
 */
enum top_column shown_sort(const struct shown *, bool is_diff);
/* The function with most self weight, which is in the middle of a sandwich if none is chosen; NO_SYMBOL: none. */
uint32_t shown_heaviest(const struct symtab *, const struct name_sum *sums, size_t n);

#endif
