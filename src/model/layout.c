/*
 * layout.c - boxes in cells, row by row.
 *
 * An edge at value v is at column floor((v - zoom's start) * width / zoom's total). A frame at least as wide as a
 * cell always gets one; a thinner one gets one only by luck. So runs of thin siblings are drawn as one box:
 *
 *	cells     |   0   |   1   |   2   |   3   |   4   |
 *	values    |--a------|b|c|d|--------e----------|f|g|   a 0-1   bcd -   e 1-4   fg 4-5
 *	boxes     |  a    |  bcd  |       e       |  fg   |   bcd fills most of cell 1: it borrows it from e
 *
 * Each row follows from the row before: the children of each single-frame box become items (single frames, or runs)
 * with the columns of the formula, clamped to the parent's box. Items without a cell then get one, or lie within
 * the edge of a neighbour. Aggregates have no children, so the work depends on the visible cells: a binary search
 * from the next cell edge finds the end of a run without visiting its members. Only with a minimum value
 * (min_value) is every child of a visible frame visited, since each must be judged.
 */
#include "layout.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

__extension__ typedef unsigned __int128 layout_wide;

/* State for placing the children of one box. */
struct placing {
	struct layout *layout;
	const struct tree *tree;
	const uint64_t *pos;
	uint64_t start, total; /* of the zoomed frame */
	struct box parent;     /* a copy: boxes move when the array grows */
	uint32_t parent_index; /* in its row */
	size_t first;          /* the parent's first item in layout->boxes */
	bool is_run_open;      /* the last item is a run; the next thin sibling may extend it */
};

void layout_init(struct layout *l)
{
	*l = (struct layout){.tree = NULL};
}

void layout_deinit(struct layout *l)
{
	free(l->boxes);
	free(l->row_start);
	layout_init(l);
}

static uint32_t column_of(const struct placing *p, uint64_t value)
{
	uint64_t scaled;
	/* A 128-bit division is several times slower, and few profiles need it. */
	if (!__builtin_mul_overflow(value - p->start, (uint64_t)p->layout->width, &scaled))
		return (uint32_t)(scaled / p->total);
	return (uint32_t)((layout_wide)(value - p->start) * p->layout->width / p->total);
}

/* The smallest value that column_of() maps to `column`. */
static uint64_t value_of(const struct placing *p, uint32_t column)
{
	layout_wide v = (layout_wide)column * p->total + p->layout->width - 1;

	return p->start + (uint64_t)(v / p->layout->width);
}

static bool is_thin(const struct placing *p, uint64_t value)
{
	return (layout_wide)value * p->layout->width < p->total;
}

static uint32_t clamp(const struct placing *p, uint32_t column)
{
	if (column < p->parent.col)
		return p->parent.col;
	return column > p->parent.end ? p->parent.end : column;
}

static void add_item(struct placing *p, uint32_t node, uint32_t last)
{
	uint64_t x0 = p->pos[node], x1 = p->pos[p->tree->end[last]];
	struct box b = {
		.node = node,
		.last = last,
		.first = node,
		.final = last,
		.x0 = x0,
		.x1 = x1,
		.parent = p->parent_index,
		.col = clamp(p, column_of(p, x0)),
		.end = clamp(p, column_of(p, x1)),
	};
	mem_push(p->layout->boxes, p->layout->n, p->layout->cap, b);
}

static void extend_item(struct placing *p, uint32_t last)
{
	struct box *b = &p->layout->boxes[p->layout->n - 1];
	b->last = b->final = last;
	b->x1 = p->pos[p->tree->end[last]];
	b->end = clamp(p, column_of(p, b->x1));
}

/* Adds a thin sibling to the open run, or opens one. */
static void add_thin(struct placing *p, uint32_t node, uint32_t last)
{
	if (p->is_run_open)
		extend_item(p, last);
	else
		add_item(p, node, last);
	p->is_run_open = true;
}

/*
 * The last of the thin siblings from `node` on that begin in the same cell: the one that crosses the cell's edge is
 * included if it is thin. Gaps of a chart end the run.
 */
static uint32_t last_of_stretch(const struct placing *p, uint32_t node)
{
	const struct tree *t = p->tree;
	uint64_t edge = value_of(p, column_of(p, p->pos[node]) + 1), stop;
	uint32_t across = tree_sibling_at(t, p->pos, node, edge - 1);
	if (across == node)
		return node;
	if (across != NO_NODE && is_thin(p, p->pos[t->end[across]] - p->pos[across]))
		return across;
	stop = across == NO_NODE ? p->pos[t->end[p->parent.node]] : p->pos[across];
	/* Searches by end position, since weightless siblings may stand between the result and `across`. */
	return tree_sibling_at(t, p->pos, node, stop - 1);
}

static bool is_weightless(const struct placing *p, uint32_t node)
{
	return p->pos[node] == p->pos[p->tree->end[node]];
}

/* Visits every child: judges each by its own value, and sees gaps. */
static void collect_each(struct placing *p)
{
	const struct tree *t = p->tree;
	for (uint32_t i = tree_first_child(t, p->parent.node); i != NO_NODE; i = tree_next_sibling(t, i)) {
		uint64_t value = p->pos[t->end[i]] - p->pos[i];
		if (is_weightless(p, i))
			continue;
		if (tree_is_gap(t, i)) {
			p->is_run_open = false;
		} else if (value < p->layout->min_value) {
			p->is_run_open = false;
		} else if (is_thin(p, value)) {
			add_thin(p, i, i);
		} else {
			add_item(p, i, i);
			p->is_run_open = false;
		}
	}
}

static void collect_by_cells(struct placing *p)
{
	const struct tree *t = p->tree;
	uint32_t i = tree_first_child(t, p->parent.node);
	while (i != NO_NODE) {
		if (is_weightless(p, i)) {
			/* Skips runs of them (frames that only the baseline has) in one step. */
			i = tree_sibling_at(t, p->pos, i, p->pos[i]);
			continue;
		}
		uint32_t last = i;
		if (is_thin(p, p->pos[t->end[i]] - p->pos[i])) {
			last = last_of_stretch(p, i);
			add_thin(p, i, last);
		} else {
			add_item(p, i, i);
			p->is_run_open = false;
		}
		i = tree_next_sibling(t, last);
	}
}

/*
 * Joins neighbours that both have no cell, since they cannot both get the same one. The joined item takes the
 * columns and values of its widest part, and settle_items() finds it a cell and a name.
 */
static void merge_empty_items(struct placing *p)
{
	struct box *b = p->layout->boxes;
	size_t out = p->first;
	for (size_t i = p->first; i < p->layout->n; i++) {
		struct box *before = out > p->first ? &b[out - 1] : NULL;
		if (b[i].col < b[i].end || !before || before->col < before->end || before->end != b[i].col) {
			b[out++] = b[i];
			continue;
		}
		uint32_t first = before->first;
		if (b[i].x1 - b[i].x0 > before->x1 - before->x0)
			*before = b[i];
		before->first = first;
		before->final = b[i].final;
	}
	p->layout->n = out;
}

/* A joined item shows its widest part if that is most of it (so a tower continues), else it is an aggregate. */
static void name_merged_item(const struct placing *p, struct box *b)
{
	uint64_t from = p->pos[b->first], to = p->pos[p->tree->end[b->final]];
	if (b->x1 - b->x0 > (to - from) / 2)
		return;
	b->node = b->first;
	b->last = b->final;
	b->x0 = from;
	b->x1 = to;
}

/* Finds a cell for an item without one. left, right: its neighbours or NULL. false: none available. */
static bool find_cell(const struct placing *p, struct box *b, struct box *left, struct box *right)
{
	uint32_t free_from = left ? left->end : p->parent.col;
	uint32_t free_to = right ? right->col : p->parent.end;
	uint64_t value = p->pos[p->tree->end[b->final]] - p->pos[b->first];
	if (free_to > b->col) { /* a gap, or frames that were left out */
		b->end = b->col + 1;
		return true;
	}
	if (free_from < b->col) { /* the parent's own cell */
		b->col--;
		return true;
	}
	if ((layout_wide)value * 2 * p->layout->width < p->total)
		return false;
	if (right && right->end - right->col > 1) {
		b->end = ++right->col;
		return true;
	}
	if (left && left->end - left->col > 1) {
		b->col = --left->end;
		return true;
	}
	return false;
}

static void settle_items(struct placing *p)
{
	struct box *b = p->layout->boxes;
	size_t out = p->first, n = p->layout->n;
	for (size_t i = p->first; i < n; i++) {
		struct box *left = out > p->first ? &b[out - 1] : NULL;
		struct box *right = i + 1 < n ? &b[i + 1] : NULL;
		if (b[i].col == b[i].end)
			name_merged_item(p, &b[i]);
		if (b[i].col < b[i].end || find_cell(p, &b[i], left, right)) {
			b[out++] = b[i];
		} else if (right) {
			right->first = b[i].first;
		} else {
			assert(left); /* an only child would have got one of the parent's cells */
			left->final = b[i].final;
		}
	}
	p->layout->n = out;
}

static void place_children(struct placing *p)
{
	p->first = p->layout->n;
	p->is_run_open = false;
	if (tree_first_child(p->tree, p->parent.node) == NO_NODE)
		return;
	if (p->layout->min_value || p->tree->is_chart)
		collect_each(p);
	else
		collect_by_cells(p);
	merge_empty_items(p);
	settle_items(p);
}

/* Computes how far boxes reach into a free next column, unless clamping moved their end. */
static void find_eighths(const struct placing *p, size_t from, size_t to)
{
	struct layout *l = p->layout;
	for (size_t i = from; i < to; i++) {
		struct box *b = &l->boxes[i];
		if (b->end >= l->width || (i + 1 < to && b[1].col == b->end))
			continue;
		layout_wide scaled = (layout_wide)(b->x1 - p->start) * l->width;
		if ((uint32_t)(scaled / p->total) == b->end)
			b->eighths = (uint32_t)(scaled % p->total * 8 / p->total);
	}
}

static void end_row(struct layout *l)
{
	l->row_start = mem_grow(l->row_start, &l->cap_rows, l->rows + 2, sizeof *l->row_start);
	l->row_start[++l->rows] = l->n;
}

static void add_zoom_row(struct placing *p)
{
	struct layout *l = p->layout;
	struct box b = {
		.node = l->zoom,
		.last = l->zoom,
		.first = l->zoom,
		.final = l->zoom,
		.col = 0,
		.end = l->width,
		.x0 = p->start,
		.x1 = p->start + p->total,
	};
	l->row_start = mem_grow(l->row_start, &l->cap_rows, 1, sizeof *l->row_start);
	l->row_start[0] = 0;
	mem_push(l->boxes, l->n, l->cap, b);
	end_row(l);
}

void layout_make(struct layout *l, const struct tree *t, uint32_t zoom, uint32_t width, uint64_t min_value,
                 size_t max_rows)
{
	const uint64_t *pos = l->use_base && t->base ? t->base : t->pos;
	struct placing p = {
		.layout = l,
		.tree = t,
		.pos = pos,
		.start = pos[zoom],
		.total = pos[t->end[zoom]] - pos[zoom],
	};
	l->tree = t;
	l->zoom = zoom;
	l->width = width;
	l->min_value = min_value;
	l->n = l->rows = 0;
	add_zoom_row(&p);
	while (p.total && (!max_rows || l->rows < max_rows)) {
		size_t from = l->row_start[l->rows - 1], to = l->n;
		for (size_t i = from; i < to; i++) {
			p.parent = l->boxes[i];
			p.parent_index = (uint32_t)(i - from);
			if (!box_is_aggregate(&p.parent))
				place_children(&p);
		}
		if (l->n == to)
			break;
		find_eighths(&p, to, l->n);
		end_row(l);
	}
}

size_t layout_at(const struct layout *l, size_t row, uint32_t col)
{
	if (row >= l->rows)
		return SIZE_MAX;
	size_t lo = l->row_start[row], hi = l->row_start[row + 1];

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (l->boxes[mid].end <= col)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < l->row_start[row + 1] && l->boxes[lo].col <= col ? lo : SIZE_MAX;
}

/* The box of the row whose subtrees contain the node. */
static size_t box_over(const struct layout *l, size_t row, uint32_t node)
{
	size_t lo = l->row_start[row], hi = l->row_start[row + 1];
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (l->tree->end[l->boxes[mid].final] <= node)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < l->row_start[row + 1] && l->boxes[lo].first <= node ? lo : SIZE_MAX;
}

/* A node below a box of one row is below a box in every row above, so a binary search finds the deepest row. */
size_t layout_find(const struct layout *l, uint32_t node)
{
	if (!l->rows || !tree_is_below(l->tree, node, l->zoom))
		return SIZE_MAX;
	size_t lo = 0, hi = l->rows - 1;

	while (lo < hi) {
		size_t mid = lo + (hi - lo + 1) / 2;
		if (box_over(l, mid, node) != SIZE_MAX)
			lo = mid;
		else
			hi = mid - 1;
	}
	return box_over(l, lo, node);
}
