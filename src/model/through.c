/*
 * through.c - takes the stacks through a function out of a tree.
 *
 *	tree      main;parse;malloc 3   main;parse 7   main;eval;malloc;brk 2
 *	malloc    main;parse;malloc 3                  main;eval;malloc;brk 2
 *
 * The outermost frames of the function lead to these stacks: each frame below one is part of them. In a tree merged
 * from the leaves, a frame with self weight begins a stack, whose next frames are its ancestors there; so each such
 * stack is read from there to the root of that tree. Gaps of a flame chart are their parent's own time.
 */
#include "through.h"

#include <stdlib.h>

#include "base/mem.h"
#include "cut.h"
#include "profile.h"
#include "tree_build.h"
#include "trie.h"
#include "trie_tree.h"

struct through {
	const struct tree *tree;
	const uint32_t *names; /* by node: what tells siblings apart */
	struct trie trie;
	uint32_t *paths; /* by node of the tree: its path in the trie; 0: none yet, or that of "all" */
};

static void add_weight(struct through *x, uint32_t path, uint32_t node)
{
	x->trie.weight[0][path] += tree_self(x->tree, node);
	if (x->trie.weight[1])
		x->trie.weight[1][path] += tree_base_self(x->tree, node);
}

/* The path of a frame. Ancestors that other frames share have theirs. */
static uint32_t path_of(struct through *x, uint32_t node)
{
	const struct tree *t = x->tree;
	uint32_t *way = NULL, up = node;
	size_t n = 0, cap = 0;
	for (; up != NODE_ALL && !x->paths[up]; up = t->parent[up])
		mem_push(way, n, cap, up);
	while (n-- > 0)
		x->paths[way[n]] = trie_child(&x->trie, x->paths[t->parent[way[n]]], x->names[way[n]]);
	free(way);
	return x->paths[node];
}

/* Adds the subtree of one of the function's frames. */
static void add_below(struct through *x, uint32_t frame)
{
	const struct tree *t = x->tree;
	add_weight(x, path_of(x, frame), frame);
	for (uint32_t i = frame + 1; i < t->end[frame] && !TRIE_STOPS(&x->trie, i); i++) {
		uint32_t parent = x->paths[t->parent[i]];
		x->paths[i] = tree_is_gap(t, i) ? parent : trie_child(&x->trie, parent, x->names[i]);
		add_weight(x, x->paths[i], i);
	}
}

/* Adds the stacks that begin in the subtree of one of the function's frames, in a tree merged from the leaves. */
static void add_reversed(struct through *x, uint32_t frame)
{
	const struct tree *t = x->tree;
	for (uint32_t i = frame; i < t->end[frame] && !trie_is_stopped(&x->trie); i++) {
		uint32_t path = PATH_ROOT;
		if (!tree_self(t, i) && !tree_base_self(t, i) && t->end[i] > i + 1)
			continue;
		for (uint32_t k = tree_is_gap(t, i) ? t->parent[i] : i; k != NODE_ALL; k = t->parent[k])
			path = trie_child(&x->trie, path, x->names[k]);
		add_weight(x, path, i);
	}
}

bool through_make(struct tree *out, const struct tree *t, const struct symtab *symtab, uint32_t symbol,
                  bool is_apart, struct progress *progress)
{
	struct through x = {.tree = t->cut ? &t->cut->whole : t};
	is_apart = is_apart && x.tree->origin;
	x.names = is_apart ? x.tree->origin : x.tree->sym;
	trie_init(&x.trie, 256, x.tree->base, progress);
	x.paths = mem_zalloc(x.tree->n, sizeof *x.paths);
	for (uint32_t i = 1; i < x.tree->n && !TRIE_STOPS(&x.trie, i); i++) {
		if (x.tree->sym[i] != symbol || tree_is_gap(x.tree, i))
			continue;
		if (x.tree->is_reversed)
			add_reversed(&x, i);
		else
			add_below(&x, i);
		i = x.tree->end[i] - 1;
	}
	uint32_t *place = mem_alloc(x.trie.n * sizeof *place);
	bool goes_on = trie_to_tree(&x.trie, out, place, symtab, false, progress);
	out->group = x.tree->group;
	if (goes_on && is_apart)
		tree_name_nodes(out, symtab);
	free(place);
	free(x.paths);
	trie_deinit(&x.trie);
	return goes_on;
}
