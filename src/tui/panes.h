/*
 * panes.h - makes and frees the panes.
 */
#ifndef TUI_PANES_H
#define TUI_PANES_H

struct app;

void panes_init(struct app *);
void panes_deinit(struct app *);

/* Writes the state of the pane in front, and of the heat map, into view.shown; call it after a refresh. */
void panes_tell(struct app *);
/* Brings the view of view.shown to the front, in that state. */
void panes_show(struct app *);

#endif
