/*
 * curses_rows.h - gives curses the rows of a grid that have changed since the last one.
 */
#ifndef TUI_CURSES_ROWS_H
#define TUI_CURSES_ROWS_H

#include <stdbool.h>

#include "tui/grid.h"
#include "tui/theme.h"

/* Zeroed for a new screen of curses; then the depth is set. */
struct curses_rows {
	enum color_depth depth;
	struct grid drawn;       /* what curses was given last */
	struct style pair_style; /* whose colours are curses' pair number `pair`; 0: none yet */
	int pair;
};

/* is_blank: curses' window was cleared. Nothing is sent yet: wnoutrefresh() follows. */
void curses_rows_put(struct curses_rows *, const struct grid *, bool is_blank);
/* Also zeroes it. */
void curses_rows_deinit(struct curses_rows *);

#endif
