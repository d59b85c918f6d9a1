/*
 * arrange.c - turns a trie into a tree: sorts siblings and numbers paths in preorder.
 *
 * Paths read from sorted text are in preorder already and are copied. If paths are mostly near their parents, a
 * walk from the root numbers them and sorts siblings where needed. If paths are scattered, a walk would wait for
 * memory at every step: instead, a counting sort orders all paths by rank, and each path takes the next free place
 * below its parent, whose cursor moves on by the size of the path's subtree. That is linear, and although it
 * touches memory all over, no access depends on the one before.
 */
#include "arrange.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "tree_build.h"

static bool name_less(const struct symbol *a, const struct symbol *b)
{
	int order = memcmp(a->name, b->name, a->len < b->len ? a->len : b->len);
	return order ? order < 0 : a->len < b->len;
}

/*
 * Are the paths in preorder, and siblings in ascending order of their names? Then this sets the ends of their
 * nodes. Compares names directly: ranking them costs more when there are millions, and an unsorted trie mostly
 * fails early.
 */
static bool is_arranged(const struct trie *s, const struct symtab *t, struct tree *to)
{
	struct tree_open open;
	size_t cap = 64;
	uint32_t *last = mem_alloc(cap * sizeof *last); /* symbol of the last child met, by depth of the parent */
	bool ok = true;
	tree_open_begin(&open, to);
	last[0] = NO_SYMBOL;
	for (uint32_t i = 1; i < s->n && ok && !TRIE_STOPS(s, i); i++) {
		uint32_t *before;
		ok = tree_open_next(&open, i, s->parent[i]);
		if (open.depth >= cap)
			last = mem_grow(last, &cap, cap + 1, sizeof *last);
		before = &last[open.depth - ok];
		ok = ok && (*before == NO_SYMBOL || name_less(&t->symbols[*before], &t->symbols[s->sym[i]]));
		*before = s->sym[i];
		last[open.depth] = NO_SYMBOL;
	}
	tree_open_end(&open);
	free(last);
	return ok;
}

/* --- by rank --- */

/* All paths but the root, in sibling order. A counting sort: linear. */
static uint32_t *order_by_rank(const struct trie *s, const uint32_t *rank, size_t n_ranks)
{
	uint32_t *start = mem_zalloc(n_ranks + 1, sizeof *start), *order = mem_alloc(s->n * sizeof *order);
	for (uint32_t i = 1; i < s->n && !TRIE_COUNTS(s, i, 1); i++)
		start[rank[s->sym[i]] + 1]++;
	for (size_t r = 0; r < n_ranks; r++)
		start[r + 1] += start[r];
	for (uint32_t i = 1; i < s->n && !TRIE_COUNTS(s, i, 1); i++)
		order[start[rank[s->sym[i]]]++] = i;
	free(start);
	return order;
}

/* Stable radix sort by descending total. */
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
		for (uint32_t i = 0; i < n && !TRIE_COUNTS(s, i, shift == 0); i++)
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
	for (uint32_t i = s->n - 1; i > 0 && !TRIE_COUNTS(s, i, 1); i--)
		total[s->parent[i]] += total[i];
	return total;
}

/* The first sample at or below each path counts for the order of the input. */
static void inherit_ages(struct trie *s)
{
	for (uint32_t i = s->n - 1; s->age && i > 0 && !TRIE_STOPS(s, i); i--)
		trie_add_age(s, s->parent[i], s->age[i]);
}

static void order_by_age(const struct trie *s, uint32_t *order)
{
	struct sort_item *items = mem_alloc((size_t)s->n * 2 * sizeof *items);
	for (uint32_t i = 1; i < s->n; i++)
		items[i - 1] = (struct sort_item){UINT64_MAX - s->age[i], i, i};
	sort_items(items, s->n - 1, items + s->n);
	for (uint32_t i = 0; i + 1 < s->n; i++)
		order[i] = items[i].value;
	free(items);
}

static uint32_t *sibling_order(const struct trie *s, enum sort_order sort, const uint32_t *rank, size_t n_ranks)
{
	uint32_t *order;
	uint64_t *total;
	if (sort == SORT_INPUT) {
		order = mem_alloc(s->n * sizeof *order);
		for (uint32_t i = 1; i < s->n; i++)
			order[i - 1] = i;
		if (s->age)
			order_by_age(s, order);
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

/*
 * Numbers all paths in preorder: each, in sibling order, takes its parent's next free place and moves that place
 * on. place[] holds the size of a path's subtree until then.
 */
static uint32_t *number_preorder(const struct trie *s, const uint32_t *order)
{
	uint32_t *place = mem_alloc(s->n * sizeof *place), *next = mem_alloc(s->n * sizeof *next);
	for (uint32_t i = 0; i < s->n; i++)
		place[i] = next[i] = 1;
	for (uint32_t i = s->n - 1; i > 0 && !TRIE_COUNTS(s, i, 1); i--)
		place[s->parent[i]] += place[i];
	for (uint32_t k = 0; k + 1 < s->n && !TRIE_COUNTS(s, k, 2); k++) {
		uint32_t i = order[k], up = s->parent[i], size = place[i];
		place[i] = next[up];
		next[up] += size;
	}
	place[0] = 0;
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++)
		place[i] += place[s->parent[i]];
	free(next);
	return place;
}

/* Samples of weight 0 may end here: sets the node's bit in tree->ends if its weight does not show that they do. */
static void mark_end(struct tree *t, const struct trie *s, uint32_t path, uint32_t node)
{
	if (s->weight[0][path] || !(s->is_used[path] & 1))
		return;
	if (!t->ends)
		t->ends = mem_zalloc(t->n / 64 + 1, sizeof *t->ends);
	t->ends[node / 64] |= UINT64_C(1) << node % 64;
}

/* --- by a walk --- */

/* The children of each path, and the sort keys. */
struct siblings {
	uint32_t *child, *next; /* not owned; first child of a path; next sibling; 0: none */
	const uint32_t *rank;   /* by symbol; NULL: the order of the input */
	const uint64_t *key; /* greater ones come first; NULL: rank alone decides, or without it the order of paths */
	struct sort_item *items;
	size_t cap;
};

/* The lists lie where the positions will be: fresh memory costs time. */
static void siblings_init(struct siblings *l, const struct trie *s, struct tree *t)
{
	l->child = (uint32_t *)(void *)t->pos;
	l->next = l->child + s->n;
	memset(l->child, 0, s->n * sizeof *l->child);
	for (uint32_t i = s->n - 1; i > 0 && !TRIE_COUNTS(s, i, 1); i--) {
		l->next[i] = l->child[s->parent[i]];
		l->child[s->parent[i]] = i;
	}
	l->next[0] = 0;
}

/* Sorts the children of the path; returns the first, the rest follow in next[]. */
static uint32_t sort_children(struct siblings *l, const struct trie *s, uint32_t path)
{
	uint32_t n = 0, first = l->child[path];
	bool is_sorted = true;
	if (!first || !l->next[first] || (!l->rank && !l->key))
		return first;
	for (uint32_t i = first; i; i = l->next[i], n++) {
		uint32_t rank = l->rank ? l->rank[s->sym[i]] : i;
		if (2 * ((size_t)n + 1) > l->cap)
			l->items = mem_grow(l->items, &l->cap, 2 * ((size_t)n + 1), sizeof *l->items);
		l->items[n] = (struct sort_item){l->key ? UINT64_MAX - l->key[i] : rank, rank, i};
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

static void place_weight(struct tree *t, const struct trie *s, uint32_t path, uint32_t node)
{
	t->pos[node] = s->weight[0][path];
	if (t->base)
		t->base[node] = s->weight[1][path];
	mark_end(t, s, path, node);
}

static void place_frame(struct tree *t, const struct trie *s, uint32_t path, uint32_t node)
{
	t->sym[node] = s->sym[path];
	if (s->origin)
		t->origin[node] = s->origin[path];
}

/*
 * Goes down to the first child, else to the next sibling, else up, and numbers the nodes on the way. sym[] gets the
 * path of each node.
 */
static void walk(struct siblings *l, const struct trie *s, struct tree *t, uint32_t *places)
{
	uint32_t path = PATH_ROOT, node = 0, depth = 0, *open; /* open[d]: the node at depth d on the way to the path */
	size_t cap = 64;
	open = mem_alloc(cap * sizeof *open);
	open[0] = NODE_ALL;
	for (;;) {
		uint32_t child = sort_children(l, s, path);
		t->sym[node] = path;
		t->parent[node] = open[depth - (depth > 0)];
		if (places)
			places[path] = node;
		if (TRIE_COUNTS(s, node, 7))
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

/*
 * Numbers the nodes by a walk; computes totals only if the order depends on them. Lists of siblings, weights and
 * positions are not needed at the same time.
 */
static void renumber_by_walk(struct folding *w, struct tree *t, const uint32_t *rank, uint32_t *places)
{
	struct trie *s = &w->trie;
	uint64_t *total = w->recipe->sort == SORT_WEIGHT ? totals_of(s) : NULL;
	struct siblings l = {.rank = w->recipe->sort == SORT_INPUT ? NULL : rank, .key = total ? total : s->age};
	siblings_init(&l, s, t);
	if (!trie_is_stopped(s))
		walk(&l, s, t, places);
	free(l.items);
	free(total);
	if (trie_is_stopped(s))
		return;
	for (uint32_t i = 0; i < s->n; i++)
		place_weight(t, s, t->sym[i], i);
	if (!places)
		trie_forget_weights(s);
	for (uint32_t i = 0; i < s->n; i++)
		place_frame(t, s, t->sym[i], i);
}

/* Numbers all paths together, ordered by rank: no access depends on the one before. */
static void renumber_by_rank(struct folding *w, struct tree *t, const uint32_t *rank, size_t n_ranks,
                             uint32_t *places)
{
	struct trie *s = &w->trie;
	uint32_t *order = sibling_order(s, w->recipe->sort, rank, n_ranks);
	uint32_t *place = trie_is_stopped(s) ? NULL : number_preorder(s, order);
	free(order);
	for (uint32_t i = 0; place && i < s->n && (i || !trie_is_stopped(s)) && !TRIE_COUNTS(s, i, 1); i++)
		place_weight(t, s, i, place[i]);
	if (!places)
		trie_forget_weights(s);
	for (uint32_t i = 0; place && i < s->n && (i || !trie_is_stopped(s)) && !TRIE_COUNTS(s, i, 1); i++) {
		place_frame(t, s, i, place[i]);
		t->parent[place[i]] = place[s->parent[i]];
	}
	if (places && place && !trie_is_stopped(s))
		memcpy(places, place, s->n * sizeof *places);
	free(place);
	if (!trie_is_stopped(s))
		tree_build_ends(t, s->progress);
}

/*
 * Are nearly all paths near their parents? In text in depth-first order they are, in samples in time order they are
 * not.
 */
static bool is_near(const struct trie *s)
{
	uint32_t far = 0;
	for (uint32_t i = 1; i < s->n; i++)
		far += i - s->parent[i] > 4096;
	return far <= s->n / 64;
}

/* Puts the paths into preorder, with siblings as the recipe says. */
static void renumber(struct folding *w, struct tree *t, uint32_t *places)
{
	size_t n_ranks = w->profile->symtab.n * 2;
	uint32_t *rank = mem_alloc(n_ranks * sizeof *rank);
	if (!symtab_rank_until(&w->profile->symtab, rank, rank + w->profile->symtab.n, w->progress)) {
		free(rank);
		return;
	}
	inherit_ages(&w->trie);
	if (is_near(&w->trie))
		renumber_by_walk(w, t, rank, places);
	else
		renumber_by_rank(w, t, rank, n_ranks, places);
	free(rank);
}

/* Other steps may have changed the number of paths, and with it what is left to do. */
static void expect_steps(struct progress *p, uint64_t n_paths)
{
	if (p)
		atomic_store(&p->all, atomic_load(&p->done) + n_paths * ARRANGE_STEPS);
}

static void complete(struct progress *p)
{
	if (p)
		atomic_store(&p->done, atomic_load(&p->all));
}

/* `is_last`: the trie gives its own away. There has to be room for the position after the last node. */
static void take_weights(struct trie *s, unsigned side, uint64_t **pos, bool is_last)
{
	if (!is_last) {
		memcpy(*pos, s->weight[side], s->n * sizeof **pos);
		return;
	}
	free(*pos);
	*pos = mem_realloc(s->weight[side], (size_t)s->n + 1, sizeof **pos);
	s->weight[side] = NULL;
}

/* Nodes have the numbers of their paths. */
static void take_arranged(struct trie *s, struct tree *t, uint32_t *places)
{
	memcpy(t->sym, s->sym, s->n * sizeof *t->sym);
	if (s->origin)
		memcpy(t->origin, s->origin, s->n * sizeof *t->origin);
	memcpy(t->parent, s->parent, s->n * sizeof *t->parent);
	for (uint32_t i = 0; i < s->n; i++)
		mark_end(t, s, i, i);
	take_weights(s, 0, &t->pos, !places);
	if (t->base)
		take_weights(s, 1, &t->base, !places);
	for (uint32_t i = 0; places && i < s->n; i++)
		places[i] = i;
}

bool arrange(struct folding *w, struct tree *t, uint32_t *places)
{
	struct trie *s = &w->trie;
	expect_steps(w->progress, s->n);
	tree_build_fit(s->weight[0], s->n);
	tree_build_fit(s->weight[1], s->n);
	tree_build(t, s->n, w->has_base);
	if (s->origin)
		t->origin = mem_alloc(s->n * sizeof *t->origin);
	if (w->recipe->sort == SORT_NAME && is_arranged(s, &w->profile->symtab, t)) {
		take_arranged(s, t, places);
	} else {
		t->depth = 0;
		renumber(w, t, places);
	}
	if (trie_is_stopped(s)) {
		tree_deinit(t);
		return false;
	}
	tree_build_positions(t->pos, t->n);
	if (t->base)
		tree_build_positions(t->base, t->n);
	complete(w->progress);
	return true;
}
