/*
 * keymap.h - maps keys to commands. One table of commands makes the key map, the help screen, the hints, the keys
 * in messages, and the manual's KEYS section.
 */
#ifndef TUI_KEYMAP_H
#define TUI_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "tui/tabs.h"

struct app;

/* Where a key is typed: in a view (enum tab), or in an overlay. */
enum overlay { IN_LIST = N_TABS, IN_HEAT, IN_PROMPT, IN_QUESTION, N_PLACES };
#define ON(place) (1u << (place))
#define ON_VIEWS (ON(N_TABS) - 1)
#define ON_LIST ON(IN_LIST)
#define ON_HEAT ON(IN_HEAT)
#define ON_PROMPT ON(IN_PROMPT)
#define ON_QUESTION ON(IN_QUESTION)
#define ON_ALL (ON(N_PLACES) - 1)

enum command_group {
	COMMANDS_MOVE,
	COMMANDS_ZOOM,
	COMMANDS_SEARCH,
	COMMANDS_FILTER,
	COMMANDS_VIEW,
	COMMANDS_DATA,
	COMMANDS_OUTPUT,
	COMMANDS_PROGRAM,
	COMMANDS_PROMPT,
	N_COMMAND_GROUPS
};

/* Keys wait for a result that they may depend on, such as a search's. These commands do not wait: */
enum haste {
	WAITS,          /* waits for everything */
	LEAVES_VIEW,    /* ignores the pending content of the front view: it does not use the selection */
	ENDS,           /* ignores all results, unless other keys are waiting */
	ALWAYS_AT_ONCE, /* nor does it wait for other keys */
};

struct command {
	const char *name; /* for `bind` in the configuration file; NULL ends the table */
	const char *keys; /* as for --keys, separated by blanks */
	enum command_group group;
	unsigned where;                /* ON() bits */
	const char *help;              /* part of a sentence, without a full stop */
	unsigned (*run)(struct app *); /* returns what became stale (enum dirty) */
	/* Alternative to run: several rows may share it. */
	unsigned (*run_with)(struct app *, int);
	int with;
	enum haste haste;
};

static inline unsigned command_run(const struct command *c, struct app *app)
{
	return c->run ? c->run(app) : c->run_with(app, c->with);
}

struct binding {
	uint32_t key;
	unsigned where; /* ON() bits: some of the command's */
	const struct command *command;
};

struct keymap {
	const struct command *commands; /* the table */
	struct binding *rows;           /* owned */
	size_t n, cap;
};

/* Adds the keys of the table, which must outlive the map. */
void keymap_init(struct keymap *, const struct command *table);
void keymap_deinit(struct keymap *);

/* The command for a key in one of these places; NULL: none. */
const struct command *keymap_find(const struct keymap *, uint32_t key, unsigned where);
/* The command with this name; NULL: none. */
const struct command *keymap_by_name(const struct keymap *, const char *name);

/*
 * `bind KEY NAME`: wherever NAME can be used, the key runs it and nothing else. false: there is no such key or
 * command, or the key is a character that could then not be typed into a prompt.
 */
bool keymap_bind(struct keymap *, const char *key, const char *name, struct err *);

/*
 * Appends a command's key in readable form (^D, PgUp), preferably one for these places. A key that only answers the
 * question counts only there. false: the command has no key.
 */
bool keymap_add_key(const struct keymap *, unsigned where, const char *name, struct buf *out);
/* Appends all keys of a command, separated by blanks; nothing if other commands took them. */
void keymap_add_keys(const struct keymap *, const struct command *, struct buf *out);
/*
 * Appends text in which {NAME} becomes the key of a command, as keymap_add_key() writes it; (NAME) if it has none.
 */
void keymap_add_text(const struct keymap *, unsigned where, const char *text, struct buf *out);

const char *command_group_title(enum command_group);

/* Mouse actions for help and manual: pairs of action and effect; ends with NULL. */
extern const char *const keymap_mouse[][2];

#endif
