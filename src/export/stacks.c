/*
 * stacks.c - the stacks of a view, one after the other.
 */
#include "stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/cut.h"

struct walk {
	const struct tree *tree;
	stacks_take *take;
	void *arg;
	uint32_t *syms;
	size_t cap;
	uint32_t *rank, *ends; /* NULL: the tree leaves out no rows */
};

static bool goes_on(const struct tree *t, uint32_t node)
{
	return t->cut && t->end[node] == node + 1;
}

/* What ends in a node itself; a gap of a chart is its parent's own time. */
static void own_weight(const struct tree *t, uint32_t node, uint64_t weight[2])
{
	weight[0] = tree_self(t, node) - (goes_on(t, node) ? tree_going_on(t, 0, node) : 0);
	weight[1] = tree_base_self(t, node) - (goes_on(t, node) && t->base ? tree_going_on(t, 1, node) : 0);
}

/* The stacks that continue from a node, whose n names are in w->syms, in rows that the tree leaves out. */
static void take_left_out(struct walk *w, uint32_t node, size_t n)
{
	struct cut_walk walk;
	cut_walk_begin(&walk, w->tree, node, w->rank, w->ends);
	while (cut_walk_next(&walk)) {
		w->syms = mem_grow(w->syms, &w->cap, n + walk.n, sizeof *w->syms);
		memcpy(w->syms + n, walk.syms, walk.n * sizeof *walk.syms);
		if (walk.weight[0] || walk.weight[1])
			w->take(w->arg, w->syms, n + walk.n, walk.weight);
	}
	cut_walk_end(&walk);
}

static void take_node(struct walk *w, uint32_t node)
{
	const struct tree *t = w->tree;
	uint32_t frame = tree_is_gap(t, node) ? t->parent[node] : node;
	uint64_t weight[2];
	own_weight(t, node, weight);
	if (!weight[0] && !weight[1] && !goes_on(t, node))
		return;
	size_t n = tree_depth(t, frame);
	w->syms = mem_grow(w->syms, &w->cap, n + 1, sizeof *w->syms);
	tree_path(t, frame, w->syms, n);
	if (weight[0] || weight[1])
		w->take(w->arg, w->syms, n, weight);
	if (goes_on(t, node))
		take_left_out(w, node, n);
}

void stacks_each(const struct view *v, stacks_take *take, void *arg)
{
	const struct symtab *t = &v->profile->symtab;
	struct walk w = {.tree = &v->tree, .take = take, .arg = arg};
	if (v->tree.cut) {
		w.rank = mem_alloc(t->n * sizeof *w.rank);
		w.ends = mem_alloc(t->n * sizeof *w.ends);
		symtab_rank(t, w.rank, w.ends);
	}
	for (uint32_t i = v->zoom; i < v->tree.end[v->zoom]; i++)
		take_node(&w, i);
	free(w.syms);
	free(w.rank);
	free(w.ends);
}
