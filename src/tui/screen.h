/*
 * screen.h - divides the rows of the screen among header, breadcrumb, view and footer.
 */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include <stdbool.h>

#include "tui/app.h"

/* Area of the view for the current size, zoom and comparison. At least one row. */
struct rect screen_body(const struct app *);
bool screen_has_crumbs(const struct app *);

/* Lines of the footer; those of them with changes; those with numbers. */
int screen_footer(const struct app *);
int screen_change_lines(const struct app *);
int screen_number_lines(const struct app *);

#endif
