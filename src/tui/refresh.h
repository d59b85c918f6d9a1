/*
 * refresh.h - keeps what is shown current: profile, tree, layout, and what is made in the background.
 *
 *	command -> dirty bits -> refresh() -> paint() -> grid
 */
#ifndef TUI_REFRESH_H
#define TUI_REFRESH_H

#include <stdbool.h>

#include "base/err.h"
#include "tui/app.h"

/* Rebuilds what is stale. A large profile is folded in the background if app.wake_fd >= 0. */
void refresh(struct app *);
void refresh_size(struct app *, int cols, int rows);
/* Takes what is done in the background: the tree of a fold, the result of a search, rows of a pane. */
void refresh_take_work(struct app *);
/* Ends what goes on in the background, for good. */
void refresh_stop(struct app *);

/*
 * A new profile to look at; the place is kept. Takes it over. false: the options do not fit it (no such event, no
 * such thread), which matters once it is complete.
 */
bool refresh_profile(struct app *, struct profile *, struct err *);
/* The profile is complete: says what was skipped, and which other events there are. */
void refresh_loaded(struct app *);

/* Is a fold under way that a key asked for? It can be taken back: the recipe is again that of the tree. */
bool refresh_can_stop_fold(const struct app *);
void refresh_stop_fold(struct app *);

#endif
