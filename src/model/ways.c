/*
 * ways.c - follows a path of names down a tree.
 */
#include "ways.h"

#include <stdlib.h>

#include "base/mem.h"

void ways_init(struct ways *w, const struct tree *t)
{
	*w = (struct ways){.tree = t};
	mem_push(w->now, w->n, w->cap, NODE_ALL);
}

void ways_deinit(struct ways *w)
{
	free(w->now);
	free(w->next);
}

void ways_add_one(struct ways *w, uint32_t child)
{
	mem_push(w->next, w->n_next, w->cap_next, child);
}

void ways_add(struct ways *w, uint32_t child)
{
	const struct tree *t = w->tree;
	if (!t->origin && !t->is_chart) {
		ways_add_one(w, child);
		return;
	}
	uint32_t parent = t->parent[child];
	for (uint32_t i = parent + 1; i < t->end[parent]; i = t->end[i])
		if (t->sym[i] == t->sym[child] && !tree_is_gap(t, i))
			ways_add_one(w, i);
}

void ways_prefer_origin(struct ways *w, uint32_t origin)
{
	size_t n = 0;
	for (size_t i = 0; i < w->n_next && w->tree->origin; i++)
		if (w->tree->origin[w->next[i]] == origin)
			w->next[n++] = w->next[i];
	w->n_next = n ? n : w->n_next;
}

bool ways_advance(struct ways *w)
{
	if (w->n_next == 0)
		return false;
	uint32_t *nodes = w->now;
	size_t cap = w->cap;
	w->now = w->next;
	w->n = w->n_next;
	w->cap = w->cap_next;
	w->next = nodes;
	w->n_next = 0;
	w->cap_next = cap;
	return true;
}

static bool is_heavier(const struct tree *t, uint32_t a, uint32_t b)
{
	uint64_t x = tree_total(t, a), y = tree_total(t, b);
	return x > y || (x == y && t->origin && t->origin[a] < t->origin[b]);
}

uint32_t ways_heaviest(const struct ways *w)
{
	uint32_t best = w->now[0];
	for (size_t i = 1; i < w->n; i++)
		if (is_heavier(w->tree, w->now[i], best))
			best = w->now[i];
	return best;
}

static bool go_on(struct ways *w, uint32_t sym)
{
	for (size_t i = 0; i < w->n; i++) {
		uint32_t child = tree_find_child(w->tree, w->now[i], sym);
		if (child != NO_NODE)
			ways_add(w, child);
	}
	return ways_advance(w);
}

uint32_t ways_find_path(const struct tree *t, const uint32_t *syms, size_t n, size_t *found)
{
	struct ways w;
	size_t i = 0;
	ways_init(&w, t);
	while (i < n && go_on(&w, syms[i]))
		i++;
	uint32_t node = ways_heaviest(&w);
	ways_deinit(&w);
	if (found)
		*found = i;
	return node;
}
