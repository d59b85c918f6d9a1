/*
 * footer.h - paints the last rows of the screen: the selected frame, its numbers, messages.
 */
#ifndef TUI_FOOTER_H
#define TUI_FOOTER_H

struct app;

void footer_paint(struct app *);

#endif
