/*
 * lines.h - the lines of one function, with the text of the source where it is at hand.
 */
#ifndef TUI_LINES_H
#define TUI_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/line_page.h"
#include "model/match.h"
#include "tui/app.h"

/* What a page was made from. */
struct lines_key {
	uint32_t symbol; /* NO_SYMBOL: none */
	unsigned tree;   /* app.tree_stamp */
	bool is_code;    /* instructions */
};

/* A place to come back to, or to go to: a line of a function. */
struct lines_place {
	uint32_t symbol;
	uint32_t line; /* 0: the hottest one */
};

struct code_lines;

struct lines {
	uint32_t symbol;     /* NO_SYMBOL: none */
	enum group_by group; /* of the tree that has it */
	char *lost;          /* owned; its name while numbers stand for other names; NULL: none */
	struct lines_place *past;
	size_t n_past, cap_past;
	bool wants_code; /* instructions, not lines */
	struct line_page page;
	struct lines_key made, wanted;
	struct work *work;       /* makes the next page; NULL: none */
	struct code_lines *code; /* debug information, read once; used by the work */
	struct line_finder finder;
	size_t cursor, scroll; /* rows of the page */
	int height;
	size_t left;      /* columns of the text that are scrolled out */
	bool is_due;      /* cursor, scroll and open rows follow view.shown once the page is there */
	uint32_t line;    /* where the cursor goes once the page is there; 0: to the hottest line */
	char *pattern;    /* owned; the last search for text; NULL: none */
	struct err error; /* of the last page */
};

/* The function before; false: there is none. */
bool lines_back(struct app *);
/* Commands, which return what became stale: to the next line by weight; ask for a text to find. */
unsigned lines_next_hot(struct app *, int backwards);
unsigned lines_search(struct app *);
/* Instructions instead of lines, or back. */
unsigned lines_toggle_code(struct app *);
/* To the next line with that text; false: there is no search, or no such line. */
bool lines_next_hit(struct app *, bool backwards);
/* The file and the line under the cursor; NULL: unknown. */
const char *lines_source(const struct app *, uint32_t *line);
/* Appends the numbers of the line under the cursor. */
void lines_add_words(const struct app *, struct buf *out);

/* ---- lines_paint.c ---- */
void lines_paint(struct app *, struct rect area);

#endif
