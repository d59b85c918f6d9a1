/*
 * paint.h - paints the whole screen.
 */
#ifndef TUI_PAINT_H
#define TUI_PAINT_H

struct app;

/* Paints what app_refresh() has updated onto app.grid. */
void paint(struct app *);

#endif
