/*
 * call_graph.h - functions with their own costs, and who calls whom at what cost: what callgrind knows.
 *
 *	main  30  calls read, cost 70      functions: main 30, read 70
 *	read  70                           calls:     main > read 70
 *
 * Costs are kept by event, only those that are not 0. Sums saturate at 2^64 - 1. The cost of a call includes what
 * the callee calls in turn.
 */
#ifndef COLLAPSE_FORMATS_CALL_GRAPH_H
#define COLLAPSE_FORMATS_CALL_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "collapse/collapse.h"

#define MOST_EVENTS 64u
#define NO_FUNCTION UINT32_MAX

/* What makes a function one: symbols, and the thread's number in the profile. 0: unknown. */
struct function_key {
	uint32_t name, file, module, task;
};

struct graph_function {
	struct function_key key;
	uint32_t same;    /* the function that this one is; its own number in most cases */
	bool is_recorded; /* the input has a record of its own costs */
};

struct graph_call {
	uint32_t caller, callee;
};

/* A line of a function, for its own costs. */
struct graph_line {
	uint32_t function, file, line;
};

/* The cost of a function, call or line in one event. */
struct cost {
	uint64_t value;
	uint32_t next; /* place of its cost in a later event + 1; 0: none */
	uint32_t event;
};

/* The costs of all functions, of all calls or of all lines. */
struct costs {
	uint32_t *first; /* by number of the function, call or line: place in `v` + 1; 0: no cost */
	size_t cap_first;
	struct cost *v;
	size_t n, cap;
};

/* Zeroed is empty, but for n_events. */
struct call_graph {
	size_t n_events;
	struct graph_function *functions;
	size_t n_functions, cap_functions;
	struct graph_call *calls;
	size_t n_calls, cap_calls;
	struct graph_line *lines;
	size_t n_lines, cap_lines;
	struct costs self, through, at; /* of functions, calls and lines */
	struct map function_ids, call_ids, line_ids;
};

void call_graph_deinit(struct call_graph *);
/* Numbers of a function, call or line; they are added if they are new, without cost. */
uint32_t call_graph_function(struct call_graph *, const struct function_key *);
uint32_t call_graph_call(struct call_graph *, uint32_t caller, uint32_t callee);
uint32_t call_graph_line(struct call_graph *, uint32_t function, uint32_t file, uint32_t line);

/* Adds a number for each of the graph's events to the costs of function, call or line i. */
void call_graph_add(const struct call_graph *, struct costs *, size_t i, const uint64_t *numbers);
/* Adds the costs of all to sums[], which has a number for each event. */
void costs_sum(const struct costs *, uint64_t *sums);
/* Moves the costs of the first n in this event to values[]. Those in earlier events go. */
void costs_take(struct costs *, size_t n, size_t event, uint64_t *values);

static inline uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Turns counts by function into offsets of a list by function; first[] has n + 1 elements. */
void offsets_add(uint32_t *first, size_t n);
/* Moves offsets back to the beginnings, after they have served as positions. */
void offsets_restore(uint32_t *first, size_t n);

/*
 * Some writers name the file of a function only where it begins, not where it is called. So a function without a
 * record becomes the only recorded one of its name, if there is just one.
 */
void call_graph_unite(struct call_graph *);

/*
 * Pushes the own costs of all functions into the sink, as samples of series[event], on the paths that call_paths.c
 * finds. Costs are multiplied by factors[event], and are not in the graph any more.
 */
void call_graph_emit(struct call_graph *, struct sink *, const uint32_t *series, const uint64_t *factors);

#endif
