/*
 * sandwich.h - one function with all its callers and callees.
 */
#ifndef TUI_SANDWICH_H
#define TUI_SANDWICH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/cells.h"
#include "tui/app.h"
#include "tui/canvas.h"

/* What the halves of a sandwich depend on. */
struct sandwich_key {
	uint32_t symbol; /* NO_SYMBOL: there are none */
	unsigned tree;   /* app.tree_stamp */
	int cols;
	char *search; /* owned; NULL: none */
};

struct sandwich {
	uint32_t symbol;     /* function in the middle; NO_SYMBOL: none */
	enum group_by group; /* of the tree that has it */
	char *lost;          /* owned; its name while numbers stand for other names; NULL: none */
	uint32_t *past;      /* functions that were in the middle before */
	size_t n_past, cap_past;
	struct halves halves;
	struct sandwich_key made; /* what they were made from */
	struct work *work;        /* makes the next ones, or lights these; NULL: none */
	bool only_lights;
	struct sandwich_key wanted; /* what it makes them from */
	struct layout layouts[2];
	struct rect areas[2];
	size_t scroll[2];
	enum sandwich_half half;
	uint32_t cursor; /* node in halves.trees[half] */
	unsigned stamp;  /* app.stamp when laid out; 0: never */
	bool is_due;     /* cursor and scroll positions follow view.shown at the next layout */
};

/* Back to the function that was in the middle before; false: there is none. */
bool sandwich_back(struct app *);
/* Says that no function was chosen, and why this one is in the middle. */
void sandwich_say_heaviest(struct app *);
/* Moves to the next box that the search matches (may_stay: or stays on this one); false: there is none. */
bool sandwich_next_hit(struct app *, bool backwards, bool may_stay);

/* ---- for sandwich_hits.c ------------------------------------------------------------------------------------- */

/* Is a function in the middle, that the tree has? */
bool sandwich_has_function(const struct app *);
struct canvas sandwich_canvas(struct app *, enum sandwich_half);
/* The box under the cursor; NO_BOX: it is not in this half. */
size_t sandwich_selected(const struct sandwich *, enum sandwich_half);
/* Moves the cursor there, and scrolls as far as needed. */
void sandwich_go_to(struct sandwich *, enum sandwich_half, uint32_t node);

/* ---- halves -------------------------------------------------------------------------------------------------- */

/* The halves, if they are those of the present function, tree and search; NULL: they are being made. */
const struct halves *sandwich_halves(const struct app *);

#endif
