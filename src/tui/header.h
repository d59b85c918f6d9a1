/*
 * header.h - paints the first rows of the screen: the profile's heading, and the path to the zoomed frame.
 */
#ifndef TUI_HEADER_H
#define TUI_HEADER_H

struct app;

void header_paint(struct app *);
/* Paints the breadcrumb, and notes its clickable parts in app.crumbs. */
void header_paint_crumbs(struct app *);

#endif
