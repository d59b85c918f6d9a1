/*
 * viewer.h - runs the viewer, on a terminal or without one.
 */
#ifndef TUI_VIEWER_H
#define TUI_VIEWER_H

#include <stddef.h>

#include "base/err.h"
#include "lib/cells.h"
#include "options.h"
#include "tui/app.h"

/* No terminal can show the viewer; err says why. Nothing was read yet. */
#define VIEWER_NO_SCREEN (-1)

/*
 * Loads the inputs in the background and runs the viewer until the user leaves. Returns the exit status: 0; 1 with
 * err if nothing could be read; 2 with err for invalid keys; 128 + number of the signal that ended it; or
 * VIEWER_NO_SCREEN. May clear functions in the session, and adds advice to it. err may hold a message for standard
 * error in every case.
 */
int viewer_run(struct options *, struct session *, struct load_input *inputs, size_t n, struct err *);

/* --screen: loads completely, types --keys, prints the resulting screen. Returns 0, 1 or 2 as above. */
int viewer_script(struct options *, struct session *, struct load_input *inputs, size_t n, struct err *);

/* For tests: sets up an app with all its panes and commands, as both functions above do. */
void viewer_open(struct app *, struct options *, const struct load_input *, size_t n, const struct theme *);
void viewer_close(struct app *);
/* Takes finished background results, and then handles the keys that waited for them. */
void viewer_take_work(struct app *);

#endif
