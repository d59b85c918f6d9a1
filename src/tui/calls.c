/*
 * calls.c - shows the call tree: one line per frame, opened and closed like folders.
 *
 * In a comparison, the change of the total follows both, as in the footer. model/call_rows.h has the lines, and
 * calls_row.c paints them. At first the heaviest path is open.
 */
#include "tui/calls.h"

#include <stdlib.h>

#include "base/mem.h"
#include "lib/cells.h"
#include "tui/calls_row.h"

static void calls_init(struct app *app)
{
	app->calls = mem_zalloc(1, sizeof *app->calls);
}

static void calls_deinit(struct app *app)
{
	call_rows_deinit(&app->calls->list);
	call_rows_deinit(&app->calls->before);
	free(app->calls);
}

static void calls_forget(struct app *app)
{
	app->calls->stamp = 0; /* the symbols of the rows still tell what was open */
}

/* cursor: where it is going to be. */
static void make_again(struct app *app, uint32_t cursor)
{
	struct calls *c = app->calls;
	struct call_rows old = c->list;
	c->list = (struct call_rows){.rows = NULL};
	c->stamp = app->stamp;
	if (old.n > 0 && old.rows[0].sym == app->view.tree.sym[app->view.zoom])
		call_rows_reopen(&c->list, &app->view.tree, app->view.zoom, &old);
	else
		call_rows_begin_as_usual(&c->list, &app->view.tree, app->view.zoom, cursor);
	call_rows_deinit(&old);
}

static void keep_visible(struct app *app)
{
	struct calls *c = app->calls;
	size_t at = call_rows_find(&c->list, app->view.cursor), height = (size_t)c->height;
	if (at == NO_CALL_ROW)
		return;
	if (at < c->scroll)
		c->scroll = at;
	if (at >= c->scroll + height)
		c->scroll = at - height + 1;
}

/* Opens the ancestors of the frame. */
static void calls_reveal(struct app *app, uint32_t node)
{
	if (app->calls->stamp == 0 || app->calls->list.n == 0 || app->calls->list.rows[0].node != app->view.zoom)
		make_again(app, node);
	call_rows_open_around(&app->calls->list, &app->view.tree, node);
	app->dirty |= view_select(&app->view, node);
	keep_visible(app);
}

static void calls_tell(const struct app *app, struct shown *s)
{
	const struct calls *c = app->calls;
	size_t at = call_rows_find(&c->list, app->view.cursor), height = (size_t)c->height;
	size_t usual = at != NO_CALL_ROW && at >= height ? at - height + 1 : 0;
	call_rows_copy(&s->calls, &c->list);
	if (c->scroll != usual)
		s->scroll[0] = c->scroll;
}

static void calls_show(struct app *app, bool is_in_front)
{
	struct calls *c = app->calls;
	call_rows_copy(&c->list, &app->view.shown.calls);
	c->stamp = c->list.n > 0 ? app->stamp : 0;
	c->scroll = 0;
	c->is_due = is_in_front;
}

/* The cursor stays on the screen. */
static void scroll_as_shown(struct app *app)
{
	struct calls *c = app->calls;
	c->is_due = false;
	if (app->view.shown.scroll[0] == SCROLL_AS_USUAL)
		return;
	c->scroll = app->view.shown.scroll[0] < c->list.n ? app->view.shown.scroll[0] : c->list.n - 1;
	size_t at = call_rows_find(&c->list, app->view.cursor);
	if (at != NO_CALL_ROW && at < c->scroll)
		app->dirty |= view_select(&app->view, c->list.rows[c->scroll].node);
	keep_visible(app);
}

static void calls_prepare(struct app *app, struct rect area)
{
	struct calls *c = app->calls;
	c->height = area.rows > 1 ? area.rows - 1 : 1;
	if (c->stamp == 0 || c->list.n == 0 || c->list.rows[0].node != app->view.zoom) {
		make_again(app, app->view.cursor);
		call_rows_open_around(&c->list, &app->view.tree, app->view.cursor);
	}
	c->stamp = app->stamp;
	if (call_rows_find(&c->list, app->view.cursor) == NO_CALL_ROW)
		call_rows_open_around(&c->list, &app->view.tree, app->view.cursor);
	keep_visible(app);
	if (c->is_due)
		scroll_as_shown(app);
	if (c->list.n <= (size_t)c->height)
		c->scroll = 0;
	else if (c->scroll + (size_t)c->height > c->list.n)
		c->scroll = c->list.n - (size_t)c->height;
}

static void calls_paint(struct app *app, struct rect area)
{
	calls_row_paint_all(app, area, &app->calls->list, app->calls->scroll);
}

static void put_cursor(struct app *app, long to)
{
	struct calls *c = app->calls;
	long last = (long)c->list.n - 1;
	if (c->list.n == 0)
		return;
	to = to < 0 ? 0 : to > last ? last : to;
	app->dirty |= view_select(&app->view, c->list.rows[to].node);
	app->is_named = true;
	keep_visible(app);
}

static void go_left(struct app *app, size_t at)
{
	struct calls *c = app->calls;
	if (c->list.rows[at].is_open)
		call_rows_close(&c->list, at);
	else if (c->list.rows[at].node != app->view.zoom)
		put_cursor(app, (long)call_rows_find(&c->list, app->view.tree.parent[c->list.rows[at].node]));
}

static void go_right(struct app *app, size_t at)
{
	struct calls *c = app->calls;
	uint32_t node = c->list.rows[at].node, rows = tree_rows_left_out(&app->view.tree, node);
	if (rows > 0 && app->view.tree.end[node] == node + 1)
		app_say(app, "up to %u rows go on from here: Enter zooms in and shows them", rows);
	else if (!c->list.rows[at].is_open)
		call_rows_open(&c->list, &app->view.tree, at);
	else if (at + 1 < c->list.n && c->list.rows[at + 1].depth > c->list.rows[at].depth)
		put_cursor(app, (long)at + 1);
}

static void go_to_sibling(struct app *app, size_t at, int by)
{
	struct calls *c = app->calls;
	size_t to = at;
	for (size_t i = at; i < c->list.n && c->list.rows[i].depth >= c->list.rows[at].depth; i += (size_t)by)
		if (c->list.rows[i].depth == c->list.rows[at].depth)
			to = i;
	put_cursor(app, (long)to);
}

static void calls_move(struct app *app, enum motion m)
{
	struct calls *c = app->calls;
	size_t at = call_rows_find(&c->list, app->view.cursor);
	long row = at == NO_CALL_ROW ? 0 : (long)at;
	if (c->list.n == 0)
		return;
	switch (m) {
	case MOVE_LEFT:
		go_left(app, (size_t)row);
		break;
	case MOVE_RIGHT:
		go_right(app, (size_t)row);
		break;
	case MOVE_PARENT:
		if (row > 0)
			put_cursor(app, (long)call_rows_find(&c->list, app->view.tree.parent[c->list.rows[row].node]));
		break;
	case MOVE_TOP:
	case MOVE_BOTTOM:
		put_cursor(app, m == MOVE_TOP ? 0 : (long)c->list.n);
		break;
	case MOVE_FIRST:
	case MOVE_LAST:
		go_to_sibling(app, (size_t)row, m == MOVE_FIRST ? -1 : 1);
		break;
	default:
		put_cursor(app, row + motion_lines(m, c->height));
		break;
	}
}

static void calls_enter(struct app *app)
{
	struct calls *c = app->calls;
	size_t at = call_rows_find(&c->list, app->view.cursor);
	if (at == NO_CALL_ROW)
		return;
	if (c->list.rows[at].is_open)
		call_rows_close(&c->list, at);
	else
		call_rows_open(&c->list, &app->view.tree, at);
}

void calls_hot_path(struct app *app)
{
	struct calls *c = app->calls;
	size_t at = call_rows_find(&c->list, app->view.cursor);
	bool has_changed = at != NO_CALL_ROW;
	for (unsigned left = app_take_times(app); left > 0 && has_changed; left--) {
		size_t rows = c->list.n, to = call_rows_open_hot_path(&c->list, &app->view.tree, at);
		has_changed = to != at || c->list.n != rows;
		at = to;
		put_cursor(app, (long)at);
	}
}

void calls_keep(struct app *app)
{
	struct calls *c = app->calls;
	call_rows_copy(&c->before, &c->list);
	c->before_tree = app->tree_stamp;
}

void calls_forget_kept(struct app *app)
{
	app->calls->before.n = 0;
}

void calls_restore(struct app *app)
{
	struct calls *c = app->calls;
	if (c->before.n > 0 && c->before_tree == app->tree_stamp && c->before.rows[0].node == app->view.zoom)
		call_rows_copy(&c->list, &c->before);
}

/* Opens a row so that all its children are in sight. */
static void open_alone(struct calls *c, const struct tree *t, size_t at)
{
	size_t half = (size_t)c->height / 2;
	call_rows_close(&c->list, at);
	call_rows_open(&c->list, t, at);
	if (at >= c->scroll + half)
		c->scroll = at - half;
}

bool calls_show_matches(struct app *app)
{
	struct view *v = &app->view;
	struct calls *c = app->calls;
	calls_restore(app);
	uint32_t node = v->tree.is_chart ? NO_NODE : search_heaviest_path(&v->search, &v->tree, v->zoom);
	if (node == NO_NODE)
		return false;
	app_go_to(app, node);
	size_t at = call_rows_find(&c->list, node);
	if (!view_is_hit(v, node) && at != NO_CALL_ROW)
		open_alone(c, &v->tree, at);
	return true;
}

static void calls_click(struct app *app, struct rect area, int row, int col, bool is_double)
{
	struct calls *c = app->calls;
	size_t at = c->scroll + (size_t)(row - area.row - 1);
	(void)col;
	if (row == area.row || at >= c->list.n)
		return;
	put_cursor(app, (long)at);
	if (is_double)
		calls_enter(app);
}

static uint32_t calls_node(const struct app *app)
{
	return app->view.cursor;
}

static uint32_t calls_symbol(const struct app *app)
{
	uint32_t node = app->view.cursor;
	return node == NODE_ALL || node >= app->view.tree.n ? NO_SYMBOL : app->view.tree.sym[node];
}

static const char *calls_rows(const struct app *app, size_t *first, size_t *last, size_t *all)
{
	const struct calls *c = app->calls;
	size_t end = c->scroll + (size_t)c->height;
	*all = c->list.n;
	*first = *all ? c->scroll + 1 : 0;
	*last = end < *all ? end : *all;
	return "rows";
}

static void calls_open(struct app *app, uint32_t symbol, uint32_t node)
{
	(void)symbol;
	if (node != NO_NODE)
		calls_reveal(app, node);
}

static const char *const calls_lessons[] = {
	("The same tree as lines, heaviest first; bars are shares of all. {right} or {zoom} opens, {left} closes, "
     "{hot-path} opens the path where most of the weight is."),
	("{search} opens the path with most of the weight that matches; a + in the colour of matches has more of them "
     "below."),
	NULL};

static const char *const *calls_teach(const struct app *app)
{
	(void)app;
	return calls_lessons;
}

const struct pane calls_pane = {
	.name = "call tree",
	.view = SHOWN_CALLS,
	.shows_tree = true,
	.init = calls_init,
	.deinit = calls_deinit,
	.prepare = calls_prepare,
	.paint = calls_paint,
	.move = calls_move,
	.enter = calls_enter,
	.click = calls_click,
	.symbol = calls_symbol,
	.node = calls_node,
	.lessons = calls_teach,
	.rows = calls_rows,
	.tell = calls_tell,
	.show = calls_show,
	.open = calls_open,
	.reveal = calls_reveal,
	.forget = calls_forget,
};
