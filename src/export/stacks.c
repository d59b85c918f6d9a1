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
	uint32_t frame;        /* the present one */
	uint32_t *syms;        /* from the root to it, and of left-out rows beyond it */
	size_t n, cap;         /* without those rows */
	size_t same;           /* the first of syms, which the last stack had as well */
	uint32_t *rank, *ends; /* NULL: the tree leaves out no rows */
	struct progress *progress;
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

static void take_stack(struct walk *w, size_t n, const uint64_t weight[2])
{
	if (!weight[0] && !weight[1])
		return;
	w->take(w->arg, w->syms, n, w->same, weight);
	w->same = n;
}

/* The stacks that continue from a node in rows that the tree leaves out. */
static void take_left_out(struct walk *w, uint32_t node)
{
	struct cut_walk walk;
	cut_walk_begin(&walk, w->tree, node, w->rank, w->ends);
	while (progress_step(w->progress, 0) && cut_walk_next(&walk)) {
		size_t n = w->n + walk.n, same = w->n + walk.n_same;
		w->syms = mem_grow(w->syms, &w->cap, n, sizeof *w->syms);
		memcpy(w->syms + same, walk.syms + walk.n_same, (walk.n - walk.n_same) * sizeof *walk.syms);
		w->same = w->same < same ? w->same : same;
		take_stack(w, n, walk.weight);
	}
	cut_walk_end(&walk);
}

/* Leaves the frames that are not below `frame`, which the present one is or is on. */
static void go_back_to(struct walk *w, uint32_t frame)
{
	for (; w->frame != frame; w->frame = w->tree->parent[w->frame])
		w->n--;
	w->same = w->same < w->n ? w->same : w->n;
}

/* Nodes come in the order of the tree. */
static void go_to(struct walk *w, uint32_t node)
{
	const struct tree *t = w->tree;
	go_back_to(w, t->parent[node]);
	if (tree_is_gap(t, node))
		return;
	w->syms = mem_grow(w->syms, &w->cap, w->n + 1, sizeof *w->syms);
	w->syms[w->n++] = t->sym[node];
	w->frame = node;
}

static void take_node(struct walk *w, uint32_t node)
{
	uint64_t weight[2];
	own_weight(w->tree, node, weight);
	take_stack(w, w->n, weight);
	if (goes_on(w->tree, node))
		take_left_out(w, node);
}

static void begin_at(struct walk *w, uint32_t zoom)
{
	const struct tree *t = w->tree;
	w->frame = tree_is_gap(t, zoom) ? t->parent[zoom] : zoom;
	w->n = tree_depth(t, w->frame);
	w->syms = mem_grow(w->syms, &w->cap, w->n + 1, sizeof *w->syms);
	tree_path(t, w->frame, w->syms, w->n);
}

/* Orders names for rows that the tree leaves out, those of several origins apart if the tree has them so. */
static bool rank_names(struct walk *w, const struct symtab *t)
{
	w->rank = mem_alloc(t->n * sizeof *w->rank);
	w->ends = mem_alloc(t->n * sizeof *w->ends);
	if (!symtab_rank_until(t, w->rank, w->ends, w->progress))
		return false;
	for (uint32_t i = 0; i < t->n && w->tree->is_parted; i++) {
		w->rank[i] = 2 * i;
		w->ends[i] = 2 * i + 1;
	}
	return true;
}

static void take_nodes(struct walk *w, uint32_t zoom)
{
	begin_at(w, zoom);
	take_node(w, zoom);
	for (uint32_t i = zoom + 1; i < w->tree->end[zoom] && progress_step(w->progress, 0); i++) {
		go_to(w, i);
		take_node(w, i);
	}
}

void stacks_each(const struct view *v, stacks_take *take, void *arg, struct progress *progress)
{
	struct walk w = {.tree = &v->tree, .take = take, .arg = arg, .progress = progress};
	if (!v->tree.cut || rank_names(&w, &v->profile->symtab))
		take_nodes(&w, v->zoom);
	free(w.syms);
	free(w.rank);
	free(w.ends);
}
