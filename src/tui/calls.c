/*
 * calls.c - shows the call tree: one line per frame, opened and closed like folders.
 *
 *	 total    self
 *	 98.2%    0.1%  - main
 *	 61.0%   12.0%    + parse
 *	 37.1%    0.0%    + write_all
 *
 * In a comparison, the change of the total follows both, as in the footer.
 *
 * Only lines of open frames exist, in an array: opening a frame inserts its children behind it, heaviest first, and
 * closing it removes all deeper lines. Neither touches the rest of the tree.
 */
#include "tui/calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "model/cut.h"
#include "model/words.h"
#include "tui/canvas.h"

static void calls_init(struct app *app)
{
	app->calls = mem_zalloc(1, sizeof *app->calls);
}

static void calls_deinit(struct app *app)
{
	free(app->calls->rows);
	free(app->calls);
}

static void calls_forget(struct app *app)
{
	app->calls->stamp = 0; /* the symbols of the rows still tell what was open */
}

static int heaviest_first(const void *a, const void *b, void *arg)
{
	const struct tree *t = arg;
	uint32_t x = ((const struct call_row *)a)->node, y = ((const struct call_row *)b)->node;
	uint64_t p = tree_total(t, x), q = tree_total(t, y);
	if (p != q)
		return p < q ? 1 : -1;
	return x < y ? -1 : 1;
}

static size_t count_children(const struct tree *t, uint32_t node)
{
	size_t n = 0;
	for (uint32_t i = tree_first_child(t, node); i != NO_NODE; i = tree_next_sibling(t, i))
		n += !tree_is_gap(t, i);
	return n;
}

static void open_row(struct calls *c, struct tree *t, size_t at)
{
	uint32_t node = c->rows[at].node, depth = c->rows[at].depth + 1;
	size_t n = count_children(t, node), k = at + 1;
	if (c->rows[at].is_open || n == 0)
		return;
	c->rows[at].is_open = true;
	if (c->n + n > c->cap)
		c->rows = mem_grow(c->rows, &c->cap, c->n + n, sizeof *c->rows);
	memmove(c->rows + k + n, c->rows + k, (c->n - k) * sizeof *c->rows);
	for (uint32_t i = tree_first_child(t, node); i != NO_NODE; i = tree_next_sibling(t, i))
		if (!tree_is_gap(t, i))
			c->rows[k++] = (struct call_row){.node = i, .sym = t->sym[i], .depth = depth};
	qsort_r(c->rows + at + 1, n, sizeof *c->rows, heaviest_first, t);
	c->n += n;
}

static void close_row(struct calls *c, size_t at)
{
	size_t end = at + 1;
	while (end < c->n && c->rows[end].depth > c->rows[at].depth)
		end++;
	memmove(c->rows + at + 1, c->rows + end, (c->n - end) * sizeof *c->rows);
	c->n -= end - at - 1;
	c->rows[at].is_open = false;
}

static size_t find_row(const struct calls *c, uint32_t node)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->rows[i].node == node)
			return i;
	return SIZE_MAX;
}

static void make_rows(struct app *app)
{
	struct calls *c = app->calls;
	struct call_row top = {.node = app->view.zoom, .sym = app->view.tree.sym[app->view.zoom]};
	c->n = 0;
	mem_push(c->rows, c->n, c->cap, top);
	open_row(c, &app->view.tree, 0);
	c->stamp = app->stamp;
}

/* Finding a row scans all of them; this is more than a user opens by hand. */
#define MOST_REOPENED 2000u

/*
 * Opens the frames in the new tree that were open in `old`, rows of the previous tree that begin at the same frame.
 */
static void reopen(struct app *app, const struct call_row *old, size_t n)
{
	struct calls *c = app->calls;
	struct tree *t = &app->view.tree;
	uint32_t *nodes = NULL; /* by depth: new nodes of the old row there and of its ancestors */
	size_t cap = 0, opened = 0;
	for (size_t i = 0; i < n && opened < MOST_REOPENED; i++) {
		size_t depth = old[i].depth;
		nodes = depth < cap ? nodes : mem_grow(nodes, &cap, depth + 1, sizeof *nodes);
		uint32_t parent = depth ? nodes[depth - 1] : NO_NODE;
		nodes[depth] = depth == 0          ? c->rows[0].node
		               : parent == NO_NODE ? NO_NODE
		                                   : tree_find_child(t, parent, old[i].sym);
		if (!old[i].is_open || nodes[depth] == NO_NODE)
			continue;
		size_t at = find_row(c, nodes[depth]);
		if (at == SIZE_MAX)
			continue;
		open_row(c, t, at);
		opened++;
	}
	free(nodes);
}

static void make_again(struct app *app)
{
	struct calls *c = app->calls;
	struct call_row *old = c->rows;
	size_t n = c->n;
	c->rows = NULL;
	c->n = c->cap = 0;
	make_rows(app);
	if (n > 0 && old[0].sym == c->rows[0].sym)
		reopen(app, old, n);
	free(old);
}

/* The ancestors of node below the zoom, innermost first; the caller frees. */
static uint32_t *ancestors(const struct tree *t, uint32_t zoom, uint32_t node, size_t *n)
{
	uint32_t *list = NULL;
	size_t cap = 0;
	*n = 0;
	while (node != zoom && node != NODE_ALL) {
		node = t->parent[node];
		mem_push(list, *n, cap, node);
	}
	return list;
}

static void open_around(struct app *app, uint32_t node)
{
	struct calls *c = app->calls;
	size_t n;
	if (!tree_is_below(&app->view.tree, node, app->view.zoom))
		return;
	uint32_t *path = ancestors(&app->view.tree, app->view.zoom, node, &n);
	size_t at = 0;
	while (n-- > 0) {
		while (at < c->n && c->rows[at].node != path[n])
			at++;
		if (at == c->n)
			break;
		open_row(c, &app->view.tree, at);
	}
	free(path);
}

static void keep_visible(struct app *app)
{
	struct calls *c = app->calls;
	size_t at = find_row(c, app->view.cursor), height = (size_t)c->height;
	if (at == SIZE_MAX)
		return;
	if (at < c->scroll)
		c->scroll = at;
	if (at >= c->scroll + height)
		c->scroll = at - height + 1;
}

/* Opens the ancestors of the frame. */
static void calls_reveal(struct app *app, uint32_t node)
{
	if (app->calls->stamp == 0 || app->calls->n == 0 || app->calls->rows[0].node != app->view.zoom)
		make_again(app);
	open_around(app, node);
	app->dirty |= view_select(&app->view, node);
	keep_visible(app);
}

static void calls_prepare(struct app *app, struct rect area)
{
	struct calls *c = app->calls;
	c->height = area.rows > 1 ? area.rows - 1 : 1;
	if (c->stamp == 0 || c->n == 0 || c->rows[0].node != app->view.zoom) {
		make_again(app);
		open_around(app, app->view.cursor);
	}
	c->stamp = app->stamp;
	if (find_row(c, app->view.cursor) == SIZE_MAX)
		open_around(app, app->view.cursor);
	keep_visible(app);
	if (c->n <= (size_t)c->height)
		c->scroll = 0;
	else if (c->scroll + (size_t)c->height > c->n)
		c->scroll = c->n - (size_t)c->height;
}

static struct style name_style(struct app *app, const struct call_row *r, bool is_selected)
{
	const struct view *v = &app->view;
	if (is_selected)
		return app->theme.selected;
	return view_is_hit(v, r->node) ? app->theme.hit : app->theme.plain;
}

#define NUMBER_COLUMNS 19 /* for total, self and the sign that opens a row */
#define CHANGE_COLUMNS 10 /* for the change of the total, in a comparison */
#define NAME_COLUMNS 24   /* minimum for a name, if the screen has that many */
#define STEP_COLUMNS 8    /* left for the indentation, so that it still shows the calls */

/*
 * Columns by which the rows move left, so that the deepest one on the screen has room for its name. Less deep rows
 * then stop at the margin.
 */
static int left_shift(const struct calls *c, int cols, int numbers)
{
	uint32_t deepest = 0;
	int most = cols - numbers - NAME_COLUMNS;
	for (size_t i = c->scroll; i < c->n && i < c->scroll + (size_t)c->height; i++)
		deepest = c->rows[i].depth > deepest ? c->rows[i].depth : deepest;
	if (most < STEP_COLUMNS)
		most = STEP_COLUMNS;
	return deepest * 2 > (uint32_t)most ? (int)(deepest * 2) - most : 0;
}

/* Appends the change of the total, which sorts the rows; "~" marks a change within noise. */
static void add_change(const struct app *app, struct buf *out, uint32_t node)
{
	const struct tree *t = &app->view.tree;
	struct diff_change c = diff_of(&app->totals.basis, tree_total(t, node), tree_base_total(t, node));
	struct buf gain;
	buf_init(&gain);
	words_add_gain(&gain, &app->view, &c, app_factor(app), 1);
	buf_addf(out, "%*s%c", CHANGE_COLUMNS - 1, buf_str(&gain), c.is_noise && c.delta != 0 ? '~' : ' ');
	buf_deinit(&gain);
}

static void paint_row(struct app *app, struct rect area, int row, const struct call_row *r, int shift)
{
	struct grid *g = &app->grid;
	const struct tree *t = &app->view.tree;
	bool is_selected = r->node == app->view.cursor;
	struct style s = name_style(app, r, is_selected);
	struct style numbers = is_selected ? s : app->theme.plain;
	uint64_t all = view_total(&app->view);
	struct buf b, text;
	buf_init(&b);
	buf_init(&text);
	number_add_percent(&text, tree_total(t, r->node), all, 1);
	buf_addf(&b, "%6s%%", buf_str(&text));
	text.len = 0;
	number_add_percent(&text, tree_own(t, r->node), all, 1);
	buf_addf(&b, " %6s%%", buf_str(&text));
	if (view_is_diff(&app->view))
		add_change(app, &b, r->node);
	buf_adds(&b, "  ");
	if (is_selected)
		grid_fill(g, row, area.col, area.cols, ' ', s);
	int col = area.col + grid_text(g, row, area.col, area.cols, numbers, b.data, b.len);
	int indent = (int)(r->depth * 2) - shift;
	col += indent > 0 ? indent : 0;
	const char *mark = tree_first_child(t, r->node) == NO_NODE ? "  " : r->is_open ? "- " : "+ ";
	col += grid_str(g, row, col, area.cols - col, is_selected ? s : app->theme.key, mark);
	const struct display_name *d = canvas_name(&app->view, t, r->node);
	grid_text_cut(g, row, col, area.cols - col, s, d->text, d->len, app->theme.ascii);
	if (is_selected && app->theme.depth == DEPTH_MONO)
		grid_put(g, row, area.col, '>', s);
	buf_deinit(&b);
	buf_deinit(&text);
}

static void calls_paint(struct app *app, struct rect area)
{
	const struct calls *c = app->calls;
	bool is_diff = view_is_diff(&app->view);
	grid_fill(&app->grid, area.row, area.col, area.cols, ' ', app->theme.bar);
	grid_str(&app->grid, area.row, area.col, area.cols, app->theme.bar,
	         is_diff ? "  total    self   change   call tree, heaviest first"
	                 : "  total    self  call tree, heaviest first");
	int shift = left_shift(c, area.cols, NUMBER_COLUMNS + (is_diff ? CHANGE_COLUMNS : 0));
	for (int i = 0; i < c->height && c->scroll + (size_t)i < c->n; i++)
		paint_row(app, area, area.row + 1 + i, &c->rows[c->scroll + (size_t)i], shift);
}

static void put_cursor(struct app *app, long to)
{
	struct calls *c = app->calls;
	long last = (long)c->n - 1;
	if (c->n == 0)
		return;
	to = to < 0 ? 0 : to > last ? last : to;
	app->dirty |= view_select(&app->view, c->rows[to].node);
	app->is_named = true;
	keep_visible(app);
}

static void go_left(struct app *app, size_t at)
{
	struct calls *c = app->calls;
	if (c->rows[at].is_open)
		close_row(c, at);
	else if (c->rows[at].node != app->view.zoom)
		put_cursor(app, (long)find_row(c, app->view.tree.parent[c->rows[at].node]));
}

static void go_right(struct app *app, size_t at)
{
	struct calls *c = app->calls;
	uint32_t node = c->rows[at].node, rows = tree_rows_left_out(&app->view.tree, node);
	if (rows > 0 && app->view.tree.end[node] == node + 1)
		app_say(app, "up to %u rows go on from here: Enter zooms in and shows them", rows);
	else if (!c->rows[at].is_open)
		open_row(c, &app->view.tree, at);
	else if (at + 1 < c->n && c->rows[at + 1].depth > c->rows[at].depth)
		put_cursor(app, (long)at + 1);
}

static void go_to_sibling(struct app *app, size_t at, int by)
{
	struct calls *c = app->calls;
	size_t to = at;
	for (size_t i = at; i < c->n && c->rows[i].depth >= c->rows[at].depth; i += (size_t)by)
		if (c->rows[i].depth == c->rows[at].depth)
			to = i;
	put_cursor(app, (long)to);
}

static void calls_move(struct app *app, enum motion m)
{
	struct calls *c = app->calls;
	size_t at = find_row(c, app->view.cursor);
	long row = at == SIZE_MAX ? 0 : (long)at;
	if (c->n == 0)
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
			put_cursor(app, (long)find_row(c, app->view.tree.parent[c->rows[row].node]));
		break;
	case MOVE_TOP:
	case MOVE_BOTTOM:
		put_cursor(app, m == MOVE_TOP ? 0 : (long)c->n);
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
	size_t at = find_row(c, app->view.cursor);
	if (at == SIZE_MAX)
		return;
	if (c->rows[at].is_open)
		close_row(c, at);
	else
		open_row(c, &app->view.tree, at);
}

/* Opens the heaviest child below the cursor, again and again while it has a tenth of the starting weight. */
void calls_hot_path(struct app *app)
{
	struct calls *c = app->calls;
	size_t at = find_row(c, app->view.cursor);
	if (at == SIZE_MAX)
		return;
	uint64_t least = tree_total(&app->view.tree, app->view.cursor) / 10;
	for (;;) {
		open_row(c, &app->view.tree, at);
		if (!c->rows[at].is_open || tree_total(&app->view.tree, c->rows[at + 1].node) < least)
			break;
		at++;
	}
	put_cursor(app, (long)at);
}

static void calls_click(struct app *app, struct rect area, int row, int col, bool is_double)
{
	struct calls *c = app->calls;
	size_t at = c->scroll + (size_t)(row - area.row - 1);
	(void)col;
	if (row == area.row || at >= c->n)
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
	*all = c->n;
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
	("The same tree as lines, heaviest first. {right} or {zoom} opens, {left} closes, {hot-path} opens the path "
     "where most of the weight is."),
	NULL};

static const char *const *calls_teach(const struct app *app)
{
	(void)app;
	return calls_lessons;
}

const struct pane calls_pane = {
	.name = "call tree",
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
	.open = calls_open,
	.reveal = calls_reveal,
	.forget = calls_forget,
};
