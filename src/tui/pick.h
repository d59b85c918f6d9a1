/*
 * pick.h - opens the lists: threads, events, windows of time, filters, the stack, notes, help.
 */
#ifndef TUI_PICK_H
#define TUI_PICK_H

#include <stdbool.h>

#include "base/err.h"

struct app;

/* Each function opens its list, or says why there is nothing to list. */
void pick_thread(struct app *);
void pick_event(struct app *);
/* Of the session's choices, before anything is loaded. */
void pick_source(struct app *);
/*
 * Goes on with what was chosen. true: the input can be loaded. Ends the viewer if the list was closed without a
 * choice, and if the choice leads nowhere, which err explains.
 */
bool pick_follow_source(struct app *, struct err *err);
void pick_window(struct app *);
void pick_filter(struct app *);
void pick_stack(struct app *);
void pick_notes(struct app *);
void pick_help(struct app *);

#endif
