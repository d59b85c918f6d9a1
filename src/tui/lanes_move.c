/*
 * lanes_move.c - motions, keys and the mouse in a chart with a time axis.
 *
 * Away from the root's edge the cursor goes from a title into its lane, from frame to frame, and from the last one
 * to the next title; it keeps to its column. At the edge of the visible time, a step sideways shows more of it.
 */
#include "base/number.h"
#include "base/ruler.h"
#include "tui/canvas.h"
#include "tui/lanes.h"

static void choose_title(struct app *app, uint32_t lane)
{
	struct lanes *l = app->lanes;
	l->title = lane;
	l->task = app->view.tree.lanes[lane].task;
	app->dirty |= view_select(&app->view, NODE_ALL) | DIRTY_SCREEN;
	l->cursor = NODE_ALL;
	app->is_named = false;
	lanes_scroll_to_cursor(app);
}

static void choose_box(struct app *app, uint32_t lane, size_t box, bool keeps_column)
{
	struct lanes *l = app->lanes;
	const struct box *b = &lanes_layout(app, lane)->boxes[box];
	if (!keeps_column)
		l->col = b->col + (b->end - b->col) / 2;
	app->dirty |= view_select(&app->view, b->node) | DIRTY_SCREEN;
	l->cursor = b->node;
	app->is_named = false;
	lanes_scroll_to_cursor(app);
}

static bool has_boxes(const struct layout *l, size_t row)
{
	return row < l->rows && l->row_start[row] < l->row_start[row + 1];
}

/* Goes to a frame in this row of the lane, near the column; false: it has none. */
static bool choose_near(struct app *app, uint32_t lane, size_t row)
{
	const struct layout *l = lanes_layout(app, lane);
	if (lanes_is_folded(app, lane) || !has_boxes(l, row))
		return false;
	choose_box(app, lane, canvas_nearest(l, row, app->lanes->col), true);
	return true;
}

/* Goes to the frame furthest from the root in the cursor's column; false: nothing is there. */
static bool choose_top(struct app *app, uint32_t lane)
{
	const struct layout *l = lanes_layout(app, lane);
	for (size_t row = l->rows; row-- > 0 && !lanes_is_folded(app, lane);) {
		size_t box = layout_at(l, row, app->lanes->col);
		if (box == SIZE_MAX)
			continue;
		choose_box(app, lane, box, true);
		return true;
	}
	return false;
}

/* Where the cursor is. */
struct at {
	uint32_t lane;
	bool is_title;
	const struct layout *layout;
	size_t box, row; /* NO_BOX: the frame is outside of the visible time */
};

static struct at cursor_at(const struct app *app)
{
	const struct view *v = &app->view;
	struct at a = {.box = NO_BOX};
	a.is_title = lanes_title(app, &a.lane);
	if (a.is_title)
		return a;
	a.lane = tree_lane_of(&v->tree, v->cursor);
	const struct box *b = lanes_box(app);
	a.layout = lanes_layout(app, a.lane);
	if (!b)
		return a;
	a.box = (size_t)(b - a.layout->boxes);
	a.row = canvas_row_of(a.layout, a.box);
	return a;
}

/* The child that holds the column, else the widest. */
static size_t child_at(const struct app *app, const struct at *a)
{
	size_t first, end, best = NO_BOX;
	canvas_children(a->layout, a->box, &first, &end);
	for (size_t i = first; i < end; i++) {
		const struct box *b = &a->layout->boxes[i];
		if (app->lanes->col >= b->col && app->lanes->col < b->end)
			return i;
		if (best == NO_BOX || b->end - b->col > a->layout->boxes[best].end - a->layout->boxes[best].col)
			best = i;
	}
	return best;
}

static void go_deeper(struct app *app)
{
	struct at a = cursor_at(app);
	uint32_t n = app->view.tree.n_lanes;
	if (a.is_title && choose_near(app, a.lane, 0))
		return;
	size_t child = a.box == NO_BOX ? NO_BOX : child_at(app, &a);
	if (child != NO_BOX)
		choose_box(app, a.lane, child, true);
	else if (a.lane + 1 < n)
		choose_title(app, a.lane + 1);
}

/* To the caller, from an outermost frame to the title. */
static void go_to_parent(struct app *app)
{
	struct at a = cursor_at(app);
	if (a.is_title)
		return;
	if (a.box == NO_BOX || a.row == 0)
		choose_title(app, a.lane);
	else
		choose_box(app, a.lane, a.layout->row_start[a.row - 1] + a.layout->boxes[a.box].parent, true);
}

static void go_shallower(struct app *app)
{
	struct at a = cursor_at(app);
	if (!a.is_title)
		go_to_parent(app);
	else if (a.lane > 0 && !choose_top(app, a.lane - 1))
		choose_title(app, a.lane - 1);
}

/* Shows the time before or after; false: all of it is visible. */
static bool pan(struct app *app, int by)
{
	struct view *v = &app->view;
	struct span s = view_span(v);
	uint64_t step = (s.to - s.from) / 4 + 1;
	unsigned dirty = view_move_span(v, by > 0 ? u64_sum(s.from, step) : s.from > step ? s.from - step : 0);
	app->dirty |= dirty;
	return dirty;
}

static void go_along(struct app *app, int by)
{
	struct at a = cursor_at(app);
	if (a.box == NO_BOX) {
		pan(app, by);
		return;
	}
	size_t first = a.layout->row_start[a.row], end = a.layout->row_start[a.row + 1];
	if (by < 0 ? a.box > first : a.box + 1 < end)
		choose_box(app, a.lane, by < 0 ? a.box - 1 : a.box + 1, false);
	else
		pan(app, by);
}

static void go_to_end(struct app *app, bool is_last)
{
	struct at a = cursor_at(app);
	if (a.is_title)
		choose_title(app, is_last ? app->view.tree.n_lanes - 1 : 0);
	else if (a.box != NO_BOX)
		choose_box(app, a.lane, is_last ? a.layout->row_start[a.row + 1] - 1 : a.layout->row_start[a.row], false);
}

/* Goes to a row, or where it has no frame to the next one towards the root's edge. */
static void go_to_row(struct app *app, size_t row)
{
	size_t all = lanes_count(app);
	row = row < all ? row : all - 1;
	uint32_t lane = lanes_at(app, row);
	size_t first = app->lanes->rows[lane];
	for (; row > first; row--)
		if (choose_near(app, lane, row - first - 1))
			return;
	choose_title(app, lane);
}

static void move_rows(struct app *app, long by)
{
	size_t row = lanes_cursor_row(app);
	go_to_row(app, by < 0 && row < (size_t)-by ? 0 : (size_t)((long)row + by));
}

static void scroll_by(struct app *app, long rows)
{
	struct lanes *l = app->lanes;
	long to = (long)l->scroll + rows;
	l->scroll = to < 0 ? 0 : (size_t)to;
	lanes_keep_scroll_inside(app);
}

void lanes_move(struct app *app, enum motion m)
{
	bool is_inverted = app->view.is_inverted;
	long lines = motion_lines(m, app->lanes->height), deeper = is_inverted ? lines : -lines;
	if (app->view.tree.n_lanes == 0)
		return;
	switch (m) {
	case MOVE_UP:
	case MOVE_DOWN:
		deeper > 0 ? go_deeper(app) : go_shallower(app);
		break;
	case MOVE_LEFT:
	case MOVE_RIGHT:
		go_along(app, m == MOVE_LEFT ? -1 : 1);
		break;
	case MOVE_PARENT:
		go_to_parent(app);
		break;
	case MOVE_TOP:
	case MOVE_BOTTOM:
		go_to_row(app, (m == MOVE_TOP) == is_inverted ? 0 : SIZE_MAX);
		break;
	case MOVE_FIRST:
	case MOVE_LAST:
		go_to_end(app, m == MOVE_LAST);
		break;
	case MOVE_WHEEL_UP:
	case MOVE_WHEEL_DOWN:
		scroll_by(app, deeper);
		break;
	default:
		move_rows(app, deeper);
		break;
	}
}

/* Zooms in time: to the frame, or to all frames of a cell. */
void lanes_enter(struct app *app)
{
	struct view *v = &app->view;
	uint32_t lane;
	if (v->tree.n_lanes == 0)
		return;
	if (lanes_title(app, &lane)) {
		lanes_fold(app);
		return;
	}
	const struct box *b = lanes_box(app);
	bool is_cell = b && box_is_aggregate(b) && !app->is_named;
	unsigned dirty = is_cell ? view_zoom_span(v, (struct span){b->x0, b->x1}) : view_zoom_lanes(v, v->cursor);
	if (!dirty)
		app_say(app, "zoomed in here already ({back} goes back)");
	app->dirty |= dirty;
}

void lanes_click(struct app *app, struct rect within, int row, int col, bool is_double)
{
	struct rect area = lanes_area(app, within);
	size_t at;
	if (app->view.tree.n_lanes == 0 || !lanes_row_at(app, area, row, &at))
		return;
	uint32_t lane = lanes_at(app, at);
	size_t first = app->lanes->rows[lane];
	if (at == first) {
		choose_title(app, lane);
	} else {
		size_t box = layout_at(lanes_layout(app, lane), at - first - 1, (uint32_t)(col - area.col));
		if (box == SIZE_MAX)
			return;
		choose_box(app, lane, box, false);
	}
	if (is_double || (at == first && col - area.col < 2))
		lanes_enter(app);
}
