/*
 * origins.h - where functions come from, for the footer and the table: module, and file and line.
 */
#ifndef TUI_ORIGINS_H
#define TUI_ORIGINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "lib/cells.h"
#include "tui/grid.h"

struct app;

/* By name: a symbol with the origin of all its functions (origin.h), ORIGIN_SEVERAL, or NO_SYMBOL: no function. */
struct origins {
	uint32_t *of; /* owned */
	size_t n;
	unsigned stamp; /* app.tree_stamp and zoom that it was made for; 0: none */
	uint32_t zoom;
};

void origins_deinit(struct origins *);
/* Columns of the screen that the table has for modules, at its right edge; 0: none. */
int origins_columns(const struct app *);
/* Makes them for the tree below the zoom, if the table shows them, unless they are made. */
void origins_prepare(struct app *, struct origins *);
/* Paints the module of a row of the table, or the heading (NO_SYMBOL). Returns the columns that it takes. */
int origins_paint(struct app *, const struct origins *, struct rect area, int row, struct style, uint32_t sym);

/* The origin of the selected function (name_origins.h), which must be there. by: BY_MODULE or BY_FILE. */
uint32_t origins_selected(const struct app *, enum group_by by);
/* Appends "  [libc.so.6]" and "  main.c:12" for the selected function, as far as they are known. */
void origins_add_words(const struct app *, struct buf *out);

#endif
