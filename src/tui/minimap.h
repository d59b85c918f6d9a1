/*
 * minimap.h - one line above the graph: where the visible part lies in the whole.
 */
#ifndef TUI_MINIMAP_H
#define TUI_MINIMAP_H

#include <stdbool.h>

#include "tui/app.h"

/* It is shown while a zoom hides a part, if the screen has rows for it. */
bool minimap_is_shown(const struct app *);
void minimap_paint(struct app *, int row);
/*
 * Shows the part at this column: in a flame graph the frame there that is as deep as the zoomed one, with a time
 * axis as much time as before.
 */
void minimap_click(struct app *, int col);

#endif
