/*
 * trie_tree.c - turns a small trie into a tree.
 *
 * A trie of one function has few paths, so this compares names of siblings, where a fold's arrange() would first
 * rank all symbols of the profile.
 */
#include "trie_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "profile.h"
#include "tree_build.h"

struct order {
	const struct trie *trie;
	const struct symbol *symbols;
	const uint64_t *total; /* NULL: order by name */
};

static int compare_siblings(const void *a, const void *b, void *arg)
{
	const struct order *o = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	if (o->total && o->total[x] != o->total[y])
		return o->total[x] < o->total[y] ? 1 : -1;
	int order = strcmp(o->symbols[o->trie->sym[x]].name, o->symbols[o->trie->sym[y]].name);
	return order ? order : (x > y) - (x < y);
}

#define PATHS_BETWEEN_STEPS 0x4000u

/*
 * Lists the children of each node next to each other in `list`, those of i at [from[i], from[i + 1]); the caller
 * frees both. After a cancellation they are in no order.
 */
static uint32_t *list_children(const struct trie *l, struct order *o, uint32_t **from, struct progress *progress)
{
	uint32_t *list = mem_alloc(l->n * sizeof *list), *start = mem_zalloc((size_t)l->n + 2, sizeof *start);
	for (uint32_t i = 1; i < l->n; i++)
		start[l->parent[i] + 2]++;
	for (uint32_t i = 2; i < l->n + 2; i++)
		start[i] += start[i - 1];
	for (uint32_t i = 1; i < l->n; i++)
		list[start[l->parent[i] + 1]++] = i;
	for (uint32_t i = 0; i < l->n; i++)
		if (!sort_by_until(list + start[i], start[i + 1] - start[i], sizeof *list, compare_siblings, o, progress))
			break;
	*from = start;
	return list;
}

static uint64_t *totals(const struct trie *l)
{
	uint64_t *total = mem_alloc(l->n * sizeof *total);
	memcpy(total, l->weight[0], l->n * sizeof *total);
	for (uint32_t i = l->n; i-- > 1;)
		total[l->parent[i]] += total[i];
	return total;
}

/* Walks the paths and numbers the nodes; `at` holds the next child to visit for each path on the way. */
static bool walk(const struct trie *l, struct tree *t, const uint32_t *list, const uint32_t *from, uint32_t *place,
                 struct progress *progress)
{
	uint32_t *at = mem_alloc(l->n * sizeof *at), n = 0, path = PATH_ROOT, depth = 0;
	bool goes_on = progress_step(progress, 0);
	memcpy(at, from, l->n * sizeof *at);
	for (bool is_new = true; goes_on;) {
		if (is_new && n % PATHS_BETWEEN_STEPS == 0)
			goes_on = progress_step(progress, 0);
		if (is_new) {
			place[path] = n;
			t->sym[n] = l->sym[path];
			t->parent[n] = path ? place[l->parent[path]] : 0;
			t->pos[n] = l->weight[0][path];
			if (t->base)
				t->base[n] = l->weight[1][path];
			t->depth = depth > t->depth ? depth : t->depth;
			n++;
		}
		is_new = at[path] < from[path + 1];
		if (is_new) {
			path = list[at[path]++];
			depth++;
			continue;
		}
		t->end[place[path]] = n;
		if (path == PATH_ROOT)
			break;
		path = l->parent[path];
		depth--;
	}
	free(at);
	return goes_on;
}

bool trie_to_tree(const struct trie *l, struct tree *t, uint32_t *place, const struct symtab *symtab,
                  bool is_by_weight, struct progress *progress)
{
	uint64_t *total = totals(l);
	struct order o = {l, symtab->symbols, is_by_weight ? total : NULL};
	uint32_t *from, *list = list_children(l, &o, &from, progress);
	bool goes_on;
	tree_deinit(t);
	tree_build(t, l->n, l->weight[1]);
	goes_on = walk(l, t, list, from, place, progress);
	free(total);
	free(list);
	free(from);
	if (!goes_on) {
		tree_deinit(t);
		tree_init(t);
		return false;
	}
	tree_build_positions(t->pos, t->n);
	if (t->base)
		tree_build_positions(t->base, t->n);
	return true;
}
