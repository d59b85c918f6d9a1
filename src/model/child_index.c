/*
 * child_index.c - finds children of a node by their symbols.
 */
#include "child_index.h"

/* The first few searches scan the children of a node; then the index makes a table of them. */
#define SCANS_MOST 8u

static void add(struct child_index *x, uint32_t child)
{
	const struct tree *t = x->tree;
	if (tree_is_gap(t, child) || idmap_add(&x->by_sym, t->sym[child], child) || !t->is_chart)
		return;
	struct idmap_slot *slot = idmap_slot(&x->by_sym, t->sym[child]);
	if (tree_total(t, child) > tree_total(t, slot->value))
		slot->value = child;
}

void child_index_begin(struct child_index *x, const struct tree *t, uint32_t parent)
{
	child_index_deinit(x);
	x->tree = t;
	x->parent = parent;
}

void child_index_deinit(struct child_index *x)
{
	idmap_deinit(&x->by_sym);
	*x = (struct child_index){0};
}

uint32_t child_index_find(struct child_index *x, uint32_t sym)
{
	uint32_t child = NO_NODE;
	if (!x->tree)
		return NO_NODE;
	if (x->n_scans < SCANS_MOST) {
		x->n_scans++;
		return tree_find_child(x->tree, x->parent, sym);
	}
	if (!x->by_sym.n)
		for (uint32_t i = tree_first_child(x->tree, x->parent); i != NO_NODE; i = tree_next_sibling(x->tree, i))
			add(x, i);
	return idmap_find(&x->by_sym, sym, &child) ? child : NO_NODE;
}
