/*
 * command.h - the commands behind the keys.
 */
#ifndef TUI_COMMAND_H
#define TUI_COMMAND_H

#include "tui/keymap.h"

/* All commands; ends with a row without a name. */
extern const struct command commands[];

/* Goes back one zoom, or one function in the sandwich, by key or click. Returns what became stale. */
unsigned command_back(struct app *);
/* Chooses the selected line of the list, and closes the list. */
void command_choose(struct app *);

#endif
