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
#include "model/tree.h"
#include "tui/grid.h"
#include "tui/theme.h"

struct app;

struct list_item {
	char *text;      /* owned, clean */
	size_t indent;   /* columns, of its lines after the first */
	uint64_t value;  /* weight, shown as a share of list.whole */
	uint64_t id;     /* its meaning is the owner's */
	uint32_t sym;    /* of the frame that the id is; lists of frames only */
	bool is_heading; /* bold, passed over by the cursor */
};

/* Ids are nodes of the tree. When it becomes another one, they are found again from view.mark. */
enum list_frames {
	LIST_NO_FRAMES,
	LIST_CHILDREN, /* of the mark */
	LIST_STACK,    /* the mark and the frames on its way to the root */
};

struct list {
	bool is_open;
	enum list_frames frames;
	char *title; /* owned */
	char *hint;  /* owned: keys */
	struct list_item *items;
	size_t n, cap;
	uint32_t *shown; /* indexes of the items that the filter lets through, n_shown */
	size_t n_shown;
	size_t cursor, scroll; /* in shown */
	uint64_t whole;        /* 0: no values */
	bool has_cursor;       /* false: text to read */
	size_t widest;         /* columns of the widest line */
	size_t inside;         /* lines of the selected item that are scrolled out, of one taller than the list */
	size_t height;         /* lines on the screen when last painted */
	size_t columns;        /* of a line's text then */
	struct rect area;      /* where they were */
	void (*chosen)(struct app *,
	               const struct list_item *); /* the list is closed already; NULL: Enter only closes */
	void (*removed)(struct app *, const struct list_item *); /* x and Del; NULL: nothing to remove */
};

void list_init(struct list *);
void list_deinit(struct list *);
/* Empties it and gives it a title; list_open() shows it. */
void list_begin(struct list *, const char *title, const char *hint);
void list_add(struct list *, const char *text, uint64_t value, uint64_t id);
void list_add_frame(struct list *, const char *text, uint64_t value, uint32_t node, uint32_t sym);
void list_heading(struct list *, const char *text);
/* Lines of the item added last, but for its first, begin this far in. */
void list_indent(struct list *, size_t columns);
/* With the cursor on the item with this id, else on the first. */
void list_open(struct list *, uint64_t id);
void list_close(struct list *);
/* The tree is another one. Closes a list whose frames are gone. */
void list_follow(struct list *, const struct tree *, uint32_t mark);
/* Only items that hold the text (smart case); NULL or "": all. */
void list_filter(struct list *, const char *text);
#define LIST_FAR (1L << 30) /* to one of the ends */
void list_move(struct list *, long by);
const struct list_item *list_selected(const struct list *); /* NULL: none */
/* The item in a row of the screen becomes the selected one; false: none there. */
bool list_click(struct list *, int row, int col);

/* Makes its place on the screen current; before keys and clicks mean anything. */
void list_prepare(struct list *, struct rect within);
/* What a list is painted onto, and who says how a value is written. */
struct list_screen {
	struct grid *grid;
	const struct theme *theme;
	const struct app *app;
	void (*add_weight)(const struct app *, struct buf *out, uint64_t value);
};
void list_paint(struct list *, const struct list_screen *, struct rect within);

#endif
