/*
 * command.h - what keys do.
 */
#ifndef TUI_COMMAND_H
#define TUI_COMMAND_H

#include "tui/keymap.h"

/* All commands; a row without a name ends them. */
extern const struct command commands[];

/* One zoom back, or one function in the sandwich, for a key and for a click. Returns what became stale. */
unsigned command_back(struct app *);
/* The selected line of a list is chosen, which closes the list. */
void command_choose(struct app *);

#endif
