/*
 * top_columns.c - the columns of the table of functions: their widths, and their headings.
 */
#include "tui/top_columns.h"

#include <string.h>

#include "base/utf8.h"
#include "lib/cells.h"
#include "tui/bar.h"
#include "tui/wide.h"

static const struct {
	const char *name;
	int width; /* for the name column: the heading's */
} columns[N_TOP_COLUMNS] = {
	{"self", 16}, {"total", 16},     {"frames", 9}, {"self was", 9}, {"is", 7}, {"change", 9},
	{"%", 6},     {"total was", 10}, {"is", 7},     {"change", 9},   {"%", 6},  {"function", 10},
};

int top_columns(const struct app *app)
{
	return wide_area(app, TAB_TOP, (struct rect){.cols = app->grid.cols}).cols;
}

bool top_has_column(const struct app *app, enum top_column c)
{
	return shown_has_column(c, view_is_diff(&app->view));
}

/* Weights may be as wide as "+15.2 ms", with a blank before them. */
static int change_width(const struct app *app, enum top_column c)
{
	int width = columns[c].width;
	bool is_change = c == TOP_SELF_CHANGE || c == TOP_TOTAL_CHANGE;
	bool is_after = c == TOP_SELF_AFTER || c == TOP_TOTAL_AFTER;
	return width + (app->totals.basis.quantity == DIFF_OF_WEIGHTS && (is_change || is_after));
}

/*
 * Columns it takes on the screen; 0: hidden. On a narrow screen numbers make room for names, the least informative
 * first.
 */
int top_column_width(const struct app *app, enum top_column c)
{
	int cols = top_columns(app);
	if (!top_has_column(app, c))
		return 0;
	switch (c) {
	case TOP_FRAMES:
		return cols < (wide_has_both(app) ? 80 : 64) ? 0 : columns[c].width; /* the graph shows frames */
	case TOP_SELF:
	case TOP_TOTAL:
		return cols < 56 ? SHARE_COLUMNS : columns[c].width - SHARE_COLUMNS + bar_share_columns(cols);
	case TOP_SELF_BEFORE:
	case TOP_SELF_AFTER:
		return cols < 56 ? 0 : change_width(app, c);
	case TOP_TOTAL_BEFORE:
	case TOP_TOTAL_AFTER:
	case TOP_TOTAL_CHANGE:
	case TOP_TOTAL_PERCENT:
		return cols < 80 ? 0 : change_width(app, c);
	case TOP_SELF_CHANGE:
		return change_width(app, c);
	default:
		return columns[c].width;
	}
}

/* Columns before the names. */
int top_name_column(const struct app *app)
{
	int col = 2;
	for (int i = 0; i < TOP_NAME; i++)
		col += top_column_width(app, (enum top_column)i);
	return col;
}

enum top_column top_column_at(const struct app *app, int col)
{
	int end = 0;
	for (int i = 0; i < TOP_NAME; i++) {
		end += top_column_width(app, (enum top_column)i);
		if (col < end)
			return (enum top_column)i;
	}
	return TOP_NAME;
}

bool top_sorts_by_self(const struct app *app)
{
	enum top_column by = app->top->sort;
	return by == TOP_SELF || (by >= TOP_SELF_BEFORE && by <= TOP_SELF_PERCENT);
}

void top_add_column(struct buf *out, const char *text, size_t width)
{
	size_t n = utf8_columns(text, strlen(text));
	buf_pad(out, ' ', n < width ? width - n : 0);
	buf_adds(out, text);
}

static const char *sort_mark(const struct app *app)
{
	bool up = app->top->is_ascending;
	if (app->theme.ascii)
		return up ? "^" : "v";
	return up ? "\u25B2" : "\u25BC";
}

void top_paint_heading(struct app *app, struct rect area)
{
	struct grid *g = &app->grid;
	const struct top *t = app->top;
	struct style bar = app->tab == TAB_TOP ? app->theme.bar : app->theme.bar_dim;
	int col = area.col;
	grid_fill(g, area.row, area.col, area.cols, ' ', bar);
	for (int i = 0; i < N_TOP_COLUMNS; i++) {
		int width = top_column_width(app, (enum top_column)i);
		if (width == 0)
			continue;
		struct style s = bar;
		struct buf b, text;
		buf_init(&b);
		buf_init(&text);
		if ((int)t->sort == i)
			s.attrs |= ATTR_BOLD | ATTR_UNDERLINE;
		buf_adds(&text, i == TOP_NAME ? group_name(app->view.tree.group) : columns[i].name);
		if ((int)t->sort == i)
			buf_adds(&text, sort_mark(app));
		if (i == TOP_NAME)
			buf_addf(&b, "  %s", buf_str(&text));
		else
			top_add_column(&b, buf_str(&text), (size_t)width);
		grid_text(g, area.row, col, area.col + area.cols - col, s, b.data, b.len);
		col += width;
		buf_deinit(&b);
		buf_deinit(&text);
	}
	origins_paint(app, &t->origins, area, area.row, bar, NO_SYMBOL);
}
