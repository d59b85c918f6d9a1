/*
 * list.h - an overlay with lines to choose from: threads, events, filters, the members of an aggregate, a stack,
 * help.
 */
#ifndef TUI_LIST_H
#define TUI_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "lib/cells.h"
#include "tui/grid.h"
#include "tui/theme.h"

struct app;

struct list_item {
	char *text;      /* owned, clean */
	size_t len;      /* of text */
	size_t indent;   /* columns, for its lines after the first */
	uint64_t value;  /* weight, shown as a share of list.whole */
	uint64_t id;     /* the owner defines its meaning */
	uint32_t sym;    /* symbol of the frame `id`; lists of frames only */
	bool is_heading; /* bold, skipped by the cursor */
};

/* Ids are nodes of the tree. After the tree changes, they are found again from view.mark. */
enum list_frames {
	LIST_NO_FRAMES,
	LIST_CHILDREN, /* children of the mark */
	LIST_STACK,    /* the mark and its ancestors */
};

struct list {
	bool is_open;
	enum list_frames frames;
	char *title; /* owned */
	char *hint;  /* owned; names keys */
	struct list_item *items;
	size_t n, cap;
	uint32_t *shown; /* indexes of the n_shown items that pass the filter */
	size_t n_shown;
	char *sought;          /* owned; the filter, NULL: none */
	size_t cursor, scroll; /* in `shown` */
	uint64_t whole;        /* 0: no values */
	bool has_cursor;       /* false: text to read */
	bool is_copy;          /* the text that was copied */
	struct list *below;    /* owned; opens again when this one is closed. NULL: none */
	size_t widest;         /* columns of the widest line */
	size_t inside;         /* lines of an item scrolled out of sight: of the selected one, if it is taller than the
	                          list; without a cursor of the first one shown */
	size_t height;         /* lines on the screen at the last paint */
	size_t columns;        /* of a line's text, at the last paint */
	struct rect area;      /* place of the lines, at the last paint */
	void (*chosen)(struct app *,
	               const struct list_item *); /* the list is already closed; NULL: Enter only closes it */
	void (*removed)(struct app *, const struct list_item *); /* x and Del; NULL: nothing to remove */
	void (*refill)(struct app *); /* makes the list again when its numbers have changed; NULL: they do not */
};

void list_init(struct list *);
void list_deinit(struct list *);
/* Empties the list and sets its title; list_open() shows it. */
void list_begin(struct list *, const char *title, const char *hint);
void list_add(struct list *, const char *text, uint64_t value, uint64_t id);
void list_add_frame(struct list *, const char *text, uint64_t value, uint32_t node, uint32_t sym);
void list_heading(struct list *, const char *text);
/* Indents the lines of the last item, except the first, by this many columns. */
void list_indent(struct list *, size_t columns);
/* Opens the list with the cursor on the item with this id, else on the first. */
void list_open(struct list *, uint64_t id);
/* Puts an open list aside for another one: list_close() of that brings it back. */
void list_cover(struct list *);
void list_close(struct list *);
/* Follows a new tree, whose weights are shares of `whole`. Closes the list if its frames are gone. */
void list_follow(struct list *, const struct tree *, uint32_t mark, uint64_t whole);
/* Makes an open list again, unless another one lies on it; cursor, filter and place stay. */
void list_refill(struct list *, struct app *);
/* Shows only items that contain the text (smart case); NULL or "": all. */
void list_filter(struct list *, const char *text);
#define LIST_FAR (1L << 30) /* moves to one of the ends */
void list_move(struct list *, long by);
const struct list_item *list_selected(const struct list *); /* NULL: none */
/* Selects the item at a position on the screen; false: there is none. */
bool list_click(struct list *, int row, int col);

/* Updates the list's place on the screen; call it before handling keys and clicks. */
void list_prepare(struct list *, struct rect within);
/* Where a list is painted, and how it formats values. */
struct list_screen {
	struct grid *grid;
	const struct theme *theme;
	const struct app *app;
	void (*add_weight)(const struct app *, struct buf *out, uint64_t value);
};
void list_paint(struct list *, const struct list_screen *, struct rect within);

#endif
