/*
 * call_paths.c - estimates the paths of a call graph.
 *
 *	start > backup 4, end > backup 4      start;backup;read   2    end;backup;read   2
 *	backup > read 4, backup > write 4     start;backup;write  2    end;backup;write  2
 *
 * The weight that reaches a function is split in proportion to its own cost and that of its calls, on each path
 * alike. So a path is certain while every function on it has one caller; others may never have run. A tree of
 * paths grows from the functions without callers: certain paths completely, then the heaviest ones. What goes on to
 * lighter ones is added up by function, on the path that all of them share:
 *
 *	main;[rarer paths];memcpy 12
 *
 * In a cycle of functions, which call each other, a path does not enter a function twice, and the costs of calls
 * are not reliable. The own cost of a function always is: the weights of its paths are scaled so that they add up
 * to it.
 */
#include <string.h>

#include "collapse/formats/call_graph.h"
#include "collapse/formats/call_lines.h"
#include "model/estimate.h"

#define RARER "[rarer paths]"
#define LEAST_SHARE 1e-6              /* of the whole: lighter paths that are not certain end */
#define MOST_NODES ((size_t)1 << 18)  /* of one event that are not certain */
#define MOST_WORK ((uint64_t)1 << 26) /* calls looked at for them */
#define POOL 8u                       /* all events together: so many times both */
#define MOST_IN_CYCLE 256u            /* frames of one cycle on a path */
#define HIDDEN 1e-9                   /* smaller shares are rounding errors */
#define NO_NODE UINT32_MAX
#define NO_CALLER UINT32_MAX
#define MANY_CALLERS (UINT32_MAX - 1)

struct arc {
	uint32_t callee, call; /* numbers of the function, and of the call */
};

/* Functions that call each other, directly or not; usually just one. */
struct component {
	uint32_t size;
	uint32_t entry;   /* its heaviest function */
	double own, into; /* cost of its functions and what they call outside; of the calls from outside */
	double heaviest;
	double lost;
};

struct node {
	uint32_t parent, function;
	uint32_t next; /* of the same function */
	uint32_t cuts; /* paths that end here, then also below; saturates */
	uint32_t path; /* in the profile */
	bool is_certain;
	double flow, self; /* cost that reaches it, and that ends here */
	uint64_t weight;
};

/* What may still be spent on paths that are not certain. */
struct budget {
	uint64_t nodes, work; /* work: calls looked at */
};

struct paths {
	struct call_graph *graph;
	struct sink *sink;
	uint32_t *first; /* arcs of function f: [first[f], first[f + 1]) */
	struct arc *arcs;
	struct call_lines lines;
	uint32_t *component; /* by function; those of callees have lower numbers */
	struct component *components;
	uint32_t n_components;
	uint32_t *members; /* all functions, by component */
	uint32_t *syms;    /* frames, by function */
	/* for one event */
	uint64_t *self, *through; /* costs of functions and calls */
	double total, least;
	uint32_t *caller;   /* by function: the only one */
	uint32_t *nodes_of; /* its last node */
	double *reached;    /* the sum of its nodes' own cost */
	double *lost;       /* cost that reaches it on paths that end */
	double *rarer;      /* the part of that which is its own */
	uint32_t *stamp;    /* number of the last node + 1 that has it on its path */
	struct node *nodes;
	size_t n_nodes, cap_nodes;
	uint32_t *heap;
	size_t n_heap, cap_heap;
	struct budget left; /* for this event */
	bool has_cut_root;  /* a path ends before its first function */
	uint64_t estimated;
};

static double self_of(const struct paths *p, uint32_t f)
{
	return (double)p->self[f];
}

static double cost_of(const struct paths *p, const struct arc *a)
{
	return (double)p->through[a->call];
}

/* ---- the graph ----------------------------------------------------------------------------------------------- */

static void add_arcs(struct paths *p)
{
	const struct call_graph *g = p->graph;
	const struct graph_function *f = g->functions;
	p->first = mem_zalloc(g->n_functions + 1, sizeof *p->first);
	p->arcs = mem_alloc(g->n_calls * sizeof *p->arcs);
	for (size_t i = 0; i < g->n_calls; i++)
		p->first[f[g->calls[i].caller].same]++;
	offsets_add(p->first, g->n_functions);
	for (size_t i = 0; i < g->n_calls; i++)
		p->arcs[p->first[f[g->calls[i].caller].same]++] = (struct arc){f[g->calls[i].callee].same, (uint32_t)i};
	offsets_restore(p->first, g->n_functions);
}

/* Tarjan's search for components, with a stack of its own. */
struct search {
	uint32_t *number, *low, *at; /* by function: its place in the search from 1, the lowest it reaches, next arc */
	uint32_t *open, *calls;      /* functions without a component; the path of the search */
	uint32_t n, n_open, n_calls;
};

static void search_enter(struct search *s, const struct paths *p, uint32_t f)
{
	s->number[f] = s->low[f] = ++s->n;
	s->at[f] = p->first[f];
	s->open[s->n_open++] = s->calls[s->n_calls++] = f;
}

static void search_leave(struct search *s, struct paths *p, uint32_t f)
{
	s->n_calls--;
	if (s->n_calls && s->low[s->calls[s->n_calls - 1]] > s->low[f])
		s->low[s->calls[s->n_calls - 1]] = s->low[f];
	if (s->low[f] != s->number[f])
		return;
	uint32_t member;
	do {
		member = s->open[--s->n_open];
		p->component[member] = p->n_components;
	} while (member != f);
	p->n_components++;
}

static void search_from(struct search *s, struct paths *p, uint32_t root)
{
	search_enter(s, p, root);
	while (s->n_calls) {
		uint32_t f = s->calls[s->n_calls - 1];
		if (s->at[f] == p->first[f + 1]) {
			search_leave(s, p, f);
			continue;
		}
		uint32_t to = p->arcs[s->at[f]++].callee;
		if (!s->number[to])
			search_enter(s, p, to);
		else if (p->component[to] == UINT32_MAX && s->low[f] > s->number[to])
			s->low[f] = s->number[to];
	}
}

static void find_components(struct paths *p)
{
	size_t n = p->graph->n_functions;
	uint32_t *space = mem_zalloc(5 * n, sizeof *space);
	struct search s = {space, space + n, space + 2 * n, space + 3 * n, space + 4 * n, 0, 0, 0};
	p->component = mem_alloc(n * sizeof *p->component);
	memset(p->component, 0xff, n * sizeof *p->component);
	for (uint32_t f = 0; f < n; f++)
		if (!s.number[f])
			search_from(&s, p, f);
	free(space);
}

static void list_members(struct paths *p)
{
	size_t n = p->graph->n_functions;
	uint32_t *first = mem_zalloc(p->n_components + 1, sizeof *first);
	p->members = mem_alloc(n * sizeof *p->members);
	p->components = mem_zalloc(p->n_components, sizeof *p->components);
	for (size_t f = 0; f < n; f++)
		p->components[p->component[f]].size = ++first[p->component[f]];
	offsets_add(first, p->n_components);
	for (size_t f = 0; f < n; f++)
		p->members[first[p->component[f]]++] = (uint32_t)f;
	free(first);
}

/* ---- costs of one event -------------------------------------------------------------------------------------- */

static void add_call(struct paths *p, uint32_t caller, const struct arc *a)
{
	struct component *from = &p->components[p->component[caller]], *to = &p->components[p->component[a->callee]];
	double cost = cost_of(p, a);
	if (cost <= 0)
		return;
	if (p->caller[a->callee] != caller)
		p->caller[a->callee] = p->caller[a->callee] == NO_CALLER ? caller : MANY_CALLERS;
	if (caller == a->callee)
		p->caller[caller] = MANY_CALLERS;
	if (from != to) {
		from->own += cost;
		to->into += cost;
	}
}

static void add_function(struct paths *p, uint32_t f)
{
	struct component *c = &p->components[p->component[f]];
	double self = self_of(p, f), all = self;
	c->own += self;
	p->total += self;
	for (uint32_t i = p->first[f]; i < p->first[f + 1]; i++) {
		add_call(p, f, &p->arcs[i]);
		all += cost_of(p, &p->arcs[i]);
	}
	if (all > c->heaviest) {
		c->heaviest = all;
		c->entry = f;
	}
}

static void add_costs(struct paths *p, size_t event)
{
	struct call_graph *g = p->graph;
	size_t n = g->n_functions;
	costs_take(&g->self, n, event, p->self);
	costs_take(&g->through, g->n_calls, event, p->through);
	call_lines_take(&p->lines, event);
	memset(p->caller, 0xff, n * sizeof *p->caller);
	memset(p->nodes_of, 0xff, n * sizeof *p->nodes_of);
	memset(p->reached, 0, n * sizeof *p->reached);
	memset(p->lost, 0, n * sizeof *p->lost);
	memset(p->rarer, 0, n * sizeof *p->rarer);
	memset(p->stamp, 0, n * sizeof *p->stamp);
	for (uint32_t i = 0; i < p->n_components; i++)
		p->components[i] = (struct component){.size = p->components[i].size};
	p->total = 0;
	p->n_nodes = p->n_heap = 0;
	p->has_cut_root = false;
	for (uint32_t f = 0; f < n; f++)
		add_function(p, f);
	p->least = p->total * LEAST_SHARE;
}

/* ---- the tree ------------------------------------------------------------------------------------------------ */

static bool is_heavier(const struct paths *p, uint32_t a, uint32_t b)
{
	double flow = p->nodes[a].flow, other = p->nodes[b].flow;
	return flow == other ? a < b : flow > other;
}

static void heap_push(struct paths *p, uint32_t node)
{
	size_t i = p->n_heap;
	mem_push(p->heap, p->n_heap, p->cap_heap, node);
	for (; i && is_heavier(p, node, p->heap[(i - 1) / 2]); i = (i - 1) / 2)
		p->heap[i] = p->heap[(i - 1) / 2];
	p->heap[i] = node;
}

static uint32_t heap_pop(struct paths *p)
{
	uint32_t top = p->heap[0], last = p->heap[--p->n_heap];
	size_t i = 0;
	for (size_t child; (child = 2 * i + 1) < p->n_heap; i = child) {
		if (child + 1 < p->n_heap && is_heavier(p, p->heap[child + 1], p->heap[child]))
			child++;
		if (!is_heavier(p, p->heap[child], last))
			break;
		p->heap[i] = p->heap[child];
	}
	p->heap[i] = last;
	return top;
}

/* The path of `node` ends: what would go on to the function is added up there. */
static void cut(struct paths *p, uint32_t node, uint32_t function, double flow)
{
	p->lost[function] += flow;
	if (node != NO_NODE)
		p->nodes[node].cuts += p->nodes[node].cuts < UINT32_MAX;
	else
		p->has_cut_root = true;
}

static void add_node(struct paths *p, uint32_t parent, uint32_t function, double flow, bool is_certain)
{
	const struct node node = {.parent = parent, .function = function, .is_certain = is_certain, .flow = flow};
	if (!is_certain && (flow < p->least || !p->left.nodes)) {
		cut(p, parent, function, flow);
		return;
	}
	mem_push(p->nodes, p->n_nodes, p->cap_nodes, node);
	if (is_certain)
		return;
	p->left.nodes--;
	heap_push(p, (uint32_t)p->n_nodes - 1);
}

static void add_child(struct paths *p, uint32_t node, uint32_t callee, double flow)
{
	bool is_certain = p->nodes[node].is_certain && p->caller[callee] == p->nodes[node].function;
	if (flow > 0)
		add_node(p, node, callee, flow, is_certain && p->components[p->component[callee]].size == 1);
}

static void end_here(struct paths *p, uint32_t node, double self)
{
	struct node *n = &p->nodes[node];
	n->self = self;
	n->next = p->nodes_of[n->function];
	p->nodes_of[n->function] = node;
	p->reached[n->function] += self;
}

/* Stamps the functions of the node's cycle that are on its path. false: too many. */
static bool stamp_path(struct paths *p, uint32_t node)
{
	uint32_t component = p->component[p->nodes[node].function], n = 0;
	for (uint32_t i = node; i != NO_NODE && p->component[p->nodes[i].function] == component;
	     i = p->nodes[i].parent) {
		p->stamp[p->nodes[i].function] = node + 1;
		if (++n > MOST_IN_CYCLE)
			return false;
	}
	return true;
}

/* The part of a call's cost that counts for the split; 0: it leads back to the path. */
static double share_of(const struct paths *p, uint32_t node, const struct arc *a)
{
	const struct component *c = &p->components[p->component[a->callee]];
	uint32_t f = p->nodes[node].function;
	double cost = cost_of(p, a);
	if (a->callee == f || p->stamp[a->callee] == node + 1)
		return 0;
	return p->component[f] == p->component[a->callee] && cost > c->own ? c->own : cost;
}

static void spend(uint64_t *left, uint64_t n)
{
	*left -= n < *left ? n : *left;
}

/* Splits what reaches a node. */
static void expand(struct paths *p, uint32_t node)
{
	uint32_t f = p->nodes[node].function, end = p->first[f + 1];
	double flow = p->nodes[node].flow, self = self_of(p, f), all = self;
	bool is_cyclic = p->components[p->component[f]].size > 1, goes_on = !is_cyclic || stamp_path(p, node);
	if (!p->nodes[node].is_certain)
		spend(&p->left.work, end - p->first[f]);
	for (uint32_t i = p->first[f]; goes_on && i < end; i++)
		all += share_of(p, node, &p->arcs[i]);
	if (!goes_on || (all <= 0 && is_cyclic))
		cut(p, node, f, flow);
	if (!goes_on || all <= 0)
		return;
	end_here(p, node, flow * (self / all));
	for (uint32_t i = p->first[f]; i < end; i++)
		add_child(p, node, p->arcs[i].callee, flow * (share_of(p, node, &p->arcs[i]) / all));
}

static void add_roots(struct paths *p)
{
	for (uint32_t i = p->n_components; i-- > 0;) {
		const struct component *c = &p->components[i];
		if (c->own - c->into > c->own * HIDDEN)
			add_node(p, NO_NODE, c->entry, c->own - c->into, c->size == 1 && p->caller[c->entry] == NO_CALLER);
	}
}

static void grow(struct paths *p)
{
	add_roots(p);
	for (uint32_t i = 0; i < p->n_nodes; i++)
		if (p->nodes[i].is_certain)
			expand(p, i);
	while (p->n_heap) {
		uint32_t node = heap_pop(p);
		if (p->left.work)
			expand(p, node);
		else
			cut(p, p->nodes[node].parent, p->nodes[node].function, p->nodes[node].flow);
	}
}

/* ---- paths that end ------------------------------------------------------------------------------------------ */

/* Hands what was lost in a component on to its functions and what they call: `all` is the cost of both. */
static void hand_on(struct paths *p, uint32_t f, double lost, double all)
{
	p->rarer[f] += lost * (self_of(p, f) / all);
	for (uint32_t i = p->first[f]; i < p->first[f + 1]; i++) {
		const struct arc *a = &p->arcs[i];
		if (p->component[a->callee] != p->component[f])
			p->lost[a->callee] += lost * (cost_of(p, a) / all);
	}
}

/* Callers come first, so that all that is lost has arrived. */
static void spread_lost(struct paths *p)
{
	for (size_t end = p->graph->n_functions, begin; end > 0; end = begin) {
		struct component *c = &p->components[p->component[p->members[end - 1]]];
		begin = end - c->size;
		for (size_t i = begin; i < end; i++)
			c->lost += p->lost[p->members[i]];
		for (size_t i = begin; i < end && c->lost > 0 && c->own > 0; i++)
			hand_on(p, p->members[i], c->lost, c->own);
	}
}

/* The last node that all paths which end have in common. */
static uint32_t common_node(struct paths *p)
{
	uint64_t all = 0;
	for (size_t i = 0; i < p->n_nodes; i++)
		all += p->nodes[i].cuts;
	for (size_t i = p->n_nodes; i-- > 0;) {
		const struct node *n = &p->nodes[i];
		if (all && !p->has_cut_root && n->cuts == all)
			return (uint32_t)i;
		if (n->parent != NO_NODE &&
		    __builtin_add_overflow(p->nodes[n->parent].cuts, n->cuts, &p->nodes[n->parent].cuts))
			p->nodes[n->parent].cuts = UINT32_MAX;
	}
	return NO_NODE;
}

/* ---- the samples --------------------------------------------------------------------------------------------- */

/* The part of `rest` that `part` of `all` has; all of it at the end. */
static uint64_t take_part(uint64_t *rest, double part, double *all)
{
	double share = *all > part ? part / *all : 1;
	uint64_t taken = weight_from((double)*rest * share + 0.5);
	*all -= part;
	if (taken > *rest || share >= 1)
		taken = *rest;
	*rest -= taken;
	return taken;
}

/* Sets the weights of a function's nodes, and returns what is on rarer paths. */
static uint64_t weigh(struct paths *p, uint32_t f)
{
	uint64_t rest = p->self[f];
	double all = p->reached[f] + p->rarer[f];
	uint64_t rarer = all > 0 && p->rarer[f] <= 0 ? 0 : take_part(&rest, p->rarer[f], &all);
	for (uint32_t i = p->nodes_of[f]; i != NO_NODE; i = p->nodes[i].next) {
		bool is_last = p->nodes[i].next == NO_NODE;
		p->nodes[i].weight = is_last ? rest : take_part(&rest, p->nodes[i].self, &all);
		rest -= is_last ? rest : 0;
	}
	return rarer + rest;
}

static uint32_t path_of(struct paths *p, uint32_t node)
{
	return node == NO_NODE ? PATH_ROOT : p->nodes[node].path;
}

/* Adds paths to the profile: that of node `common`, and those of nodes with weight at or below them. */
static void add_paths(struct paths *p, uint32_t common)
{
	bool *is_needed = mem_zalloc(p->n_nodes + 1, sizeof *is_needed);
	if (common != NO_NODE)
		is_needed[common] = true;
	for (size_t i = p->n_nodes; i-- > 0;) {
		const struct node *n = &p->nodes[i];
		is_needed[i] |= n->weight > 0;
		if (is_needed[i] && n->parent != NO_NODE)
			is_needed[n->parent] = true;
	}
	for (size_t i = 0; i < p->n_nodes; i++) {
		struct node *n = &p->nodes[i];
		if (is_needed[i])
			n->path = profile_child(p->sink->profile, path_of(p, n->parent), p->syms[n->function]);
	}
	free(is_needed);
}

static size_t count_nodes(const struct paths *p, uint32_t f)
{
	size_t n = 1;
	for (uint32_t i = p->nodes_of[f]; i != NO_NODE; i = p->nodes[i].next)
		n++;
	return n;
}

static void emit_function(struct paths *p, uint32_t f, uint32_t rarer_path, uint64_t rarer, uint32_t series,
                          uint64_t factor)
{
	const struct line_sum sum = {f, series, p->self[f], factor};
	struct line_split s;
	if (!sum.weight)
		return;
	line_split_init(&s, &p->lines, &sum, count_nodes(p, f));
	if (rarer)
		line_split_add(&s, profile_child(p->sink->profile, rarer_path, p->syms[f]), rarer);
	weight_add(&p->estimated, rarer);
	for (uint32_t i = p->nodes_of[f]; i != NO_NODE; i = p->nodes[i].next) {
		line_split_add(&s, p->nodes[i].path, p->nodes[i].weight);
		weight_add(&p->estimated, p->nodes[i].is_certain ? 0 : p->nodes[i].weight);
	}
	line_split_deinit(&s);
}

static void emit_event(struct paths *p, size_t event, uint32_t series, uint64_t factor)
{
	size_t n = p->graph->n_functions;
	uint64_t *rarer = mem_zalloc(n, sizeof *rarer), all = 0;
	uint32_t path = PATH_ROOT;
	add_costs(p, event);
	grow(p);
	spread_lost(p);
	for (uint32_t f = 0; f < n; f++) {
		rarer[f] = weigh(p, f);
		weight_add(&all, rarer[f]);
	}
	uint32_t common = all ? common_node(p) : NO_NODE;
	add_paths(p, common);
	if (all)
		path = profile_child(p->sink->profile, path_of(p, common), sink_sym(p->sink, RARER, strlen(RARER)));
	for (uint32_t f = 0; f < n; f++)
		emit_function(p, f, path, rarer[f], series, factor);
	free(rarer);
}

/* Adds how much of the event is estimated. */
static void tell_estimate(struct paths *p, uint32_t series, uint64_t factor)
{
	if (__builtin_mul_overflow(p->estimated, factor, &p->estimated))
		p->estimated = UINT64_MAX;
	if (p->sink->profile->n_series)
		estimate_add(p->sink->profile, p->sink->options->side, series, p->estimated);
}

/* ---- all of it ----------------------------------------------------------------------------------------------- */

static uint32_t frame_of(struct sink *sink, const struct function_key *key)
{
	const struct symbol *s = sink->profile->symtab.symbols, *module = &s[key->module], *file = &s[key->file];
	return sink_origin(sink, key->name, module->name, key->module ? module->len : 0, file->name,
	                   key->file ? file->len : 0, 0);
}

static void begin(struct paths *p)
{
	size_t n = p->graph->n_functions;
	p->syms = mem_alloc(n * sizeof *p->syms);
	for (size_t f = 0; f < n; f++)
		p->syms[f] = frame_of(p->sink, &p->graph->functions[f].key);
	call_lines_init(&p->lines, p->graph, p->sink, p->syms);
	add_arcs(p);
	find_components(p);
	list_members(p);
	p->self = mem_alloc(n * sizeof *p->self);
	p->through = mem_alloc(p->graph->n_calls * sizeof *p->through);
	p->caller = mem_alloc(n * sizeof *p->caller);
	p->nodes_of = mem_alloc(n * sizeof *p->nodes_of);
	p->reached = mem_alloc(n * sizeof *p->reached);
	p->lost = mem_alloc(n * sizeof *p->lost);
	p->rarer = mem_alloc(n * sizeof *p->rarer);
	p->stamp = mem_alloc(n * sizeof *p->stamp);
}

static void end(struct paths *p)
{
	void *const all[] = {p->first,  p->arcs, p->component, p->components, p->members, p->syms,
	                     p->caller, p->lost, p->nodes_of,  p->reached,    p->rarer,   p->stamp,
	                     p->nodes,  p->heap, p->self,      p->through};
	call_lines_deinit(&p->lines);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

/* Takes the budget of one of n events that are left from that of all. */
static struct budget take_budget(struct budget *pool, size_t n)
{
	struct budget b = {lesser(MOST_NODES, pool->nodes / n), lesser(MOST_WORK, pool->work / n)};
	pool->nodes -= b.nodes;
	pool->work -= b.work;
	return b;
}

/* Emits one of n events that are left, and gives back what it did not need. */
static void emit_within(struct paths *p, struct budget *pool, size_t n, size_t event, uint32_t series,
                        uint64_t factor)
{
	p->left = take_budget(pool, n);
	emit_event(p, event, series, factor);
	pool->nodes += p->left.nodes;
	pool->work += p->left.work;
}

void call_graph_emit(struct call_graph *g, struct sink *sink, const uint32_t *series, const uint64_t *factors)
{
	struct paths p = {.graph = g, .sink = sink};
	struct budget pool = {POOL * MOST_NODES, POOL * MOST_WORK};
	uint64_t sums[MOST_EVENTS] = {0};
	begin(&p);
	costs_sum(&g->self, sums);
	for (size_t i = 0; i < g->n_events; i++) {
		p.estimated = 0;
		if (sums[i])
			emit_within(&p, &pool, g->n_events - i, i, series[i], factors[i]);
		tell_estimate(&p, series[i], factors[i]);
	}
	end(&p);
}
