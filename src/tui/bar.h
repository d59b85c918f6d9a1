/*
 * bar.h - a share in the table of functions: its number and its bar.
 */
#ifndef TUI_BAR_H
#define TUI_BAR_H

#include <stdint.h>

#include "base/buf.h"
#include "tui/grid.h"

#define SHARE_COLUMNS 7 /* of the number alone, " 100.0%" */

/*
 * Columns of a share on a screen of this width: of the number, and of the bar with the blank before it. There is no
 * bar where names need the room.
 */
int bar_share_columns(int screen);
/* What follows a bar up to 100 %: blanks that bar_color() gives a background, or dots. */
enum bar_look { BAR_COLORED, BAR_DOTTED, BAR_ASCII };
/* Appends the number and, if there is room for it, the bar, in bar_share_columns(). */
void bar_add_share(struct buf *out, uint64_t part, uint64_t whole, int screen, enum bar_look);
/* Gives the bar of the share at this column of the grid its colours. */
void bar_color(struct grid *, int row, int col, int screen, uint32_t fg, uint32_t bg);

#endif
