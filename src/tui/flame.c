/*
 * flame.c - the flame graph: scrolling, and motions from box to box.
 *
 * "Up" on the screen is away from the root in a flame graph and towards it in an icicle. The motions below are
 * defined by the tree (deeper, shallower, along), so both orientations share them.
 *
 * The trail remembers for each frame which child the cursor came from, so that going down to a frame and up again
 * leads back to the same place, not to the widest child. It is a small table whose entries overwrite each other: a
 * lost entry costs a key press, nothing else.
 */
#include "tui/flame.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/sort.h"
#include "lib/cells.h"
#include "tui/canvas.h"
#include "tui/lanes.h"
#include "tui/wide.h"

/* A tree can be a million frames deep. Rows beyond this many are laid out only when needed. */
#define EAGER_ROWS 4096u

static void flame_forget(struct app *app)
{
	struct flame *f = app->flame;
	for (size_t i = 0; i < TRAIL_SIZE; i++)
		f->trail[i] = (struct trail){NO_NODE, NO_NODE};
	f->max_rows = 0;
	f->wants_all = false;
	f->members.stamp = 0;
	lanes_forget(app);
	f->marks.stamp = 0;
}

static void flame_init(struct app *app)
{
	app->flame = mem_zalloc(1, sizeof *app->flame);
	lanes_init(app);
	layout_init(&app->flame->layout);
	app->flame->trail = mem_alloc(TRAIL_SIZE * sizeof *app->flame->trail);
	flame_forget(app);
}

static void flame_deinit(struct app *app)
{
	lanes_deinit(app);
	layout_deinit(&app->flame->layout);
	marks_deinit(&app->flame->marks);
	free(app->flame->trail);
	free(app->flame);
}

static struct trail *trail_slot(struct flame *f, uint32_t node)
{
	return &f->trail[(node * 2654435761u) >> 20 & (TRAIL_SIZE - 1)];
}

static uint32_t trail_child(struct flame *f, uint32_t node)
{
	struct trail *t = trail_slot(f, node);
	return t->node == node ? t->child : NO_NODE;
}

static void trail_mark(struct flame *f, const struct tree *t, uint32_t node)
{
	uint32_t parent = t->parent[node];
	if (node != NODE_ALL)
		*trail_slot(f, parent) = (struct trail){parent, node};
}

static size_t box_at_cursor(const struct app *app)
{
	const struct layout *l = &app->flame->layout;
	return l->tree && l->n > 0 ? layout_find(l, app->view.cursor) : NO_BOX;
}

const struct box *flame_box(const struct app *app)
{
	if (lanes_are_there(app))
		return lanes_box(app);
	size_t box = box_at_cursor(app);
	return box == NO_BOX ? NULL : &app->flame->layout.boxes[box];
}

const struct box *flame_aggregate(const struct app *app)
{
	if (app->tab != TAB_FLAME || app->is_named)
		return NULL;
	const struct box *b = flame_box(app);
	return b && box_is_aggregate(b) ? b : NULL;
}

static uint64_t smallest_drawn(const struct view *v)
{
	return v->min_share > 0 ? weight_from(v->min_share / 100 * (double)view_total(v)) : 0;
}

/* Number of rows from the zoomed frame to the cursor. */
static size_t cursor_row(const struct view *v)
{
	return tree_depth(&v->tree, v->cursor) - tree_depth(&v->tree, v->zoom);
}

static void make_layout(struct app *app)
{
	struct flame *f = app->flame;
	const struct view *v = &app->view;
	size_t need = 0;
	if (v->tree.depth > EAGER_ROWS && !f->wants_all) {
		need = cursor_row(v) + f->scroll + (size_t)f->height;
		need = (need / EAGER_ROWS + 1) * EAGER_ROWS;
	}
	f->max_rows = need;
	layout_make(&f->layout, &v->tree, v->zoom, (uint32_t)f->width, smallest_drawn(v), need);
	f->stamp = app->stamp;
}

static bool lacks_rows(const struct app *app)
{
	const struct flame *f = app->flame;
	size_t bottom = f->scroll + (size_t)f->height;
	if (f->max_rows == 0 || f->layout.rows < f->max_rows)
		return false;
	return bottom >= f->max_rows || cursor_row(&app->view) >= f->max_rows;
}

static void keep_scroll_inside(struct flame *f)
{
	size_t rows = f->layout.rows, height = (size_t)f->height;
	size_t last = rows > height ? rows - height : 0;
	if (f->scroll > last)
		f->scroll = last;
}

static void scroll_to_cursor(struct app *app)
{
	struct flame *f = app->flame;
	size_t box = box_at_cursor(app);
	if (box == NO_BOX)
		return;
	size_t row = canvas_row_of(&f->layout, box);
	if (row < f->scroll)
		f->scroll = row;
	if (row >= f->scroll + (size_t)f->height)
		f->scroll = row - (size_t)f->height + 1;
}

/* ---- the state for files and commands ------------------------------------------------------------------------ */

/* The scroll position if all that scrolled was the cursor, from the zoomed frame on. */
static size_t usual_scroll(const struct app *app)
{
	const struct flame *f = app->flame;
	size_t box = box_at_cursor(app), row = box == NO_BOX ? 0 : canvas_row_of(&f->layout, box);
	return row >= (size_t)f->height ? row - (size_t)f->height + 1 : 0;
}

size_t flame_scroll(const struct app *app)
{
	return lanes_are_there(app) ? app->lanes->scroll : app->flame->scroll;
}

/* Does the cursor of the table beside the graph select frames? The graph's own is then out of sight. */
static bool is_marked(const struct app *app)
{
	return wide_has_both(app) && app->tab == TAB_TOP;
}

static void flame_tell(const struct app *app, struct shown *s)
{
	if (lanes_are_there(app)) {
		lanes_tell(app, s, is_marked(app));
		return;
	}
	s->is_on_cell = flame_aggregate(app);
	if (app->flame->scroll != (is_marked(app) ? 0 : usual_scroll(app)))
		s->scroll[0] = app->flame->scroll;
}

static void flame_show(struct app *app, bool is_in_front)
{
	struct flame *f = app->flame;
	size_t scroll = app->view.shown.scroll[0];
	f->is_due = is_in_front;
	f->scroll = is_in_front && scroll != SCROLL_AS_USUAL ? scroll : 0; /* in a deep tree, these rows are needed */
	f->stamp = 0;
	app->is_named = !app->view.shown.is_on_cell;
	lanes_show(app, is_in_front);
}

static void scroll_as_shown(struct app *app)
{
	struct flame *f = app->flame;
	f->is_due = false;
	if (app->view.shown.scroll[0] != SCROLL_AS_USUAL)
		f->scroll = app->view.shown.scroll[0];
	keep_scroll_inside(f);
}

/* ---- the axis of a chart ------------------------------------------------------------------------------------- */

#define TICK_COLUMNS 14

static bool has_axis(const struct app *app, struct rect area)
{
	return app->view.tree.time && area.rows >= 4;
}

/* The area without the axis, which is at the root's edge. */
static struct rect graph_area(const struct app *app, struct rect area)
{
	if (!has_axis(app, area))
		return area;
	area.rows--;
	area.row += app->view.is_inverted;
	return area;
}

/* As many decimals as distinguish one tick from the next. */
static int time_places(uint64_t step_ns)
{
	int places = 1;
	for (uint64_t unit = 1000000000; places < 9 && step_ns < unit; unit /= 10)
		places++;
	return places;
}

static void paint_axis(struct app *app, struct rect area)
{
	const struct tree *t = &app->view.tree;
	uint32_t zoom = app->view.zoom;
	uint64_t from = t->pos[zoom], total = tree_total(t, zoom);
	int row = app->view.is_inverted ? area.row : area.row + area.rows - 1, ticks = area.cols / TICK_COLUMNS;
	uint64_t span = tree_time_at(t, from + total) - tree_time_at(t, from);
	int places = time_places(span / (uint64_t)(ticks > 0 ? ticks : 1));
	for (int col = 0; col == 0 || col + TICK_COLUMNS <= area.cols; col += TICK_COLUMNS) {
		char text[40];
		uint64_t at = from + weight_from((double)total * col / (area.cols > 0 ? area.cols : 1));
		snprintf(text, sizeof text, "%s%.*f s", app->theme.ascii ? "|" : "\xE2\x94\x82", places,
		         (double)tree_time_at(t, at) / 1e9);
		grid_str(&app->grid, row, area.col + col, area.cols - col, app->theme.dim, text);
	}
}

static void flame_prepare(struct app *app, struct rect within)
{
	struct flame *f = app->flame;
	if (is_marked(app))
		marks_find(&f->marks, &app->view.tree, app_symbol(app), app->tree_stamp);
	if (lanes_are_there(app)) {
		lanes_prepare(app, within);
		return;
	}
	struct rect area = graph_area(app, within);
	bool is_stale = f->stamp != app->stamp || f->width != area.cols || f->height != area.rows;
	f->width = area.cols > 0 ? area.cols : 1;
	f->height = area.rows > 0 ? area.rows : 1;
	if (is_stale || lacks_rows(app))
		make_layout(app);
	keep_scroll_inside(f);
	if (is_stale)
		scroll_to_cursor(app);
	if (f->is_due)
		scroll_as_shown(app);
}

static struct canvas flame_canvas(struct app *app, struct rect area)
{
	const struct view *v = &app->view;
	return (struct canvas){
		.layout = &app->flame->layout,
		.view = &app->view,
		.theme = &app->theme,
		.area = area,
		.scroll = app->flame->scroll,
		.grows_up = !v->is_inverted,
		.selected = is_marked(app) ? NO_BOX : box_at_cursor(app),
		.marks = is_marked(app) ? &app->flame->marks : NULL,
		.whole = view_total(v),
		.diff_most = view_is_diff(v) ? app->totals.diff_most : 0,
		.basis = &app->totals.basis,
		.factor = app_factor(app),
		.is_negated = app->options->export_.negate,
	};
}

static void flame_paint(struct app *app, struct rect area)
{
	if (lanes_are_there(app)) {
		lanes_paint(app, area, is_marked(app) ? &app->flame->marks : NULL);
		return;
	}
	struct canvas c = flame_canvas(app, graph_area(app, area));
	canvas_paint(&app->grid, &c);
	if (has_axis(app, area))
		paint_axis(app, area);
}

static void choose(struct app *app, size_t box)
{
	struct flame *f = app->flame;
	if (box == NO_BOX)
		return;
	uint32_t node = f->layout.boxes[box].node;
	app->dirty |= view_select(&app->view, node);
	trail_mark(f, &app->view.tree, node);
	app->is_named = false;
	scroll_to_cursor(app);
}

static size_t widest_child(const struct layout *l, size_t first, size_t end)
{
	size_t best = first;
	for (size_t i = first + 1; i < end; i++)
		if (l->boxes[i].x1 - l->boxes[i].x0 > l->boxes[best].x1 - l->boxes[best].x0)
			best = i;
	return best;
}

static void go_deeper(struct app *app, size_t box)
{
	struct flame *f = app->flame;
	const struct layout *l = &f->layout;
	size_t first, end;
	canvas_children(l, box, &first, &end);
	if (first == end)
		return;
	uint32_t child = trail_child(f, l->boxes[box].node);
	for (size_t i = first; i < end; i++) {
		if (child >= l->boxes[i].first && child <= l->boxes[i].final) {
			choose(app, i);
			return;
		}
	}
	choose(app, widest_child(l, first, end));
}

static void go_shallower(struct app *app, size_t box)
{
	const struct layout *l = &app->flame->layout;
	size_t row = canvas_row_of(l, box);
	if (row == 0)
		return;
	trail_mark(app->flame, &app->view.tree, l->boxes[box].node);
	choose(app, l->row_start[row - 1] + l->boxes[box].parent);
}

static void go_along(struct app *app, size_t box, int by)
{
	const struct layout *l = &app->flame->layout;
	size_t row = canvas_row_of(l, box);
	if (by < 0 && box > l->row_start[row])
		choose(app, box - 1);
	if (by > 0 && box + 1 < l->row_start[row + 1])
		choose(app, box + 1);
}

static void go_to_sibling(struct app *app, size_t box, bool is_last)
{
	const struct layout *l = &app->flame->layout;
	size_t row = canvas_row_of(l, box), first, end;
	if (row == 0)
		return;
	canvas_children(l, l->row_start[row - 1] + l->boxes[box].parent, &first, &end);
	choose(app, is_last ? end - 1 : first);
}

/* Moves many rows at once: within the frame's own column, or the nearest there is. */
static void go_to_row(struct app *app, size_t box, size_t row)
{
	const struct layout *l = &app->flame->layout;
	const struct box *b = &l->boxes[box];
	if (row >= l->rows && app->flame->max_rows != 0) { /* rows beyond may not be laid out yet */
		uint32_t col = b->col;
		app->flame->wants_all = true;
		make_layout(app);
		choose(app, canvas_nearest(l, row < l->rows ? row : l->rows - 1, col));
		return;
	}
	if (row >= l->rows)
		row = l->rows - 1;
	choose(app, canvas_nearest(l, row, b->col + (b->end - b->col) / 2));
}

static void scroll_by(struct app *app, long rows)
{
	struct flame *f = app->flame;
	long to = (long)f->scroll + rows;
	f->scroll = to < 0 ? 0 : (size_t)to;
	keep_scroll_inside(f);
}

/* Moves by rows of the layout; deeper is positive. */
static void move_rows(struct app *app, size_t box, long by)
{
	long row = (long)canvas_row_of(&app->flame->layout, box) + by;
	go_to_row(app, box, row < 0 ? 0 : (size_t)row);
}

/* Tells that the motion would go on beyond the folded rows. */
static void say_left_out(struct app *app, uint32_t before)
{
	const struct view *v = &app->view;
	uint32_t rows = tree_rows_left_out(&v->tree, v->cursor);
	if (rows > 0 && v->cursor == before && v->tree.end[v->cursor] == v->cursor + 1)
		app_say(app, "up to %u rows go on from here: {zoom} zooms in and shows them", rows);
}

/* Moves to the root's edge, or to the opposite one. */
static void go_to_edge(struct app *app, size_t box, bool is_root)
{
	go_to_row(app, box, is_root ? 0 : SIZE_MAX);
	say_left_out(app, app->view.cursor);
}

static void go_one_row(struct app *app, size_t box, bool is_deeper)
{
	uint32_t before = app->view.cursor;
	if (!is_deeper) {
		go_shallower(app, box);
		return;
	}
	go_deeper(app, box);
	say_left_out(app, before);
}

static void flame_move(struct app *app, enum motion m)
{
	if (lanes_are_there(app)) {
		lanes_move(app, m);
		return;
	}
	size_t box = box_at_cursor(app);
	bool is_inverted = app->view.is_inverted;
	long lines = motion_lines(m, app->flame->height), deeper = is_inverted ? lines : -lines;
	if (box == NO_BOX)
		return;
	switch (m) {
	case MOVE_UP:
	case MOVE_DOWN:
		go_one_row(app, box, deeper > 0);
		break;
	case MOVE_LEFT:
	case MOVE_RIGHT:
		go_along(app, box, m == MOVE_LEFT ? -1 : 1);
		break;
	case MOVE_PARENT:
		go_shallower(app, box);
		break;
	case MOVE_TOP:
	case MOVE_BOTTOM:
		go_to_edge(app, box, (m == MOVE_TOP) == is_inverted);
		break;
	case MOVE_FIRST:
	case MOVE_LAST:
		go_to_sibling(app, box, m == MOVE_LAST);
		break;
	case MOVE_WHEEL_UP:
	case MOVE_WHEEL_DOWN:
		scroll_by(app, deeper);
		break;
	default:
		move_rows(app, box, deeper);
		break;
	}
}

static void aggregate_chosen(struct app *app, const struct list_item *item)
{
	if (item->id >= app->view.tree.n) {
		app_say(app, "%s is gone", item->text);
		return;
	}
	app->dirty |= view_zoom(&app->view, (uint32_t)item->id);
}

const struct members *flame_members(struct app *app, uint32_t first, uint32_t last, uint32_t from, uint32_t to)
{
	const struct tree *t = &app->view.tree;
	struct members *m = &app->flame->members;
	if (m->stamp == app->stamp && m->first == first && m->last == last && m->from == from && m->to == to)
		return m;
	*m = (struct members){.stamp = app->stamp, .first = first, .last = last, .from = from, .to = to};
	for (uint32_t i = first; i != NO_NODE && i <= last; i = tree_next_sibling(t, i)) {
		size_t at = m->n < MEMBERS_SHOWN ? m->n : MEMBERS_SHOWN;
		if (tree_is_gap(t, i) || (i >= from && i <= to))
			continue;
		m->n++;
		m->weight += tree_total(t, i);
		m->self += tree_own(t, i);
		while (at > 0 && tree_total(t, m->best[at - 1]) < tree_total(t, i))
			at--;
		if (at == MEMBERS_SHOWN)
			continue;
		memmove(m->best + at + 1, m->best + at, (MEMBERS_SHOWN - 1 - at) * sizeof *m->best);
		m->best[at] = i;
	}
	return m;
}

static int heaviest_first(const void *a, const void *b, void *arg)
{
	const struct tree *t = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint64_t p = tree_total(t, x), q = tree_total(t, y);
	if (p != q)
		return p < q ? 1 : -1;
	return x < y ? -1 : 1;
}

/* More than a user reads, and few enough to list at once. */
#define LIST_LINES 10000u

static size_t keep_heaviest(struct tree *t, uint32_t *nodes, size_t n)
{
	if (n > 1)
		sort_by(nodes, n, sizeof *nodes, heaviest_first, t);
	return n < LIST_LINES ? n : LIST_LINES;
}

/* Lists siblings in [first, last], by weight. */
static void open_aggregate(struct app *app, uint32_t first, uint32_t last)
{
	struct tree *t = &app->view.tree;
	struct list *l = &app->list;
	uint32_t *nodes = NULL;
	char text[64];
	size_t n = 0, cap = 0;
	size_t all = 0;
	for (uint32_t i = first; i != NO_NODE && i <= last; i = tree_next_sibling(t, i)) {
		/* With a million frames, only the heaviest are sorted. */
		if (n == 2 * LIST_LINES)
			n = keep_heaviest(t, nodes, n);
		if (tree_is_gap(t, i))
			continue;
		all++;
		if (all <= 2 * LIST_LINES || tree_total(t, i) > tree_total(t, nodes[LIST_LINES - 1]))
			mem_push(nodes, n, cap, i);
	}
	n = keep_heaviest(t, nodes, n);
	snprintf(text, sizeof text, "%zu frames in one place", all);
	app_begin_list(app, text, "{zoom} zooms in  {find-line} finds  {quit} closes");
	for (size_t i = 0; i < n; i++)
		list_add_frame(l, view_name(&app->view, nodes[i])->text, tree_total(t, nodes[i]), nodes[i],
		               t->sym[nodes[i]]);
	if (all > n) {
		snprintf(text, sizeof text, "and %zu lighter ones", all - n);
		list_heading(l, text);
	}
	free(nodes);
	l->whole = view_total(&app->view);
	l->frames = LIST_CHILDREN;
	app->view.mark = t->parent[first];
	l->chosen = aggregate_chosen;
	list_open(l, app->is_named ? app->view.cursor : UINT64_MAX);
}

static void flame_enter(struct app *app)
{
	if (lanes_are_there(app)) {
		lanes_enter(app);
		return;
	}
	size_t box = box_at_cursor(app);
	if (box == NO_BOX)
		return;
	const struct box *b = &app->flame->layout.boxes[box];
	if (box_is_aggregate(b) && !app->is_named)
		open_aggregate(app, b->first, b->final);
	else if (app->view.cursor == app->view.zoom)
		app_say(app, "zoomed in here already ({back} goes back)");
	else
		app->dirty |= view_zoom(&app->view, app->view.cursor);
}

void flame_open_place(struct app *app)
{
	const struct box *b = app->tab == TAB_FLAME ? flame_box(app) : NULL;
	if (b && b->first != b->final)
		open_aggregate(app, b->first, b->final);
	else
		app_say(app, "no other frames are drawn in this place");
}

static void flame_click(struct app *app, struct rect within, int row, int col, bool is_double)
{
	if (lanes_are_there(app)) {
		lanes_click(app, within, row, col, is_double);
		return;
	}
	struct rect area = graph_area(app, within);
	struct canvas c = flame_canvas(app, area);
	size_t layout_row;
	if (!canvas_row_at(&c, row, &layout_row))
		return;
	size_t box = layout_at(&app->flame->layout, layout_row, (uint32_t)(col - area.col));
	if (box == SIZE_MAX)
		return;
	choose(app, box);
	if (is_double)
		flame_enter(app);
}

static uint32_t flame_node(const struct app *app)
{
	return app->view.cursor;
}

static uint32_t flame_symbol(const struct app *app)
{
	uint32_t node = app->view.cursor;
	return node == NODE_ALL || node >= app->view.tree.n ? NO_SYMBOL : app->view.tree.sym[node];
}

static const char *flame_rows(const struct app *app, size_t *first, size_t *last, size_t *all)
{
	const struct flame *f = app->flame;
	if (lanes_are_there(app))
		return lanes_rows(app, first, last, all);
	size_t end = f->scroll + (size_t)f->height;
	*all = f->layout.rows;
	/* In a very deep tree, only the rows needed are laid out. */
	if (f->max_rows != 0 && *all >= f->max_rows && app->view.zoom == NODE_ALL)
		*all = (size_t)app->view.tree.depth + 1;
	*first = *all ? f->scroll + 1 : 0;
	*last = end < *all ? end : *all;
	return "rows";
}

static const char *const flame_lessons[] = {
	"Each frame is a function. Its width is its share of all weight (samples, time, bytes): look for wide ones.",
	("A frame stands on its caller (in an icicle it hangs from it). The weight that no frame above takes is its "
     "own: self."),
	"Left to right is not time: the heaviest is first; {sort} orders by name, {chart} shows the flow of time.",
	"Arrows move, {zoom} zooms in, {back} goes back. Cells of dots are many narrow frames: {zoom} lists them.",
	NULL};

static const char *const chart_lessons[] = {
	"Left to right is the order in which samples came: the same function may come again and again.",
	("Pick one thread by {threads}, or threads take turns. {chart} goes back to the flame graph, which adds up "
     "equal stacks."),
	NULL};

static const char *const lanes_lessons[] = {
	("Left to right is time, as the ruler says; where nothing is, the thread was idle. Each thread has a lane; "
     "on its title {zoom} or {fold} folds it away, {fold-all} folds all."),
	("{zoom} on a frame shows its time in all lanes, {back} goes back; at the edge {left} and {right} show the "
     "time before and after. {axis} puts the samples one after the other, without gaps."),
	NULL};

static const char *const leaves_lessons[] = {
	("Each frame on the root is a function that did work itself. Its width is its share of all weight: its self "
     "weight."),
	"On each frame stand its callers, as wide as the weight that came through them. {reverse} goes back to roots "
	"below.",
	NULL};

static const char *const callers_lessons[] = {
	("The frame on the root is the function whose callers you asked for, with the weight of all that it calls. On "
     "each frame stand its callers, as wide as the weight that came through them."),
	"Where the function calls itself, its outermost call counts. {filters} lists the filter, and removes it.",
	NULL};

static const char *const *flame_teach(const struct app *app)
{
	const struct recipe *r = &app->view.recipe;
	if (r->chart)
		return lanes_are_there(app) ? lanes_lessons : chart_lessons;
	return recipe_has_callers(r) ? callers_lessons : r->reverse ? leaves_lessons : flame_lessons;
}

const struct pane flame_pane = {
	.name = "flame",
	.view = SHOWN_FLAME,
	.shows_tree = true,
	.init = flame_init,
	.deinit = flame_deinit,
	.prepare = flame_prepare,
	.paint = flame_paint,
	.move = flame_move,
	.enter = flame_enter,
	.click = flame_click,
	.symbol = flame_symbol,
	.node = flame_node,
	.lessons = flame_teach,
	.rows = flame_rows,
	.tell = flame_tell,
	.show = flame_show,
	.forget = flame_forget,
};
