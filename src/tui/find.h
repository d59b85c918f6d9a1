/*
 * find.h - search and filter commands: each returns what became stale (enum dirty).
 */
#ifndef TUI_FIND_H
#define TUI_FIND_H

struct app;

/* Prompts for a search of frames, or of rows of the table. */
unsigned find(struct app *);
unsigned find_rows(struct app *);
unsigned find_next(struct app *, int backwards);
/* Searches the name of the selected function. */
unsigned find_selected(struct app *);

/* Prompt for patterns of stacks to keep, and of frames to hide. */
unsigned find_keep(struct app *);
unsigned find_hide(struct app *);
/* Adds a filter of this enum filter_kind with the name of the selected function. */
unsigned find_filter_selected(struct app *, int kind);
/*
 * Excludes the stacks with the selected function; if a pattern lights up others, asks first, and offers to exclude
 * all that match.
 */
unsigned find_exclude(struct app *);
/*
 * Like find_filter_selected() for FILTER_CALLERS and FILTER_CALLEES, which replace each other. If the view already
 * shows those of the function, removes that filter.
 */
unsigned find_half(struct app *, int kind);
/* Removes the last filter. */
unsigned find_undo(struct app *);
unsigned find_recursion(struct app *);
/* The next choice of recipe.frames. */
unsigned find_frames(struct app *);

#endif
