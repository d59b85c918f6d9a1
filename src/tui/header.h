/*
 * header.h - the first rows of the screen: what is shown, and the way to the zoomed frame.
 */
#ifndef TUI_HEADER_H
#define TUI_HEADER_H

struct app;

void header_paint(struct app *);
/* Notes in app.crumbs what can be clicked where. */
void header_paint_crumbs(struct app *);

#endif
