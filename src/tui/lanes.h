/*
 * lanes.h - a flame chart with a time axis: the threads of a profile below each other.
 *
 * The flame pane calls it while the tree has lanes (tree.until). Rows count from the root's edge of the screen, as
 * everywhere: the title of the first lane, the frames of that lane from the root on, the title of the next one. A
 * folded lane is its title alone. The cursor is on a frame, or, while view.cursor is NODE_ALL, on a title.
 */
#ifndef TUI_LANES_H
#define TUI_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/cells.h"
#include "tui/app.h"
#include "tui/marks.h"

/* The boxes of a lane that is on the screen. */
struct lane_boxes {
	uint32_t lane;
	size_t most; /* rows that were asked for */
	struct layout layout;
};

struct lanes {
	bool *is_folded; /* by task of the profile */
	size_t n_folded; /* tasks that have such a flag */
	size_t *rows;    /* by lane: rows before its title; n_lanes + 1 of them */
	size_t cap_rows;
	struct lane_boxes *boxes; /* of lanes laid out since the last change */
	size_t n_boxes, cap_boxes;
	uint32_t title;      /* lane whose title has the cursor, while that is on no frame */
	uint32_t task;       /* of that lane, to find it in the next tree */
	uint32_t cursor;     /* view.cursor as last seen */
	uint32_t col;        /* column that motions up and down keep to */
	size_t scroll;       /* row at the root's edge */
	int height, width;   /* of the rows at the last prepare */
	unsigned stamp;      /* app.stamp then; 0: never */
	unsigned tree_stamp; /* app.tree_stamp then */
	bool is_due;         /* shows what view.shown says at the next preparation */
};

/* Does the tree have lanes? */
static inline bool lanes_are_there(const struct app *app)
{
	return app->view.tree.until;
}

void lanes_init(struct app *);
void lanes_deinit(struct app *);
/* What the functions of a pane with these names do (app.h). */
void lanes_forget(struct app *);
void lanes_prepare(struct app *, struct rect);
/* marks: frames selected instead of the one under the cursor; NULL: none. */
void lanes_paint(struct app *, struct rect, const struct marks *marks);
void lanes_move(struct app *, enum motion);
void lanes_enter(struct app *);
void lanes_click(struct app *, struct rect, int row, int col, bool is_double);
const char *lanes_rows(const struct app *, size_t *first, size_t *last, size_t *all);
void lanes_tell(const struct app *, struct shown *, bool is_marked);
void lanes_show(struct app *, bool is_in_front);

/* Folds the cursor's lane, or unfolds it; the same for all lanes. */
void lanes_fold(struct app *);
void lanes_fold_all(struct app *);

/* The box of the cursor; NULL: none, also if the lanes are not prepared. */
const struct box *lanes_box(const struct app *);
/* The lane whose title has the cursor. false: a frame has it. */
bool lanes_title(const struct app *, uint32_t *lane);

/* ---- for the files of the lanes ------------------------------------------------------------------------------ */

bool lanes_is_folded(const struct app *, uint32_t lane);
/* The lane at a row, which must exist. */
uint32_t lanes_at(const struct app *, size_t row);
/* Number of rows. */
size_t lanes_count(const struct app *);
/* The boxes of a lane, at least those of the rows on the screen. */
const struct layout *lanes_layout(const struct app *, uint32_t lane);
/* The row of the cursor. */
size_t lanes_cursor_row(const struct app *);
void lanes_scroll_to_cursor(struct app *);
void lanes_keep_scroll_inside(struct app *);
/* The area without the ruler. */
struct rect lanes_area(const struct app *, struct rect);
/* The row at a line of the screen; false: none. And the line of a row, which may lie outside. */
bool lanes_row_at(const struct app *, struct rect area, int line, size_t *row);

#endif
