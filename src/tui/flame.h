/*
 * flame.h - the flame graph.
 */
#ifndef TUI_FLAME_H
#define TUI_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/layout.h"
#include "tui/app.h"

/* Which child of a frame the cursor was on last, so that going deeper finds the way back. */
#define TRAIL_SIZE 4096u
struct trail {
	uint32_t node, child;
};

/* What is too thin to draw in one place: the heaviest of the siblings [first, last] without [from, to]. */
#define MEMBERS_SHOWN 2u
struct members {
	unsigned stamp; /* app.stamp when counted; 0: never */
	uint32_t first, last, from, to;
	uint32_t best[MEMBERS_SHOWN];
	size_t n; /* of all of them */
	uint64_t weight, self;
};

struct flame {
	struct layout layout;
	struct members members; /* under the cursor */
	bool wants_all;         /* lay out every row, however many */
	size_t max_rows;        /* laid out so far; 0: all */
	size_t scroll;          /* row of the layout at the root's edge */
	int height, width;      /* of the area when last prepared */
	unsigned stamp;         /* app.stamp when prepared */
	struct trail *trail;    /* TRAIL_SIZE slots */
};

/* The box of the cursor; NO_BOX: none. */
size_t flame_box(const struct app *);
/* The cell of several frames under the cursor; NULL: the cursor is on one frame, or in another view. */
const struct box *flame_aggregate(const struct app *);
/* Lists the siblings that share the cursor's place, by weight. */
void flame_open_place(struct app *);
/* Siblings in [first, last] but for those in [from, to]; kept until the cursor or the tree is another one. */
const struct members *flame_members(struct app *, uint32_t first, uint32_t last, uint32_t from, uint32_t to);

#endif
