/*
 * refresh.h - updates stale state: profile, tree, layout, and background work.
 *
 *	command -> dirty bits -> app_refresh() -> paint() -> grid
 */
#ifndef TUI_REFRESH_H
#define TUI_REFRESH_H

#include <stdbool.h>

#include "base/err.h"
#include "tui/app.h"

/* Rebuilds all stale parts. Folds a large profile in the background if app.wake_fd >= 0. */
void app_refresh(struct app *);
void refresh_size(struct app *, int cols, int rows);
/*
 * Takes finished background results: the tree of a fold, the result of a search, rows of a pane. None while a file
 * is written from what they would change.
 */
void refresh_take_work(struct app *);
/* Ends all background work for good. */
void refresh_stop(struct app *);

/*
 * Shows a new profile in the same place, and takes ownership. false: the options do not fit it (no such event or
 * thread), which matters once it is complete.
 */
bool refresh_profile(struct app *, struct profile *, struct err *);
/* Call it when the profile is complete: says what was skipped, and which other events there are. */
void refresh_loaded(struct app *);

/* Stops a fold that a key asked for (app_can_stop_fold()), and restores the recipe of the tree before. */
void refresh_stop_fold(struct app *);

/* Gives advice on a better recording, as soon as there is some. */
void refresh_advice(struct app *);

#endif
