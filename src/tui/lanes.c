/*
 * lanes.c - the lanes of a chart with a time axis: which rows they have, which are folded, and their boxes.
 *
 *	 0 s          1 s          2 s               the ruler
 *	v worker  thread 12  61.0%  1,000 samples -- a title, and the lane below it
 *	 main        main        main
 *	 parse       ls|read     parse
 *	+ writer  thread 13  2.0%   ==    =          a folded lane shows when the thread was busy
 *
 * Only lanes on the screen are laid out, and the one with the cursor.
 */
#include "tui/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lib/cells.h"
#include "tui/canvas.h"

/* A lane can be a million rows deep. Rows beyond this many are laid out only when needed. */
#define EAGER_ROWS 4096u

void lanes_init(struct app *app)
{
	app->lanes = mem_zalloc(1, sizeof *app->lanes);
}

static void drop_boxes(struct lanes *l)
{
	for (size_t i = 0; i < l->n_boxes; i++)
		layout_deinit(&l->boxes[i].layout);
	l->n_boxes = 0;
}

void lanes_deinit(struct app *app)
{
	struct lanes *l = app->lanes;
	drop_boxes(l);
	free(l->boxes);
	free(l->is_folded);
	free(l->rows);
	free(l);
}

void lanes_forget(struct app *app)
{
	drop_boxes(app->lanes);
	app->lanes->stamp = app->lanes->tree_stamp = 0;
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

bool lanes_is_folded(const struct app *app, uint32_t lane)
{
	const struct lanes *l = app->lanes;
	uint32_t task = app->view.tree.lanes[lane].task;
	return task < l->n_folded && l->is_folded[task];
}

static void set_folded(struct app *app, uint32_t lane, bool is_folded)
{
	struct lanes *l = app->lanes;
	uint32_t task = app->view.tree.lanes[lane].task;
	if (task >= l->n_folded) {
		size_t n = app->profile->n_tasks > task ? app->profile->n_tasks : task + 1u;
		l->is_folded = mem_realloc(l->is_folded, n, sizeof *l->is_folded);
		memset(l->is_folded + l->n_folded, 0, n - l->n_folded);
		l->n_folded = n;
	}
	l->is_folded[task] = is_folded;
}

static void count_rows(struct app *app)
{
	struct lanes *l = app->lanes;
	const struct tree *t = &app->view.tree;
	l->rows = mem_grow(l->rows, &l->cap_rows, t->n_lanes + 1u, sizeof *l->rows);
	l->rows[0] = 0;
	for (uint32_t i = 0; i < t->n_lanes; i++)
		l->rows[i + 1] = l->rows[i] + 1 + (lanes_is_folded(app, i) ? 0 : t->lanes[i].depth);
}

size_t lanes_count(const struct app *app)
{
	return app->lanes->rows[app->view.tree.n_lanes];
}

uint32_t lanes_at(const struct app *app, size_t row)
{
	uint32_t low = 0, high = app->view.tree.n_lanes;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (app->lanes->rows[middle] <= row)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* ---- boxes --------------------------------------------------------------------------------------------------- */

/* Rows of the lane that must be laid out: those on the screen, and those around the cursor. */
static size_t needed_rows(const struct app *app, uint32_t lane)
{
	const struct lanes *l = app->lanes;
	const struct view *v = &app->view;
	size_t depth = v->tree.lanes[lane].depth, need = l->scroll + (size_t)l->height;
	need = need > l->rows[lane] ? need - l->rows[lane] : 0;
	if (depth <= EAGER_ROWS)
		return depth;
	if (v->cursor != NODE_ALL && tree_lane_of(&v->tree, v->cursor) == lane) {
		size_t row = tree_depth(&v->tree, v->cursor) + 1;
		need = row > need ? row : need;
	}
	need = (need / EAGER_ROWS + 1) * EAGER_ROWS;
	return need < depth ? need : depth;
}

const struct layout *lanes_layout(const struct app *app, uint32_t lane)
{
	struct lanes *l = app->lanes;
	struct lane_boxes *b = NULL;
	size_t need = needed_rows(app, lane);
	for (size_t i = 0; i < l->n_boxes; i++)
		if (l->boxes[i].lane == lane)
			b = &l->boxes[i];
	if (b && b->most >= need)
		return &b->layout;
	if (!b) {
		struct lane_boxes new = {.lane = lane};
		layout_init(&new.layout);
		mem_push(l->boxes, l->n_boxes, l->cap_boxes, new);
		b = &l->boxes[l->n_boxes - 1];
	}
	struct lane_part part = {lane, view_span(&app->view), (uint32_t)l->width,
	                         lane_layout_share(&app->view.tree, app->view.min_share), need};
	b->most = need;
	lane_layout_make(&b->layout, &app->view.tree, &part);
	return &b->layout;
}

bool lanes_title(const struct app *app, uint32_t *lane)
{
	const struct lanes *l = app->lanes;
	*lane = l->title;
	return app->view.cursor == NODE_ALL && l->tree_stamp == app->tree_stamp && l->title < app->view.tree.n_lanes;
}

const struct box *lanes_box(const struct app *app)
{
	const struct view *v = &app->view;
	if (app->lanes->tree_stamp != app->tree_stamp || v->cursor == NODE_ALL || v->cursor >= v->tree.n)
		return NULL;
	uint32_t lane = tree_lane_of(&v->tree, v->cursor);
	if (lanes_is_folded(app, lane))
		return NULL;
	const struct layout *layout = lanes_layout(app, lane);
	size_t box = layout_find(layout, v->cursor);
	return box == NO_BOX ? NULL : &layout->boxes[box];
}

size_t lanes_cursor_row(const struct app *app)
{
	const struct view *v = &app->view;
	const struct lanes *l = app->lanes;
	if (v->cursor == NODE_ALL)
		return l->rows[l->title];
	uint32_t lane = tree_lane_of(&v->tree, v->cursor);
	const struct box *b = lanes_box(app);
	const struct layout *layout = lanes_layout(app, lane);
	return l->rows[lane] +
	       (b ? 1 + canvas_row_of(layout, (size_t)(b - layout->boxes)) : tree_depth(&v->tree, v->cursor));
}

void lanes_keep_scroll_inside(struct app *app)
{
	struct lanes *l = app->lanes;
	size_t rows = lanes_count(app), height = (size_t)l->height, last = rows > height ? rows - height : 0;
	l->scroll = l->scroll > last ? last : l->scroll;
}

void lanes_scroll_to_cursor(struct app *app)
{
	struct lanes *l = app->lanes;
	size_t row = lanes_cursor_row(app);
	if (row < l->scroll)
		l->scroll = row;
	if (row >= l->scroll + (size_t)l->height)
		l->scroll = row - (size_t)l->height + 1;
}

/* ---- what shows ---------------------------------------------------------------------------------------------- */

/* The cursor came from elsewhere, such as a search: its frame must be visible. */
static void show_cursor(struct app *app)
{
	struct view *v = &app->view;
	struct lanes *l = app->lanes;
	struct span s = view_span(v);
	bool is_new = v->cursor != l->cursor;
	l->cursor = v->cursor;
	if (v->cursor == NODE_ALL)
		return;
	uint32_t lane = tree_lane_of(&v->tree, v->cursor);
	if (lanes_is_folded(app, lane)) {
		set_folded(app, lane, false);
		count_rows(app);
	}
	uint64_t from = v->tree.time[v->cursor], to = v->tree.until[v->cursor], middle = from + (to - from) / 2;
	bool is_visible = from < s.to && (to > s.from || (to == from && from >= s.from));
	if (!is_new || is_visible)
		return;
	uint64_t half = (s.to - s.from) / 2;
	view_move_span(v, middle > half ? middle - half : 0);
	drop_boxes(l);
}

/* The lane of the thread whose title had the cursor in the tree before. */
/*
 * While a profile comes in, lanes of other threads become the heaviest. Until the user has chosen a lane, the first
 * one is selected.
 */
static void find_title(struct app *app)
{
	struct lanes *l = app->lanes;
	const struct tree *t = &app->view.tree;
	uint32_t lane = 0;
	if (!app->is_touched && !options_name_places(app->options))
		l->task = t->n_lanes > 0 ? t->lanes[0].task : l->task;
	while (lane < t->n_lanes && t->lanes[lane].task != l->task)
		lane++;
	l->title = lane < t->n_lanes ? lane : 0;
}

static void take_shown(struct app *app)
{
	struct lanes *l = app->lanes;
	const struct shown *s = &app->view.shown;
	const struct tree *t = &app->view.tree;
	for (uint32_t i = 0; i < t->n_lanes; i++)
		set_folded(app, i, s->folds_all);
	for (size_t i = 0; i < s->n_folded; i++)
		if (s->folded[i] < t->n_lanes)
			set_folded(app, s->folded[i], true);
	l->title = s->lane < t->n_lanes ? s->lane : 0;
	l->cursor = app->view.cursor;
	count_rows(app);
	drop_boxes(l);
}

static void scroll_as_shown(struct app *app)
{
	size_t scroll = app->view.shown.scroll[0];
	app->lanes->scroll = 0;
	lanes_scroll_to_cursor(app);
	if (scroll != SCROLL_AS_USUAL)
		app->lanes->scroll = scroll;
	lanes_keep_scroll_inside(app);
}

void lanes_prepare(struct app *app, struct rect within)
{
	struct lanes *l = app->lanes;
	struct rect area = lanes_area(app, within);
	bool is_other_tree = l->tree_stamp != app->tree_stamp, is_new = app->view.cursor != l->cursor;
	bool is_stale = is_other_tree || l->stamp != app->stamp || l->width != area.cols || l->height != area.rows;
	l->width = area.cols > 0 ? area.cols : 1;
	l->height = area.rows > 0 ? area.rows : 1;
	if (is_stale || l->n_boxes > 2 * (size_t)l->height + 8)
		drop_boxes(l);
	if (is_other_tree)
		find_title(app);
	l->stamp = app->stamp;
	l->tree_stamp = app->tree_stamp;
	count_rows(app);
	if (l->is_due)
		take_shown(app);
	show_cursor(app);
	if (app->view.tree.n_lanes == 0)
		return;
	l->task = app->view.tree.lanes[l->title].task;
	lanes_keep_scroll_inside(app);
	if (is_stale || is_new)
		lanes_scroll_to_cursor(app);
	if (l->is_due)
		scroll_as_shown(app);
	l->is_due = false;
}

const char *lanes_rows(const struct app *app, size_t *first, size_t *last, size_t *all)
{
	const struct lanes *l = app->lanes;
	bool is_ready = l->tree_stamp == app->tree_stamp;
	*all = is_ready ? lanes_count(app) : 0;
	size_t end = l->scroll + (size_t)l->height;
	*first = *all ? l->scroll + 1 : 0;
	*last = end < *all ? end : *all;
	return "rows";
}

void lanes_tell(const struct app *app, struct shown *s, bool is_marked)
{
	const struct lanes *l = app->lanes;
	const struct box *b = lanes_box(app);
	const struct tree *t = &app->view.tree;
	size_t row = lanes_cursor_row(app), height = (size_t)l->height;
	uint32_t n = 0;
	s->is_on_cell = b && box_is_aggregate(b) && !app->is_named;
	if (l->scroll != (is_marked || row < height ? 0 : row - height + 1))
		s->scroll[0] = l->scroll;
	for (uint32_t i = 0; i < t->n_lanes; i++)
		n += lanes_is_folded(app, i);
	s->folds_all = n > 0 && n == t->n_lanes;
	s->folded = n > 0 && !s->folds_all ? mem_alloc(n * sizeof *s->folded) : NULL;
	for (uint32_t i = 0; i < t->n_lanes && s->folded; i++)
		if (lanes_is_folded(app, i))
			s->folded[s->n_folded++] = i;
	s->lane = app->view.cursor == NODE_ALL ? l->title : 0;
}

void lanes_show(struct app *app, bool is_in_front)
{
	app->lanes->is_due = is_in_front;
	app->lanes->stamp = 0;
}

/* ---- folding ------------------------------------------------------------------------------------------------- */

/* The cursor leaves a lane that is being folded, and goes to its title. */
static void fold_lane(struct app *app, uint32_t lane, bool is_folded)
{
	struct view *v = &app->view;
	set_folded(app, lane, is_folded);
	if (!is_folded || v->cursor == NODE_ALL || tree_lane_of(&v->tree, v->cursor) != lane)
		return;
	app->lanes->title = lane;
	app->lanes->task = v->tree.lanes[lane].task;
	app->dirty |= view_select(v, NODE_ALL);
	app->lanes->cursor = NODE_ALL;
}

static void rows_changed(struct app *app)
{
	count_rows(app);
	drop_boxes(app->lanes);
	app->dirty |= DIRTY_SCREEN;
	lanes_keep_scroll_inside(app);
	lanes_scroll_to_cursor(app);
}

static bool has_lanes(struct app *app)
{
	if (lanes_are_there(app) && app->lanes->tree_stamp == app->tree_stamp && app->view.tree.n_lanes > 0)
		return true;
	app_say(app, "only a flame chart with a time axis has lanes ({chart}, {axis})");
	return false;
}

void lanes_fold(struct app *app)
{
	const struct view *v = &app->view;
	if (!has_lanes(app))
		return;
	uint32_t lane = v->cursor == NODE_ALL ? app->lanes->title : tree_lane_of(&v->tree, v->cursor);
	fold_lane(app, lane, !lanes_is_folded(app, lane));
	rows_changed(app);
}

/* Folds all lanes if any is open. */
void lanes_fold_all(struct app *app)
{
	bool is_open = false;
	if (!has_lanes(app))
		return;
	for (uint32_t i = 0; i < app->view.tree.n_lanes; i++)
		is_open |= !lanes_is_folded(app, i);
	for (uint32_t i = 0; i < app->view.tree.n_lanes; i++)
		fold_lane(app, i, is_open);
	rows_changed(app);
}
