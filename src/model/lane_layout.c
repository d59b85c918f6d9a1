/*
 * lane_layout.c - boxes of a lane, row by row.
 *
 *	cells   |   0   |   1   |   2   |   3   |   4   |
 *	times   |---a---------|    |b|c||d|--------e----|     a 0-1 (an eighth block shows its part of cell 1)
 *	boxes   |   a           |  bc   |d  e            |    bc: cell 2   d: in cell 3, e begins after it
 *
 * The rows follow each other as in layout.c, whose boxes these are.
 */
#include "lane_layout.h"

#include "base/mem.h"
#include "model/samples.h"

__extension__ typedef unsigned __int128 layout_wide;

#define FEW 32u  /* frames of one cell that are looked at */
#define PARTS 8u /* an aggregate covers at most this part of the width, so that zooming into it gets somewhere */

struct placing {
	struct layout *layout;
	const struct tree *tree;
	struct span span;
	uint64_t most;     /* columns of an aggregate */
	uint32_t col, end; /* columns of the parent */
	uint32_t parent;   /* its index in its row */
	size_t first;      /* its first child in layout->boxes */
};

uint32_t lane_layout_column(struct span s, uint32_t width, uint64_t time)
{
	uint64_t length = s.to - s.from, scaled;
	if (time <= s.from)
		return 0;
	if (time >= s.to || length == 0)
		return width;
	if (!__builtin_mul_overflow(time - s.from, (uint64_t)width, &scaled))
		return (uint32_t)(scaled / length);
	return (uint32_t)((layout_wide)(time - s.from) * width / length);
}

static uint32_t column_of(const struct placing *p, uint64_t time)
{
	return lane_layout_column(p->span, p->layout->width, time);
}

/* The first time in a column. */
static uint64_t time_of(const struct placing *p, uint32_t column)
{
	uint32_t width = p->layout->width;
	return p->span.from + (uint64_t)(((layout_wide)column * (p->span.to - p->span.from) + width - 1) / width);
}

/* Visible time from the beginning of one node to the end of another. */
static uint64_t visible(const struct placing *p, uint32_t node, uint32_t last)
{
	const struct tree *t = p->tree;
	uint64_t from = t->time[node] > p->span.from ? t->time[node] : p->span.from;
	uint64_t to = t->until[last] < p->span.to ? t->until[last] : p->span.to;
	return to > from ? to - from : 0;
}

static bool is_below(const struct placing *p, uint64_t time, unsigned per_cell)
{
	return (layout_wide)time * p->layout->width * per_cell < p->span.to - p->span.from;
}

/* The box before in this parent; NULL: none. */
static struct box *box_before(const struct placing *p)
{
	return p->layout->n > p->first ? &p->layout->boxes[p->layout->n - 1] : NULL;
}

static void set_node(const struct placing *p, struct box *b, uint32_t node, uint32_t last)
{
	b->node = node;
	b->last = last;
	b->x0 = p->tree->time[node];
	b->x1 = p->tree->until[last];
}

/* Neighbouring aggregates are one. */
static bool join(const struct placing *p, struct box *before, const struct box *b)
{
	if (!before || !box_is_aggregate(before) || !box_is_aggregate(b) || before->end != b->col ||
	    b->end - before->col > p->most)
		return false;
	before->last = before->final = b->final;
	before->x1 = b->x1;
	before->end = b->end;
	return true;
}

/* Adds a box, or what is left of it next to the one before. */
static void add_box(struct placing *p, struct box b)
{
	struct box *before = box_before(p);
	b.col = b.col < p->col ? p->col : b.col < p->end ? b.col : p->end - 1;
	b.end = b.end > p->end ? p->end : b.end <= b.col ? b.col + 1 : b.end;
	if (join(p, before, &b))
		return;
	if (before && before->end > b.col) {
		bool is_speck = before->end - before->col == 1 && b.col == before->col &&
		                is_below(p, visible(p, before->first, before->final), 2);
		if (is_speck && visible(p, b.first, b.final) > visible(p, before->first, before->final)) {
			b.first = before->first;
			p->layout->n--;
		} else if (b.end > before->end) {
			b.col = before->end;
		} else {
			before->final = b.final;
			return;
		}
	}
	mem_push(p->layout->boxes, p->layout->n, p->layout->cap, b);
}

/* Frames of one cell that were looked at. */
struct seen {
	uint32_t best; /* the longest; NO_NODE: none yet */
	uint64_t most, sum;
	bool is_one; /* all are of one function */
};

static void look_at(const struct placing *p, struct seen *s, uint32_t node)
{
	const struct tree *t = p->tree;
	uint64_t time = visible(p, node, node);
	if (tree_is_gap(t, node))
		return;
	s->is_one &= s->best == NO_NODE || t->sym[s->best] == t->sym[node];
	s->sum += time;
	if (s->best != NO_NODE && time <= s->most)
		return;
	s->best = node;
	s->most = time;
}

/* Of very many frames, those at regular times speak for all. */
static uint32_t longest_of_many(const struct placing *p, uint32_t first, uint32_t last)
{
	const struct tree *t = p->tree;
	struct seen s = {.best = NO_NODE, .is_one = true};
	uint64_t from = t->time[first] > p->span.from ? t->time[first] : p->span.from,
			 part = visible(p, first, last) / FEW;
	for (uint32_t i = 0; i < FEW && s.is_one; i++) {
		uint32_t at = tree_sibling_by_time(t, first, t->end[last], from + part * i + part / 2);
		if (at != NO_NODE)
			look_at(p, &s, at);
	}
	return s.is_one ? s.best : NO_NODE;
}

/*
 * The longest frame, if it lasts longer than the others together, or if all are of one function; NO_NODE: none
 * stands for the others.
 */
static uint32_t longest(const struct placing *p, uint32_t first, uint32_t last)
{
	const struct tree *t = p->tree;
	struct seen s = {.best = NO_NODE, .is_one = true};
	uint32_t n = 0;
	for (uint32_t i = first;; i = t->end[i]) {
		if (++n > FEW)
			return longest_of_many(p, first, last);
		look_at(p, &s, i);
		if (i == last)
			break;
	}
	return s.most > s.sum / 2 || s.is_one ? s.best : NO_NODE;
}

/* Adds the thin frames that begin in one cell. Returns the last of them. */
static uint32_t add_thin(struct placing *p, uint32_t node, uint32_t end)
{
	const struct tree *t = p->tree;
	uint64_t begin = t->time[node] > p->span.from ? t->time[node] : p->span.from;
	uint32_t col = column_of(p, begin), last = node;
	if (!p->layout->min_value)
		last = tree_sibling_by_time(t, node, end, time_of(p, col + 1) - 1);
	if (last != node && !tree_is_gap(t, last) && !is_below(p, visible(p, last, last), 1))
		last = tree_previous_sibling(t, last);
	struct box b = {.first = node, .final = last, .col = col, .end = col + 1, .parent = p->parent};
	uint32_t alone = longest(p, node, last);
	set_node(p, &b, alone == NO_NODE ? node : alone, alone == NO_NODE ? last : alone);
	add_box(p, b);
	return last;
}

static void add_wide(struct placing *p, uint32_t node)
{
	const struct tree *t = p->tree;
	struct box b = {.first = node, .final = node, .parent = p->parent};
	b.col = column_of(p, t->time[node]);
	b.end = column_of(p, t->until[node]);
	set_node(p, &b, node, node);
	add_box(p, b);
}

/* Places siblings from `node` on, before the node `end`. */
static void place(struct placing *p, uint32_t node, uint32_t end)
{
	const struct tree *t = p->tree;
	/* Several samples may have begun when the visible time begins, all but the last without length. */
	uint32_t begun = p->span.from ? tree_sibling_by_time(t, node, end, p->span.from - 1) : NO_NODE;
	p->first = p->layout->n;
	for (uint32_t i = begun == NO_NODE ? node : begun; i < end && t->time[i] < p->span.to; i = t->end[i]) {
		if (tree_is_gap(t, i) || t->until[i] < p->span.from ||
		    (t->until[i] == p->span.from && p->span.from > t->time[i]))
			continue;
		if (t->until[i] - t->time[i] < p->layout->min_value)
			continue;
		if (is_below(p, visible(p, i, i), 1))
			i = add_thin(p, i, end);
		else
			add_wide(p, i);
	}
}

/* How far boxes reach into a free next column. */
static void find_eighths(const struct placing *p, size_t from)
{
	struct layout *l = p->layout;
	uint64_t span = p->span.to - p->span.from;
	for (size_t i = from; i < l->n && span; i++) {
		struct box *b = &l->boxes[i];
		bool is_free = b->end < l->width && (i + 1 == l->n || b[1].col > b->end);
		if (is_free && b->x1 < p->span.to && column_of(p, b->x1) == b->end)
			b->eighths = (uint32_t)((layout_wide)(b->x1 - p->span.from) * l->width % span * 8 / span);
	}
}

static void end_row(struct layout *l)
{
	l->row_start = mem_grow(l->row_start, &l->cap_rows, l->rows + 2, sizeof *l->row_start);
	l->row_start[++l->rows] = l->n;
}

static void begin(struct layout *l, const struct tree *t, const struct lane_part *part)
{
	l->tree = t;
	l->zoom = NODE_ALL;
	l->width = part->width;
	l->min_value = part->min_time;
	l->n = l->rows = 0;
	l->row_start = mem_grow(l->row_start, &l->cap_rows, 1, sizeof *l->row_start);
	l->row_start[0] = 0;
}

void lane_layout_make(struct layout *l, const struct tree *t, const struct lane_part *part)
{
	struct placing p = {.layout = l, .tree = t, .span = part->span, .end = part->width};
	p.most = part->width / PARTS ? part->width / PARTS : 1;
	begin(l, t, part);
	place(&p, t->lanes[part->lane].first, tree_lane_end(t, part->lane));
	find_eighths(&p, 0);
	end_row(l);
	while (l->rows < part->max_rows) {
		size_t from = l->row_start[l->rows - 1], to = l->n;
		for (size_t i = from; i < to; i++) {
			struct box parent = l->boxes[i];
			if (box_is_aggregate(&parent) || tree_first_child(t, parent.node) == NO_NODE)
				continue;
			p.col = parent.col;
			p.end = parent.end;
			p.parent = (uint32_t)(i - from);
			place(&p, parent.node + 1, t->end[parent.node]);
		}
		if (l->n == to)
			break;
		find_eighths(&p, to);
		end_row(l);
	}
}

uint64_t lane_layout_share(const struct tree *t, double percent)
{
	uint64_t all = t->time_end - t->time[NODE_ALL];
	return weight_at_least((double)all * percent / 100, all);
}
