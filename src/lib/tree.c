/*
 * tree.c - walks a view's tree: its nodes, the functions in it, and what the search found.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "export/top.h"
#include "lib/lib.h"
#include "notes.h"

struct tree_call {
	struct call c;
	struct flametop_view *v;
	uint32_t node;
	size_t i;
	const char *path;
	void *to;
};

#define CALL(...)                                                    \
	(struct tree_call)                                               \
	{                                                                \
		.c = {.profile = v ? v->profile : NULL}, .v = v, __VA_ARGS__ \
	}

/* Is the tree there, and a place for the result? */
static bool begin(struct tree_call *a)
{
	return call_has_place(&a->c, a->to) && view_is_made(&a->c, a->v);
}

/* ---- nodes --------------------------------------------------------------------------------------------------- */

static void get_nodes(struct call *c)
{
	struct tree_call *a = (struct tree_call *)c;
	if (begin(a))
		*(uint32_t *)a->to = a->v->view.tree.n;
}

int flametop_view_nodes(struct flametop_view *v, uint32_t *n)
{
	struct tree_call a = CALL(.to = n);
	return call_run(&a.c, get_nodes);
}

static uint32_t depth_of(struct flametop_view *v, uint32_t node)
{
	const struct tree *t = &v->view.tree;
	if (!v->depths) {
		uint32_t *depths = mem_zalloc(t->n, sizeof *depths);
		for (uint32_t i = 1; i < t->n; i++)
			depths[i] = depths[t->parent[i]] + 1;
		v->depths = depths;
	}
	return v->depths[node];
}

static void describe(struct flametop_view *v, uint32_t i, struct flametop_node *n)
{
	const struct view *of = &v->view;
	const struct tree *t = &of->tree;
	*n = (struct flametop_node){
		.parent = t->parent[i],
		.end = t->end[i],
		.depth = depth_of(v, i),
		.symbol = t->sym[i],
		.self = tree_self(t, i),
		.total = tree_total(t, i),
		.base_self = tree_base_self(t, i),
		.base_total = tree_base_total(t, i),
		.position = t->pos[i],
		.from = t->time ? t->time[i] : 0,
		.to = t->until ? t->until[i] : 0,
		.name = view_name(of, i)->text,
		.raw_name = i == NODE_ALL ? "" : of->profile->symtab.symbols[t->sym[i]].name,
		.is_match = view_is_hit(of, i),
		.is_gap = tree_is_gap(t, i),
	};
}

static void get_node(struct call *c)
{
	struct tree_call *a = (struct tree_call *)c;
	struct flametop_node n;
	if (!begin(a) || !call_is_below(c, a->node, a->v->view.tree.n, "node"))
		return;
	describe(a->v, a->node, &n);
	call_give(c, a->to, &n, sizeof n);
}

int flametop_view_node(struct flametop_view *v, uint32_t i, struct flametop_node *node)
{
	struct tree_call a = CALL(.node = i, .to = node);
	return call_run(&a.c, get_node);
}

static void find(struct call *c)
{
	struct tree_call *a = (struct tree_call *)c;
	uint32_t node;
	if (!begin(a))
		return;
	if (!a->path || !view_find_path(&a->v->view, a->path, &node))
		call_fail(c, a->path ? FLAMETOP_FAILED : FLAMETOP_USAGE, "there is no frame '%s'", a->path ? a->path : "");
	else
		*(uint32_t *)a->to = node;
}

int flametop_view_find(struct flametop_view *v, const char *path, uint32_t *node)
{
	struct tree_call a = CALL(.path = path, .to = node);
	return call_run(&a.c, find);
}

static void get_zoomed(struct call *c)
{
	struct tree_call *a = (struct tree_call *)c;
	if (begin(a))
		*(uint32_t *)a->to = a->v->view.zoom;
}

int flametop_view_zoomed(struct flametop_view *v, uint32_t *node)
{
	struct tree_call a = CALL(.to = node);
	return call_run(&a.c, get_zoomed);
}

/* ---- functions ----------------------------------------------------------------------------------------------- */

static bool add_up(struct tree_call *a)
{
	struct flametop_view *v = a->v;
	struct top_passed passed;
	if (!begin(a))
		return false;
	if (v->functions)
		return true;
	v->functions = top_rows(&v->view, &passed, NULL);
	v->n_functions = passed.n;
	if (!v->options->quiet)
		notes_given_up("table-filter", v->view.shown.filter, passed.given_up);
	return true;
}

static void count_functions(struct call *c)
{
	struct tree_call *a = (struct tree_call *)c;
	if (add_up(a))
		*(size_t *)a->to = a->v->n_functions;
}

int flametop_view_functions(struct flametop_view *v, size_t *n)
{
	struct tree_call a = CALL(.to = n);
	return call_run(&a.c, count_functions);
}

static void get_function(struct call *c)
{
	struct tree_call *a = (struct tree_call *)c;
	if (!add_up(a) || !call_is_below(c, a->i, a->v->n_functions, "function"))
		return;
	const struct name_sum *s = &a->v->functions[a->i];
	struct flametop_function f = {.name = display_name(&a->v->view.display, s->sym)->text,
	                              .symbol = s->sym,
	                              .frames = s->frames,
	                              .self = s->self,
	                              .total = s->total,
	                              .base_self = s->base_self,
	                              .base_total = s->base_total};
	call_give(c, a->to, &f, sizeof f);
}

int flametop_view_function(struct flametop_view *v, size_t i, struct flametop_function *function)
{
	struct tree_call a = CALL(.i = i, .to = function);
	return call_run(&a.c, get_function);
}

/* ---- search -------------------------------------------------------------------------------------------------- */

static void get_matches(struct call *c)
{
	struct tree_call *a = (struct tree_call *)c;
	struct flametop_matches m = {0};
	if (!begin(a))
		return;
	const struct search *s = &a->v->view.search;
	if (s->pattern) {
		m.frames = s->frames_zoom;
		m.weight = s->matched;
		m.of = tree_total(&a->v->view.tree, a->v->view.zoom);
	}
	call_give(c, a->to, &m, sizeof m);
}

int flametop_view_matches(struct flametop_view *v, struct flametop_matches *matches)
{
	struct tree_call a = CALL(.to = matches);
	return call_run(&a.c, get_matches);
}

static void next_match(struct call *c)
{
	struct tree_call *a = (struct tree_call *)c;
	if (!begin(a))
		return;
	const struct view *v = &a->v->view;
	bool is_there = v->search.pattern && a->node < v->tree.n;
	*(uint32_t *)a->to = is_there ? search_first(&v->search, a->node, v->tree.n) : FLAMETOP_NO_NODE;
}

int flametop_view_next_match(struct flametop_view *v, uint32_t from, uint32_t *node)
{
	struct tree_call a = CALL(.node = from, .to = node);
	return call_run(&a.c, next_match);
}
