/*
 * name_origins.c - the origin of all functions of a name, for outputs in which a name is one function.
 */
#include "name_origins.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool is_same_label(const struct symtab *t, enum group_by by, uint32_t a, uint32_t b)
{
	struct buf label, other;
	buf_init(&label);
	buf_init(&other);
	group_add_label(t, a, by, OF_ORIGIN, &label);
	group_add_label(t, b, by, OF_ORIGIN, &other);
	bool is_same = strcmp(buf_str(&label), buf_str(&other)) == 0;
	buf_deinit(&label);
	buf_deinit(&other);
	return is_same;
}

/* Adds a function to those of a name: *all is NO_SYMBOL at first, then one origin or ORIGIN_SEVERAL. */
static void add_origin(const struct symtab *t, enum group_by by, uint32_t *all, uint32_t origin)
{
	if (symtab_is_task(t, origin) || (by == BY_FILE && !t->symbols[origin].source))
		return;
	if (*all == NO_SYMBOL)
		*all = origin;
	else if (*all != ORIGIN_SEVERAL && *all != origin && !is_same_label(t, by, *all, origin))
		*all = ORIGIN_SEVERAL;
}

/* Is the function in a stack of the view? */
static bool is_in(const struct tree *t, uint32_t sym)
{
	return !t->functions || (sym < t->n_functions && t->functions[sym / 64] >> sym % 64 & 1);
}

/* By plain symbol: the origins of all functions of the name in the tree; NO_SYMBOL: unknown. */
static uint32_t *of_names(const struct view *v, enum group_by by, struct progress *progress)
{
	const struct symtab *t = &v->profile->symtab;
	uint32_t *of = mem_alloc((t->n ? t->n : 1) * sizeof *of);
	memset(of, 0xff, t->n * sizeof *of);
	for (size_t i = 0; i < t->n_plain && progress_step(progress, 0); i++)
		if (t->plain[i] != i && is_in(&v->tree, (uint32_t)i))
			add_origin(t, by, &of[t->plain[i]], (uint32_t)i);
	return of;
}

/* The same below the zoom. A frame that several share has the plain symbol. */
static uint32_t *of_rows(const struct view *v, const struct symtab *t, enum group_by by, const uint32_t *known,
                         struct progress *progress)
{
	uint32_t *of = mem_alloc((t->n ? t->n : 1) * sizeof *of);
	memset(of, 0xff, t->n * sizeof *of);
	uint32_t end = v->tree.end[v->zoom];
	for (uint32_t i = v->zoom + (v->zoom == NODE_ALL); i < end && progress_step(progress, 0); i++) {
		uint32_t sym = v->tree.sym[i], origin = v->tree.origin[i];
		if (!symtab_is_variant(t, origin) && sym < t->n && known[sym] != NO_SYMBOL)
			origin = known[sym];
		if (origin == ORIGIN_SEVERAL)
			of[sym] = ORIGIN_SEVERAL;
		else
			add_origin(t, by, &of[sym], origin);
	}
	return of;
}

uint32_t *name_origins(const struct view *v, enum group_by by, struct progress *progress)
{
	uint32_t *known = of_names(v, by, progress), *of;
	if (!v->tree.origin)
		return known;
	of = of_rows(v, &v->profile->symtab, by, known, progress);
	free(known);
	return of;
}

uint32_t name_origin(const struct view *v, enum group_by by, uint32_t sym, uint32_t below)
{
	const struct symtab *t = &v->profile->symtab;
	const struct tree *tree = &v->tree;
	uint32_t all = NO_SYMBOL;
	bool is_shared = below == NODE_ALL || !tree->origin;
	for (uint32_t i = below; i < tree->end[below] && !is_shared; i++) {
		bool is_it = tree->sym[i] == sym;
		is_shared = is_it && !symtab_is_variant(t, tree->origin[i]);
		if (is_it)
			add_origin(t, by, &all, tree->origin[i]);
	}
	if (is_shared)
		all = NO_SYMBOL;
	for (size_t i = 0; i < t->n_plain && is_shared; i++)
		if (t->plain[i] == sym && i != sym && is_in(tree, (uint32_t)i))
			add_origin(t, by, &all, (uint32_t)i);
	return all == NO_SYMBOL ? sym : all;
}

uint32_t name_origin_of_node(const struct view *v, enum group_by by, uint32_t node)
{
	uint32_t origin = v->tree.origin ? v->tree.origin[node] : v->tree.sym[node];
	bool is_one = symtab_is_variant(&v->profile->symtab, origin);
	return is_one ? origin : name_origin(v, by, origin, NODE_ALL);
}
