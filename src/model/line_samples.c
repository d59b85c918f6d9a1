/*
 * line_samples.c - the samples of a fold by path and site, for the weight of lines.
 */
#include "line_samples.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "decay.h"
#include "selection.h"
#include "sites.h"
#include "tree_build.h"

struct gathering {
	struct folding *folding;
	struct line_samples *out;
	struct map ids;
	uint32_t *last; /* by node: number + 1 of the entry met last, 0: none. Mostly a node has one path */
	bool is_decaying;
	struct decay decay; /* by path as recorded, as in the tree */
};

static struct line_entry *entry_of(struct gathering *g, uint32_t raw, uint32_t path, uint32_t node)
{
	struct line_samples *r = g->out;
	uint64_t hash = 0;
	if (g->last[node] && r->v[g->last[node] - 1].raw == raw)
		return &r->v[g->last[node] - 1];
	hash = hash_key((uint64_t)raw << 32 | node);
	MAP_EACH(&g->ids, hash, i)
	if (r->v[i].raw == raw && r->v[i].node == node) {
		g->last[node] = (uint32_t)i + 1;
		return &r->v[i];
	}
	map_add(&g->ids, hash, (uint32_t)r->n);
	mem_push(r->v, r->n, r->cap, ((struct line_entry){.raw = raw, .path = path, .node = node}));
	g->last[node] = (uint32_t)r->n;
	return &r->v[r->n - 1];
}

static void add_sample(struct gathering *g, const struct selection *s, const struct sample_log *log, unsigned side,
                       size_t i)
{
	const struct folding *w = g->folding;
	uint32_t raw = log->path[i], path = w->map ? w->map[raw] : raw;
	uint64_t weight = side ? log->weight[i] : folding_weight(w, i);
	double left = g->is_decaying && !side ? decay_left(s, log, i, weight) : 0;
	if (g->is_decaying && !side)
		decay_add(&g->decay, raw, weight, left);
	if (path == DROPPED)
		return;
	struct line_entry *e = entry_of(g, raw, path, log_site(log, i));
	weight_add(&e->weight[side], weight);
	e->left += left;
	e->samples += side ? 0 : log_count(log, i);
}

/* The rounded weight of a path, which the tree has, is divided among its entries. */
static void settle(struct gathering *g)
{
	struct line_samples *r = g->out;
	uint32_t n = g->folding->profile->n_paths;
	uint64_t *whole = mem_zalloc(n, sizeof *whole);
	double *all = mem_zalloc(n, sizeof *all);
	struct decay_parts parts;
	decay_settle(&g->decay, whole);
	for (size_t i = 0; i < r->n; i++)
		all[r->v[i].raw] += r->v[i].left;
	decay_parts_init(&parts, all, whole, n, g->decay.grain);
	for (size_t i = 0; i < r->n; i++)
		r->v[i].weight[0] = decay_part(&parts, r->v[i].raw, r->v[i].left);
	decay_parts_deinit(&parts);
	free(whole);
	free(all);
}

static bool gather_log(struct gathering *g, unsigned side)
{
	struct folding *w = g->folding;
	const struct sample_log *log = &w->profile->log[side];
	int32_t series = selection_series(w->profile, w->recipe, side);
	struct selection s;
	bool ok = selection_init(&s, w->profile, w->recipe, w->progress);
	for (size_t i = 0; i < log->n && ok; i++) {
		ok = !EVERY(i) || folding_goes_on(w, 0);
		bool has = log_is_of(log, i, series) && (side ? selection_has_before(&s, log, i)
		                                              : selection_has(&s, log, i) && !folding_leaves_out(w, i));
		if (has)
			add_sample(g, &s, log, side, i);
	}
	if (g->is_decaying && !side)
		settle(g);
	selection_deinit(&s);
	return ok;
}

/* Weights of which the sum exceeds 64 bits are cut as those of the tree are, path by path. */
static void fit(struct line_samples *r, const struct folding *w, unsigned side)
{
	uint64_t total = 0;
	bool fits = true;
	for (size_t i = 0; i < r->n; i++)
		fits &= weight_add(&total, r->v[i].weight[side]);
	if (fits)
		return;
	uint64_t *left = mem_zalloc(w->trie.n, sizeof *left); /* by path */
	for (size_t i = 0; i < r->n; i++)
		weight_add(&left[r->v[i].path], r->v[i].weight[side]);
	tree_build_fit(left, w->trie.n);
	for (size_t i = 0; i < r->n; i++) {
		struct line_entry *e = &r->v[i];
		e->weight[side] = e->weight[side] < left[e->path] ? e->weight[side] : left[e->path];
		left[e->path] -= e->weight[side];
	}
	free(left);
}

bool line_samples_gather(struct line_samples *out, struct folding *w)
{
	const struct profile *p = w->profile;
	struct gathering g = {.folding = w, .out = out};
	*out = (struct line_samples){.v = NULL};
	map_init(&g.ids, 64);
	g.last = mem_zalloc(p->sites ? p->sites->n_nodes : 1, sizeof *g.last);
	g.is_decaying = w->recipe->half_life && p->log[0].time;
	g.decay.grain = p->grain;
	bool ok = gather_log(&g, 0) && (!w->has_base || gather_log(&g, 1));
	for (unsigned side = 0; side < 2; side++)
		fit(out, w, side);
	map_deinit(&g.ids);
	free(g.last);
	decay_deinit(&g.decay);
	folding_forget_samples(w);
	return ok;
}

void line_samples_deinit(struct line_samples *s)
{
	free(s->v);
	*s = (struct line_samples){.v = NULL};
}
