/*
 * top.h - the table of functions.
 */
#ifndef TUI_TOP_H
#define TUI_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/app.h"
#include "tui/top_state.h"

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
