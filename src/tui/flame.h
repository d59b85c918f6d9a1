/*
 * flame.h - the flame graph.
 */
#ifndef TUI_FLAME_H
#define TUI_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/cells.h"
#include "tui/app.h"
#include "tui/marks.h"

/* Remembers which child of a frame the cursor came from, so that going deeper returns there. */
#define TRAIL_SIZE 4096u
struct trail {
	uint32_t node, child;
};

/* Frames in one place too thin to draw: the heaviest of the siblings [first, last] without [from, to]. */
#define MEMBERS_SHOWN 2u
struct members {
	unsigned stamp; /* app.stamp when collected; 0: never */
	uint32_t first, last, from, to;
	uint32_t best[MEMBERS_SHOWN];
	size_t n; /* all of them */
	uint64_t weight, self;
};

struct flame {
	struct layout layout;
	struct members members; /* under the cursor */
	struct marks marks;     /* of the function under the cursor of the table beside the graph */
	bool wants_all;         /* lay out every row, however many */
	size_t max_rows;        /* number laid out so far; 0: all */
	size_t scroll;          /* layout row at the root's edge */
	int height, width;      /* of the area at the last prepare */
	unsigned stamp;         /* app.stamp when prepared */
	bool is_due;            /* scrolls as view.shown says at the next preparation */
	struct trail *trail;    /* TRAIL_SIZE slots */
};

/* The cursor's box, in a lane, too; NULL: none. */
const struct box *flame_box(const struct app *);
/* Rows before the first one on the screen, from the root's edge. */
size_t flame_scroll(const struct app *);
/* The cell of several frames under the cursor; NULL: the cursor is on a single frame, or in another view. */
const struct box *flame_aggregate(const struct app *);
/* Lists the siblings that share the cursor's place, by weight. */
void flame_open_place(struct app *);
/* Siblings in [first, last] except [from, to]; valid until the cursor or the tree changes. */
const struct members *flame_members(struct app *, uint32_t first, uint32_t last, uint32_t from, uint32_t to);

#endif
