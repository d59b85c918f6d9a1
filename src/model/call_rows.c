/*
 * call_rows.c - the rows of a call tree, opened and closed like folders.
 *
 * Only rows of open frames exist, in an array: opening a frame inserts its children after it, heaviest first, and
 * closing it removes all deeper rows. Neither touches the rest of the tree.
 */
#include "call_rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "base/sort.h"
#include "child_index.h"

void call_rows_deinit(struct call_rows *c)
{
	free(c->rows);
	*c = (struct call_rows){.rows = NULL};
}

void call_rows_copy(struct call_rows *to, const struct call_rows *from)
{
	to->n = from->n;
	if (from->n > to->cap)
		to->rows = mem_grow(to->rows, &to->cap, from->n, sizeof *to->rows);
	if (from->n > 0)
		memcpy(to->rows, from->rows, from->n * sizeof *to->rows);
}

bool call_rows_is_same(const struct call_rows *a, const struct call_rows *b)
{
	bool is_same = a->n == b->n;
	for (size_t i = 0; i < a->n && is_same; i++)
		is_same = a->rows[i].node == b->rows[i].node && a->rows[i].is_open == b->rows[i].is_open;
	return is_same;
}

static void reverse(struct call_row *rows, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct call_row row = rows[i];
		rows[i] = rows[n - 1 - i];
		rows[n - 1 - i] = row;
	}
}

static void sort_rows(struct call_row *rows, size_t n, const struct tree *t)
{
	struct sort_item *items = mem_alloc(2 * n * sizeof *items);
	for (size_t i = 0; i < n; i++)
		items[i] = (struct sort_item){UINT64_MAX - tree_total(t, rows[i].node), 0, rows[i].node};
	sort_items(items, n, items + n); /* it is stable */
	for (size_t i = 0; i < n; i++) {
		rows[i].node = items[i].value;
		rows[i].sym = t->sym[items[i].value];
	}
	free(items);
}

/* Appends the children of a row, the heaviest one first or last. Most trees have them in this order already. */
static void add_children(struct call_rows *to, const struct tree *t, const struct call_row *row, bool is_first)
{
	size_t first = to->n;
	uint32_t depth = row->depth + 1;
	uint64_t before = UINT64_MAX;
	bool is_sorted = true;
	for (uint32_t i = tree_first_child(t, row->node); i != NO_NODE; i = tree_next_sibling(t, i)) {
		if (tree_is_gap(t, i))
			continue;
		uint64_t total = tree_total(t, i);
		is_sorted &= total <= before;
		before = total;
		mem_push(to->rows, to->n, to->cap, ((struct call_row){.node = i, .sym = t->sym[i], .depth = depth}));
	}
	if (!is_sorted)
		sort_rows(to->rows + first, to->n - first, t);
	if (!is_first)
		reverse(to->rows + first, to->n - first);
}

/* Puts other rows, which it takes over, in the place of [at, end). */
static void replace(struct call_rows *c, size_t at, size_t end, struct call_rows *by)
{
	size_t after = c->n - end;
	if (at == 0 && after == 0) {
		call_rows_deinit(c);
		*c = *by;
		return;
	}
	c->n = at + by->n + after;
	if (c->n > c->cap)
		c->rows = mem_grow(c->rows, &c->cap, c->n, sizeof *c->rows);
	memmove(c->rows + at + by->n, c->rows + end, after * sizeof *c->rows);
	if (by->n > 0)
		memcpy(c->rows + at, by->rows, by->n * sizeof *c->rows);
	call_rows_deinit(by);
}

/* Where the rows below a row end. */
static size_t end_below(const struct call_rows *c, size_t at)
{
	size_t end = at + 1;
	while (end < c->n && c->rows[end].depth > c->rows[at].depth)
		end++;
	return end;
}

void call_rows_open(struct call_rows *c, const struct tree *t, size_t at)
{
	struct call_rows children = {.rows = NULL};
	if (c->rows[at].is_open)
		return;
	if (at + 1 == c->n) {
		struct call_row row = c->rows[at]; /* the rows move */
		add_children(c, t, &row, true);
		c->rows[at].is_open = c->n > at + 1;
		return;
	}
	add_children(&children, t, &c->rows[at], true);
	c->rows[at].is_open = children.n > 0;
	replace(c, at + 1, at + 1, &children);
}

void call_rows_close(struct call_rows *c, size_t at)
{
	struct call_rows none = {.rows = NULL};
	replace(c, at + 1, end_below(c, at), &none);
	c->rows[at].is_open = false;
}

size_t call_rows_find(const struct call_rows *c, uint32_t node)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->rows[i].node == node)
			return i;
	return NO_CALL_ROW;
}

void call_rows_begin(struct call_rows *c, const struct tree *t, uint32_t top)
{
	struct call_row row = {.node = top, .sym = t->sym[top]};
	c->n = 0;
	mem_push(c->rows, c->n, c->cap, row);
	call_rows_open(c, t, 0);
}

/* Appends a row of these that are open, and its children: to `made` if no other row is open. */
static void add_opened(struct call_rows *made, struct call_rows *pending, const struct tree *t,
                       const struct call_row *row, bool is_last)
{
	struct call_rows *to = is_last ? made : pending;
	size_t at = made->n;
	mem_push(made->rows, made->n, made->cap, *row);
	size_t n = to->n;
	add_children(to, t, row, is_last); /* of pending rows, the last one comes first */
	made->rows[at].is_open = to->n > n;
}

/* The row and those below it, if these nodes are open. */
static struct call_rows make_rows(const struct tree *t, struct call_row row, const struct idmap *opened)
{
	struct call_rows made = {.rows = NULL}, pending = {.rows = NULL};
	size_t left = opened->n;
	mem_push(pending.rows, pending.n, pending.cap, row);
	while (pending.n > 0) {
		uint32_t unused;
		row = pending.rows[--pending.n];
		row.is_open = false;
		if (left > 0 && idmap_find(opened, row.node, &unused))
			add_opened(&made, &pending, t, &row, --left == 0);
		else
			mem_push(made.rows, made.n, made.cap, row);
	}
	call_rows_deinit(&pending);
	return made;
}

/* Opens these nodes, too, if they are the row's or below it: all at once, as each opening moves rows. */
static void open_all(struct call_rows *c, const struct tree *t, size_t at, struct idmap *opened)
{
	size_t end = end_below(c, at);
	for (size_t i = at; i < end; i++)
		if (c->rows[i].is_open)
			idmap_add(opened, c->rows[i].node, 0);
	struct call_rows made = make_rows(t, c->rows[at], opened);
	replace(c, at, end, &made);
}

/* Opened frames on a path through another tree, in this tree. */
struct opened_path {
	struct child_index *levels; /* by depth: children of the frame; of none if this tree lacks it */
	size_t n, cap;
};

/* Makes room for a frame of this depth, and forgets the deeper ones. */
static void path_cut(struct opened_path *path, size_t depth)
{
	while (path->n > depth)
		child_index_deinit(&path->levels[--path->n]);
	while (path->n <= depth)
		mem_push(path->levels, path->n, path->cap, ((struct child_index){0}));
}

/* The nodes of this tree whose rows were open in `old`, which begins at `top`. */
static struct idmap find_opened(const struct tree *t, uint32_t top, const struct call_rows *old)
{
	struct opened_path path = {0};
	struct idmap opened = {0};
	for (size_t i = 0; i < old->n; i++) {
		const struct call_row *was = &old->rows[i];
		uint32_t node = top;
		if (!was->is_open && i > 0)
			continue;
		path_cut(&path, was->depth);
		if (was->depth > 0)
			node = child_index_find(&path.levels[was->depth - 1], was->sym);
		if (node != NO_NODE && idmap_add(&opened, node, 0))
			child_index_begin(&path.levels[was->depth], t, node);
	}
	path_cut(&path, 0);
	child_index_deinit(&path.levels[0]);
	free(path.levels);
	return opened;
}

void call_rows_reopen(struct call_rows *c, const struct tree *t, uint32_t top, const struct call_rows *old)
{
	struct idmap opened = find_opened(t, top, old);
	struct call_rows made;
	idmap_add(&opened, top, 0);
	made = make_rows(t, (struct call_row){.node = top, .sym = t->sym[top]}, &opened);
	replace(c, 0, c->n, &made);
	idmap_deinit(&opened);
}

/* The first closed row of these nodes, the deepest of which is path[0]; c->n: there is none. */
static size_t first_closed(const struct call_rows *c, const uint32_t *path, size_t depth)
{
	size_t at = 0;
	for (; at < c->n; at++) {
		const struct call_row *row = &c->rows[at];
		if (!row->is_open && row->depth < depth && row->node == path[depth - 1 - row->depth])
			break;
	}
	return at;
}

void call_rows_open_around(struct call_rows *c, const struct tree *t, uint32_t node)
{
	struct idmap opened = {0};
	uint32_t *path = NULL;
	size_t n = 0, cap = 0;
	if (c->n == 0 || !tree_is_below(t, node, c->rows[0].node))
		return;
	while (node != c->rows[0].node && node != NODE_ALL) {
		node = t->parent[node];
		mem_push(path, n, cap, node);
	}
	size_t at = first_closed(c, path, n);
	if (at < c->n) {
		assert(path); /* an empty one has no closed row */
		for (size_t i = 0; i < n - c->rows[at].depth; i++)
			idmap_add(&opened, path[i], 0);
		open_all(c, t, at, &opened);
	}
	idmap_deinit(&opened);
	free(path);
}

/* A recursion may go on for a million frames. */
#define MOST_OPENED 200u

void call_rows_open_halves(struct call_rows *c, const struct tree *t)
{
	for (size_t at = 0; at < MOST_OPENED; at++) {
		call_rows_open(c, t, at);
		if (!c->rows[at].is_open)
			return;
		uint64_t total = tree_total(t, c->rows[at].node), part = tree_total(t, c->rows[at + 1].node);
		if (part == 0 || part < total - part)
			return;
	}
}

void call_rows_begin_as_usual(struct call_rows *c, const struct tree *t, uint32_t top, uint32_t cursor)
{
	call_rows_begin(c, t, top);
	call_rows_open_halves(c, t);
	size_t at = call_rows_find(c, cursor);
	if (at == NO_CALL_ROW || !c->rows[at].is_open)
		call_rows_begin(c, t, top);
	call_rows_open_around(c, t, cursor);
}

static uint32_t heaviest_child(const struct tree *t, uint32_t node)
{
	uint32_t best = NO_NODE;
	for (uint32_t i = tree_first_child(t, node); i != NO_NODE; i = tree_next_sibling(t, i))
		if (!tree_is_gap(t, i) && (best == NO_NODE || tree_total(t, i) > tree_total(t, best)))
			best = i;
	return best;
}

size_t call_rows_open_hot_path(struct call_rows *c, const struct tree *t, size_t at)
{
	struct idmap path = {0};
	size_t last = at;
	uint64_t least = tree_total(t, c->rows[at].node) / 10;
	for (uint32_t node = c->rows[at].node, child; (child = heaviest_child(t, node)) != NO_NODE;
	     node = child, last++) {
		idmap_add(&path, node, 0);
		if (tree_total(t, child) < least)
			break;
	}
	open_all(c, t, at, &path);
	idmap_deinit(&path);
	return last;
}
