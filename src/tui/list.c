/*
 * list.c - the overlay that all pickers share.
 *
 *	+- Threads ---------------------------------+
 *	|  62.1%  postgres (1204)                   |
 *	|  30.0%  postgres (1207)                   |
 *	+- Enter choose  / find  q close -----------+
 *
 * An overlay is as wide as its longest line, at most as wide as the screen, and the graph stays visible around it.
 * Longer lines end in an ellipsis, except the selected item: it is shown whole, on as many lines as it takes. A
 * list without a cursor is text to read: it is shown whole, and scrolled line by line.
 */
#include "tui/list.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/utf8.h"
#include "lib/cells.h"

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
	free(l->hint);
	free(l->sought);
	l->title = l->hint = l->sought = NULL;
	l->n = l->n_shown = 0;
}

void list_deinit(struct list *l)
{
	list_clear(l);
	free(l->items);
	free(l->shown);
	if (l->below)
		list_deinit(l->below);
	free(l->below);
	list_init(l);
}

void list_begin(struct list *l, const char *title, const char *hint)
{
	list_clear(l);
	l->is_open = false;
	l->title = mem_strdup(title);
	l->hint = mem_strdup(hint);
	l->cursor = l->scroll = l->inside = 0;
	l->whole = 0;
	l->has_cursor = true;
	l->is_copy = false;
	l->frames = LIST_NO_FRAMES;
	l->chosen = NULL;
	l->removed = NULL;
	l->refill = NULL;
}

void list_add(struct list *l, const char *text, uint64_t value, uint64_t id)
{
	struct list_item item = {.text = mem_strdup(text), .len = strlen(text), .value = value, .id = id};
	mem_push(l->items, l->n, l->cap, item);
}

void list_add_frame(struct list *l, const char *text, uint64_t value, uint32_t node, uint32_t sym)
{
	list_add(l, text, value, node);
	l->items[l->n - 1].sym = sym;
}

void list_heading(struct list *l, const char *text)
{
	list_add(l, text, 0, NO_ID);
	l->items[l->n - 1].is_heading = true;
}

void list_indent(struct list *l, size_t columns)
{
	l->items[l->n - 1].indent = columns;
}

/* ---- lines --------------------------------------------------------------------------------------------------- */

#define VALUE_COLUMNS 17u /* share, weight and the space after them */

/* Bytes of text that fit a line: up to a blank, if there is one in its second half. */
static size_t line_bytes(const char *text, size_t len, size_t columns)
{
	size_t n = utf8_fit(text, len, columns);
	if (n == len || n == 0)
		return len;
	for (size_t i = n; i > n / 2; i--)
		if (text[i - 1] == ' ' || text[i] == ' ')
			return i;
	return n;
}

static size_t indent_of(const struct list *l, const struct list_item *item)
{
	size_t most = l->columns / 2;
	return item->indent < most ? item->indent : most;
}

/* Takes the next line of an item; *at is its start, and moves to the next one. Returns its indent. */
static size_t next_line(const struct list *l, const struct list_item *item, size_t *at, size_t *len)
{
	size_t left = item->len - *at, indent = 0, columns = l->columns;
	if (*at > 0) {
		indent = indent_of(l, item);
		columns += l->whole && !item->is_heading ? VALUE_COLUMNS : 0; /* headings have no value in front */
		while (item->text[*at] == ' ') {
			(*at)++;
			left--;
		}
	}
	*len = line_bytes(item->text + *at, left, columns > indent ? columns - indent : 1);
	*at += *len;
	return indent;
}

static bool is_whole(const struct list *l, size_t i)
{
	return !l->has_cursor || i == l->cursor;
}

static size_t lines_of(const struct list *l, size_t i)
{
	const struct list_item *item = &l->items[l->shown[i]];
	size_t at = 0, len, n = 0;
	if (l->columns == 0 || !is_whole(l, i))
		return 1;
	do {
		next_line(l, item, &at, &len);
		n++;
	} while (item->text[at] && len > 0);
	return n;
}

/* Lines of a text before the first one shown, and of the whole text. */
static size_t lines_before(const struct list *l)
{
	size_t n = l->inside;
	for (size_t i = 0; i < l->scroll; i++)
		n += lines_of(l, i);
	return n;
}

static size_t lines_in_all(const struct list *l)
{
	size_t n = 0;
	for (size_t i = 0; i < l->n_shown; i++)
		n += lines_of(l, i);
	return n;
}

/* Scrolls a text to this line, or to its end if that is nearer. */
static void scroll_text(struct list *l, size_t to)
{
	size_t n = lines_in_all(l), last = n > l->height ? n - l->height : 0, i = 0;
	size_t left = to < last ? to : last;
	for (size_t lines; i + 1 < l->n_shown && (lines = lines_of(l, i)) <= left; i++)
		left -= lines;
	l->scroll = i;
	l->inside = left;
}

/* The smallest scroll that shows all items up to `last`; never beyond it. */
static size_t scroll_to_end(const struct list *l, size_t last)
{
	size_t used = lines_of(l, last), i = last;
	while (i > 0 && used + lines_of(l, i - 1) <= l->height) {
		i--;
		used += lines_of(l, i);
	}
	return i;
}

/* ---- choosing ------------------------------------------------------------------------------------------------ */

void list_filter(struct list *l, const char *text)
{
	struct match *m = text && *text ? match_new(text, MATCH_TEXT, NULL) : NULL;
	char *sought = m ? mem_strdup(text) : NULL; /* text may be l->sought */
	free(l->sought);
	l->sought = sought;
	l->shown = mem_realloc(l->shown, l->n ? l->n : 1, sizeof *l->shown);
	l->n_shown = 0;
	for (size_t i = 0; i < l->n; i++)
		if (!m || match_name(m, l->items[i].text, l->items[i].len))
			l->shown[l->n_shown++] = (uint32_t)i;
	if (m)
		match_free(m);
	l->cursor = l->scroll = l->inside = 0;
	list_move(l, 0);
}

static void select_id(struct list *l, uint64_t id)
{
	for (size_t i = 0; i < l->n_shown; i++)
		if (l->items[l->shown[i]].id == id && !l->items[l->shown[i]].is_heading)
			l->cursor = i;
	list_move(l, 0);
}

void list_open(struct list *l, uint64_t id)
{
	l->is_open = true;
	l->widest = 0;
	for (size_t i = 0; i < l->n; i++) {
		size_t width = utf8_columns(l->items[i].text, l->items[i].len);
		if (width > l->widest)
			l->widest = width;
	}
	list_filter(l, NULL);
	select_id(l, id);
}

void list_refill(struct list *l, struct app *app)
{
	if (!l->is_open || !l->refill || l->below)
		return;
	const struct list_item *item = list_selected(l);
	uint64_t id = item ? item->id : NO_ID;
	size_t scroll = l->scroll;
	char *sought = l->sought ? mem_strdup(l->sought) : NULL;
	l->refill(app);
	list_filter(l, sought);
	select_id(l, id);
	l->scroll = scroll;
	free(sought);
}

void list_cover(struct list *l)
{
	struct list *below = mem_alloc(sizeof *below);
	*below = *l;
	list_init(l);
	l->below = below;
}

void list_close(struct list *l)
{
	struct list *below = l->below;
	l->is_open = false;
	if (!below)
		return;
	l->below = NULL;
	list_deinit(l);
	*l = *below;
	free(below);
}

static bool is_heading(const struct list *l, size_t i)
{
	return l->items[l->shown[i]].is_heading;
}

/* An item taller than the list is read to its end before the cursor leaves it. */
static bool move_inside(struct list *l, long by)
{
	size_t lines = lines_of(l, l->cursor);
	long last = lines > l->height ? (long)(lines - l->height) : 0, to = (long)l->inside + by;
	if (last == 0 || by <= -LIST_FAR || by >= LIST_FAR || (by < 0 && l->inside == 0) ||
	    (by > 0 && (long)l->inside == last))
		return false;
	l->inside = (size_t)(to < 0 ? 0 : to > last ? last : to);
	return true;
}

void list_move(struct list *l, long by)
{
	if (l->n_shown > 0 && !l->has_cursor) {
		long line = (long)lines_before(l) + by;
		scroll_text(l, line < 0 ? 0 : (size_t)line);
		return;
	}
	if (l->n_shown == 0 || (by != 0 && move_inside(l, by)))
		return;
	l->inside = 0;
	long last = (long)l->n_shown - 1, at = (long)l->cursor + by;
	at = at < 0 ? 0 : at > last ? last : at;
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

/* A frame takes two rows; if there are no more than that, lines have precedence. */
static bool has_frame(struct rect r)
{
	return r.rows >= 3;
}

/* The rows of the lines. */
static struct rect rows_within(struct rect r)
{
	return has_frame(r) ? (struct rect){r.row + 1, r.col, r.rows - 2, r.cols} : r;
}

bool list_click(struct list *l, int row, int col)
{
	struct rect r = rows_within(l->area);
	if (row < r.row || row >= r.row + r.rows || col < r.col || col >= r.col + r.cols)
		return false;
	size_t i = l->scroll, line = (size_t)(row - r.row) + l->inside;
	for (; i < l->n_shown && line >= lines_of(l, i); i++)
		line -= lines_of(l, i);
	if (i >= l->n_shown || is_heading(l, i) || !l->has_cursor)
		return false;
	if (i != l->cursor)
		l->inside = 0;
	l->cursor = i;
	return true;
}

static void follow_frame(struct list_item *item, const struct tree *t, uint32_t node)
{
	item->id = node;
	item->value = node == NO_NODE ? 0 : tree_total(t, node);
}

static void follow_children(struct list *l, const struct tree *t, uint32_t mark)
{
	struct child_index children = {0};
	child_index_begin(&children, t, mark);
	for (size_t i = 0; i < l->n; i++)
		if (!l->items[i].is_heading)
			follow_frame(&l->items[i], t, child_index_find(&children, l->items[i].sym));
	child_index_deinit(&children);
}

void list_follow(struct list *l, const struct tree *t, uint32_t mark, uint64_t whole)
{
	if (l->below)
		list_follow(l->below, t, mark, whole);
	if (!l->is_open || l->frames == LIST_NO_FRAMES)
		return;
	l->whole = whole;
	if (l->frames == LIST_CHILDREN) {
		follow_children(l, t, mark);
		return;
	}
	uint32_t at = mark;
	for (size_t i = 0; i < l->n; i++) {
		struct list_item *item = &l->items[i];
		if (item->is_heading)
			continue;
		if (t->sym[at] == item->sym) {
			follow_frame(item, t, at);
			at = t->parent[at];
		} else { /* only a part of the stack is left */
			list_close(l);
			return;
		}
	}
}

/* Columns for title, hint and lines; measured once, when the list is opened. */
static int columns_wanted(const struct list *l)
{
	size_t title = l->title ? utf8_columns(l->title, strlen(l->title)) + 4 : 0;
	size_t hint = l->hint ? utf8_columns(l->hint, strlen(l->hint)) + 4 : 0;
	size_t lines = l->widest + (l->whole ? VALUE_COLUMNS : 0);
	size_t max = title > hint ? title : hint;
	if (lines > max)
		max = lines;
	return max > 4000 ? 4000 : (int)max;
}

/* Rows that a text takes with its frame, or more than `most`. */
static int text_rows(const struct list *l, int most)
{
	size_t n = 2;
	for (size_t i = 0; i < l->n_shown && n <= (size_t)most; i++)
		n += lines_of(l, i);
	return (int)n;
}

static int columns_placed(const struct list *l, struct rect within)
{
	int cols = columns_wanted(l) + 4;
	return cols < within.cols - 2 ? cols : within.cols > 6 ? within.cols - 2 : within.cols;
}

static struct rect placed(const struct list *l, struct rect within)
{
	struct rect r;
	int cols = columns_wanted(l) + 4;
	int rows = l->n > 4000 ? 4000 : (int)l->n + 2;
	r.cols = columns_placed(l, within);
	if (cols > r.cols && l->has_cursor) /* lines will take more than one row */
		rows = within.rows;
	else if (cols > r.cols)
		rows = text_rows(l, within.rows);
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
		int n = grid_numbers_cut(g, r.row, r.col + 3, r.cols - 6, t->bold, l->title, strlen(l->title), t->ascii);
		grid_put(g, r.row, r.col + 2, ' ', t->plain);
		grid_put(g, r.row, r.col + 3 + n, ' ', t->plain);
	}
	if (l->hint) {
		int n = grid_text_cut(g, bottom, r.col + 3, r.cols - 6, t->dim, l->hint, strlen(l->hint), t->ascii);
		grid_put(g, bottom, r.col + 2, ' ', t->plain);
		grid_put(g, bottom, r.col + 3 + n, ' ', t->plain);
	}
}

static void paint_value(const struct list_screen *on, uint64_t whole, const struct list_item *item, int row,
                        int col, struct style s)
{
	struct grid *g = on->grid;
	struct buf b;
	buf_init(&b);
	number_add_percent(&b, item->value, whole, 1);
	grid_str(g, row, col + 5 - (int)(b.len < 5 ? b.len : 5), 5, s, buf_str(&b));
	grid_str(g, row, col + 5, 1, s, "%");
	b.len = 0;
	on->add_weight(on->app, &b, item->value);
	if (b.len <= 7)
		grid_str(g, row, col + 14 - (int)b.len, 7, s, buf_str(&b));
	buf_deinit(&b);
}

/* Paints lines [skip, ...) of an item from `row` on, as far as there is room in `r`. Returns how many. */
static int paint_item(const struct list *l, const struct list_screen *on, struct rect r, int row, size_t i,
                      size_t skip)
{
	const struct list_item *item = &l->items[l->shown[i]];
	const struct theme *t = on->theme;
	bool is_selected = l->has_cursor && i == l->cursor;
	struct style s = is_selected ? t->selected : item->is_heading ? t->bold : t->plain;
	bool has_value = l->whole && !item->is_heading;
	int bottom = r.row + r.rows, first = row;
	size_t at = 0, n = lines_of(l, i);
	for (size_t line = 0; line < n && row < bottom; line++) {
		size_t len;
		int col = r.col + 2 + (line == 0 && has_value ? (int)VALUE_COLUMNS : 0);
		col += (int)next_line(l, item, &at, &len);
		size_t from = at - len;
		if (line < skip)
			continue;
		if (is_selected)
			grid_fill(on->grid, row, r.col + 1, r.cols - 2, ' ', s);
		if (is_selected && t->depth == DEPTH_MONO)
			grid_put(on->grid, row, r.col + 1, '>', s);
		if (has_value && line == 0)
			paint_value(on, l->whole, item, row, r.col + 2, s);
		if (n == 1)
			len = item->len - from;
		grid_numbers_cut(on->grid, row, col, r.col + r.cols - 2 - col, s, item->text + from, len, t->ascii);
		row++;
	}
	return row - first;
}

static void keep_visible(struct list *l)
{
	if (l->n_shown == 0)
		return;
	if (!l->has_cursor) {
		scroll_text(l, lines_before(l));
		return;
	}
	size_t last = scroll_to_end(l, l->n_shown - 1);
	if (l->scroll > last)
		l->scroll = last;
	size_t least = scroll_to_end(l, l->cursor);
	if (l->cursor < l->scroll)
		l->scroll = l->cursor;
	if (l->scroll < least)
		l->scroll = least;
	if (l->inside > 0 && lines_of(l, l->cursor) <= l->height)
		l->inside = 0; /* the screen grew */
}

void list_prepare(struct list *l, struct rect within)
{
	int columns = columns_placed(l, within) - 4 - (l->whole ? (int)VALUE_COLUMNS : 0);
	l->columns = columns > 0 ? (size_t)columns : 1;
	l->area = placed(l, within);
	l->height = (size_t)rows_within(l->area).rows;
	keep_visible(l);
}

void list_paint(struct list *l, const struct list_screen *on, struct rect within)
{
	list_prepare(l, within);
	struct rect r = rows_within(l->area);
	if (has_frame(l->area))
		paint_frame(l, on->grid, l->area, on->theme);
	else
		for (int row = r.row; row < r.row + r.rows; row++)
			grid_fill(on->grid, row, r.col, r.cols, ' ', on->theme->plain);
	int row = r.row;
	for (size_t i = l->scroll; i < l->n_shown && row < r.row + r.rows; i++)
		row += paint_item(l, on, r, row, i, i == (l->has_cursor ? l->cursor : l->scroll) ? l->inside : 0);
	if (l->n_shown == 0)
		grid_str(on->grid, r.row, r.col + 2, r.cols - 4, on->theme->dim, l->n ? "nothing matches" : "nothing here");
}
