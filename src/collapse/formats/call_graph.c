/*
 * call_graph.c - functions with their own costs, and who calls whom at what cost.
 */
#include "collapse/formats/call_graph.h"

#include <string.h>

#include "base/hash.h"

#define AMBIGUOUS (NO_FUNCTION - 1)

static void costs_deinit(struct costs *c)
{
	free(c->first);
	free(c->v);
}

void call_graph_deinit(struct call_graph *g)
{
	free(g->functions);
	free(g->calls);
	free(g->lines);
	costs_deinit(&g->self);
	costs_deinit(&g->through);
	costs_deinit(&g->at);
	map_deinit(&g->function_ids);
	map_deinit(&g->call_ids);
	map_deinit(&g->line_ids);
}

/* ---- costs --------------------------------------------------------------------------------------------------- */

/* Makes room for the costs of function, call or line i, which is the next one. */
static void begin_costs(struct costs *c, size_t i)
{
	if (i == c->cap_first)
		c->first = mem_grow(c->first, &c->cap_first, i + 1, sizeof *c->first);
	c->first[i] = 0;
}

/* The number that leads to the cost after `before`; 0: to the first one of i. */
static uint32_t *link_after(struct costs *c, size_t i, uint32_t before)
{
	return before ? &c->v[before - 1].next : &c->first[i];
}

/* The cost of i in the event, added if it is new; `before` is one in an earlier event, or 0. */
static uint32_t find_cost(struct costs *c, size_t i, uint32_t before, uint32_t event)
{
	uint32_t at;
	while ((at = *link_after(c, i, before)) && c->v[at - 1].event < event)
		before = at;
	if (at && c->v[at - 1].event == event)
		return at;
	if (c->n == UINT32_MAX)
		mem_exhausted();
	const struct cost cost = {.next = at, .event = event};
	mem_push(c->v, c->n, c->cap, cost);
	*link_after(c, i, before) = (uint32_t)c->n;
	return (uint32_t)c->n;
}

void call_graph_add(const struct call_graph *g, struct costs *c, size_t i, const uint64_t *numbers)
{
	uint32_t at = 0;
	for (uint32_t event = 0; event < g->n_events; event++) {
		if (!numbers[event])
			continue;
		at = find_cost(c, i, at, event);
		weight_add(&c->v[at - 1].value, numbers[event]);
	}
}

void costs_sum(const struct costs *c, uint64_t *sums)
{
	for (size_t i = 0; i < c->n; i++)
		weight_add(&sums[c->v[i].event], c->v[i].value);
}

void costs_take(struct costs *c, size_t n, size_t event, uint64_t *values)
{
	for (size_t i = 0; i < n; i++) {
		values[i] = 0;
		while (c->first[i] && c->v[c->first[i] - 1].event <= event) {
			const struct cost *cost = &c->v[c->first[i] - 1];
			values[i] = cost->event == event ? cost->value : 0;
			c->first[i] = cost->next;
		}
	}
}

/* ---- functions, calls and lines ------------------------------------------------------------------------------ */

uint32_t call_graph_function(struct call_graph *g, const struct function_key *key)
{
	uint64_t hash = hash_bytes(key, sizeof *key);
	if (!g->n_functions)
		map_init(&g->function_ids, 64);
	MAP_EACH(&g->function_ids, hash, i)
	if (memcmp(&g->functions[i].key, key, sizeof *key) == 0)
		return (uint32_t)i;
	uint32_t number = (uint32_t)g->n_functions;
	begin_costs(&g->self, number);
	mem_push(g->functions, g->n_functions, g->cap_functions, ((struct graph_function){*key, number, false}));
	map_add(&g->function_ids, hash, number);
	return number;
}

uint32_t call_graph_call(struct call_graph *g, uint32_t caller, uint32_t callee)
{
	const struct graph_call call = {caller, callee};
	uint64_t hash = hash_bytes(&call, sizeof call);
	if (!g->n_calls)
		map_init(&g->call_ids, 64);
	MAP_EACH(&g->call_ids, hash, i)
	if (g->calls[i].caller == caller && g->calls[i].callee == callee)
		return (uint32_t)i;
	uint32_t number = (uint32_t)g->n_calls;
	begin_costs(&g->through, number);
	mem_push(g->calls, g->n_calls, g->cap_calls, call);
	map_add(&g->call_ids, hash, number);
	return number;
}

uint32_t call_graph_line(struct call_graph *g, uint32_t function, uint32_t file, uint32_t line)
{
	const struct graph_line key = {function, file, line};
	uint64_t hash = hash_bytes(&key, sizeof key);
	if (!g->n_lines)
		map_init(&g->line_ids, 64);
	MAP_EACH(&g->line_ids, hash, i)
	if (memcmp(&g->lines[i], &key, sizeof key) == 0)
		return (uint32_t)i;
	uint32_t number = (uint32_t)g->n_lines;
	begin_costs(&g->at, number);
	mem_push(g->lines, g->n_lines, g->cap_lines, key);
	map_add(&g->line_ids, hash, number);
	return number;
}

/* A key of all functions of this name and thread. */
static struct function_key name_only(const struct function_key *key)
{
	return (struct function_key){.name = key->name, .task = key->task};
}

void call_graph_unite(struct call_graph *g)
{
	struct call_graph names = {0};
	uint32_t *only = mem_alloc(g->n_functions * sizeof *only); /* by number in `names` */
	for (size_t i = 0; i < g->n_functions; i++) {
		struct function_key key = name_only(&g->functions[i].key);
		size_t before = names.n_functions;
		uint32_t name = call_graph_function(&names, &key);
		if (name == before)
			only[name] = NO_FUNCTION;
		if (g->functions[i].is_recorded)
			only[name] = only[name] == NO_FUNCTION ? (uint32_t)i : AMBIGUOUS;
	}
	for (size_t i = 0; i < g->n_functions; i++) {
		struct function_key key = name_only(&g->functions[i].key);
		uint32_t to = only[call_graph_function(&names, &key)];
		if (!g->functions[i].is_recorded && to < AMBIGUOUS)
			g->functions[i].same = to;
	}
	call_graph_deinit(&names);
	free(only);
}

/* ---- offsets ------------------------------------------------------------------------------------------------- */

void offsets_add(uint32_t *first, size_t n)
{
	uint32_t sum = 0;
	for (size_t i = 0; i <= n; i++) {
		uint32_t count = first[i];
		first[i] = sum;
		sum += count;
	}
}

void offsets_restore(uint32_t *first, size_t n)
{
	memmove(first + 1, first, n * sizeof *first);
	first[0] = 0;
}
