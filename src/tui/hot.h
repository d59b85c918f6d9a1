/*
 * hot.h - the functions with the most self weight: a line at the foot of the screen, and the way to their frames.
 */
#ifndef TUI_HOT_H
#define TUI_HOT_H

#include <stdbool.h>
#include <stdint.h>

struct app;
struct view;

/*
 * Paints the heaviest three and the key that leads to them in one row; false: there are none, or the view has no
 * such key, and nothing is painted.
 */
bool hot_paint(struct app *, int row);
/*
 * Puts the cursor on the heaviest function below the zoom; if it is on one of them already, on the next. With a
 * count, as often.
 */
void hot_next(struct app *);
/* The frame of this name at or below the zoom with most total, or with most self weight; NO_NODE: there is none. */
uint32_t hot_frame(const struct view *, uint32_t sym, bool by_self);

#endif
