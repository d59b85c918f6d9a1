/*
 * hint.h - paints key hints at the foot of the screen.
 */
#ifndef TUI_HINT_H
#define TUI_HINT_H

struct app;

/* Paints as many hints as fit into the columns [col, end) of a row of app->grid, the most useful first. */
void hint_paint(struct app *, int row, int col, int end);

#endif
