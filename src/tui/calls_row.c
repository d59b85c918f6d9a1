/*
 * calls_row.c - paints the rows of the call tree: shares, a bar for the total, guide lines, the name.
 *
 *	  total    self         call tree, heaviest first
 *	 100.0%    0.0%  █████  - all
 *	  98.2%    0.1%  ████▉  ├ - main
 *	  61.0%   12.0%  ███    │ ├ - parse
 *	  49.0%   49.0%  ██▍    │ │ └   lex
 *	  37.1%    0.0%  █▊     │ └ + write_all
 *
 * A step is two columns wide; if the deepest row on the screen would have no room for its name, one; if it still
 * has none, the rows move left, and the heading says from which level on they are shown.
 */
#include "tui/calls_row.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "lib/cells.h"
#include "tui/canvas.h"

#define TOTAL_COLUMNS 9   /* with the gap after the numbers */
#define SELF_COLUMNS 8    /* hidden if the name would have no room */
#define CHANGE_COLUMNS 10 /* for the change of the total, in a comparison */
#define BETWEEN 2
#define NAME_COLUMNS 26 /* minimum for a name and its sign, if the screen has that many */
#define STEP_COLUMNS 8  /* left for the guide lines, so that they still show the calls */
#define LEAST_BAR 4
#define MOST_BAR 10
#define LEAST_NAME 12      /* columns that numbers leave for it: first self is hidden, then the change */
#define COLUMNS_FOR_BAR 60 /* of the screen; a narrower one has no bars */

/* The visible rows, and how they are laid out. */
struct look {
	const struct call_rows *list;
	size_t first, end; /* of the list */
	struct rect area;
	bool has_self, has_change;
	int bar;       /* columns of the bar, 0: none */
	int tree;      /* column where the guide lines begin, from the left edge of the area */
	int step;      /* columns of a level */
	uint32_t from; /* the first level whose guide lines are shown */
	uint32_t deepest;
	bool *passes; /* by level: a guide line goes on to a lower row; deepest + 2 entries */
};

static uint32_t deepest_row(const struct look *l)
{
	uint32_t deepest = 0;
	for (size_t i = l->first; i < l->end; i++)
		deepest = l->list->rows[i].depth > deepest ? l->list->rows[i].depth : deepest;
	return deepest;
}

static int bar_columns(int cols)
{
	int bar = cols / 16;
	if (cols < COLUMNS_FOR_BAR)
		return 0;
	return bar < LEAST_BAR ? LEAST_BAR : bar > MOST_BAR ? MOST_BAR : bar;
}

static void choose_look(const struct app *app, struct look *l)
{
	bool is_diff = view_is_diff(&app->view);
	int cols = l->area.cols;
	l->deepest = deepest_row(l);
	l->bar = bar_columns(cols);
	l->has_change = is_diff && cols >= TOTAL_COLUMNS + CHANGE_COLUMNS + LEAST_NAME;
	l->tree = TOTAL_COLUMNS + (l->has_change ? CHANGE_COLUMNS : 0);
	l->has_self = cols >= l->tree + SELF_COLUMNS + LEAST_NAME;
	l->tree += (l->has_self ? SELF_COLUMNS : 0) + (l->bar ? l->bar + BETWEEN : 0);
	int room = cols - l->tree - NAME_COLUMNS;
	uint32_t most = (uint32_t)(room < STEP_COLUMNS ? STEP_COLUMNS : room);
	l->step = l->deepest <= most / 2 ? 2 : 1;
	l->from = l->deepest > most && l->step == 1 ? l->deepest - most : 0;
}

/*
 * Whether a guide line goes on below the last visible row: at a level, the next row that is no deeper is at that
 * level.
 */
static void find_passing(struct look *l)
{
	uint32_t least = l->deepest + 1;
	l->passes = mem_zalloc((size_t)l->deepest + 2, sizeof *l->passes);
	for (size_t i = l->end; i < l->list->n && least > 1; i++) {
		if (l->list->rows[i].depth >= least)
			continue;
		least = l->list->rows[i].depth;
		l->passes[least] = true;
	}
}

/* Rows are painted from below, so that the lines of each are known. */
static void pass_row(struct look *l, uint32_t depth)
{
	l->passes[depth] = true;
	for (uint32_t i = depth + 1; i <= l->deepest; i++)
		l->passes[i] = false;
}

static struct style name_style(struct app *app, const struct call_row *r, bool is_selected)
{
	if (is_selected)
		return app->theme.selected;
	return view_is_hit(&app->view, r->node) ? app->theme.hit : app->theme.plain;
}

static void add_share(struct buf *out, uint64_t weight, uint64_t all)
{
	struct buf text;
	buf_init(&text);
	number_add_percent(&text, weight, all, 1);
	buf_addf(out, "%6s%%", buf_str(&text));
	buf_deinit(&text);
}

/* Appends the change of the total; "~" marks a change within noise. */
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

static void paint_numbers(struct app *app, const struct look *l, int row, uint32_t node, struct style s)
{
	const struct tree *t = &app->view.tree;
	uint64_t all = view_total(&app->view);
	struct buf b;
	buf_init(&b);
	add_share(&b, tree_total(t, node), all);
	if (l->has_self) {
		buf_addc(&b, ' ');
		add_share(&b, tree_own(t, node), all);
	}
	if (l->has_change)
		add_change(app, &b, node);
	grid_text(&app->grid, row, l->area.col, l->area.cols, s, b.data, b.len);
	buf_deinit(&b);
}

/* The colour of the frame in the flame graph; a comparison and the root have none. */
static struct style bar_style(const struct app *app, uint32_t node, double share, struct style s)
{
	const struct tree *t = &app->view.tree;
	struct style bar = app->theme.plain;
	if (app->theme.depth == DEPTH_MONO || node == NODE_ALL || view_is_diff(&app->view))
		return s;
	bar.fg =
		theme_color(&app->theme, palette_terminal(app->theme.palette, &app->profile->symtab, t->sym[node], share));
	bar.bg = s.bg;
	return bar;
}

static void paint_bar(struct app *app, const struct look *l, int row, uint32_t node, struct style s)
{
	uint64_t all = view_total(&app->view), total = tree_total(&app->view.tree, node);
	double share = all ? (double)total / (double)all : 0;
	int eighths = (int)(share * 8 * l->bar + 0.5), col = l->area.col + l->tree - BETWEEN - l->bar;
	struct style bar = bar_style(app, node, share, s);
	if (app->theme.ascii) {
		grid_fill(&app->grid, row, col, (eighths + 4) / 8, '#', bar);
		return;
	}
	grid_fill(&app->grid, row, col, eighths / 8, 0x2588, bar);
	if (eighths % 8)
		grid_put(&app->grid, row, col + eighths / 8, 0x2590 - (uint32_t)(eighths % 8), bar);
}

/* Paints the guide lines; returns the column after them. */
static int paint_guides(struct app *app, const struct look *l, int row, uint32_t depth, struct style s)
{
	static const uint32_t signs[2][3] = {{0x2502, 0x251C, 0x2514}, {'|', '|', '`'}};
	const uint32_t *sign = signs[app->theme.ascii];
	int col = l->area.col + l->tree, end = l->area.col + l->area.cols;
	for (uint32_t i = l->from + 1; i <= depth && col < end; i++, col += l->step) {
		if (i == depth)
			grid_put(&app->grid, row, col, sign[l->passes[i] ? 1 : 2], s);
		else if (l->passes[i])
			grid_put(&app->grid, row, col, sign[0], s);
	}
	return col;
}

/* A closed row with matches below it has a sign in their colour. */
static struct style sign_style(const struct app *app, const struct call_row *r, struct style s, bool is_selected)
{
	const struct tree *t = &app->view.tree;
	if (is_selected)
		return s;
	bool has_hits = !r->is_open && view_has_hit_between(&app->view, r->node + 1, t->end[r->node]);
	return has_hits ? app->theme.hit : app->theme.key;
}

static void paint_row(struct app *app, const struct look *l, int row, const struct call_row *r)
{
	struct grid *g = &app->grid;
	bool is_selected = r->node == app->view.cursor;
	int end = l->area.col + l->area.cols;
	struct style s = name_style(app, r, is_selected), plain = is_selected ? s : app->theme.plain;
	if (is_selected)
		grid_fill(g, row, l->area.col, l->area.cols, ' ', s);
	paint_numbers(app, l, row, r->node, plain);
	if (l->bar)
		paint_bar(app, l, row, r->node, plain);
	int col = paint_guides(app, l, row, r->depth, is_selected ? s : app->theme.dim);
	const char *sign = tree_first_child(&app->view.tree, r->node) == NO_NODE ? "  " : r->is_open ? "- " : "+ ";
	grid_str(g, row, col, end - col, sign_style(app, r, s, is_selected), *sign == ' ' ? "" : sign);
	col += (int)strlen(sign);
	const struct display_name *d = canvas_name(&app->view, &app->view.tree, r->node);
	grid_text_cut(g, row, col, end - col, s, d->text, d->len, app->theme.ascii);
	if (is_selected && app->theme.depth == DEPTH_MONO)
		grid_put(g, row, l->area.col, '>', s);
}

static void paint_head(struct app *app, const struct look *l)
{
	struct rect a = l->area;
	struct style s = app->theme.bar;
	struct buf tree, numbers;
	buf_init(&tree);
	buf_init(&numbers);
	buf_adds(&tree, "call tree, heaviest first");
	if (l->from > 0)
		buf_addf(&tree, "; from level %u on", l->from + 1);
	grid_fill(&app->grid, a.row, a.col, a.cols, ' ', s);
	buf_addf(&numbers, "  total%s%s", l->has_self ? "    self" : "", l->has_change ? "   change" : "");
	grid_str(&app->grid, a.row, a.col, a.cols, s, buf_str(&numbers));
	grid_str(&app->grid, a.row, a.col + l->tree, a.cols - l->tree, s, buf_str(&tree));
	buf_deinit(&tree);
	buf_deinit(&numbers);
}

void calls_row_paint_all(struct app *app, struct rect area, const struct call_rows *list, size_t first)
{
	size_t height = area.rows > 1 ? (size_t)area.rows - 1 : 0;
	struct look l = {.list = list, .first = first, .end = first, .area = area};
	if (first < list->n)
		l.end = list->n - first < height ? list->n : first + height;
	choose_look(app, &l);
	paint_head(app, &l);
	find_passing(&l);
	for (size_t i = l.end; i-- > first;) {
		paint_row(app, &l, area.row + 1 + (int)(i - first), &list->rows[i]);
		pass_row(&l, list->rows[i].depth);
	}
	free(l.passes);
}
