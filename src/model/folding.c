/*
 * folding.c - a fold replaces one trie by the next.
 *
 * A chart replays the log at the end and must know the final path of each path of the first trie, so the maps are
 * chained.
 */
#include "folding.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Chains map[] to the maps so far. Takes ownership of map. */
static void lead_on(struct folding *w, uint32_t *map)
{
	if (w->wants_map && !w->map) {
		w->map = map;
		return;
	}
	for (uint32_t i = 0; w->wants_map && i < w->n_first; i++)
		if (w->map[i] != DROPPED)
			w->map[i] = map[w->map[i]];
	free(map);
}

void folding_replace(struct folding *w, struct trie *to, uint32_t *map, uint64_t *excluded)
{
	struct trie *from = &w->trie;
	for (uint32_t i = 0; i < from->n && !TRIE_STOPS(from, i); i++) {
		uint32_t t = map[i];
		if (t == DROPPED) {
			weight_add(excluded, from->weight[0][i]);
			weight_add(&w->excluded[0], from->weight[0][i]);
			weight_add(&w->excluded[1], from->weight[1] ? from->weight[1][i] : 0);
			continue;
		}
		weight_add(&to->weight[0][t], from->weight[0][i]);
		if (to->weight[1] && from->weight[1])
			weight_add(&to->weight[1][t], from->weight[1][i]);
		for (unsigned side = 0; side < 2; side++)
			if (to->squares[side] && from->squares[side])
				to->squares[side][t] += from->squares[side][i];
		to->is_used[t] |= from->is_used[i];
		trie_add_age(to, t, from->age ? from->age[i] : 0);
	}
	lead_on(w, map);
	trie_deinit(from);
	*from = *to;
}

/* Keeps the order of paths; map gets the new numbers (DROPPED: gone). */
void folding_prune(struct folding *w)
{
	struct trie *s = &w->trie;
	const uint32_t *parent = s->parent, *sym = s->sym;
	uint32_t n = 0, *map;
	uint8_t *live = mem_alloc(s->n);
	memcpy(live, s->is_used, s->n);
	live[0] = 1;
	for (uint32_t i = s->n - 1; i > 0 && !TRIE_STOPS(s, i); i--)
		live[s->parent[i]] |= live[i];
	if (!memchr(live, 0, s->n) || trie_is_stopped(s)) {
		free(live);
		return;
	}
	if (s->is_borrowed) {
		s->parent = mem_alloc(s->n * sizeof *s->parent);
		s->sym = mem_alloc(s->n * sizeof *s->sym);
		s->is_borrowed = false;
	}
	map = mem_alloc(s->n * sizeof *map);
	for (uint32_t i = 0; i < s->n && !TRIE_STOPS(s, i); i++) {
		map[i] = live[i] ? n : DROPPED;
		if (!live[i])
			continue;
		s->parent[n] = map[parent[i]];
		s->sym[n] = sym[i];
		if (s->origin)
			s->origin[n] = s->origin[i];
		s->weight[0][n] = s->weight[0][i];
		if (s->weight[1])
			s->weight[1][n] = s->weight[1][i];
		for (unsigned side = 0; side < 2; side++)
			if (s->squares[side])
				s->squares[side][n] = s->squares[side][i];
		if (s->age)
			s->age[n] = s->age[i];
		s->is_used[n++] = s->is_used[i];
	}
	s->n = n;
	lead_on(w, map);
	free(live);
}
