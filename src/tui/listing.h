/*
 * listing.h - a list whose lines are made in the background: of threads, of changes.
 *
 * Keys typed meanwhile wait for it, as for a search, and Esc stops it. If profile or tree become others before it
 * is done, it is made again.
 */
#ifndef TUI_LISTING_H
#define TUI_LISTING_H

struct app;
struct work;

/* Takes the work over. Opens the list at once if that takes no longer than a key may wait. */
void listing_begin(struct app *, struct work *, void (*begin)(struct app *),
                   void (*take)(struct app *, struct work *));
/* Opens the list, if it is done. */
void listing_take(struct app *);
/* The list will not open. */
void listing_stop(struct app *);
/* Begins again what is still wanted, but was made from a profile or a tree that is gone. */
void listing_again(struct app *);

#endif
