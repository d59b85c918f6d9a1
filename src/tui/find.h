/*
 * find.h - commands that search, and commands that filter: each returns what became stale (enum dirty).
 */
#ifndef TUI_FIND_H
#define TUI_FIND_H

struct app;

/* A prompt for a search of frames, or of rows of the table. */
unsigned find(struct app *);
unsigned find_rows(struct app *);
unsigned find_next(struct app *, int backwards);
/* The name of the selected function. */
unsigned find_selected(struct app *);

/* Prompts for patterns of stacks to keep, and of frames to hide. */
unsigned find_keep(struct app *);
unsigned find_hide(struct app *);
/* A filter of this enum filter_kind with the name of the selected function. */
unsigned find_filter_selected(struct app *, int kind);
/* Takes back the last exclusion. */
unsigned find_include(struct app *);
unsigned find_recursion(struct app *);

#endif
