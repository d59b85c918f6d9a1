/*
 * top.c - the table of functions: self, total, how many frames, name.
 *
 *	   self            total          frames  function
 *	  62.1%   1.2 G    80.2%   1.6 G      14  lex
 *
 * The rows are sums below the zoomed frame, made when the view is looked at and not before. Sorting keeps the cursor on
 * its function. A function called from itself counts once in its total.
 */
#include "tui/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "tui/canvas.h"

void top_init(struct top *t)
{
	*t = (struct top){.symbol = UINT32_MAX};
}

void top_deinit(struct top *t)
{
	free(t->rows);
	free(t->filter);
	top_init(t);
}

void top_forget(struct top *t)
{
	t->stamp = 0;
}

struct sorting {
	struct app *app;
	enum top_column column;
	bool is_ascending;
	uint64_t all, base_all;
};

static double share(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* Change of the self share in percentage points. */
static double delta(const struct name_sum *r, uint64_t all, uint64_t base_all)
{
	return share(r->self, all) - share(r->base_self, base_all);
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_rows(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	const struct name_sum *x = a, *y = b;
	int c = 0;
	switch (s->column) {
	case TOP_SELF: c = compare_u64(x->self, y->self); break;
	case TOP_TOTAL: c = compare_u64(x->total, y->total); break;
	case TOP_FRAMES: c = compare_u64(x->frames, y->frames); break;
	case TOP_DELTA: {
		double p = delta(x, s->all, s->base_all), q = delta(y, s->all, s->base_all);
		p = p < 0 ? -p : p;
		q = q < 0 ? -q : q;
		c = p < q ? -1 : p > q;
		break;
	}
	case TOP_NAME: c = -strcmp(state_name(s->app, x->sym), state_name(s->app, y->sym)); break;
	case N_TOP_COLUMNS: break;
	}
	if (s->is_ascending)
		c = -c;
	if (c == 0)
		c = compare_u64(x->self, y->self);
	if (c == 0)
		c = compare_u64(x->total, y->total);
	return c ? -c : compare_u64(x->sym, y->sym);
}

static void filter_rows(struct app *app, struct name_sum *rows, size_t *n)
{
	struct match *m = app->top.filter ? match_new(app->top.filter, MATCH_REGEX, NULL) : NULL;
	const struct symbol *symbols = app->profile->symtab.symbols;
	size_t out = 0;
	if (m == NULL)
		return;
	for (size_t i = 0; i < *n; i++) {
		const struct symbol *s = &symbols[rows[i].sym];
		const struct display_name *d = display_name(&app->view.display, rows[i].sym);
		if (match_name(m, s->name, s->len) || match_name(m, d->text, d->len))
			rows[out++] = rows[i];
	}
	*n = out;
	match_free(m);
}

/* "all" is no function. */
static void drop_root(struct name_sum *rows, size_t *n)
{
	for (size_t i = 0; i < *n; i++) {
		if (rows[i].sym != 0)
			continue;
		rows[i] = rows[--*n];
		return;
	}
}

static void find_cursor(struct top *t)
{
	for (size_t i = 0; i < t->n_rows; i++) {
		if (t->rows[i].sym == t->symbol) {
			t->cursor = i;
			return;
		}
	}
	if (t->cursor >= t->n_rows)
		t->cursor = t->n_rows ? t->n_rows - 1 : 0;
	t->symbol = t->n_rows ? t->rows[t->cursor].sym : UINT32_MAX;
}

static void make_rows(struct app *app)
{
	struct top *t = &app->top;
	const struct view *v = &app->view;
	struct sorting s = {app, t->sort, t->is_ascending, tree_total(&v->tree, v->zoom), tree_base_total(&v->tree, v->zoom)};
	free(t->rows);
	t->rows = tree_sums(&v->tree, v->zoom, app->profile->symtab.n, &t->n_rows);
	drop_root(t->rows, &t->n_rows);
	t->n_all = t->n_rows;
	filter_rows(app, t->rows, &t->n_rows);
	if (t->n_rows > 1)
		qsort_r(t->rows, t->n_rows, sizeof *t->rows, compare_rows, &s);
	find_cursor(t);
	t->stamp = app->stamp;
}

static void keep_visible(struct top *t)
{
	size_t height = (size_t)t->height;
	if (t->cursor < t->scroll)
		t->scroll = t->cursor;
	if (t->cursor >= t->scroll + height)
		t->scroll = t->cursor - height + 1;
	if (t->n_rows <= height)
		t->scroll = 0;
}

static void top_prepare(struct app *app, struct rect area)
{
	struct top *t = &app->top;
	t->height = area.rows > 1 ? area.rows - 1 : 1;
	if (t->stamp != app->stamp)
		make_rows(app);
	else if (t->n_rows && t->rows[t->cursor].sym != t->symbol)
		find_cursor(t);
	keep_visible(t);
}

void top_set_filter(struct app *app, const char *pattern)
{
	struct top *t = &app->top;
	struct err err = {0};
	struct match *m = pattern && *pattern ? match_new(pattern, MATCH_REGEX, &err) : NULL;
	if (err.text[0]) {
		state_complain(app, "%s", err.text);
		return;
	}
	free(t->filter);
	t->filter = m ? mem_strdup(pattern) : NULL;
	match_free(m);
	t->stamp = 0;
}

static bool has_base(const struct app *app)
{
	return app->view.tree.base != NULL;
}

void top_sort_next(struct app *app, int by)
{
	struct top *t = &app->top;
	do
		t->sort = (enum top_column)(((int)t->sort + by + N_TOP_COLUMNS) % N_TOP_COLUMNS);
	while (t->sort == TOP_DELTA && !has_base(app));
	t->is_ascending = false;
	t->stamp = 0;
}

void top_flip(struct app *app)
{
	app->top.is_ascending = !app->top.is_ascending;
	app->top.stamp = 0;
}

static void add_column(struct buf *out, const char *text, size_t width)
{
	size_t n = strlen(text);
	buf_pad(out, ' ', n < width ? width - n : 0);
	buf_adds(out, text);
}

static void add_weight(const struct app *app, struct buf *out, uint64_t part, uint64_t whole)
{
	struct buf b;
	buf_init(&b);
	number_add_percent(&b, part, whole, 1);
	buf_addc(&b, '%');
	add_column(out, buf_str(&b), 7);
	b.len = 0;
	number_add_short(&b, state_shown(app, part), app->profile->decimals);
	add_column(out, buf_str(&b), 9);
	buf_deinit(&b);
}

static void paint_heading(struct app *app, struct rect area)
{
	static const char *const names[] = {"self", "total", "frames", "change", "function"};
	static const int widths[] = {16, 16, 9, 9, 10};
	struct grid *g = &app->grid;
	const struct top *t = &app->top;
	int col = area.col;
	grid_fill(g, area.row, area.col, area.cols, ' ', app->theme.bar);
	for (int i = 0; i < N_TOP_COLUMNS; i++) {
		if (i == TOP_DELTA && !has_base(app))
			continue;
		struct style s = app->theme.bar;
		struct buf b, text;
		buf_init(&b);
		buf_init(&text);
		if ((int)t->sort == i)
			s.attrs |= ATTR_BOLD | ATTR_UNDERLINE;
		buf_adds(&text, names[i]);
		if ((int)t->sort == i)
			buf_addc(&text, t->is_ascending ? '^' : 'v');
		int width = widths[i];
		if (i == TOP_NAME)
			buf_addf(&b, "  %s", buf_str(&text));
		else
			add_column(&b, buf_str(&text), (size_t)width);
		grid_text(g, area.row, col, area.cols - col, s, b.data, b.len);
		col += width;
		buf_deinit(&b);
		buf_deinit(&text);
	}
}

/* The style of a row: under the cursor, a match of the search, or plain. */
static struct style row_style(const struct app *app, size_t i)
{
	const struct view *v = &app->view;
	if (i == app->top.cursor)
		return app->theme.selected;
	if (v->search.pattern && symset_has(&v->search.hits, app->top.rows[i].sym))
		return app->theme.hit;
	return app->theme.plain;
}

static void paint_row(struct app *app, struct rect area, int row, size_t i)
{
	const struct name_sum *r = &app->top.rows[i];
	const struct view *v = &app->view;
	struct grid *g = &app->grid;
	uint64_t all = tree_total(&v->tree, v->zoom);
	struct style s = row_style(app, i);
	struct buf b;
	buf_init(&b);
	add_weight(app, &b, r->self, all);
	add_weight(app, &b, r->total, all);
	buf_addf(&b, "%9u", r->frames);
	if (has_base(app))
		buf_addf(&b, "%+9.2f", delta(r, all, tree_base_total(&v->tree, v->zoom)));
	buf_adds(&b, "  ");
	if (i == app->top.cursor)
		grid_fill(g, row, area.col, area.cols, ' ', s);
	struct style numbers = i == app->top.cursor ? s : app->theme.plain;
	int col = area.col + grid_text(g, row, area.col, area.cols, numbers, b.data, b.len);
	if (i == app->top.cursor && app->theme.depth == DEPTH_MONO)
		grid_put(g, row, area.col, '>', s);
	const struct display_name *d = display_name(&app->view.display, r->sym);
	grid_text_cut(g, row, col, area.cols - col, s, d->text, d->len, app->theme.ascii);
	buf_deinit(&b);
}

static void top_paint(struct app *app, struct rect area)
{
	const struct top *t = &app->top;
	paint_heading(app, area);
	for (int i = 0; i < t->height && t->scroll + (size_t)i < t->n_rows; i++)
		paint_row(app, area, area.row + 1 + i, t->scroll + (size_t)i);
	if (t->n_rows == 0)
		grid_str(&app->grid, area.row + 1, area.col + 2, area.cols - 2, app->theme.dim,
		         t->n_all ? "no function matches" : "no functions");
}

static void put_cursor(struct app *app, long to)
{
	struct top *t = &app->top;
	long last = (long)t->n_rows - 1;
	if (t->n_rows == 0)
		return;
	t->cursor = (size_t)(to < 0 ? 0 : to > last ? last : to);
	t->symbol = t->rows[t->cursor].sym;
	keep_visible(t);
}

bool top_next_hit(struct app *app, bool backwards)
{
	const struct top *t = &app->top;
	size_t i = t->cursor;
	for (size_t n = 0; n < t->n_rows; n++) {
		i = (backwards ? i + t->n_rows - 1 : i + 1) % t->n_rows;
		if (symset_has(&app->view.search.hits, t->rows[i].sym)) {
			put_cursor(app, (long)i);
			return true;
		}
	}
	return false;
}

static void top_move(struct app *app, enum motion m)
{
	struct top *t = &app->top;
	long at = (long)t->cursor, page = t->height > 1 ? t->height - 1 : 1;
	switch (m) {
	case MOVE_UP: put_cursor(app, at - 1); break;
	case MOVE_DOWN: put_cursor(app, at + 1); break;
	case MOVE_TOP: case MOVE_FIRST: put_cursor(app, 0); break;
	case MOVE_BOTTOM: case MOVE_LAST: put_cursor(app, (long)t->n_rows); break;
	case MOVE_PAGE_UP: put_cursor(app, at - page); break;
	case MOVE_PAGE_DOWN: put_cursor(app, at + page); break;
	case MOVE_HALF_UP: put_cursor(app, at - (page + 1) / 2); break;
	case MOVE_HALF_DOWN: put_cursor(app, at + (page + 1) / 2); break;
	case MOVE_WHEEL_UP: put_cursor(app, at - 3); break;
	case MOVE_WHEEL_DOWN: put_cursor(app, at + 3); break;
	case MOVE_LEFT: top_sort_next(app, -1); break;
	case MOVE_RIGHT: top_sort_next(app, 1); break;
	case MOVE_PARENT: break;
	}
}

/* The widest frame of a name at or below the zoom. */
static uint32_t widest_frame(const struct view *v, uint32_t sym)
{
	const struct tree *t = &v->tree;
	uint32_t best = NO_NODE;
	for (uint32_t i = v->zoom; i < t->end[v->zoom]; i++)
		if (t->sym[i] == sym && (best == NO_NODE || tree_total(t, i) > tree_total(t, best)))
			best = i;
	return best;
}

/* Lights the function up in the flame graph, the cursor on its widest frame. */
static void top_enter(struct app *app)
{
	uint32_t sym = app->top.symbol;
	if (sym == UINT32_MAX)
		return;
	uint32_t node = widest_frame(&app->view, sym);
	app->dirty |= view_search(&app->view, app->profile->symtab.symbols[sym].name, MATCH_LITERAL, NULL);
	app->tab = TAB_FLAME;
	if (node != NO_NODE)
		state_go_to(app, node);
	app->dirty |= DIRTY_LAYOUT;
}

static void top_click(struct app *app, struct rect area, int row, int col, bool is_double)
{
	static const int ends[] = {16, 32, 41};
	struct top *t = &app->top;
	if (row == area.row) {
		enum top_column column = TOP_SELF;
		while (column < TOP_DELTA && col >= ends[column])
			column++;
		if (column == TOP_DELTA && (!has_base(app) || col >= 50))
			column = TOP_NAME;
		t->is_ascending = t->sort == column && !t->is_ascending;
		t->sort = column;
		t->stamp = 0;
		return;
	}
	if (t->scroll + (size_t)(row - area.row - 1) >= t->n_rows)
		return;
	put_cursor(app, (long)t->scroll + row - area.row - 1);
	if (is_double)
		top_enter(app);
}

static uint32_t top_symbol(const struct app *app)
{
	return app->top.symbol;
}

static uint32_t top_node(const struct app *app)
{
	(void)app;
	return NO_NODE;
}

static void top_rows(const struct app *app, size_t *first, size_t *last, size_t *all)
{
	const struct top *t = &app->top;
	size_t end = t->scroll + (size_t)t->height;
	*all = t->n_rows;
	*first = *all ? t->scroll + 1 : 0;
	*last = end < *all ? end : *all;
}

const struct pane top_pane = {
	.name = "top",
	.prepare = top_prepare,
	.paint = top_paint,
	.move = top_move,
	.enter = top_enter,
	.click = top_click,
	.symbol = top_symbol,
	.node = top_node,
	.rows = top_rows,
};
