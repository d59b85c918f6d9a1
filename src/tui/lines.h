/*
 * lines.h - the lines of one function, with the text of the source where it is at hand.
 */
#ifndef TUI_LINES_H
#define TUI_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/cells.h"
#include "tui/app.h"

/* What a page was made from. */
struct lines_key {
	uint32_t symbol; /* NO_SYMBOL: none */
	unsigned tree;   /* app.tree_stamp */
	enum page_kind kind;
};

/* A place to come back to, or to go to: a line of a function. */
struct lines_place {
	uint32_t symbol;
	uint32_t line; /* 0: the hottest one */
};

struct code_lines;

/* The hottest line of a function, as the tree has it. */
struct hottest_of {
	uint32_t symbol;
	unsigned tree; /* app.tree_stamp */
	struct hottest line;
};

struct lines {
	uint32_t symbol;     /* NO_SYMBOL: none */
	enum group_by group; /* of the tree that has it */
	char *lost;          /* owned; its name while numbers stand for other names; NULL: none */
	struct lines_place *past;
	size_t n_past, cap_past;
	bool wants_code; /* instructions, not lines */
	struct line_page page;
	struct lines_key made;
	struct work *work;          /* makes the next page; NULL: none */
	struct lines_key wanted;    /* what it makes */
	struct page_source *source; /* of the tree, while no work has it; NULL: none */
	struct hottest_of *hottest; /* lines found so far, by symbol */
	size_t n_hottest, cap_hottest;
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
/* To the next line with that text, else says that there is none. There must be a search. */
void lines_next_hit(struct app *, bool backwards);
/* The file and the line under the cursor; NULL: unknown. */
const char *lines_source(const struct app *, uint32_t *line);
/*
 * Are several names one function here, as each has its line? Then the sums of one name are none of the function,
 * and it is named without the line.
 */
bool lines_unites_names(const struct app *);
/* Appends the numbers of the line under the cursor. */
void lines_add_words(const struct app *, struct buf *out);

/* ---- lines_work.c ---- */
/* Is that the function, the tree and the kind of page that the pane shows? */
bool lines_is_current(const struct app *, const struct lines_key *);
/* Begins to make the page, if it is not there. */
void lines_make_page(struct app *);
/* Takes over what is done; true: the page is another one, and *was is the one before, which the caller ends. */
bool lines_take_work(struct app *, struct line_page *was, bool *is_same);
void lines_stop_work(struct lines *);
/* Begins to look for the hottest line of the function under the cursor. */
void lines_want_hottest(struct app *);
/* Appends it if it is known, in at most `room` columns. */
void lines_add_hottest(const struct app *, struct buf *out, size_t room);
void lines_forget_hottest(struct lines *);

/* ---- lines_paint.c ---- */
void lines_paint(struct app *, struct rect area);

#endif
