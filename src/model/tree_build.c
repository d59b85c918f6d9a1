/*
 * tree_build.c - derived columns of a tree: ends and depth from parents, positions from weights.
 */
#include "tree_build.h"

#include "base/mem.h"
#include "samples.h"

#define NODES_BETWEEN_STEPS 0x10000u

void tree_build(struct tree *t, uint32_t n, bool has_base)
{
	*t = (struct tree){.n = n};
	t->sym = mem_alloc(n * sizeof *t->sym);
	t->parent = mem_alloc(n * sizeof *t->parent);
	t->end = mem_alloc(n * sizeof *t->end);
	t->pos = mem_alloc(((size_t)n + 1) * sizeof *t->pos);
	if (has_base)
		t->base = mem_alloc(((size_t)n + 1) * sizeof *t->base);
	t->heavy = mem_zalloc(1, sizeof *t->heavy);
}

/* Does the sum of n weights, each capped at `most`, fit 64 bits? */
static bool fits(const uint64_t *weight, uint32_t n, uint64_t most)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < n; i++)
		if (!weight_add(&sum, weight[i] < most ? weight[i] : most))
			return false;
	return true;
}

void tree_build_fit(uint64_t *weight, uint32_t n)
{
	uint64_t least = 0, most = UINT64_MAX; /* the sum fits with cap `least`, not with `most` */
	if (!weight || fits(weight, n, most))
		return;
	while (most - least > 1) {
		uint64_t middle = least + (most - least) / 2;
		if (fits(weight, n, middle))
			least = middle;
		else
			most = middle;
	}
	for (uint32_t i = 0; i < n; i++)
		if (weight[i] > least)
			weight[i] = least;
}

void tree_build_positions(uint64_t *pos, uint32_t n)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t self = pos[i];
		pos[i] = sum;
		sum += self;
	}
	pos[n] = sum;
}

void tree_name_nodes(struct tree *t, const struct symtab *symtab)
{
	bool keeps_tasks = t->group != BY_FUNCTION;
	t->origin = t->sym;
	t->sym = mem_alloc(t->n * sizeof *t->sym);
	for (uint32_t i = 0; i < t->n; i++)
		t->sym[i] =
			keeps_tasks && symtab_is_task(symtab, t->origin[i]) ? t->origin[i] : symtab_plain(symtab, t->origin[i]);
}

void tree_open_begin(struct tree_open *o, struct tree *t)
{
	*o = (struct tree_open){.tree = t};
	o->node = mem_grow(NULL, &o->cap, 64, sizeof *o->node);
	o->node[0] = NODE_ALL;
	t->depth = 0;
}

void tree_open_end(struct tree_open *o)
{
	tree_open_close(o, 0, o->tree->n);
	o->tree->end[NODE_ALL] = o->tree->n;
	free(o->node);
}

void tree_build_ends(struct tree *t, struct progress *progress)
{
	struct tree_open o;
	tree_open_begin(&o, t);
	for (uint32_t i = 1; i < t->n; i++) {
		if (i % NODES_BETWEEN_STEPS == 0 && !progress_step(progress, 0))
			break;
		tree_open_next(&o, i, t->parent[i]);
	}
	tree_open_end(&o);
}
