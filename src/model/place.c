/*
 * place.c - saves a frame as its call path, and finds it in the next tree.
 */
#include "place.h"

#include <stdlib.h>

#include "base/mem.h"
#include "ways.h"

/* Positions are stable unless stacks before them are taken out or come back. */
enum told_by place_told_by(const struct tree *before, const struct tree *now)
{
	if (!before->is_chart || !now->is_chart)
		return TOLD_BY_NOTHING;
	bool is_moved = before->excluded[0] != now->excluded[0] || !before->until != !now->until ||
	                tree_total(before, NODE_ALL) > tree_total(now, NODE_ALL);
	return is_moved && before->time && now->time ? TOLD_BY_TIME : TOLD_BY_POSITION;
}

static const uint64_t *starts_of(const struct tree *t, enum told_by by)
{
	return by == TOLD_BY_TIME ? t->time : by == TOLD_BY_POSITION ? t->pos : NULL;
}

struct place place_of(const struct tree *t, uint32_t node, enum told_by by)
{
	const uint64_t *starts = starts_of(t, by);
	struct place p = {.n = tree_depth(t, node), .at = starts ? starts[node] : 0};
	p.syms = mem_alloc((p.n ? p.n : 1) * sizeof *p.syms);
	tree_path(t, node, p.syms, p.n);
	if (!t->origin)
		return p;
	p.origins = mem_alloc((p.n ? p.n : 1) * sizeof *p.origins);
	for (size_t i = p.n; i > 0; i--, node = t->parent[node])
		p.origins[i - 1] = t->origin[node];
	return p;
}

void place_deinit(struct place *p)
{
	free(p->syms);
	free(p->origins);
}

/* Skipping a frame visits all children of the last one found; the search ends after this many misses in a row. */
#define MOST_PASSED_OVER 256

/* Goes on to the frames of the i-th name; false: there are none. */
static bool go_on(struct ways *ways, const struct place *p, size_t i, const uint64_t *starts)
{
	const struct tree *t = ways->tree;
	for (size_t k = 0; k < ways->n; k++) {
		uint32_t child = starts ? tree_find_child_near(t, starts, ways->now[k], p->syms[i], p->at)
		                        : tree_find_child(t, ways->now[k], p->syms[i]);
		if (child != NO_NODE)
			starts ? ways_add_one(ways, child) : ways_add(ways, child);
	}
	if (p->origins)
		ways_prefer_origin(ways, p->origins[i]);
	return ways_advance(ways);
}

uint32_t place_find(const struct tree *t, const struct place *p, enum told_by by, bool may_pass_over)
{
	const uint64_t *starts = starts_of(t, by);
	size_t missed = 0, most = may_pass_over ? MOST_PASSED_OVER : 1;
	struct ways ways;
	ways_init(&ways, t);
	for (size_t i = 0; i < p->n && missed < most; i++)
		missed = go_on(&ways, p, i, starts) ? 0 : missed + 1;
	uint32_t node = ways_heaviest(&ways);
	ways_deinit(&ways);
	if (!may_pass_over || !p->n || t->sym[node] == p->syms[p->n - 1])
		return node;
	uint32_t same_name = tree_widest_frame(t, node, p->syms[p->n - 1]);
	return same_name == NO_NODE ? node : same_name;
}

uint32_t place_find_function(const struct tree *t, uint32_t below, const struct place *p)
{
	uint32_t node = p->n ? tree_widest_frame(t, below, p->syms[p->n - 1]) : NO_NODE;
	return node == NO_NODE ? below : node;
}

/* In a caller tree, a zoom above the root would show only part of a function but look like all of it. */
uint32_t place_find_zoomed(const struct tree *t, const struct place *p)
{
	if (!p->n)
		return NODE_ALL;
	if (!t->is_reversed)
		return place_find_function(t, NODE_ALL, p);
	uint32_t node = tree_find_child(t, NODE_ALL, p->syms[p->n - 1]);
	return node == NO_NODE ? NODE_ALL : node;
}
