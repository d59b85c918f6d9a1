/*
 * search.h - searches, in the background if they take long.
 */
#ifndef TUI_SEARCH_H
#define TUI_SEARCH_H

#include <stdbool.h>

#include "tui/app.h"

/*
 * Starts a search; NULL or an empty pattern clears it. Calls `found` (may be NULL) with the result, possibly before
 * this returns; a long search runs in the background if app.wake_fd >= 0. Drops a search still running. false: a
 * bad pattern, with a complaint; the previous search stays.
 */
bool search_for(struct app *, const char *pattern, enum match_mode, void (*found)(struct app *));
/* Searches for the functions with exactly this name. */
bool search_for_symbol(struct app *, uint32_t sym);
/* The next search sets the current one aside; search_restore() brings that back. */
void search_keep(struct app *);
void search_restore(struct app *);
void search_forget_kept(struct app *);

/* For refresh.c. Takes the result of the running search, if it is done. */
void search_take(struct app *);
/* The tree was replaced: repeats the search found in `old` or still running. */
void search_again(struct app *, const struct search *old);
/* Adds up the matches, in the background if they are many. */
void search_recount(struct app *);
/*
 * The search, or with `all` also the tree, its sums and the names, are about to change: stops all work that reads
 * them.
 */
void search_stop_readers(struct app *, bool all);

#endif
