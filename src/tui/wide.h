/*
 * wide.h - divides a wide screen between the graph, on the left, and the table of functions.
 *
 * Both have their place while the user wants them side by side, one of the two has the keys, and the screen has
 * WIDE_COLUMNS. On a narrower screen the one with the keys has all of it.
 */
#ifndef TUI_WIDE_H
#define TUI_WIDE_H

#include <stdbool.h>

#include "tui/app.h"

#define WIDE_COLUMNS 140

/* Is this a view that can have another one beside it? */
bool wide_is_one_of_two(enum tab);
/* Are graph and table both on the screen? */
bool wide_has_both(const struct app *);
/* The part of the body that this view has; all of it if it is alone. */
struct rect wide_area(const struct app *, enum tab, struct rect body);

#endif
