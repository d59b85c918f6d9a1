/*
 * search_order.c - the heaviest matches, kept while all of them pass by.
 *
 * A search may match millions of frames, of which a user looks at the first few. A sample of the matches tells
 * about how heavy those are that are kept. Most others are passed over, and with them the frames below, which
 * are no heavier. What is collected is sorted when there are twice as many as are kept, and the lighter half is
 * dropped. If the sample told too much, all matches are collected.
 *
 * Where every few nodes match, that is the same work for every letter that is typed. So a large tree keeps a list
 * of its heaviest nodes, whatever their names: the first search makes it, and all look up in it which ones match.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "search.h"

#ifndef SEARCH_ORDERED
#define SEARCH_ORDERED 32768u
#endif

#define HITS_BETWEEN_STEPS 512u /* times SEARCH_AT_ONCE */
/* Matches, about, by which the weight of those that are kept is guessed. */
#ifndef SEARCH_SAMPLED
#define SEARCH_SAMPLED 8192u
#endif

/* Nodes of a tree that keeps its heaviest ones: one of so many, and at most so many. */
#ifndef HEAVY_TREE
#define HEAVY_TREE 1000000u
#endif
#define HEAVY_PART 32u
#define HEAVY_MOST 262144u
/* It also marks one of so many nodes, the heaviest, for patterns that match less. */
#define MARKED_PART 6u

struct collection {
	struct sort_item *items, *scratch; /* room for 2 * most each */
	size_t n, most;
	uint64_t least; /* weight that a match has to have */
};

/* A later match that is as heavy as the lightest one kept comes after it. */
static void keep_heaviest(struct collection *c)
{
	sort_items(c->items, c->n, c->scratch);
	if (c->n < c->most)
		return;
	c->n = c->most;
	c->least = ~c->items[c->n - 1].key + 1;
}

/* The weight that about as many matches have or exceed as there is room for, as far as some of them tell. */
static uint64_t guess_least(struct collection *c, const struct search *s, const struct tree *t)
{
	size_t words = (size_t)t->n / 64 + 1, stride = s->frames / SEARCH_SAMPLED + 1, n = 0;
	if (s->frames <= 2 * (uint64_t)SEARCH_ORDERED)
		return 0;
	for (size_t w = 0; w < words && n + 64 <= 2 * (size_t)SEARCH_ORDERED; w += stride)
		for (uint64_t bits = s->node_bits[w]; bits; bits &= bits - 1) {
			uint32_t i = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits);
			c->items[n++] = (struct sort_item){.key = ~tree_total(t, i), .tie = i, .value = i};
		}
	size_t wanted = (size_t)(n * 3 * (uint64_t)SEARCH_ORDERED / 2 / s->frames);
	sort_items(c->items, n, c->scratch);
	return wanted < n ? ~c->items[wanted].key : 0;
}

/* Returns the next node at which there may be one to collect: nothing below a light match is heavier. */
static uint32_t collect_hit(struct collection *c, const struct tree *t, uint32_t hit)
{
	uint64_t weight = tree_total(t, hit);
	if (weight < c->least)
		return t->end[hit];
	c->items[c->n++] = (struct sort_item){.key = ~weight, .tie = hit, .value = hit};
	if (c->n == 2 * c->most)
		keep_heaviest(c);
	return hit + 1;
}

static bool collect(struct collection *c, const struct search *s, const struct tree *t, struct progress *progress)
{
	uint32_t hits[SEARCH_AT_ONCE], next = 0;
	unsigned n, visited = 0;
	while ((n = search_fetch(s, t, next, hits)) > 0) {
		for (unsigned k = 0; k < n; k++)
			if (hits[k] >= next)
				next = collect_hit(c, t, hits[k]);
		if (++visited % HITS_BETWEEN_STEPS == 0 && !progress_step(progress, 0))
			return false;
	}
	keep_heaviest(c);
	return true;
}

/* false: cancelled. */
static bool collect_heaviest(struct collection *c, const struct search *s, const struct tree *t,
                             struct progress *progress)
{
	size_t wanted = s->frames < SEARCH_ORDERED ? (size_t)s->frames : SEARCH_ORDERED;
	c->least = guess_least(c, s, t);
	if (!collect(c, s, t, progress))
		return false;
	if (c->n >= wanted)
		return true;
	c->n = 0;
	c->least = 0;
	return collect(c, s, t, progress);
}

/* ---- the heaviest nodes of the tree -------------------------------------------------------------------------- */

static size_t count_heavy(const struct tree *t)
{
	return t->n / HEAVY_PART < HEAVY_MOST ? t->n / HEAVY_PART : HEAVY_MOST;
}

/* What a tree keeps: a bit for each node that is heavy, and a list of the heaviest ones. */
struct heavy {
	uint64_t *bits;  /* owned, with the list */
	uint32_t *nodes; /* the heaviest first */
};

static size_t count_words(const struct tree *t)
{
	return (size_t)t->n / 64 + 1;
}

static struct heavy heavy_at(uint64_t *found, const struct tree *t)
{
	return (struct heavy){found, (uint32_t *)(found + count_words(t))};
}

/* Weights that somewhat more nodes than wanted have, as far as some of them tell: of the list, and of the marks. */
static uint64_t guess_least_of_all(struct collection *c, const struct tree *t, uint64_t *least_marked)
{
	uint32_t stride = t->n / SEARCH_SAMPLED + 1;
	size_t n = 0;
	for (uint32_t i = 1; i < t->n && n < 2 * c->most; i += stride)
		c->items[n++] = (struct sort_item){.key = ~tree_total(t, i), .tie = i, .value = i};
	sort_items(c->items, n, c->scratch);
	size_t wanted = (size_t)(n * 5 * (uint64_t)c->most / 4 / t->n);
	*least_marked = ~c->items[n / MARKED_PART].key;
	return wanted < n ? ~c->items[wanted].key : 0;
}

/* Nothing below a node that gets no mark gets one. */
static bool collect_of_all(struct collection *c, const struct tree *t, uint64_t *bits, uint64_t least,
                           uint64_t least_marked, struct progress *progress)
{
	unsigned visited = 0;
	c->n = 0;
	c->least = least;
	for (uint32_t i = 1; i < t->n;) {
		if (++visited % (HITS_BETWEEN_STEPS * SEARCH_AT_ONCE) == 0 && !progress_step(progress, 0))
			return false;
		if (tree_total(t, i) < least_marked) {
			i = t->end[i];
			continue;
		}
		bits[i / 64] |= UINT64_C(1) << i % 64;
		collect_hit(c, t, i++);
	}
	keep_heaviest(c);
	return true;
}

/* NULL: cancelled. The caller frees them. */
static uint64_t *find_heavy(const struct tree *t, struct progress *progress)
{
	size_t most = count_heavy(t);
	struct collection c = {.items = mem_alloc(2 * most * sizeof *c.items),
	                       .scratch = mem_alloc(2 * most * sizeof *c.scratch),
	                       .most = most};
	uint64_t *found = mem_zalloc(count_words(t) + most / 2 + 1, sizeof *found), least_marked;
	struct heavy heavy = heavy_at(found, t);
	uint64_t least = guess_least_of_all(&c, t, &least_marked);
	bool goes_on = collect_of_all(&c, t, heavy.bits, least, least_marked, progress);
	if (goes_on && c.n < most)
		goes_on = collect_of_all(&c, t, heavy.bits, 0, 0, progress);
	for (size_t k = 0; goes_on && k < most; k++)
		heavy.nodes[k] = c.items[k].value;
	free(c.items);
	free(c.scratch);
	if (goes_on)
		return found;
	free(found);
	return NULL;
}

/* Two threads that search may both find them: the first one to be done keeps what it has. NULLs: cancelled. */
static struct heavy heavy_of(const struct tree *t, struct progress *progress)
{
	uint64_t *kept = atomic_load(&t->heavy->found), *found;
	if (kept)
		return heavy_at(kept, t);
	found = find_heavy(t, progress);
	if (!found)
		return (struct heavy){NULL, NULL};
	if (atomic_compare_exchange_strong(&t->heavy->found, &kept, found))
		return heavy_at(found, t);
	free(found);
	return heavy_at(kept, t);
}

/* Of matches that are spread evenly, would there be enough among n heavy nodes? */
static bool are_enough(const struct search *s, const struct tree *t, uint64_t n, size_t wanted)
{
	return t->heavy && t->n >= HEAVY_TREE && wanted && s->frames * n / t->n >= wanted;
}

/* true: s->by_weight has them all. */
static bool take_from_heavy(struct search *s, const struct tree *t, size_t wanted, struct progress *progress)
{
	size_t n = 0, n_heavy = count_heavy(t);
	if (!are_enough(s, t, n_heavy, wanted))
		return false;
	const uint32_t *nodes = heavy_of(t, progress).nodes;
	s->by_weight = mem_realloc(s->by_weight, wanted + 1, sizeof *s->by_weight);
	for (size_t k = 0; nodes && k < n_heavy && n < wanted; k++)
		if (s->node_bits[nodes[k] / 64] >> nodes[k] % 64 & 1)
			s->by_weight[n++] = nodes[k];
	s->n_by_weight = n;
	return n == wanted;
}

/* Leaves out light matches of *s, a copy, if there are enough of the others. Returns what the caller frees. */
static uint64_t *leave_out_light(struct search *s, const struct tree *t, size_t wanted, struct progress *progress)
{
	size_t words = count_words(t), n = 0;
	uint64_t *both;
	if (s->frames < 2 * (uint64_t)wanted || !are_enough(s, t, t->n / MARKED_PART, wanted))
		return NULL;
	const uint64_t *bits = heavy_of(t, progress).bits;
	if (!bits)
		return NULL;
	both = mem_alloc(words * sizeof *both);
	for (size_t w = 0; w < words; w++) {
		both[w] = s->node_bits[w] & bits[w];
		n += both[w] ? (size_t)__builtin_popcountll(both[w]) : 0;
	}
	if (n >= wanted) {
		s->node_bits = both;
		s->frames = n;
	}
	return both;
}

bool search_order(struct search *s, const struct tree *t, struct progress *progress)
{
	size_t wanted = s->frames < SEARCH_ORDERED ? (size_t)s->frames : SEARCH_ORDERED;
	if (take_from_heavy(s, t, wanted, progress))
		return true;
	struct search among = *s;
	uint64_t *both = leave_out_light(&among, t, wanted, progress);
	size_t room = s->frames < SEARCH_ORDERED ? (size_t)s->frames : 2 * (size_t)SEARCH_ORDERED;
	struct collection c = {.items = mem_zalloc(room + 1, sizeof *c.items),
	                       .scratch = mem_zalloc(room + 1, sizeof *c.scratch),
	                       .most = SEARCH_ORDERED};
	bool goes_on = collect_heaviest(&c, &among, t, progress);
	s->by_weight = mem_realloc(s->by_weight, c.n + 1, sizeof *s->by_weight);
	s->n_by_weight = goes_on ? c.n : 0;
	for (size_t i = 0; i < s->n_by_weight; i++)
		s->by_weight[i] = c.items[i].value;
	free(both);
	free(c.items);
	free(c.scratch);
	return goes_on;
}

static bool comes_before(const struct tree *t, uint32_t a, uint32_t b)
{
	uint64_t x = tree_total(t, a), y = tree_total(t, b);
	return x != y ? x > y : a < b;
}

/* How many in the order come before `node`, wherever they are. */
static size_t number_before(const struct search *s, const struct tree *t, uint32_t node)
{
	size_t low = 0, high = s->n_by_weight;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (comes_before(t, s->by_weight[middle], node))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_in_order(const struct search *s, size_t at, uint32_t node)
{
	return at < s->n_by_weight && s->by_weight[at] == node;
}

/* The first one in the range from place `at` on, going round once. */
static uint32_t first_from(const struct search *s, size_t at, uint32_t from, uint32_t to, bool backwards)
{
	size_t n = s->n_by_weight;
	for (size_t i = 0; i < n; i++) {
		uint32_t node = s->by_weight[(backwards ? at + n - i : at + i) % n];
		if (node >= from && node < to)
			return node;
	}
	return NO_NODE;
}

uint32_t search_heaviest(const struct search *s, uint32_t from, uint32_t to)
{
	return first_from(s, 0, from, to, false);
}

uint32_t search_next_lighter(const struct search *s, const struct tree *t, uint32_t node, uint32_t from,
                             uint32_t to, bool backwards)
{
	if (s->n_by_weight == 0)
		return NO_NODE;
	size_t at = number_before(s, t, node);
	if (backwards)
		return first_from(s, at + s->n_by_weight - 1, from, to, true);
	return first_from(s, is_in_order(s, at, node) ? at + 1 : at, from, to, false);
}

uint64_t search_place(const struct search *s, const struct tree *t, uint32_t node, uint32_t from, uint32_t to)
{
	uint64_t place = 0;
	size_t at = number_before(s, t, node);
	if (!is_in_order(s, at, node))
		return UINT64_MAX;
	for (size_t i = 0; i < at; i++)
		place += s->by_weight[i] >= from && s->by_weight[i] < to;
	return place;
}
