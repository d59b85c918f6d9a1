/*
 * prompt.h - one line of text to edit, at the foot of the screen.
 */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "tui/grid.h"
#include "tui/keys.h"
#include "tui/theme.h"

struct app;

enum prompt_id {
	PROMPT_SEARCH,
	PROMPT_TABLE,
	PROMPT_KEEP,
	PROMPT_HIDE,
	PROMPT_EXCLUDE,
	PROMPT_WRITE,
	PROMPT_LIST,
	PROMPT_SHARE,
	PROMPT_LINES,
	N_PROMPTS
};

/* Purpose of a prompt. Functions may be NULL. */
struct prompt_kind {
	enum prompt_id id;
	const char *label;                                /* {NAME} becomes the key of a command */
	void (*changed)(struct app *, const char *text);  /* after every edit */
	void (*accepted)(struct app *, const char *text); /* on Enter, with the prompt already closed */
	void (*cancelled)(struct app *);                  /* on Esc, with the prompt already closed */
};

struct history {
	char **lines; /* owned, oldest first */
	size_t n, cap;
};

struct prompt {
	const struct prompt_kind *kind; /* NULL: closed */
	char *label;                    /* owned */
	struct buf text;                /* UTF-8 */
	size_t at;                      /* byte offset of the cursor */
	size_t recalled;                /* history line shown; n: the line being typed */
	char *draft;                    /* owned; the typed line, while another one is shown */
	bool is_unsaid;                 /* a paste changed the text, and kind->changed() was not called yet */
	struct history history[N_PROMPTS];
};

void prompt_init(struct prompt *);
void prompt_deinit(struct prompt *);
/* Opens the prompt with a label and an initial text (NULL: none). */
void prompt_open(struct prompt *, const struct prompt_kind *, const char *label, const char *text);
static inline bool prompt_is_open(const struct prompt *p)
{
	return p->kind;
}
enum prompt_edit {
	EDIT_ACCEPT,
	EDIT_CANCEL,
	EDIT_LEFT,
	EDIT_RIGHT,
	EDIT_START,
	EDIT_END,
	EDIT_ERASE, /* in an empty prompt like EDIT_CANCEL, as in vi and less */
	EDIT_ERASE_NEXT,
	EDIT_ERASE_WORD,
	EDIT_ERASE_BEFORE,
	EDIT_ERASE_BEHIND,
	EDIT_EARLIER,
	EDIT_LATER,
};
/* Edits, or ends the prompt and calls the kind's function. */
void prompt_edit(struct prompt *, struct app *, enum prompt_edit);
/* Replaces the text. */
void prompt_replace(struct prompt *, struct app *, const char *text);
/* Inserts a typed or pasted character; ignores other keys. */
void prompt_type(struct prompt *, struct app *, const struct event *);
/* After a burst of pasted characters: calls kind->changed() once. */
void prompt_settle(struct prompt *, struct app *);
void prompt_paint(struct prompt *, struct grid *, int row, int cols, const struct theme *);

#endif
