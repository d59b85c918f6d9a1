/*
 * call_rows.c - the rows of a call tree, opened and closed like folders.
 *
 * Only rows of open frames exist, in an array: opening a frame inserts its children after it, heaviest first, and
 * closing it removes all deeper rows. Neither touches the rest of the tree.
 */
#include "call_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

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

static int heaviest_first(const void *a, const void *b, void *arg)
{
	const struct tree *t = arg;
	uint32_t x = ((const struct call_row *)a)->node, y = ((const struct call_row *)b)->node;
	uint64_t p = tree_total(t, x), q = tree_total(t, y);
	if (p != q)
		return p < q ? 1 : -1;
	return x < y ? -1 : 1;
}

static size_t count_children(const struct tree *t, uint32_t node)
{
	size_t n = 0;
	for (uint32_t i = tree_first_child(t, node); i != NO_NODE; i = tree_next_sibling(t, i))
		n += !tree_is_gap(t, i);
	return n;
}

void call_rows_open(struct call_rows *c, const struct tree *t, size_t at)
{
	uint32_t node = c->rows[at].node, depth = c->rows[at].depth + 1;
	size_t n = count_children(t, node), k = at + 1;
	if (c->rows[at].is_open || n == 0)
		return;
	c->rows[at].is_open = true;
	if (c->n + n > c->cap)
		c->rows = mem_grow(c->rows, &c->cap, c->n + n, sizeof *c->rows);
	memmove(c->rows + k + n, c->rows + k, (c->n - k) * sizeof *c->rows);
	for (uint32_t i = tree_first_child(t, node); i != NO_NODE; i = tree_next_sibling(t, i))
		if (!tree_is_gap(t, i))
			c->rows[k++] = (struct call_row){.node = i, .sym = t->sym[i], .depth = depth};
	sort_by(c->rows + at + 1, n, sizeof *c->rows, heaviest_first, (void *)t);
	c->n += n;
}

void call_rows_close(struct call_rows *c, size_t at)
{
	size_t end = at + 1;
	while (end < c->n && c->rows[end].depth > c->rows[at].depth)
		end++;
	memmove(c->rows + at + 1, c->rows + end, (c->n - end) * sizeof *c->rows);
	c->n -= end - at - 1;
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

/* Finding a row scans all of them; this is more than a user opens by hand. */
#define MOST_REOPENED 2000u

void call_rows_reopen(struct call_rows *c, const struct tree *t, const struct call_rows *old)
{
	uint32_t *nodes = NULL; /* by depth: new nodes of the old row there and of its ancestors */
	size_t cap = 0, opened = 0;
	for (size_t i = 0; i < old->n && opened < MOST_REOPENED; i++) {
		const struct call_row *was = &old->rows[i];
		size_t depth = was->depth;
		nodes = depth < cap ? nodes : mem_grow(nodes, &cap, depth + 1, sizeof *nodes);
		uint32_t parent = depth ? nodes[depth - 1] : NO_NODE;
		nodes[depth] = depth == 0          ? c->rows[0].node
		               : parent == NO_NODE ? NO_NODE
		                                   : tree_find_child(t, parent, was->sym);
		if (!was->is_open || nodes[depth] == NO_NODE)
			continue;
		size_t at = call_rows_find(c, nodes[depth]);
		if (at == NO_CALL_ROW)
			continue;
		call_rows_open(c, t, at);
		opened++;
	}
	free(nodes);
}

/* The ancestors of node up to `top`, innermost first; the caller frees. */
static uint32_t *ancestors(const struct tree *t, uint32_t top, uint32_t node, size_t *n)
{
	uint32_t *list = NULL;
	size_t cap = 0;
	*n = 0;
	while (node != top && node != NODE_ALL) {
		node = t->parent[node];
		mem_push(list, *n, cap, node);
	}
	return list;
}

void call_rows_open_around(struct call_rows *c, const struct tree *t, uint32_t node)
{
	size_t n, at = 0;
	if (c->n == 0 || !tree_is_below(t, node, c->rows[0].node))
		return;
	uint32_t *path = ancestors(t, c->rows[0].node, node, &n);
	while (n-- > 0) {
		while (at < c->n && c->rows[at].node != path[n])
			at++;
		if (at == c->n)
			break;
		call_rows_open(c, t, at);
	}
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

size_t call_rows_open_hot_path(struct call_rows *c, const struct tree *t, size_t at)
{
	uint64_t least = tree_total(t, c->rows[at].node) / 10;
	for (;; at++) {
		call_rows_open(c, t, at);
		if (!c->rows[at].is_open || tree_total(t, c->rows[at + 1].node) < least)
			return at;
	}
}
