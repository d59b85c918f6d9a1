/*
 * quit.h - asks before quitting would end a recorded command, or lose samples that are stored nowhere.
 */
#ifndef TUI_QUIT_H
#define TUI_QUIT_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/cells.h"

struct app;

/* Does one of the inputs of this side give its data only once? Call before they are read. */
bool quit_is_only_copy(const struct load_input *, size_t n, unsigned side);
/* A whole graph of what is in view was written; has_base: with the baseline, if the view has one. */
void quit_note_saved(struct app *, bool has_base);

/* Quits, or asks first. Returns what became stale (enum dirty). */
unsigned quit_or_ask(struct app *);
/* Answers: lets the recorded command run on, and quits; closes the question. */
unsigned quit_detach(struct app *);
void quit_stay(struct app *);
/* Paints the question into a row; closes it if there is no reason to ask any more. false: it is not open. */
bool quit_paint(struct app *, int row, int cols);

#endif
