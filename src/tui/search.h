/*
 * search.h - searches, in the background where they take long.
 */
#ifndef TUI_SEARCH_H
#define TUI_SEARCH_H

#include <stdbool.h>

#include "tui/app.h"

/*
 * NULL or an empty pattern clears. `found` (may be NULL) is called when the result is there, maybe before this
 * returns; the search runs in the background if app.wake_fd >= 0 and it takes long. A search that was going on is
 * dropped. false: a bad pattern, which is complained about; the search before stays.
 */
bool search_for(struct app *, const char *pattern, enum match_mode, void (*found)(struct app *));
/* For the functions of exactly this name. */
bool search_for_symbol(struct app *, uint32_t sym);
/* The next search puts the present one aside; search_restore() puts that in force again. */
void search_keep(struct app *);
void search_restore(struct app *);
void search_forget_kept(struct app *);

/* For refresh.c. The search that goes on, if it is done: its result is taken. */
void search_take(struct app *);
/* The tree has become another one: what was found in `old`, or was being sought, is sought again. */
void search_again(struct app *, const struct search *old);
/* Adds up the matches in the background if there are too many to do it at once. */
void search_recount(struct app *);
/* The search, with `all` also the tree, its sums and the names, are about to change: nothing may read them. */
void search_stop_readers(struct app *, bool all);

#endif
