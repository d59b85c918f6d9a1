/*
 * top_columns.h - the columns of the table of functions.
 */
#ifndef TUI_TOP_COLUMNS_H
#define TUI_TOP_COLUMNS_H

#include "tui/top_state.h"

/* Columns of the screen that the table has. */
int top_columns(const struct app *);
/* Does the table of this profile have it, on some screen? */
bool top_has_column(const struct app *, enum top_column);
/*
 * Columns it takes on the screen; 0: hidden. On a narrow screen numbers make room for names, the least informative
 * first.
 */
int top_column_width(const struct app *, enum top_column);
/* Columns before the names. */
int top_name_column(const struct app *);
/* The column at this distance from the table's left edge. */
enum top_column top_column_at(const struct app *, int col);
/* Is the table sorted by a column of self weight? */
bool top_sorts_by_self(const struct app *);
/* Appends text, right-aligned. */
void top_add_column(struct buf *out, const char *text, size_t width);
void top_paint_heading(struct app *, struct rect area);

#endif
