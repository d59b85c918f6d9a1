/*
 * list.c - the one overlay that all pickers share.
 *
 *	+- Threads ---------------------------------+
 *	|  62.1%  postgres (1204)                   |
 *	|  30.0%  postgres (1207)                   |
 *	+- Enter choose  / find  q close -----------+
 *
 * An overlay is as wide as its longest line and never wider than the screen, and the graph stays visible around it.
 */
#include "tui/list.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/utf8.h"
#include "model/match.h"

#define NO_ID UINT64_MAX

void list_init(struct list *l)
{
	*l = (struct list){0};
}

static void list_clear(struct list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->items[i].text);
	free(l->title);
	l->title = NULL;
	l->n = l->n_shown = 0;
}

void list_deinit(struct list *l)
{
	list_clear(l);
	free(l->items);
	free(l->shown);
	list_init(l);
}

void list_begin(struct list *l, const char *title, const char *hint)
{
	list_clear(l);
	l->is_open = false;
	l->title = mem_strdup(title);
	l->hint = hint;
	l->cursor = l->scroll = 0;
	l->whole = 0;
	l->has_cursor = true;
	l->chosen = NULL;
	l->removed = NULL;
}

void list_add(struct list *l, const char *text, uint64_t value, uint64_t id)
{
	struct list_item item = {.text = mem_strdup(text), .value = value, .id = id};
	mem_push(l->items, l->n, l->cap, item);
}

void list_heading(struct list *l, const char *text)
{
	list_add(l, text, 0, NO_ID);
	l->items[l->n - 1].is_heading = true;
}

void list_filter(struct list *l, const char *text)
{
	struct match *m = text && *text ? match_new(text, MATCH_TEXT, NULL) : NULL;
	l->shown = mem_realloc(l->shown, l->n ? l->n : 1, sizeof *l->shown);
	l->n_shown = 0;
	for (size_t i = 0; i < l->n; i++)
		if (m == NULL || match_name(m, l->items[i].text, strlen(l->items[i].text)))
			l->shown[l->n_shown++] = (uint32_t)i;
	if (m)
		match_free(m);
	l->cursor = l->scroll = 0;
	list_move(l, 0);
}

void list_open(struct list *l, uint64_t id)
{
	l->is_open = true;
	l->widest = 0;
	for (size_t i = 0; i < l->n; i++) {
		size_t width = utf8_columns(l->items[i].text, strlen(l->items[i].text));
		if (width > l->widest)
			l->widest = width;
	}
	list_filter(l, NULL);
	for (size_t i = 0; i < l->n_shown; i++)
		if (l->items[l->shown[i]].id == id && !l->items[l->shown[i]].is_heading)
			l->cursor = i;
	list_move(l, 0);
}

void list_close(struct list *l)
{
	l->is_open = false;
}

static bool is_heading(const struct list *l, size_t i)
{
	return l->items[l->shown[i]].is_heading;
}

void list_move(struct list *l, long by)
{
	if (l->n_shown == 0)
		return;
	long last = (long)l->n_shown - 1;
	long at = (l->has_cursor ? (long)l->cursor : (long)l->scroll) + by;
	if (!l->has_cursor)
		last = l->n_shown > l->height ? (long)(l->n_shown - l->height) : 0;
	at = at < 0 ? 0 : at > last ? last : at;
	if (!l->has_cursor) {
		l->scroll = (size_t)at;
		return;
	}
	long step = by < 0 ? -1 : 1;
	while (at + step >= 0 && at + step <= last && is_heading(l, (size_t)at))
		at += step;
	while (at > 0 && is_heading(l, (size_t)at))
		at--;
	while (at < last && is_heading(l, (size_t)at))
		at++;
	l->cursor = (size_t)at;
}

const struct list_item *list_selected(const struct list *l)
{
	if (!l->has_cursor || l->cursor >= l->n_shown || is_heading(l, l->cursor))
		return NULL;
	return &l->items[l->shown[l->cursor]];
}

bool list_click(struct list *l, int row, int col)
{
	struct rect r = l->area;
	if (row <= r.row || row >= r.row + r.rows - 1 || col < r.col || col >= r.col + r.cols)
		return false;
	size_t i = l->scroll + (size_t)(row - r.row - 1);
	if (i >= l->n_shown || is_heading(l, i) || !l->has_cursor)
		return false;
	l->cursor = i;
	return true;
}

/* Columns for title, hint and lines; a list is measured once, when it is opened. */
static int columns_wanted(const struct list *l)
{
	size_t title = l->title ? utf8_columns(l->title, strlen(l->title)) + 4 : 0;
	size_t hint = l->hint ? utf8_columns(l->hint, strlen(l->hint)) + 4 : 0;
	size_t lines = l->widest + (l->whole ? 17 : 0);
	size_t max = title > hint ? title : hint;
	if (lines > max)
		max = lines;
	return max > 4000 ? 4000 : (int)max;
}

static struct rect placed(const struct list *l, struct rect within)
{
	struct rect r;
	int cols = columns_wanted(l) + 4;
	int rows = l->n > 4000 ? 4000 : (int)l->n + 2;
	r.cols = cols < within.cols - 2 ? cols : within.cols > 6 ? within.cols - 2 : within.cols;
	r.rows = rows < within.rows ? rows : within.rows;
	r.col = within.col + (within.cols - r.cols) / 2;
	r.row = within.row + (within.rows - r.rows) / 2;
	return r;
}

static void paint_frame(const struct list *l, struct grid *g, struct rect r, const struct theme *t)
{
	uint32_t across = t->ascii ? '-' : 0x2500, down = t->ascii ? '|' : 0x2502;
	int bottom = r.row + r.rows - 1, right = r.col + r.cols - 1;
	grid_fill(g, r.row, r.col, r.cols, across, t->border);
	grid_fill(g, bottom, r.col, r.cols, across, t->border);
	for (int y = r.row + 1; y < bottom; y++) {
		grid_fill(g, y, r.col, r.cols, ' ', t->plain);
		grid_put(g, y, r.col, down, t->border);
		grid_put(g, y, right, down, t->border);
	}
	grid_put(g, r.row, r.col, t->ascii ? '+' : 0x250C, t->border);
	grid_put(g, r.row, right, t->ascii ? '+' : 0x2510, t->border);
	grid_put(g, bottom, r.col, t->ascii ? '+' : 0x2514, t->border);
	grid_put(g, bottom, right, t->ascii ? '+' : 0x2518, t->border);
	if (l->title) {
		int n = grid_text_cut(g, r.row, r.col + 3, r.cols - 6, t->bold, l->title, strlen(l->title), t->ascii);
		grid_put(g, r.row, r.col + 2, ' ', t->plain);
		grid_put(g, r.row, r.col + 3 + n, ' ', t->plain);
	}
	if (l->hint) {
		int n = grid_text_cut(g, bottom, r.col + 3, r.cols - 6, t->dim, l->hint, strlen(l->hint), t->ascii);
		grid_put(g, bottom, r.col + 2, ' ', t->plain);
		grid_put(g, bottom, r.col + 3 + n, ' ', t->plain);
	}
}

static void paint_item(const struct list *l, struct grid *g, struct rect r, int row, size_t i,
                       const struct theme *t, unsigned decimals)
{
	const struct list_item *item = &l->items[l->shown[i]];
	struct style s = item->is_heading ? t->bold : t->plain;
	int col = r.col + 2, left = r.cols - 4;
	if (l->has_cursor && i == l->cursor) {
		s = t->selected;
		grid_fill(g, row, r.col + 1, r.cols - 2, ' ', s);
		if (t->depth == DEPTH_MONO)
			grid_put(g, row, r.col + 1, '>', s);
	}
	if (l->whole && !item->is_heading) {
		struct buf b;
		buf_init(&b);
		number_add_percent(&b, item->value, l->whole, 1);
		grid_str(g, row, col + 5 - (int)(b.len < 5 ? b.len : 5), 5, s, buf_str(&b));
		grid_str(g, row, col + 5, 1, s, "%");
		b.len = 0;
		number_add_short(&b, item->value, decimals);
		grid_str(g, row, col + 14 - (int)(b.len < 7 ? b.len : 7), 7, s, buf_str(&b));
		buf_deinit(&b);
		col += 17;
		left -= 17;
	}
	grid_text_cut(g, row, col, left, s, item->text, strlen(item->text), t->ascii);
}

void list_paint(struct list *l, struct grid *g, struct rect within, const struct theme *t, unsigned decimals)
{
	struct rect r = placed(l, within);
	if (r.rows < 3 || r.cols < 6)
		return;
	l->area = r;
	l->height = (size_t)(r.rows - 2);
	if (l->has_cursor && l->cursor < l->scroll)
		l->scroll = l->cursor;
	if (l->has_cursor && l->cursor >= l->scroll + l->height)
		l->scroll = l->cursor - l->height + 1;
	paint_frame(l, g, r, t);
	for (size_t i = 0; i < l->height && l->scroll + i < l->n_shown; i++)
		paint_item(l, g, r, r.row + 1 + (int)i, l->scroll + i, t, decimals);
	if (l->n_shown == 0)
		grid_str(g, r.row + 1, r.col + 2, r.cols - 4, t->dim, l->n ? "nothing matches" : "nothing here");
}
