/*
 * calls_row.h - paints the rows of the call tree.
 */
#ifndef TUI_CALLS_ROW_H
#define TUI_CALLS_ROW_H

#include "lib/cells.h"
#include "tui/app.h"

/* Paints the heading, and the rows from `first` on that fit into the area. */
void calls_row_paint_all(struct app *, struct rect area, const struct call_rows *, size_t first);

#endif
