/*
 * top.c - shows the table of functions: self, total, number of frames, name.
 *
 *	   self            total          frames  function
 *	  62.1%   1.2 G    80.2%   1.6 G      14  lex
 *
 * Wide screens have room for bars after the shares (bar.h).
 *
 * In a comparison it shows shares before and after, the change in points and relative to the baseline, for self and
 * total:
 *
 *	self was     is  change     %  total was     is  change     %  function
 *	   21.66  37.20  +15.53   +72%     21.66  38.84  +17.18   +79%  compress
 *
 * Or weights instead of shares. Such shares are of the whole, even below a zoom, so that they match the picture.
 * Those of one profile are of the zoom, or of the visible time of a chart.
 *
 * The rows are sums below the zoomed frame, made when the pane is opened, and kept while new ones are made. Sorting
 * keeps the cursor on its function. A recursive function counts once in its total.
 */
#include "tui/top.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "lib/cells.h"
#include "tui/bar.h"
#include "tui/hot.h"
#include "tui/search.h"
#include "tui/top_columns.h"
#include "tui/wide.h"

static const struct top_zoom no_zoom = {.node = NO_NODE};

static void top_init(struct app *app)
{
	app->top = mem_alloc(sizeof *app->top);
	*app->top = (struct top){.symbol = NO_SYMBOL, .sums_zoom = no_zoom};
}

static struct top_zoom zoom_of(const struct view *v)
{
	return (struct top_zoom){v->zoom, v->tree.until ? v->span : (struct span){0}};
}

static bool is_zoom(const struct view *v, const struct top_zoom *z)
{
	struct top_zoom now = zoom_of(v);
	return z->node == now.node && z->span.from == now.span.from && z->span.to == now.span.to;
}

static void drop(struct top_rows *r)
{
	free(r->filter);
	*r = (struct top_rows){.stamp = 0};
}

static void stop_work(struct top *t)
{
	work_cancel(t->work);
	t->work = NULL;
	drop(&t->wanted);
}

static void top_deinit(struct app *app)
{
	struct top *t = app->top;
	stop_work(t);
	table_deinit(&t->table);
	origins_deinit(&t->origins);
	drop(&t->made);
	free(t->filter);
	free(t->filter_before);
	free(t);
}

/* No thread may be reading them. */
static void forget_sums(struct top *t)
{
	free(t->table.sums);
	free(t->table.order);
	t->table.sums = NULL;
	t->table.order = NULL;
	t->table.n_sums = 0;
	t->sums_zoom = no_zoom;
	drop(&t->made);
}

/* Requests new rows; the current ones are shown until then. */
static void want_rows(struct top *t)
{
	stop_work(t);
	t->stamp = 0;
}

static void top_forget(struct app *app)
{
	want_rows(app->top);
	forget_sums(app->top);
}

/* The search only affects colours, when rows are painted. */
static void top_stop(struct app *app, bool all)
{
	if (all)
		top_forget(app);
}

static void top_drop_names(struct app *app)
{
	struct top *t = app->top;
	work_free_table(&t->table);
	origins_deinit(&t->origins);
	t->cursor = 0;
	t->symbol = NO_SYMBOL;
}

static void find_cursor(struct top *t)
{
	const struct table *table = &t->table;
	if (t->symbol < table->n_places && table->places[t->symbol] != NO_ROW) {
		t->cursor = table->places[t->symbol];
		return;
	}
	if (t->cursor >= table->n_rows)
		t->cursor = table->n_rows ? table->n_rows - 1 : 0;
	t->symbol = table->n_rows ? table->rows[t->cursor].sym : NO_SYMBOL;
}

/* Names are read fastest in the order in which they lie in memory, which rows do not have: so few of them are. */
#define FEW_ROWS(all) ((all) / 8)

/* Are the rows that are wanted among a few that there are, in the same order? */
static bool only_narrows(const struct app *app)
{
	const struct top *t = app->top;
	const struct top_rows *made = &t->made;
	return t->filter && t->table.n_rows <= FEW_ROWS(t->table.n_all) && made->stamp == app->tree_stamp &&
	       is_zoom(&app->view, &made->zoom) && made->sort == t->sort && made->is_ascending == t->is_ascending &&
	       (!made->filter || match_narrows(t->filter, MATCH_REGEX, made->filter, MATCH_REGEX));
}

/*
 * The whole tree is added up when it is folded, in the background; the tree below a zoom when the pane is first
 * opened.
 */
static void start_work(struct app *app)
{
	struct top *t = app->top;
	const struct view *v = &app->view;
	struct table_recipe r = {
		.tree = &v->tree,
		.zoom = v->zoom,
		.symtab = &app->profile->symtab,
		.demangles = v->display.demangle,
		.basis = app->totals.basis,
		.sort = t->sort,
		.is_ascending = t->is_ascending,
		.filter = t->filter ? match_new(t->filter, MATCH_REGEX, NULL) : NULL,
	};
	if (!is_zoom(v, &t->sums_zoom))
		forget_sums(t);
	r.sums = view_is_zoomed(v) ? t->table.sums : app->totals.sums;
	r.n_sums = view_is_zoomed(v) ? t->table.n_sums : app->totals.n_sums;
	if (view_is_zoomed(v) && v->zoom == NODE_ALL) {
		r.profile = app->profile;
		r.span = v->span;
		r.fold = mem_alloc(sizeof *r.fold);
		recipe_copy(r.fold, &v->recipe);
	}
	r.order = t->table.order;
	r.within = only_narrows(app) ? &t->table : NULL;
	t->work = work_table(&r, app->wake_fd);
	drop(&t->wanted);
	t->wanted = (struct top_rows){app->tree_stamp, zoom_of(v), t->sort, t->is_ascending,
	                              t->filter ? mem_strdup(t->filter) : NULL};
}

static void top_take(struct app *app)
{
	struct top *t = app->top;
	struct table table;
	if (!t->work || !work_is_done(t->work))
		return;
	work_end_table(t->work, &table);
	t->work = NULL;
	if (table.order) {
		t->sums_zoom = t->wanted.zoom;
	} else { /* the existing sums and order were used */
		table.sums = t->table.sums;
		table.n_sums = t->table.n_sums;
		table.order = t->table.order;
		t->table.sums = NULL;
		t->table.order = NULL;
	}
	work_free_table(&t->table);
	t->table = table;
	t->sums_weight = 0;
	for (size_t i = 0; t->table.sums && i < t->table.n_sums; i++)
		weight_add(&t->sums_weight, t->table.sums[i].self);
	t->stamp = t->wanted.stamp;
	t->zoom = t->wanted.zoom;
	drop(&t->made);
	t->made = t->wanted;
	t->wanted.filter = NULL;
	app->dirty |= DIRTY_SCREEN;
	find_cursor(t);
}

static void make_rows(struct app *app)
{
	struct top *t = app->top;
	if (t->work && t->wanted.stamp == app->tree_stamp && is_zoom(&app->view, &t->wanted.zoom))
		return;
	stop_work(t);
	start_work(app);
	if (work_wait(t->work, app_patience(app)))
		top_take(app);
}

static void keep_visible(struct top *t)
{
	size_t height = (size_t)t->height;
	if (t->is_unmarked) {
		t->scroll = t->scroll < t->table.n_rows ? t->scroll : 0;
		return;
	}
	if (t->cursor < t->scroll)
		t->scroll = t->cursor;
	if (t->cursor >= t->scroll + height)
		t->scroll = t->cursor - height + 1;
	if (t->scroll + height > t->table.n_rows)
		t->scroll = t->table.n_rows > height ? t->table.n_rows - height : 0;
}

/*
 * Beside the graph, puts the cursor on the function of the graph's cursor. Where there is no row for it, none is
 * marked, and the first one on the screen is next.
 */
static void follow_graph(struct app *app)
{
	struct top *t = app->top;
	const struct table *table = &t->table;
	uint32_t sym = app_symbol(app);
	bool is_there = sym < table->n_places && table->places[sym] != NO_ROW;
	t->is_unmarked = !is_there;
	if (is_there)
		t->cursor = table->places[sym];
	else
		t->cursor = t->scroll < table->n_rows ? t->scroll : 0;
	t->symbol = table->n_rows ? table->rows[t->cursor].sym : NO_SYMBOL;
}

static void top_prepare(struct app *app, struct rect area)
{
	struct top *t = app->top;
	t->height = area.rows > 1 ? area.rows - 1 : 1;
	if (!top_has_column(app, t->sort)) {
		t->sort = top_order(app);
		t->is_ascending = false;
		want_rows(t);
	}
	if (t->stamp != app->tree_stamp || !is_zoom(&app->view, &t->zoom))
		make_rows(app);
	else if (t->symbol != (t->table.n_rows ? t->table.rows[t->cursor].sym : NO_SYMBOL))
		find_cursor(t);
	origins_prepare(app, &t->origins);
	t->is_unmarked = false;
	if (app->tab != TAB_TOP)
		follow_graph(app);
	if (t->is_due && !t->work)
		top_scroll_as_shown(app);
	keep_visible(t);
}

void top_set_filter(struct app *app, const char *pattern)
{
	struct top *t = app->top;
	struct err err = {0};
	struct match *m = pattern && *pattern ? match_new(pattern, MATCH_REGEX, &err) : NULL;
	if (err.text[0]) {
		app_complain(app, "%s", err.text);
		return;
	}
	if (m && t->filter && strcmp(t->filter, pattern) == 0) {
		match_free(m);
		return;
	}
	free(t->filter);
	t->filter = m ? mem_strdup(pattern) : NULL;
	match_free(m);
	want_rows(t);
}

void top_keep(struct app *app)
{
	struct top *t = app->top;
	free(t->filter_before);
	t->filter_before = t->filter ? mem_strdup(t->filter) : NULL;
	t->symbol_before = t->symbol;
}

void top_restore(struct app *app)
{
	struct top *t = app->top;
	top_set_filter(app, t->filter_before);
	t->symbol = t->symbol_before;
}

void top_sort_next(struct app *app, int by)
{
	struct top *t = app->top;
	do
		t->sort = (enum top_column)(((int)t->sort + by + N_TOP_COLUMNS) % N_TOP_COLUMNS);
	while (top_column_width(app, t->sort) == 0);
	t->is_ascending = false;
	want_rows(t);
}

void top_flip(struct app *app)
{
	app->top->is_ascending = !app->top->is_ascending;
	want_rows(app->top);
}

bool top_shows_numbers(const struct app *app)
{
	return app->tab == TAB_TOP && !wide_has_both(app) && app->view.zoom == NODE_ALL && !view_is_diff(&app->view) &&
	       top_column_width(app, TOP_FRAMES) > 0;
}

bool top_shows_name(struct app *app)
{
	uint32_t sym = app->top->symbol;
	return app->tab == TAB_TOP && sym != NO_SYMBOL &&
	       (size_t)top_name_column(app) + display_name(&app->view.display, sym)->columns <=
	           (size_t)(top_columns(app) - origins_columns(app));
}

static enum bar_look bar_look(const struct theme *t)
{
	return t->ascii ? BAR_ASCII : t->depth > DEPTH_16 ? BAR_COLORED : BAR_DOTTED;
}

/* Appends a share with its bar, and the weight after it if the column has room. */
static void add_weight(const struct app *app, struct buf *out, enum top_column c, uint64_t part, uint64_t whole)
{
	struct buf b;
	int width = top_column_width(app, c) - bar_share_columns(top_columns(app));
	buf_init(&b);
	bar_add_share(out, part, whole, top_columns(app), bar_look(&app->theme));
	view_add_weight(&app->view, &b, app_shown(app, part));
	if (width > 0) /* a number as long as the column would join the one before it */
		top_add_column(out, b.len < (size_t)width ? buf_str(&b) : "", (size_t)width);
	buf_deinit(&b);
}

static bool is_selected(const struct app *app, size_t i)
{
	return i == app->top->cursor && !app->top->is_unmarked;
}

/* The style of a row: under the cursor, matched by the search, or plain. */
static struct style row_style(const struct app *app, size_t i)
{
	const struct view *v = &app->view;
	if (is_selected(app, i))
		return app->theme.selected;
	if (v->search.pattern && search_has_name(&v->search, app->top->table.rows[i].sym))
		return app->theme.hit;
	return app->theme.plain;
}

/* What the shares are of: the zoom, or the visible time of a chart. */
static uint64_t whole_of(const struct app *app)
{
	const struct view *v = &app->view;
	bool is_of_time = view_is_zoomed(v) && v->zoom == NODE_ALL;
	return is_of_time ? app->top->sums_weight : tree_total(&v->tree, v->zoom);
}

static void add_plain(const struct app *app, struct buf *out, const struct name_sum *r)
{
	uint64_t all = whole_of(app);
	add_weight(app, out, TOP_SELF, r->self, all);
	add_weight(app, out, TOP_TOTAL, r->total, all);
	if (top_column_width(app, TOP_FRAMES) > 0)
		buf_addf(out, "%*u", top_column_width(app, TOP_FRAMES), r->frames);
	buf_adds(out, "  ");
}

static void add_relative(struct buf *out, const struct diff_change *c)
{
	double relative = table_relative(c), percent = fabs(relative) < 0.5 ? 0 : relative; /* never -0 */
	if (diff_is_new(c) || diff_is_gone(c))
		top_add_column(out, diff_is_new(c) ? "new" : "gone", 6);
	else if (c->weight_after == 0)
		top_add_column(out, "", 6);
	else if (percent > 999)
		top_add_column(out, ">999%", 6);
	else
		buf_addf(out, "%+5.0f%%", percent);
}

/* The heading says that the numbers are percentages. */
static void add_side(const struct app *app, struct buf *out, const struct diff_change *c, bool is_after, int width)
{
	struct buf b;
	if (width == 0)
		return;
	buf_init(&b);
	if (c->quantity == DIFF_OF_SHARES)
		buf_addf(&b, "%.2f", number_percent(is_after ? c->after : c->before, 2));
	else
		words_add_side(&b, &app->view, c, is_after, app_factor(app), 2);
	top_add_column(out, buf_str(&b), (size_t)width);
	buf_deinit(&b);
}

/* The columns from `first`, the baseline's value, to the relative change. */
static void add_change(const struct app *app, struct buf *out, const struct diff_change *c, enum top_column first)
{
	struct buf gain;
	int width = top_column_width(app, first + 2);
	add_side(app, out, c, false, top_column_width(app, first));
	add_side(app, out, c, true, top_column_width(app, first + 1));
	if (width == 0)
		return;
	buf_init(&gain);
	words_add_gain(&gain, &app->view, c, app_factor(app), 2);
	top_add_column(out, buf_str(&gain), (size_t)width - 1);
	buf_addc(out, c->is_noise && c->delta != 0 ? '~' : ' ');
	add_relative(out, c);
	buf_deinit(&gain);
}

static void add_diff(const struct app *app, struct buf *out, const struct name_sum *r)
{
	const struct diff_basis *b = &app->totals.basis;
	struct diff_change self = table_change(b, r, TOP_SELF_BEFORE), total = table_change(b, r, TOP_TOTAL_BEFORE);
	add_change(app, out, &self, TOP_SELF_BEFORE);
	add_change(app, out, &total, TOP_TOTAL_BEFORE);
	buf_adds(out, "  ");
}

/* Numbers that grew stand out; changes within noise are dimmed. */
static struct style number_style(const struct app *app, const struct name_sum *r)
{
	const struct diff_basis *b = &app->totals.basis;
	if (!view_is_diff(&app->view))
		return app->theme.plain;
	struct diff_change self = table_change(b, r, TOP_SELF_BEFORE), total = table_change(b, r, TOP_TOTAL_BEFORE);
	const struct diff_change *c = self.is_noise ? &total : &self;
	return c->is_noise ? app->theme.dim : c->delta > 0 ? app->theme.bad : app->theme.key;
}

/* The bars have the colour of the function's frames. */
static void color_bars(struct app *app, struct rect area, int row, const struct name_sum *r)
{
	uint64_t all = whole_of(app);
	double share = all ? (double)r->total / (double)all : 0;
	uint32_t fg =
		theme_color(&app->theme, palette_terminal(app->theme.palette, &app->profile->symtab, r->sym, share));
	uint32_t bg = bar_look(&app->theme) == BAR_COLORED ? app->theme.progress_rest.bg : COLOR_PLAIN;
	bar_color(&app->grid, row, area.col, area.cols, fg, bg);
	bar_color(&app->grid, row, area.col + top_column_width(app, TOP_SELF), area.cols, fg, bg);
}

static void paint_row(struct app *app, struct rect area, int row, size_t i)
{
	const struct name_sum *r = &app->top->table.rows[i];
	struct grid *g = &app->grid;
	struct style s = row_style(app, i);
	struct buf b;
	buf_init(&b);
	if (view_is_diff(&app->view))
		add_diff(app, &b, r);
	else
		add_plain(app, &b, r);
	if (is_selected(app, i))
		grid_fill(g, row, area.col, area.cols, ' ', s);
	struct style numbers = is_selected(app, i) ? s : number_style(app, r);
	int col = area.col + grid_text(g, row, area.col, area.cols, numbers, b.data, b.len);
	if (!is_selected(app, i) && app->theme.depth != DEPTH_MONO && top_has_column(app, TOP_SELF))
		color_bars(app, area, row, r);
	if (is_selected(app, i) && app->theme.depth == DEPTH_MONO)
		grid_put(g, row, area.col, '>', s);
	const struct display_name *d = display_name(&app->view.display, r->sym);
	int end = area.col + area.cols - origins_paint(app, &app->top->origins, area, row, s, r->sym);
	grid_text_cut(g, row, col, end - col, s, d->text, d->len, app->theme.ascii);
	buf_deinit(&b);
}

static void top_paint(struct app *app, struct rect area)
{
	const struct top *t = app->top;
	top_paint_heading(app, area);
	for (int i = 0; i < t->height && t->scroll + (size_t)i < t->table.n_rows; i++)
		paint_row(app, area, area.row + 1 + i, t->scroll + (size_t)i);
	if (t->table.n_rows == 0)
		grid_str(&app->grid, area.row + 1, area.col + 2, area.cols - 2, app->theme.dim,
		         t->work          ? "adding up"
		         : t->table.n_all ? "no row matches"
		                          : "no functions");
	else if (t->work)
		grid_str(&app->grid, area.row, area.col + area.cols - 10, 10, app->theme.bar, " adding up");
}

static void put_cursor(struct app *app, long to)
{
	struct top *t = app->top;
	long last = (long)t->table.n_rows - 1;
	if (t->table.n_rows == 0)
		return;
	t->cursor = (size_t)(to < 0 ? 0 : to > last ? last : to);
	t->symbol = t->table.rows[t->cursor].sym;
	keep_visible(t);
}

bool top_next_hit(struct app *app, bool backwards)
{
	const struct top *t = app->top;
	size_t i = t->cursor;
	for (size_t n = 0; n < t->table.n_rows; n++) {
		i = (backwards ? i + t->table.n_rows - 1 : i + 1) % t->table.n_rows;
		if (search_has_name(&app->view.search, t->table.rows[i].sym)) {
			put_cursor(app, (long)i);
			return true;
		}
	}
	return false;
}

static void top_move(struct app *app, enum motion m)
{
	struct top *t = app->top;
	switch (m) {
	case MOVE_TOP:
	case MOVE_FIRST:
		put_cursor(app, 0);
		break;
	case MOVE_BOTTOM:
	case MOVE_LAST:
		put_cursor(app, (long)t->table.n_rows);
		break;
	case MOVE_LEFT:
	case MOVE_RIGHT:
		top_sort_next(app, m == MOVE_LEFT ? -1 : 1);
		break;
	case MOVE_PARENT:
		break;
	default:
		put_cursor(app, (long)t->cursor + motion_lines(m, t->height));
		break;
	}
}

void top_go_to(struct app *app, uint32_t symbol)
{
	app->top->symbol = symbol;
	app->dirty |= DIRTY_SCREEN;
}

/* Highlights the function in the flame graph; the cursor goes to its heaviest frame in the sorted column. */
static void top_enter(struct app *app)
{
	uint32_t sym = app->top->symbol;
	if (sym == NO_SYMBOL)
		return;
	uint32_t node = hot_frame(&app->view, sym, top_sorts_by_self(app));
	search_for_symbol(app, sym);
	app->tab = TAB_FLAME;
	if (node != NO_NODE)
		app_go_to(app, node);
	app->dirty |= DIRTY_LAYOUT;
}

static void top_click(struct app *app, struct rect area, int row, int col, bool is_double)
{
	struct top *t = app->top;
	if (row == area.row) {
		enum top_column column = top_column_at(app, col - area.col);
		t->is_ascending = t->sort == column && !t->is_ascending;
		t->sort = column;
		want_rows(t);
		return;
	}
	if (t->scroll + (size_t)(row - area.row - 1) >= t->table.n_rows)
		return;
	put_cursor(app, (long)t->scroll + row - area.row - 1);
	if (is_double)
		top_enter(app);
}

static uint32_t top_symbol(const struct app *app)
{
	return app->top->symbol;
}

static uint32_t top_node(const struct app *app)
{
	(void)app;
	return NO_NODE;
}

static const char *top_rows(const struct app *app, size_t *first, size_t *last, size_t *all)
{
	const struct top *t = app->top;
	size_t end = t->scroll + (size_t)t->height;
	*all = t->table.n_rows;
	*first = *all ? t->scroll + 1 : 0;
	*last = end < *all ? end : *all;
	return "rows";
}

static struct work *top_work(const struct app *app)
{
	return app->top->work;
}

static const char *const top_lessons[] = {
	"Self is the weight of a function without what it calls: the top of the table is where the work is done.",
	("Total includes all that it calls; recursion counts once. {sort-left} and {sort-right} sort by another "
     "column, {zoom} shows where it is."),
	NULL};

static const char *const *top_teach(const struct app *app)
{
	(void)app;
	return top_lessons;
}

const struct pane top_pane = {
	.name = "table",
	.view = SHOWN_TABLE,
	.init = top_init,
	.deinit = top_deinit,
	.prepare = top_prepare,
	.paint = top_paint,
	.move = top_move,
	.enter = top_enter,
	.click = top_click,
	.symbol = top_symbol,
	.node = top_node,
	.lessons = top_teach,
	.rows = top_rows,
	.tell = top_tell,
	.show = top_show,
	.forget = top_forget,
	.work = top_work,
	.take = top_take,
	.stop = top_stop,
	.drop_names = top_drop_names,
};
