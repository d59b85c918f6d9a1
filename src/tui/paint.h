/*
 * paint.h - the whole screen.
 */
#ifndef TUI_PAINT_H
#define TUI_PAINT_H

struct app;

/* Onto app.grid, what refresh() has made current. */
void paint(struct app *);

#endif
