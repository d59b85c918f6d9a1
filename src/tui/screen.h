/*
 * screen.h - which rows of the screen the header, the breadcrumb, the view and the footer have.
 */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include <stdbool.h>

#include "tui/app.h"

/* Where the view goes, for the present size, zoom and comparison. At least one row. */
struct rect screen_body(const struct app *);
bool screen_has_crumbs(const struct app *);

/* Lines of the footer, and those of them with changes and with numbers. */
int screen_footer(const struct app *);
int screen_change_lines(const struct app *);
int screen_number_lines(const struct app *);

#endif
