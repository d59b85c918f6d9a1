/*
 * viewer.h - the viewer, on a terminal or without one.
 */
#ifndef TUI_VIEWER_H
#define TUI_VIEWER_H

#include <stddef.h>

#include "base/err.h"
#include "collapse/load/load.h"
#include "options.h"
#include "tui/app.h"

/* There is no terminal that can show it; err says why. Nothing was read yet. */
#define VIEWER_NO_SCREEN (-1)

/*
 * Loads the inputs in the background and runs the viewer until its user leaves. Returns the exit status: 0; 1 with
 * err when nothing could be read; 2 with err for keys that make no sense; 128 + number of the signal that ended it;
 * or VIEWER_NO_SCREEN. The session may lose its functions, and get what was advised. err may hold a message for
 * standard error in every case.
 */
int viewer_run(struct options *, struct session *, struct load_input *inputs, size_t n, struct err *);

/* --screen: loads completely, types --keys, prints what the screen would show. Returns 0, 1 or 2 as above. */
int viewer_script(struct options *, struct session *, struct load_input *inputs, size_t n, struct err *);

/* What the two are made of, for tests: an app with all its panes and commands. */
void viewer_open(struct app *, struct options *, const struct load_input *, size_t n, const struct theme *);
void viewer_close(struct app *);
/* Takes what is done in the background, and then the keys that waited for it. */
void viewer_take_work(struct app *);

#endif
