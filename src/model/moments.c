/*
 * moments.c - the samples of a merged tree by frame and slice of time.
 *
 * A fold leads from the paths of samples to those of a trie; the names on these lead to the nodes of the tree. If
 * the weights that arrive at any node are not those of the tree, the samples do not explain it: no moments.
 */
#include "moments.h"

#include <stdlib.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "base/sort.h"
#include "folding.h"
#include "selection.h"

struct gathering {
	struct moments *out;
	const struct tree *tree;
	uint64_t first;   /* ns of the profiler's clock */
	uint32_t *node;   /* by path of the trie; NO_NODE: none */
	uint64_t *self;   /* by node: weight so far */
	struct idmap ids; /* by slice and node */
	struct progress *progress;
};

static uint64_t pair_of(uint32_t a, uint32_t b)
{
	return (uint64_t)a << 32 | b;
}

static void find_nodes(struct gathering *g, const struct trie *s)
{
	const struct tree *t = g->tree;
	struct idmap children = {0};
	idmap_expect(&children, t->n);
	for (uint32_t i = 1; i < t->n && progress_step(g->progress, 0); i++)
		idmap_add(&children, pair_of(t->parent[i], t->sym[i]), i);
	g->node = mem_alloc(s->n * sizeof *g->node);
	g->node[0] = NODE_ALL;
	for (uint32_t i = 1; i < s->n; i++) {
		uint32_t parent = progress_step(g->progress, 0) ? g->node[s->parent[i]] : NO_NODE;
		if (parent == NO_NODE || !idmap_find(&children, pair_of(parent, s->sym[i]), &g->node[i]))
			g->node[i] = NO_NODE;
	}
	idmap_deinit(&children);
}

static void add(struct gathering *g, uint64_t time, uint32_t node, uint64_t weight)
{
	struct moments *m = g->out;
	uint32_t at;
	weight_add(&g->self[node], weight);
	if (time == NO_TIME || !weight)
		return;
	uint32_t slice = (uint32_t)((time - g->first) / m->length);
	if (idmap_find(&g->ids, pair_of(slice, node), &at)) {
		weight_add(&m->v[at].weight, weight);
		return;
	}
	idmap_add(&g->ids, pair_of(slice, node), (uint32_t)m->n);
	mem_push(m->v, m->n, m->cap, ((struct moment){slice, node, weight}));
}

/* false: a sample ends in no frame of the tree. */
static bool gather(struct gathering *g, const struct folding *w)
{
	const struct sample_log *log = &w->profile->log[0];
	int32_t series = selection_series(w->profile, w->recipe, 0);
	struct selection s;
	bool ok = selection_init(&s, w->profile, w->recipe, g->progress);
	for (size_t i = 0; i < log->n && ok && progress_step(g->progress, 0); i++) {
		if (!log_is_of(log, i, series) || !selection_has(&s, log, i))
			continue;
		uint32_t path = folding_path(w, i);
		if (path == DROPPED)
			continue;
		ok = g->node[path] != NO_NODE;
		if (ok)
			add(g, log_time(log, i), g->node[path], folding_weight(w, i));
	}
	selection_deinit(&s);
	return ok;
}

static bool explains(const struct gathering *g)
{
	for (uint32_t i = 0; i < g->tree->n; i++)
		if (g->self[i] != tree_self(g->tree, i))
			return false;
	return true;
}

static int compare(const void *a, const void *b, void *arg)
{
	(void)arg;
	const struct moment *x = a, *y = b;
	uint64_t p = pair_of(x->slice, x->node), q = pair_of(y->slice, y->node);
	return (p > q) - (p < q);
}

static bool make(struct gathering *g, struct folding *w)
{
	struct err err = {0};
	if (!folding_run(w, &err))
		return false;
	find_nodes(g, &w->trie);
	g->self = mem_zalloc(g->tree->n, sizeof *g->self);
	bool ok = gather(g, w) && explains(g);
	free(g->node);
	free(g->self);
	return ok;
}

static bool is_plain(const struct recipe *r, const struct tree *t)
{
	return !t->is_chart && !t->is_reversed && !(t->base && r->swap_sides) && !r->half_life;
}

bool moments_make(struct moments *m, struct profile *p, const struct recipe *of, const struct tree *t,
                  struct progress *progress)
{
	struct gathering g = {.out = m, .tree = t, .progress = progress};
	struct recipe r;
	uint64_t last;
	*m = (struct moments){.v = NULL};
	if (!is_plain(of, t) || !profile_time_range(p, &g.first, &last))
		return false;
	m->length = (last - g.first) / MOMENTS_SLICES + 1;
	m->slices = (uint32_t)((last - g.first) / m->length) + 1;
	recipe_copy(&r, of);
	struct folding w = {.profile = p, .recipe = &r, .wants_map = true, .progress = progress};
	bool ok = make(&g, &w) && m->n > 0 && sort_by_until(m->v, m->n, sizeof *m->v, compare, NULL, progress);
	folding_deinit(&w);
	recipe_deinit(&r);
	idmap_deinit(&g.ids);
	if (!ok)
		moments_deinit(m);
	return ok;
}

void moments_deinit(struct moments *m)
{
	free(m->v);
	*m = (struct moments){.v = NULL};
}
