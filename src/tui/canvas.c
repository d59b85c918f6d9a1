/*
 * canvas.c - turns boxes into cells.
 *
 *	| main              |▎    the box, its label, and an eighth block where it ends inside a cell
 *	| parse   |eval |…|       a line separates neighbours of similar colour; '…' stands for thin frames
 *
 * Only rows inside the area are visited. The highlight repaints a single box, so that moving the cursor is cheap
 * over a slow line.
 */
#include "tui/canvas.h"

#include <stdlib.h>

#include "base/number.h"
#include "lib/cells.h"

size_t canvas_row_of(const struct layout *l, size_t box)
{
	size_t lo = 0, hi = l->rows;
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;
		if (l->row_start[mid] <= box)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* First box of a row that ends after col. */
static size_t first_after(const struct layout *l, size_t row, uint32_t col)
{
	size_t lo = l->row_start[row], hi = l->row_start[row + 1];
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (l->boxes[mid].end > col)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

void canvas_children(const struct layout *l, size_t box, size_t *first, size_t *end)
{
	size_t row = canvas_row_of(l, box);
	*first = *end = 0;
	if (row + 1 >= l->rows)
		return;
	const struct box *b = &l->boxes[box];
	uint32_t parent = (uint32_t)(box - l->row_start[row]);
	size_t i = first_after(l, row + 1, b->col);
	while (i < l->row_start[row + 2] && l->boxes[i].parent != parent && l->boxes[i].col < b->end)
		i++;
	*first = i;
	while (i < l->row_start[row + 2] && l->boxes[i].parent == parent)
		i++;
	*end = i;
}

size_t canvas_nearest(const struct layout *l, size_t row, uint32_t col)
{
	if (row >= l->rows || l->row_start[row] == l->row_start[row + 1])
		return NO_BOX;
	size_t i = first_after(l, row, col);
	if (i == l->row_start[row + 1])
		return i - 1;
	if (l->boxes[i].col <= col || i == l->row_start[row])
		return i;
	return col - l->boxes[i - 1].end < l->boxes[i].col - col ? i - 1 : i;
}

bool canvas_row_at(const struct canvas *c, int grid_row, size_t *row)
{
	int from_edge = c->grows_up ? c->area.row + c->area.rows - 1 - grid_row : grid_row - c->area.row;
	if (from_edge < 0 || from_edge >= c->area.rows)
		return false;
	*row = c->scroll + (size_t)from_edge;
	return *row < c->layout->rows;
}

const struct display_name *canvas_name(struct view *view, const struct tree *t, uint32_t node)
{
	static const struct display_name all = {.text = "all", .len = 3, .columns = 3};
	if (node == NODE_ALL && t->sym[0] == 0)
		return &all;
	return display_name(&view->display, t->sym[node]);
}

static struct diff_change change_of(const struct canvas *c, uint32_t node)
{
	if (c->middle && node == 0)
		return diff_of(c->basis, c->middle->self, c->middle->base_self);
	return diff_of_frame(c->basis, c->layout->tree, node);
}

static struct rgb change_color(const struct canvas *c, uint32_t node)
{
	struct diff_change change = change_of(c, node);
	struct diff_colors colors = {
		.most = c->diff_most,
		.is_negated = c->is_negated,
		.is_few = c->theme->depth == DEPTH_16,
	};
	return diff_color(&colors, &change);
}

/* The colour of a node by the view's present scheme. */
static struct rgb node_color(const struct canvas *c, uint32_t node)
{
	const struct tree *t = c->layout->tree;
	if (c->diff_most > 0)
		return change_color(c, node);
	double share = c->whole ? (double)tree_total(t, node) / (double)c->whole : 0;
	return palette_node(c->theme->palette, &c->view->profile->symtab, t, node, share);
}

bool canvas_is_hit(const struct canvas *c, const struct box *b)
{
	const struct view *v = c->view;
	const struct tree *t = c->layout->tree;
	if (!v->search.pattern)
		return false;
	if (!box_is_aggregate(b))
		return search_is_hit(&v->search, t, b->node);
	if (t == &v->tree)
		return view_has_hit_within(v, b->node, b->last);
	return halves_have_hit(&v->search, t, c->is_lit, b->node, t->end[b->last]);
}

/* The style of a box that is not selected. */
static struct style own_style(const struct canvas *c, size_t i, bool hit)
{
	const struct box *b = &c->layout->boxes[i];
	if (box_is_aggregate(b))
		return hit ? c->theme->aggregate_hit : c->theme->aggregate;
	if (hit)
		return c->theme->hit;
	struct style s = theme_fill(c->theme, node_color(c, b->node));
	/* Without colours, neighbours alternate: reverse, underlined, reverse. */
	if (c->theme->depth == DEPTH_MONO && (b->node & 1))
		s.attrs = ATTR_UNDERLINE;
	return s;
}

/* Is the box, or a frame of an aggregate, selected? */
static bool is_selected(const struct canvas *c, size_t i)
{
	const struct box *b = &c->layout->boxes[i];
	uint32_t end = box_is_aggregate(b) ? c->layout->tree->end[b->last] : b->node + 1;
	return i == c->selected || (c->marks && marks_any(c->marks, b->node, end));
}

static struct style box_style(const struct canvas *c, size_t i, bool hit)
{
	if (is_selected(c, i))
		return c->diff_most > 0 ? c->theme->selected_diff : c->theme->selected;
	return own_style(c, i, hit);
}

/* A sign that makes a diff readable without colours; 0: none. */
static char diff_mark(const struct canvas *c, const struct box *b)
{
	if (c->diff_most == 0 || box_is_aggregate(b))
		return 0;
	struct diff_change change = change_of(c, b->node);
	return change.is_noise ? 0 : change.delta > 0 ? '+' : '-';
}

/*
 * Does the box have the unselected colour of the box before it? Then a cursor step changes no cells but those of
 * its boxes.
 */
static bool is_like_left(const struct canvas *c, size_t i, const struct cell *left, struct style s, bool hit)
{
	uint32_t before = left->style.bg;
	if (i > 0 && i - 1 == c->selected && before == box_style(c, i - 1, false).bg)
		before = own_style(c, i - 1, canvas_is_hit(c, &c->layout->boxes[i - 1])).bg;
	return before == (i == c->selected ? own_style(c, i, hit) : s).bg;
}

/* Paints the first cell: a sign where colours cannot show it, or a line between two similar colours. */
static void paint_edge(struct grid *g, const struct canvas *c, size_t i, int row, int col, struct style s, bool hit)
{
	const struct box *b = &c->layout->boxes[i];
	bool mono = c->theme->depth == DEPTH_MONO;
	char mark = diff_mark(c, b);
	if (mono && is_selected(c, i))
		mark = '>';
	else if (mono && hit)
		mark = '*';
	if (mark) {
		grid_put(g, row, col, (uint32_t)mark, s);
		return;
	}
	if (col == c->area.col || b->end - b->col < 2)
		return;
	if (mono) {
		grid_put(g, row, col, '|', s);
	} else if (is_like_left(c, i, grid_at(g, row, col - 1), s, hit)) {
		struct style line = s;
		line.attrs = 0;
		grid_put(g, row, col, c->theme->ascii ? '|' : 0x258F, line);
	}
}

static void paint_aggregate(struct grid *g, const struct canvas *c, const struct box *b, int row, int col,
                            struct style s)
{
	int width = (int)(b->end - b->col);
	grid_fill(g, row, col, width, ' ', s);
	grid_put(g, row, col, c->theme->ascii ? '~' : 0x2026, s);
}

/* Minimum columns for the name next to the number of its change. */
#define LEAST_NAME 6u

/* Appends " +15.5" if there is room for it next to the name, and the change is beyond noise. */
static void add_change(struct buf *out, const struct canvas *c, uint32_t node, size_t room)
{
	struct diff_change change;
	if (c->diff_most == 0)
		return;
	change = change_of(c, node);
	if (change.is_noise || !words_has_gain(&change, 1))
		return;
	buf_addc(out, ' ');
	words_add_gain(out, c->view, &change, c->factor, 1);
	if (out->len + LEAST_NAME > room)
		out->len = 0;
}

static void paint_label(struct grid *g, const struct canvas *c, const struct box *b, int row, int col,
                        struct style s)
{
	int width = (int)(b->end - b->col);
	grid_fill(g, row, col, width, ' ', s);
	if (width < 3)
		return;
	struct buf label, change;
	buf_init(&label);
	buf_init(&change);
	size_t room = (size_t)width - 1;
	add_change(&change, c, b->node, room);
	label_fit(&label, canvas_name(c->view, c->layout->tree, b->node), room - change.len, c->theme->ascii);
	buf_add(&label, change.data, change.len);
	grid_text(g, row, col + 1, width - 1, s, label.data, label.len);
	buf_deinit(&change);
	buf_deinit(&label);
}

/* Paints the part of a frame that reaches into the next cell, if that cell is free. */
static void paint_eighths(struct grid *g, const struct canvas *c, const struct box *b, int row, int col,
                          struct style s)
{
	if (b->eighths == 0 || c->theme->ascii || c->theme->depth == DEPTH_MONO || b->end >= c->layout->width)
		return;
	struct style part = {.fg = s.bg};
	grid_put(g, row, col, 0x2590 - b->eighths, part);
}

/* Does the search match in the nodes [from, to), which lie within an edge? */
static bool has_hidden_hit(const struct canvas *c, uint32_t from, uint32_t to)
{
	const struct view *v = c->view;
	if (!v->search.pattern)
		return false;
	if (c->layout->tree == &v->tree)
		return view_has_hit_between(v, from, to);
	return halves_have_hit(&v->search, c->layout->tree, c->is_lit, from, to);
}

/*
 * Marks frames too thin for a cell within the edges of this box: a dotted edge, highlighted if a search matches
 * there.
 */
static void paint_specks(struct grid *g, const struct canvas *c, const struct box *b, int row, int col,
                         struct style s)
{
	const struct tree *t = c->layout->tree;
	int last = col + (int)(b->end - b->col) - 1;
	uint32_t dots = c->theme->ascii ? ':' : 0x250A;
	struct style lit = c->theme->aggregate_hit;
	if (last == col)
		return;
	if (box_hides_left(b) && grid_at(g, row, col)->cp == ' ')
		grid_put(g, row, col, dots, has_hidden_hit(c, b->first, b->node) ? lit : s);
	if (box_hides_right(b) && grid_at(g, row, last)->cp == ' ')
		grid_put(g, row, last, dots, has_hidden_hit(c, t->end[b->last], t->end[b->final]) ? lit : s);
}

static void paint_box(struct grid *g, const struct canvas *c, size_t i, int row)
{
	const struct box *b = &c->layout->boxes[i];
	int col = c->area.col + (int)b->col;
	bool hit = canvas_is_hit(c, b);
	struct style s = box_style(c, i, hit);
	if (box_is_aggregate(b))
		paint_aggregate(g, c, b, row, col, s);
	else
		paint_label(g, c, b, row, col, s);
	if (!box_is_aggregate(b) || c->theme->depth == DEPTH_MONO)
		paint_edge(g, c, i, row, col, s, hit);
	paint_specks(g, c, b, row, col, s);
	paint_eighths(g, c, b, row, col + (int)(b->end - b->col), s);
}

void canvas_paint(struct grid *g, const struct canvas *c)
{
	const struct layout *l = c->layout;
	for (int y = c->area.row; y < c->area.row + c->area.rows; y++) {
		size_t row;
		if (!canvas_row_at(c, y, &row))
			continue;
		for (size_t i = l->row_start[row]; i < l->row_start[row + 1]; i++)
			paint_box(g, c, i, y);
	}
}
