/*
 * beside.h - graph and table side by side.
 *
 * The cursor of the graph selects the row of its function; that of the table marks the frames of its function.
 * Zoom, search and filters belong to the view, and so to both.
 */
#ifndef TUI_BESIDE_H
#define TUI_BESIDE_H

#include "tui/app.h"

/* Shows both, or one of them again. */
void beside_toggle(struct app *);
/* Brings a view to the front; beside it, the graph takes over the table's function. */
void beside_open(struct app *, enum tab);
/* The view at this place of the body. */
enum tab beside_tab_at(const struct app *, int col);

/* The same as those of the pane in front, for all that are on the screen. */
void beside_prepare(struct app *, struct rect body);
void beside_paint(struct app *, struct rect body);
void beside_tell(const struct app *, struct shown *);

#endif
