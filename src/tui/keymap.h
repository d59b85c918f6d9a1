/*
 * keymap.h - which key does what, and where. One table of commands makes the key map, the help screen, the hints,
 * the keys that messages name, and the manual's KEYS section.
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

/* Where a key is typed: in a view (enum tab), or in what lies over it. */
enum overlay { IN_LIST = N_TABS, IN_HEAT, IN_PROMPT, N_PLACES };
#define ON(place) (1u << (place))
#define ON_VIEWS (ON(N_TABS) - 1)
#define ON_LIST ON(IN_LIST)
#define ON_HEAT ON(IN_HEAT)
#define ON_PROMPT ON(IN_PROMPT)
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

/* Keys wait for a result that they may be about, such as that of a search. What a command does not wait for: */
enum haste {
	WAITS,          /* it waits for everything */
	LEAVES_VIEW,    /* for what the view in front is made of: it does not ask what is selected */
	ENDS,           /* any result, unless other keys wait already */
	ALWAYS_AT_ONCE, /* nor for other keys */
};

struct command {
	const char *name; /* for `bind` in the configuration file; NULL ends a table */
	const char *keys; /* as for --keys, separated by blanks */
	enum command_group group;
	unsigned where;                /* ON() bits */
	const char *help;              /* a sentence part without a full stop */
	unsigned (*run)(struct app *); /* returns what became stale (enum dirty) */
	/* Several rows may share this one in its place. */
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
	unsigned where; /* ON() bits: a part of the command's */
	const struct command *command;
};

struct keymap {
	const struct command *commands; /* the table */
	struct binding *rows;           /* owned */
	size_t n, cap;
};

/* The keys of the table, which has to outlive the map. */
void keymap_init(struct keymap *, const struct command *table);
void keymap_deinit(struct keymap *);

/* The command of a key in one of these places; NULL: none. */
const struct command *keymap_find(const struct keymap *, uint32_t key, unsigned where);

/*
 * `bind KEY NAME`: where NAME can be used, the key does what it says and nothing else. false: there is no such key
 * or command, or the key is a character that could then not be typed into a prompt.
 */
bool keymap_bind(struct keymap *, const char *key, const char *name, struct err *);

/*
 * The key of a command as people write it (^D, PgUp): one for these places, if there is one. false: it has no key.
 */
bool keymap_add_key(const struct keymap *, unsigned where, const char *name, struct buf *out);
/* All keys of a command, with blanks between; none if others took them. */
void keymap_add_keys(const struct keymap *, const struct command *, struct buf *out);
/* Text with {NAME} for the key of a command, as keymap_add_key() writes it; (NAME) where it has none. */
void keymap_add_text(const struct keymap *, unsigned where, const char *text, struct buf *out);

const char *command_group_title(enum command_group);

/* Mouse actions, for help and manual: pairs of what is done and what it does; ends with NULL. */
extern const char *const keymap_mouse[][2];

#endif
