/*
 * command.h - what keys do. One table makes the key map, the help screen and the manual's KEYS section.
 */
#ifndef TUI_COMMAND_H
#define TUI_COMMAND_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct app;

enum command_group {
	COMMANDS_MOVE,
	COMMANDS_ZOOM,
	COMMANDS_SEARCH,
	COMMANDS_FILTER,
	COMMANDS_VIEW,
	COMMANDS_DATA,
	COMMANDS_OUTPUT,
	COMMANDS_PROGRAM,
	N_COMMAND_GROUPS
};

struct command {
	const char *name; /* for `bind` in the configuration file; NULL ends the table */
	const char *keys; /* as for --keys, separated by blanks */
	enum command_group group;
	unsigned where;                /* ON(tab) bits */
	const char *help;              /* a sentence part without a full stop */
	unsigned (*run)(struct app *); /* returns what became stale (enum dirty) */
};

extern const struct command commands[];
const char *command_group_title(enum command_group);

/* The command of a key in the present view; NULL: none. */
const struct command *command_find(const struct app *, uint32_t key);
/* The key that does this, in the present view if it can be done there, as people write it (^D, PgUp); false: none. */
bool command_add_key(const struct app *, const char *name, struct buf *out);
/* All keys of a command, with blanks between; none if others took them. */
void command_add_keys(const struct app *, const struct command *, struct buf *out);
/* Fills the key map from the table. */
void command_map(struct app *);
void command_unmap(struct app *);
/* `bind KEY NAME`: this key alone does what NAME says. */
bool command_bind(struct app *, const char *key, const char *name, struct err *);

/* One zoom back, or one function in the sandwich, for a key and for a click. Returns what became stale. */
unsigned command_back(struct app *);

/* Mouse actions, for help and manual: pairs of what is done and what it does; ends with NULL. */
extern const char *const command_mouse[][2];

#endif
