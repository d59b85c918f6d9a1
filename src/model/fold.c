/*
 * fold.c - samples and paths in, tree out.
 *
 * A profile's paths are a trie already, so almost everything is done once for each path and not for each sample:
 *
 *	1. weigh     the samples of the wanted event, task and time are added up per path;
 *	2. change    filters walk the paths in order (a parent always comes before its children) and map each to a path of a
 *	             smaller trie: hiding maps a frame to its parent, focusing drops weights, reversing turns paths around;
 *	3. arrange   siblings are put in order and paths renumbered to preorder. Where the input had them nearly so, by a walk from
 *	             the root, which sorts what is out of order on its way. Else in linear time: paths sorted by rank are dealt
 *	             out to their parents one by one, each moving its parent's cursor on by the size of its subtree. That reads
 *	             and writes all over memory, but waits for nothing.
 *
 * A flame chart takes the mapping of step 2 and replays the log instead of step 3.
 */
#include "fold.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "callers.h"
#include "cut.h"
#include "decay.h"
#include "filter.h"
#include "folding.h"
#include "rename.h"
#include "selection.h"
#include "split.h"
#include "weigh.h"

static void swap_sides(struct folding *w)
{
	uint64_t *other = w->trie.weight[0], excluded = w->excluded[0];

	if (!w->has_base || !w->recipe->swap_sides)
		return;
	w->trie.weight[0] = w->trie.weight[1];
	w->trie.weight[1] = other;
	w->excluded[0] = w->excluded[1];
	w->excluded[1] = excluded;
}

/* --- 3. arrange --- */

static bool name_less(const struct symbol *a, const struct symbol *b)
{
	int order = memcmp(a->name, b->name, a->len < b->len ? a->len : b->len);

	return order ? order < 0 : a->len < b->len;
}

/*
 * The paths already stand in preorder, and siblings in rising order of their names. Names are compared directly: ranking
 * them all costs more where there are millions, and where this fails it mostly fails early.
 */
static bool is_arranged(const struct trie *s, const struct symtab *t)
{
	uint32_t *open, depth = 0; /* open[d]: the path at depth d whose subtree is being walked */
	uint32_t *last;            /* symbol of the child met last, by depth of the parent */
	size_t cap = 64;
	bool ok = true;

	open = mem_alloc(cap * sizeof *open);
	last = mem_alloc(cap * sizeof *last);
	open[0] = 0;
	last[0] = UINT32_MAX;
	for (uint32_t i = 1; i < s->n && ok && !TRIE_STOPS(s, i); i++) {
		while (depth && open[depth] != s->parent[i])
			depth--;
		ok = open[depth] == s->parent[i] &&
		     (last[depth] == UINT32_MAX || name_less(&t->symbols[last[depth]], &t->symbols[s->sym[i]]));
		last[depth] = s->sym[i];
		if (++depth == cap) {
			open = mem_grow(open, &cap, cap + 1, sizeof *open);
			last = mem_realloc(last, cap, sizeof *last);
		}
		open[depth] = i;
		last[depth] = UINT32_MAX;
	}
	free(open);
	free(last);
	return ok;
}

/* All paths but the root, in the order in which siblings are to stand. By counting: linear. */
static uint32_t *order_by_rank(const struct trie *s, const uint32_t *rank, size_t n_ranks)
{
	uint32_t *start = mem_zalloc(n_ranks + 1, sizeof *start), *order = mem_alloc(s->n * sizeof *order);

	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++)
		start[rank[s->sym[i]] + 1]++;
	for (size_t r = 0; r < n_ranks; r++)
		start[r + 1] += start[r];
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++)
		order[start[rank[s->sym[i]]]++] = i;
	free(start);
	return order;
}

/* Stable radix sort of the order by falling total. */
static void order_by_total(const struct trie *s, uint32_t *order, const uint64_t *total)
{
	uint32_t n = s->n - 1, *other = mem_alloc(s->n * sizeof *other), *from = order, *to = other;
	uint64_t most = 0;

	for (uint32_t i = 0; i < n; i++)
		if (total[order[i]] > most)
			most = total[order[i]];
	for (unsigned shift = 0; shift < 64 && most >> shift && !trie_is_stopped(s); shift += 11) {
		uint32_t count[2049] = {0}, *swap = from;

		for (uint32_t i = 0; i < n; i++)
			count[2047 - (total[from[i]] >> shift & 2047) + 1]++;
		for (unsigned k = 0; k < 2048; k++)
			count[k + 1] += count[k];
		for (uint32_t i = 0; i < n && !TRIE_STOPS(s, i); i++)
			to[count[2047 - (total[from[i]] >> shift & 2047)]++] = from[i];
		from = to;
		to = swap;
	}
	if (from != order)
		memcpy(order, from, n * sizeof *order);
	free(other);
}

static uint64_t *totals_of(const struct trie *s)
{
	uint64_t *total = mem_alloc(s->n * sizeof *total);

	memcpy(total, s->weight[0], s->n * sizeof *total);
	for (uint32_t i = s->n - 1; i > 0 && !TRIE_STOPS(s, i); i--)
		total[s->parent[i]] += total[i];
	return total;
}

static uint32_t *sibling_order(const struct trie *s, enum sort_order sort, const uint32_t *rank, size_t n_ranks)
{
	uint32_t *order;
	uint64_t *total;

	if (sort == SORT_INPUT) {
		order = mem_alloc(s->n * sizeof *order);
		for (uint32_t i = 1; i < s->n; i++)
			order[i - 1] = i;
		return order;
	}
	order = order_by_rank(s, rank, n_ranks);
	if (sort == SORT_WEIGHT && !trie_is_stopped(s)) {
		total = totals_of(s);
		order_by_total(s, order, total);
		free(total);
	}
	return order;
}

/* New numbers in preorder. Each path, in sibling order, takes the next free place of its parent and moves it on. */
static uint32_t *number_preorder(const struct trie *s, const uint32_t *order)
{
	uint32_t *size = mem_alloc(s->n * sizeof *size), *next = mem_alloc(s->n * sizeof *next);
	uint32_t *place = mem_alloc(s->n * sizeof *place);

	for (uint32_t i = 0; i < s->n; i++) {
		size[i] = 1;
		next[i] = 1;
	}
	for (uint32_t i = s->n - 1; i > 0 && !TRIE_STOPS(s, i); i--)
		size[s->parent[i]] += size[i];
	for (uint32_t k = 0; k + 1 < s->n && !TRIE_STOPS(s, k); k++) {
		uint32_t i = order[k], up = s->parent[i];

		place[i] = next[up];
		next[up] += size[i];
	}
	place[0] = 0;
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++)
		place[i] += place[s->parent[i]];
	free(size);
	free(next);
	return place;
}

static void tree_alloc(struct tree *t, uint32_t n, bool has_base)
{
	*t = (struct tree){.n = n};
	t->sym = mem_alloc(n * sizeof *t->sym);
	t->parent = mem_alloc(n * sizeof *t->parent);
	t->end = mem_alloc(n * sizeof *t->end);
	t->pos = mem_alloc(((size_t)n + 1) * sizeof *t->pos);
	if (has_base)
		t->base = mem_alloc(((size_t)n + 1) * sizeof *t->base);
}

/* The sum of n weights of which none counts for more than `most`. false: it is above 2^64 - 1. */
static bool fits(const uint64_t *weight, uint32_t n, uint64_t most)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		if (!weight_add(&sum, weight[i] < most ? weight[i] : most))
			return false;
	return true;
}

/*
 * Positions have 64 bits. Where weights sum up to more, the heaviest are cut, all to the same number, the largest with which the
 * sum fits: light frames stay as they are, and the order of the frames does not matter. That sums are cut was said when the
 * samples came in.
 */
static void cut_to_fit(uint64_t *weight, uint32_t n)
{
	uint64_t least = 0, most = UINT64_MAX; /* fits with `least`, not with `most` */

	if (!weight || fits(weight, n, most))
		return;
	while (most - least > 1) {
		uint64_t middle = least + (most - least) / 2;

		if (fits(weight, n, middle))
			least = middle;
		else
			most = middle;
	}
	for (uint32_t i = 0; i < n; i++)
		if (weight[i] > least)
			weight[i] = least;
}

/* Self weights, which stand in pos[i] and have a sum that fits, become positions. */
static void add_up(uint64_t *pos, uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t self = pos[i];

		pos[i] = sum;
		sum += self;
	}
	pos[n] = sum;
}

static void find_ends(struct tree *t, const struct trie *s)
{
	uint32_t *depth = mem_alloc(t->n * sizeof *depth);

	depth[0] = 0;
	for (uint32_t i = 0; i < t->n; i++)
		t->end[i] = i + 1;
	for (uint32_t i = t->n - 1; i > 0 && !TRIE_STOPS(s, i); i--)
		if (t->end[t->parent[i]] < t->end[i])
			t->end[t->parent[i]] = t->end[i];
	for (uint32_t i = 1; i < t->n && !TRIE_STOPS(s, i); i++) {
		depth[i] = depth[t->parent[i]] + 1;
		if (depth[i] > t->depth)
			t->depth = depth[i];
	}
	free(depth);
}

/* Remembers that a path, which is this node now, is the end of samples if its weight does not show it. */
static void mark_end(struct tree *t, const struct trie *s, uint32_t path, uint32_t node)
{
	if (s->weight[0][path] || !(s->is_used[path] & 1))
		return;
	if (!t->ends)
		t->ends = mem_zalloc(t->n / 64 + 1, sizeof *t->ends);
	t->ends[node / 64] |= UINT64_C(1) << node % 64;
}

/* Children by their parent, and what decides about their order. */
struct siblings {
	uint32_t *first, *next; /* child of a path, and the next one of the same parent; 0: there is none */
	const uint32_t *rank;   /* by symbol; NULL: the order of the input */
	const uint64_t *total;  /* NULL: rank alone decides */
	struct sort_item *items;
	size_t cap;
};

static void siblings_init(struct siblings *l, const struct trie *s, const uint32_t *rank, const uint64_t *total)
{
	*l = (struct siblings){.rank = rank, .total = total};
	l->first = mem_zalloc(s->n, sizeof *l->first);
	l->next = mem_alloc(s->n * sizeof *l->next);
	for (uint32_t i = s->n - 1; i > 0 && !TRIE_STOPS(s, i); i--) {
		l->next[i] = l->first[s->parent[i]];
		l->first[s->parent[i]] = i;
	}
	l->next[0] = 0;
}

static void siblings_deinit(struct siblings *l)
{
	free(l->first);
	free(l->next);
	free(l->items);
}

/* The first child of the path; its siblings follow in their order. */
static uint32_t sort_children(struct siblings *l, const struct trie *s, uint32_t path)
{
	uint32_t n = 0, first = l->first[path];
	bool is_sorted = true;

	if (!first || !l->next[first] || !l->rank)
		return first;
	for (uint32_t i = first; i; i = l->next[i], n++) {
		uint32_t rank = l->rank[s->sym[i]];

		if (2 * ((size_t)n + 1) > l->cap)
			l->items = mem_grow(l->items, &l->cap, 2 * ((size_t)n + 1), sizeof *l->items);
		l->items[n] = (struct sort_item){l->total ? UINT64_MAX - l->total[i] : rank, rank, i};
		is_sorted = is_sorted && (!n || sort_less(&l->items[n - 1], &l->items[n]));
	}
	if (is_sorted)
		return first;
	sort_items(l->items, n, l->items + n);
	for (uint32_t k = 0; k + 1 < n; k++)
		l->next[l->items[k].value] = l->items[k + 1].value;
	l->next[l->items[n - 1].value] = 0;
	return l->items[0].value;
}

static void place_path(struct tree *t, const struct trie *s, uint32_t path, uint32_t node, uint32_t parent)
{
	t->sym[node] = s->sym[path];
	t->parent[node] = parent;
	t->pos[node] = s->weight[0][path];
	if (t->base)
		t->base[node] = s->weight[1][path];
	mark_end(t, s, path, node);
}

/* Down to the first child, on to the next one, up where there is none: the numbers of nodes are given out on the way. */
static void walk(struct siblings *l, const struct trie *s, struct tree *t, uint32_t *places)
{
	uint32_t path = PATH_ROOT, node = 0, depth = 0, *open; /* open[d]: the node at depth d on the way to the path */
	size_t cap = 64;

	open = mem_alloc(cap * sizeof *open);
	open[0] = NODE_ALL;
	for (;;) {
		uint32_t child = sort_children(l, s, path);

		place_path(t, s, path, node, open[depth - (depth > 0)]);
		if (places)
			places[path] = node;
		if (TRIE_STOPS(s, node))
			break;
		open[depth] = node++;
		if (child) {
			path = child;
			if (++depth == cap)
				open = mem_grow(open, &cap, cap + 1, sizeof *open);
			if (depth > t->depth)
				t->depth = depth;
			continue;
		}
		for (; depth && !l->next[path]; path = s->parent[path])
			t->end[open[depth--]] = node;
		t->end[open[depth]] = node;
		if (!depth)
			break;
		path = l->next[path];
	}
	free(open);
}

/* Gives out the numbers by a walk; `total` only where it decides. */
static void renumber_by_walk(struct folding *w, struct tree *t, const uint32_t *rank, uint32_t *places)
{
	uint64_t *total = w->recipe->sort == SORT_WEIGHT ? totals_of(&w->trie) : NULL;
	struct siblings l;

	siblings_init(&l, &w->trie, w->recipe->sort == SORT_INPUT ? NULL : rank, total);
	if (!trie_is_stopped(&w->trie))
		walk(&l, &w->trie, t, places);
	siblings_deinit(&l);
	free(total);
}

/* All paths at once, in the order of their ranks: none has to be waited for. */
static void renumber_by_rank(struct folding *w, struct tree *t, const uint32_t *rank, size_t n_ranks, uint32_t *places)
{
	const struct trie *s = &w->trie;
	uint32_t *order = sibling_order(s, w->recipe->sort, rank, n_ranks);
	uint32_t *place = trie_is_stopped(s) ? NULL : number_preorder(s, order);

	free(order);
	for (uint32_t i = 0; place && i < s->n && (i || !trie_is_stopped(s)) && !TRIE_STOPS(s, i); i++)
		place_path(t, s, i, place[i], place[s->parent[i]]);
	if (places && place && !trie_is_stopped(s))
		memcpy(places, place, s->n * sizeof *places);
	free(place);
	if (!trie_is_stopped(s))
		find_ends(t, s);
}

/* Do nearly all paths stand near their parents? Text in depth-first order puts them there, samples in the order of time do not. */
static bool is_near(const struct trie *s)
{
	uint32_t far = 0;

	for (uint32_t i = 1; i < s->n; i++)
		far += i - s->parent[i] > 4096;
	return far <= s->n / 64;
}

/* Puts the paths into preorder, siblings as the recipe says. */
static void renumber(struct folding *w, struct tree *t, uint32_t *places)
{
	size_t n_ranks = w->profile->symtab.n * 2;
	uint32_t *rank = mem_alloc(n_ranks * sizeof *rank);

	if (!symtab_rank_until(&w->profile->symtab, rank, rank + w->profile->symtab.n, w->progress)) {
		free(rank);
		return;
	}
	if (is_near(&w->trie))
		renumber_by_walk(w, t, rank, places);
	else
		renumber_by_rank(w, t, rank, n_ranks, places);
	free(rank);
}

bool arrange(struct folding *w, struct tree *t, uint32_t *places)
{
	struct trie *s = &w->trie;

	cut_to_fit(s->weight[0], s->n);
	cut_to_fit(s->weight[1], s->n);
	tree_alloc(t, s->n, w->has_base);
	if (w->recipe->sort == SORT_NAME && is_arranged(s, &w->profile->symtab)) {
		memcpy(t->sym, s->sym, s->n * sizeof *t->sym);
		memcpy(t->parent, s->parent, s->n * sizeof *t->parent);
		memcpy(t->pos, s->weight[0], s->n * sizeof *t->pos);
		if (t->base)
			memcpy(t->base, s->weight[1], s->n * sizeof *t->base);
		for (uint32_t i = 0; i < s->n; i++)
			mark_end(t, s, i, i);
		for (uint32_t i = 0; places && i < s->n; i++)
			places[i] = i;
		find_ends(t, s);
	} else {
		renumber(w, t, places);
	}
	if (trie_is_stopped(s)) {
		tree_deinit(t);
		return false;
	}
	add_up(t->pos, t->n);
	if (t->base)
		add_up(t->base, t->n);
	return true;
}

/* --- charts --- */

/* A tree that grows at its right edge. */
struct chart {
	struct tree *tree;
	size_t cap, cap_parent, cap_pos, cap_time, cap_open;
	uint64_t now; /* of the sample that comes in, ns from the profile's start */
	uint32_t *open;      /* nodes from "all" to the frame that is on top now */
	uint32_t *open_path; /* their paths in the trie */
	uint32_t depth;      /* of the top */
	uint32_t opened;     /* frames since the last question whether to go on */
	uint32_t gap;        /* the last node, if that is a gap; 0: it is none */
	uint32_t *nameless;  /* frames whose name is empty */
	size_t n_nameless, cap_nameless;
};

static uint32_t chart_node(struct chart *c, uint32_t parent, uint32_t sym)
{
	struct tree *t = c->tree;
	uint32_t node = t->n;

	if (node >= UINT32_MAX - 2)
		mem_exhausted();
	mem_push(t->sym, t->n, c->cap, sym);
	t->parent = mem_grow(t->parent, &c->cap_parent, t->n, sizeof *t->parent);
	t->pos = mem_grow(t->pos, &c->cap_pos, (size_t)t->n + 1, sizeof *t->pos);
	t->parent[node] = parent;
	t->pos[node] = 0;
	if (t->time) {
		t->time = mem_grow(t->time, &c->cap_time, t->n, sizeof *t->time);
		t->time[node] = c->now;
	}
	return node;
}

static void chart_open(struct chart *c, uint32_t path, uint32_t sym)
{
	uint32_t node = chart_node(c, c->open[c->depth], sym);

	c->gap = 0;
	if (sym == 0)
		mem_push(c->nameless, c->n_nameless, c->cap_nameless, node);
	c->depth++;
	c->opened++;
	if (c->depth + 1 >= c->cap_open) {
		c->open = mem_grow(c->open, &c->cap_open, c->depth + 2, sizeof *c->open);
		c->open_path = mem_realloc(c->open_path, c->cap_open, sizeof *c->open_path);
	}
	c->open[c->depth] = node;
	c->open_path[c->depth] = path;
	if (c->depth > c->tree->depth)
		c->tree->depth = c->depth;
}

/* One sample: close what it does not share with the one before, open the rest, add its weight at the top. */
static void chart_sample(struct chart *c, const struct trie *s, const uint32_t *depth, uint32_t path, uint64_t weight,
                         uint32_t **chain, size_t *cap_chain)
{
	struct tree *t = c->tree;
	uint32_t n = 0, up = path, top;

	while (depth[up] > c->depth || c->open_path[depth[up]] != up) {
		if (n == *cap_chain)
			*chain = mem_grow(*chain, cap_chain, n + 1u, sizeof **chain);
		(*chain)[n++] = up;
		up = s->parent[up];
	}
	c->depth = depth[up];
	while (n--)
		chart_open(c, (*chain)[n], s->sym[(*chain)[n]]);
	top = c->open[c->depth];
	if (top == t->n - 1 || !weight) {
		weight_add(&t->pos[top], weight);
	} else if (c->gap && t->parent[c->gap] == top) {
		weight_add(&t->pos[t->n - 1], weight); /* the gap goes on */
	} else {
		c->gap = chart_node(c, top, 0); /* moves t->pos */
		t->pos[c->gap] = weight;
	}
}

/* A sample without a time counts as taken when the one before was. */
static void chart_time(struct chart *c, const struct sample_log *log, size_t i, uint64_t base)
{
	struct tree *t = c->tree;

	if (t->time == NULL)
		return;
	if (log_time(log, i) != NO_TIME && log->time[i] >= base)
		c->now = log->time[i] - base;
	if (t->n == 1 && t->pos[0] == 0)
		t->time[0] = c->now;
	if (c->now > t->time_end)
		t->time_end = c->now;
}

static void mark_nameless(const struct chart *c)
{
	struct tree *t = c->tree;
	if (c->n_nameless > 0)
		t->nameless = mem_zalloc(t->n / 64 + 1, sizeof *t->nameless);
	for (size_t i = 0; i < c->n_nameless; i++)
		t->nameless[c->nameless[i] / 64] |= UINT64_C(1) << c->nameless[i] % 64;
}

static bool replay(struct folding *w, struct tree *t)
{
	const struct sample_log *log = &w->profile->log[0];
	const struct trie *s = &w->trie;
	uint32_t *depth = trie_depths(s), *chain = NULL;
	struct selection selection;
	size_t cap_chain = 0;
	double carry = 0.5;
	uint64_t first, last, base = 0;
	struct chart c = {.tree = t, .cap = 1, .cap_parent = 1, .cap_pos = 2};
	bool ok = !trie_is_stopped(s); /* else depths are incomplete */

	tree_alloc(t, 1, false);
	t->is_chart = true;
	t->sym[0] = t->parent[0] = 0;
	t->pos[0] = 0;
	c.open = mem_grow(NULL, &c.cap_open, 64, sizeof *c.open);
	c.open_path = mem_alloc(c.cap_open * sizeof *c.open_path);
	c.open[0] = c.open_path[0] = 0;
	if (profile_time_range(w->profile, &first, &last)) {
		base = profile_time_base(w->profile, first);
		t->time = mem_grow(NULL, &c.cap_time, 1, sizeof *t->time);
		t->time[0] = 0;
	}
	selection_init(&selection, w->profile, w->recipe);
	for (size_t i = 0; i < log->n && ok; i++) {
		uint64_t weight;
		uint32_t path;

		ok = !EVERY(i) || folding_goes_on(w, 0x10000);
		if (c.opened > 0x10000) { /* by few samples, if stacks are deep */
			c.opened = 0;
			ok = ok && folding_goes_on(w, 0);
		}
		if (!log_is_of(log, i, w->recipe->series) || !selection_has(&selection, log, i))
			continue;
		weight = w->recipe->half_life ? decay_whole(decay_left(&selection, log, i), &carry) : log->weight[i];
		path = w->sample_path ? w->sample_path[i] : log->path[i];
		path = w->map ? w->map[path] : path;
		if (path == DROPPED)
			continue;
		chart_time(&c, log, i, base);
		chart_sample(&c, s, depth, path, weight, &chain, &cap_chain);
		if (w->tail_of)
			callers_add_to_chart(w, w->sample_path ? w->sample_path[i] : log->path[i], c.open[c.depth], weight);
	}
	mark_nameless(&c);
	free(c.nameless);
	selection_deinit(&selection);
	free(c.open);
	free(c.open_path);
	free(chain);
	free(depth);
	t->end = mem_realloc(t->end, t->n, sizeof *t->end);
	cut_to_fit(t->pos, t->n);
	add_up(t->pos, t->n);
	find_ends(t, s);
	return ok;
}

/* --- all of it --- */

/* All names that the fold will need, so that nothing is added while it reads them. false: cancelled. */
static bool make_names(struct folding *w)
{
	const struct recipe *r = w->recipe;
	struct symtab *t = &w->profile->symtab;
	size_t before = t->n;
	bool goes_on =
		split_make_names(w) && (!r->reverse || rename_make_trimmed(w)) && (!r->strip_hex || rename_make_addresses(w));

	t->n_made += t->n - before;
	return goes_on;
}

bool fold_makes_names(const struct profile *p, const struct recipe *r)
{
	return r->n_splits || r->strip_hex || (r->reverse && rename_lacks_trimmed(&p->symtab));
}

#define LONG_FRAMES ((uint64_t)1 << 20)

bool fold_is_long(const struct profile *p, const struct recipe *r)
{
	uint32_t *depth, deepest = 0;
	uint64_t frames = 0;

	if (!r->reverse && !r->chart)
		return false;
	depth = mem_alloc(p->n_paths * sizeof *depth);
	depth[0] = 0;
	for (uint32_t i = 1; i < p->n_paths; i++) {
		depth[i] = depth[p->parent[i]] + 1;
		frames += depth[i];
		deepest = depth[i] > deepest ? depth[i] : deepest;
	}
	free(depth);
	return frames > LONG_FRAMES || (r->chart && p->log[0].n * (uint64_t)deepest > LONG_FRAMES);
}

static bool apply_all(struct folding *w, struct err *err)
{
	for (size_t i = 0; i < w->recipe->n_filters; i++) {
		w->recipe->filters[i].excluded = 0;
		w->recipe->filters[i].matched_none = false;
	}
	if (w->recipe->strip_hex && !rename_addresses(w))
		return false;
	swap_sides(w);
	return filter_all(w, err) && (!w->recipe->reverse || callers_first(w));
}

bool fold(struct profile *p, struct recipe *r, struct tree *out, struct progress *progress, struct err *err)
{
	struct folding w = {.profile = p, .recipe = r, .progress = progress};
	struct tree t;
	bool ok;

	if (err)
		err->text[0] = '\0';
	w.has_base = p->log[1].n > 0 && !r->chart && !r->leaves_base;
	w.wants_map = r->chart;
	if (progress)
		atomic_store(&progress->all, (p->log[0].n + p->log[1].n) * (r->n_splits + 1u) + (uint64_t)p->symtab.n * r->n_filters +
		                                 (uint64_t)p->n_paths * (r->n_filters + r->reverse + r->strip_hex + 1u));
	ok = make_names(&w) && weigh(&w) && apply_all(&w, err);
	if (ok) {
		folding_prune(&w);
		if (w.cut && !r->chart)
			w.place = mem_alloc(w.trie.n * sizeof *w.place);
		ok = r->chart ? replay(&w, &t) : arrange(&w, &t, w.place);
		if (ok) {
			callers_end(&w, &t);
			t.is_reversed = r->reverse;
			t.excluded[0] = w.excluded[0];
			t.excluded[1] = w.excluded[1];
			t.samples = w.samples;
			*out = t;
		} else {
			tree_deinit(&t);
		}
	}
	cut_free(w.cut);
	free(w.place);
	free(w.tail_of);
	free(w.chart_tails);
	free(w.chart_weights);
	trie_deinit(&w.trie);
	free(w.map);
	free(w.sample_path);
	return ok;
}
