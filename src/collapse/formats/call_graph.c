/*
 * call_graph.c - functions with their own costs, and who calls whom at what cost.
 */
#include "collapse/formats/call_graph.h"

#include <string.h>

#include "base/hash.h"

#define AMBIGUOUS (NO_FUNCTION - 1)

void call_graph_deinit(struct call_graph *g)
{
	free(g->functions);
	free(g->calls);
	free(g->lines);
	free(g->self.v);
	free(g->through.v);
	free(g->at.v);
	map_deinit(&g->function_ids);
	map_deinit(&g->call_ids);
	map_deinit(&g->line_ids);
}

/* Makes room for the costs of item i, without cost. */
static void costs_add(const struct call_graph *g, struct costs *c, size_t i)
{
	c->v = mem_grow(c->v, &c->cap, (i + 1) * g->n_events, sizeof *c->v);
	memset(costs_of(g, c, i), 0, g->n_events * sizeof *c->v);
}

uint32_t call_graph_function(struct call_graph *g, const struct function_key *key)
{
	uint64_t hash = hash_bytes(key, sizeof *key);
	if (!g->n_functions)
		map_init(&g->function_ids, 64);
	MAP_EACH(&g->function_ids, hash, i)
	if (memcmp(&g->functions[i].key, key, sizeof *key) == 0)
		return (uint32_t)i;
	uint32_t number = (uint32_t)g->n_functions;
	costs_add(g, &g->self, number);
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
	costs_add(g, &g->through, number);
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
	costs_add(g, &g->at, number);
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
	struct call_graph names = {.n_events = 1};
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
