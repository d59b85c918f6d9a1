/*
 * nested.c - call trees of nested objects: each node holds its callees.
 */
#include "collapse/text/nested.h"

#include "base/mem.h"
#include "collapse/text/frames.h"

#define ONE 1000000u

__extension__ typedef unsigned __int128 u128;

void nested_deinit(struct nested *t)
{
	free(t->nodes);
	free(t->open);
	*t = (struct nested){0};
}

bool nested_begin(struct nested *t)
{
	struct nested_node n = {.parent = t->n_open ? t->open[t->n_open - 1] : 0};
	if (t->n >= UINT32_MAX - 1)
		return false;
	mem_push(t->nodes, t->n, t->cap, n);
	mem_push(t->open, t->n_open, t->cap_open, (uint32_t)t->n);
	return true;
}

/* Has it no callees, and nothing that its sibling before, with the same frame and without callees, has not? */
static bool is_repeated(const struct nested *t, uint32_t number)
{
	if (number < 2 || number != t->n)
		return false;
	const struct nested_node *n = &t->nodes[number - 1], *before = n - 1;
	bool is_bare = !n->weight && !n->millionths && !n->other && !before->other;
	return is_bare && n->parent == before->parent && n->sym == before->sym;
}

/* A compressed file of a few kilobytes can have millions of nodes that say nothing. One of them is kept. */
bool nested_end(struct nested *t)
{
	bool is_forgotten = is_repeated(t, nested_number(t));
	t->n_open--;
	t->n -= is_forgotten;
	return is_forgotten;
}

struct nested_node *nested_top(const struct nested *t)
{
	return &t->nodes[nested_number(t) - 1];
}

static u128 weight_of(const struct nested_node *n)
{
	return (u128)n->weight * ONE + n->millionths;
}

/* The weights of each node's callees together, by number. Callees have higher numbers. */
static u128 *sum_callees(const struct nested *t)
{
	u128 *sums = mem_zalloc(t->n + 1, sizeof *sums);
	for (size_t i = t->n; i-- > 0;)
		sums[t->nodes[i].parent] += t->nodes[i].lacks_weight ? sums[i + 1] : weight_of(&t->nodes[i]);
	return sums;
}

bool nested_is_inclusive(const struct nested *t)
{
	u128 *sums = sum_callees(t);
	size_t fit = 0, unfit = 0;
	for (size_t i = 0; i < t->n; i++) {
		bool is_fit = weight_of(&t->nodes[i]) >= sums[i + 1], counts = sums[i + 1] && !t->nodes[i].lacks_weight;
		fit += counts && is_fit;
		unfit += counts && !is_fit;
	}
	free(sums);
	return fit >= unfit;
}

uint64_t nested_subtract_callees(struct nested *t)
{
	u128 *sums = sum_callees(t), excess = 0;
	for (size_t i = 0; i < t->n; i++) {
		struct nested_node *n = &t->nodes[i];
		u128 weight = n->lacks_weight ? sums[i + 1] : weight_of(n), of_callees = sums[i + 1];
		u128 self = weight > of_callees ? weight - of_callees : 0;
		excess += weight < of_callees ? of_callees - weight : 0;
		n->weight = (uint64_t)(self / ONE);
		n->millionths = (uint32_t)(self % ONE);
	}
	free(sums);
	excess = (excess + ONE - 1) / ONE;
	return excess < UINT64_MAX ? (uint64_t)excess : UINT64_MAX;
}

uint32_t *nested_paths(const struct nested *t, struct sink *sink)
{
	uint32_t *paths = mem_alloc((t->n + 1) * sizeof *paths);
	paths[0] = PATH_ROOT;
	for (size_t i = 0; i < t->n; i++) {
		const struct nested_node *n = &t->nodes[i];
		paths[i + 1] = n->sym ? profile_child(sink->profile, paths[n->parent], n->sym) : paths[n->parent];
	}
	return paths;
}

void nested_add(struct sink *sink, const uint32_t *paths, size_t number, struct sample s)
{
	struct profile *p = sink->profile;
	uint32_t path = paths[number];
	if (path == PATH_ROOT)
		path = profile_child(p, path, sink_sym(sink, EMPTY_STACK, sizeof EMPTY_STACK - 1));
	s.cpu = NO_CPU;
	profile_add(p, sink->options->side, path, &s);
}

void nested_add_weights(const struct nested *t, struct sink *sink, const uint32_t *paths, uint32_t series)
{
	for (size_t i = 0; i < t->n; i++) {
		struct sample s = {.weight = t->nodes[i].weight, .time = NO_TIME, .series = series};
		s.millionths = t->nodes[i].millionths;
		if (s.weight || s.millionths)
			nested_add(sink, paths, i + 1, s);
	}
}
