/*
 * line_index.c - where functions are in a fold and in its sites.
 *
 *	parents  0 0 1 0 1      ranks of the nodes  0 1 2 4 3      ends, by rank  5 4 3 4 5
 */
#include "line_index.h"

#include <stdlib.h>

#include "base/mem.h"

void line_ranks_make(struct line_ranks *r, const uint32_t *parent, uint32_t n)
{
	const size_t bytes = ((size_t)n + 1) * sizeof(uint32_t);
	uint32_t *next = mem_alloc(bytes); /* by node: its size, then the rank of its next child */
	*r = (struct line_ranks){.at = mem_alloc(bytes), .rank = mem_alloc(bytes), .end = mem_alloc(bytes), .n = n};
	for (uint32_t i = 0; i < n; i++)
		next[i] = 1;
	for (uint32_t i = n; i-- > 1;)
		next[parent[i]] += next[i];
	for (uint32_t i = 0; i < n; i++) {
		uint32_t rank = i ? next[parent[i]] : 0, size = next[i];
		if (i)
			next[parent[i]] += size;
		next[i] = rank + 1;
		r->rank[i] = rank;
		r->at[rank] = i;
		r->end[rank] = rank + size;
	}
	free(next);
}

void line_ranks_deinit(struct line_ranks *r)
{
	free(r->at);
	free(r->rank);
	free(r->end);
	*r = (struct line_ranks){0};
}

void line_groups_make(struct line_groups *g, const uint32_t *key, size_t n, size_t n_keys)
{
	*g = (struct line_groups){.n_keys = n_keys};
	g->start = mem_zalloc(n_keys + 2, sizeof *g->start);
	g->items = mem_alloc((n + 1) * sizeof *g->items);
	for (size_t i = 0; i < n; i++)
		if (key[i] < n_keys)
			g->start[key[i] + 2]++;
	for (size_t k = 2; k <= n_keys; k++)
		g->start[k] += g->start[k - 1];
	for (size_t i = 0; i < n; i++)
		if (key[i] < n_keys)
			g->items[g->start[key[i] + 1]++] = (uint32_t)i;
}

void line_groups_deinit(struct line_groups *g)
{
	free(g->start);
	free(g->items);
	*g = (struct line_groups){0};
}

void line_spans_add(struct line_spans *s, const struct line_ranks *r, const struct line_groups *g, uint32_t key)
{
	if (key >= g->n_keys)
		return;
	for (uint32_t i = g->start[key]; i < g->start[key + 1]; i++) {
		struct line_span span = {g->items[i], r->end[g->items[i]]};
		if (!s->n || span.from >= s->v[s->n - 1].to)
			mem_push(s->v, s->n, s->cap, span);
	}
}

void line_spans_deinit(struct line_spans *s)
{
	free(s->v);
	*s = (struct line_spans){0};
}
