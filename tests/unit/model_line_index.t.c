/* Spans of ranks, for random trees: against the ways from each node to the root. */
#include "model/line_index.h"

#include <stdlib.h>

#include "base/mem.h"
#include "stacks.h"
#include "tests/tap.h"

#define MOST 60u
#define KEYS 7u

static uint64_t seed = 41;

static bool is_below(const uint32_t *parent, const uint32_t *key, uint32_t node, uint32_t wanted)
{
	for (; node; node = parent[node])
		if (key[node] == wanted)
			return true;
	return false;
}

static bool has_rank(const struct line_spans *s, uint32_t rank)
{
	for (size_t i = 0; i < s->n; i++)
		if (rank >= s->v[i].from && rank < s->v[i].to)
			return true;
	return false;
}

static bool are_right(const struct line_ranks *r, const uint32_t *parent, uint32_t n)
{
	bool ok = r->rank[0] == 0 && r->end[0] == n;
	for (uint32_t i = 1; i < n; i++) {
		uint32_t up = r->rank[parent[i]];
		ok &= r->at[r->rank[i]] == i && r->rank[i] > up && r->end[r->rank[i]] <= r->end[up];
	}
	return ok;
}

static bool is_found(const struct line_ranks *r, const struct line_groups *g, const uint32_t *parent,
                     const uint32_t *key, uint32_t wanted)
{
	struct line_spans spans = {0};
	bool ok = true;
	line_spans_add(&spans, r, g, wanted);
	for (uint32_t i = 1; i < r->n; i++)
		ok &= has_rank(&spans, r->rank[i]) == is_below(parent, key, i, wanted);
	for (size_t i = 1; i < spans.n; i++)
		ok &= spans.v[i].from >= spans.v[i - 1].to;
	line_spans_deinit(&spans);
	return ok;
}

static bool test_tree(uint32_t n)
{
	uint32_t parent[MOST] = {0}, key[MOST] = {UINT32_MAX}, by_rank[MOST];
	struct line_ranks ranks;
	struct line_groups groups;
	for (uint32_t i = 1; i < n; i++) {
		parent[i] = chance(&seed, i);
		key[i] = chance(&seed, KEYS + 1); /* one more than there are groups */
	}
	line_ranks_make(&ranks, parent, n);
	for (uint32_t k = 0; k < n; k++)
		by_rank[k] = key[ranks.at[k]];
	line_groups_make(&groups, by_rank, n, KEYS);
	bool ok = are_right(&ranks, parent, n);
	for (uint32_t wanted = 0; wanted < KEYS; wanted++)
		ok &= is_found(&ranks, &groups, parent, key, wanted);
	line_ranks_deinit(&ranks);
	line_groups_deinit(&groups);
	return ok;
}

int main(void)
{
	bool ok = true;
	for (uint32_t i = 0; i < 2000; i++)
		ok &= test_tree(1 + chance(&seed, MOST - 1));
	ok(ok, "what is below the nodes of a group is in its spans, and nothing else");
	return done_testing();
}
