/*
 * panes.h - makes and frees the panes.
 */
#ifndef TUI_PANES_H
#define TUI_PANES_H

struct app;

void panes_init(struct app *);
void panes_deinit(struct app *);

#endif
