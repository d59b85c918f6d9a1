/*
 * hint.h - which keys help next, for the foot of the screen.
 */
#ifndef TUI_HINT_H
#define TUI_HINT_H

struct app;

/* As many of them as fit into the columns [col, end) of a row of app->grid, the most useful first. */
void hint_paint(struct app *, int row, int col, int end);

#endif
