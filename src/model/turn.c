/*
 * turn.c - reverses stacks by parting them.
 *
 * All stacks begin together at the new root. Those that stand at a node are parted by their next frame. Each part
 * gets one new node and is parted further on its own; a part of one stack is copied to its end. So no child of a
 * node is ever looked up. Parts are sorted and finished one after the other: nodes are made in the order of the
 * tree, each is written once, and what a part needs is close together.
 */
#include "turn.h"

#include <stdlib.h>
#include <string.h>

#include "arrange.h"
#include "base/fetch.h"
#include "base/mem.h"
#include "base/sort.h"
#include "tree_build.h"

#define PARTS_AHEAD 4 /* from the next part to the one whose memory is fetched */

/* A frame of a stack, and the path above it in the old trie; each step needs both. */
struct step {
	uint32_t sym; /* NO_SYMBOL: the stack has no more frames */
	uint32_t up;
};

/* A stack on its way from its leaf to its root. */
struct stack {
	uint32_t path; /* of the old trie: where it ends */
	struct step next;
};

/* Stacks [begin, end) stand at a node, and all go on with this frame; NO_SYMBOL: with any. */
struct part {
	uint32_t begin, end, at, sym;
};

struct turning {
	const struct trie *from;
	struct step *steps; /* by path */
	struct tree *to;
	size_t cap;                   /* nodes that `to` has room for */
	uint64_t sum[2];              /* weight of the nodes so far */
	uint32_t *map;                /* NULL: not wanted */
	uint64_t most, moved, ended;  /* ended: stacks that progress does not know of yet */
	struct stack *stacks, *other; /* other: room to part them */
	struct part *open;            /* parts that wait; the last one is next */
	size_t n_open, cap_open;
	uint32_t *part_of;    /* by symbol, while stacks are parted: number of its part plus one; else 0 */
	const uint32_t *rank; /* by symbol; NULL: siblings stay in the order in which they come */
	const uint64_t *key;  /* by path, see part_key(); NULL: rank alone decides */
	bool adds_keys;       /* else the greatest one counts */
	struct sort_item *items;
	size_t cap_items;
	uint32_t *way; /* way[d]: the node at depth d above the next one, whose end is not known yet */
	uint32_t depth;
	size_t cap_way;
	bool has_zero;   /* a stack of weight 0 ended in the node */
	uint32_t *zeros; /* nodes in which only such stacks end */
	size_t n_zeros, cap_zeros;
};

/* ---- the tree ------------------------------------------------------------------------------------------------ */

static void make_room(struct turning *t)
{
	struct tree *to = t->to;
	if (to->n >= UINT32_MAX - 2)
		mem_exhausted();
	to->sym = mem_grow(to->sym, &t->cap, (size_t)to->n + 1, sizeof *to->sym);
	to->parent = mem_realloc(to->parent, t->cap, sizeof *to->parent);
	to->end = mem_realloc(to->end, t->cap, sizeof *to->end);
	to->pos = mem_realloc(to->pos, t->cap, sizeof *to->pos);
	if (to->base)
		to->base = mem_realloc(to->base, t->cap, sizeof *to->base);
}

static inline uint32_t add_node(struct turning *t, uint32_t parent, uint32_t sym)
{
	struct tree *to = t->to;
	if (to->n == t->cap)
		make_room(t);
	to->sym[to->n] = sym;
	to->parent[to->n] = parent;
	to->pos[to->n] = t->sum[0];
	if (to->base)
		to->base[to->n] = t->sum[1];
	return to->n++;
}

/* The next node goes on this one: ends those that are not below it. */
static void return_to(struct turning *t, uint32_t node)
{
	while (t->way[t->depth] != node)
		t->to->end[t->way[t->depth--]] = t->to->n;
}

static void go_down(struct turning *t, uint32_t node)
{
	if (++t->depth == t->cap_way)
		t->way = mem_grow(t->way, &t->cap_way, t->cap_way + 1, sizeof *t->way);
	t->way[t->depth] = node;
	if (t->depth > t->to->depth)
		t->to->depth = t->depth;
}

/* The stack has no more frames after this node, the last one made or one above nodes that are yet to be made. */
static void end_stack(struct turning *t, uint32_t path, uint32_t node)
{
	const struct trie *from = t->from;
	t->sum[0] += from->weight[0][path];
	if (t->to->base)
		t->sum[1] += from->weight[1][path];
	t->has_zero |= !from->weight[0][path] && from->is_used[path] & 1;
	if (t->map)
		t->map[path] = node;
}

/* All stacks that end in the node have ended. */
static void end_stacks_at(struct turning *t, uint32_t node)
{
	if (t->has_zero && t->sum[0] == t->to->pos[node])
		mem_push(t->zeros, t->n_zeros, t->cap_zeros, node);
	t->has_zero = false;
}

static void begin_tree(struct turning *t)
{
	*t->to = (struct tree){.n = 0};
	t->cap = t->from->n;
	tree_build(t->to, t->from->n, t->from->weight[1]);
	t->to->n = 0;
	t->way = mem_grow(NULL, &t->cap_way, 64, sizeof *t->way);
	t->way[0] = add_node(t, NODE_ALL, 0);
	end_stack(t, PATH_ROOT, NODE_ALL);
	end_stacks_at(t, NODE_ALL);
}

static void mark_zeros(struct turning *t)
{
	struct tree *to = t->to;
	if (t->n_zeros)
		to->ends = mem_zalloc(to->n / 64 + 1, sizeof *to->ends);
	for (size_t k = 0; k < t->n_zeros; k++)
		to->ends[t->zeros[k] / 64] |= UINT64_C(1) << t->zeros[k] % 64;
}

static void end_tree(struct turning *t)
{
	struct tree *to = t->to;
	return_to(t, NODE_ALL);
	to->end[NODE_ALL] = to->n;
	to->sym = mem_realloc(to->sym, to->n, sizeof *to->sym);
	to->parent = mem_realloc(to->parent, to->n, sizeof *to->parent);
	to->end = mem_realloc(to->end, to->n, sizeof *to->end);
	to->pos = mem_realloc(to->pos, (size_t)to->n + 1, sizeof *to->pos);
	to->pos[to->n] = t->sum[0];
	if (to->base) {
		to->base = mem_realloc(to->base, (size_t)to->n + 1, sizeof *to->base);
		to->base[to->n] = t->sum[1];
	}
	mark_zeros(t);
}

/* ---- parts --------------------------------------------------------------------------------------------------- */

/* Counts moves of stacks, and stacks that ended. false: the fold was cancelled, or there are too many nodes. */
static bool goes_on(struct turning *t, uint32_t moved, uint32_t ended)
{
	uint64_t before = t->moved >> 16;
	bool goes = true;
	t->moved += moved;
	t->ended += ended;
	if (t->moved >> 16 != before) {
		goes = progress_step(t->from->progress, t->ended * ARRANGE_STEPS);
		t->ended = 0;
	}
	return goes && t->to->n <= t->most;
}

/* The only stack of a part goes on to its root. */
static bool end_one(struct turning *t, struct stack s, uint32_t at)
{
	struct tree *to = t->to;
	uint32_t first = to->n;
	for (struct step next = s.next; next.sym != NO_SYMBOL; next = t->steps[next.up])
		at = add_node(t, at, next.sym);
	for (uint32_t i = first; i < to->n; i++)
		to->end[i] = to->n;
	if (t->depth + (to->n - first) > to->depth)
		to->depth = t->depth + (to->n - first);
	end_stack(t, s.path, at);
	end_stacks_at(t, at);
	return goes_on(t, to->n - first + 1, 1);
}

/* Adds the node of a part, and moves its stacks there. */
static void enter(struct turning *t, struct part *p)
{
	p->at = add_node(t, p->at, p->sym);
	go_down(t, p->at);
	for (struct stack *s = t->stacks + p->begin; s < t->stacks + p->end; s++)
		s->next = t->steps[s->next.up];
}

/* Takes out the stacks that end where the part stands; the others keep their order. Returns their number. */
static uint32_t end_some(struct turning *t, struct part *p)
{
	uint32_t left = p->begin, end = p->end;
	for (uint32_t k = p->begin; k < end; k++) {
		if (t->stacks[k].next.sym == NO_SYMBOL)
			end_stack(t, t->stacks[k].path, p->at);
		else
			t->stacks[left++] = t->stacks[k];
	}
	p->end = left;
	end_stacks_at(t, p->at);
	return end - left;
}

/* Opens a part for each next frame, `end` is its number of stacks. Returns the number of parts. */
static size_t open_parts(struct turning *t, const struct part *p)
{
	size_t first = t->n_open;
	for (uint32_t k = p->begin; k < p->end; k++) {
		uint32_t sym = t->stacks[k].next.sym;
		if (!t->part_of[sym]) {
			mem_push(t->open, t->n_open, t->cap_open, ((struct part){0, 0, p->at, sym}));
			t->part_of[sym] = (uint32_t)(t->n_open - first);
		}
		t->open[first + t->part_of[sym] - 1].end++;
	}
	return t->n_open - first;
}

/* Gives the parts their places among the stacks, one after the other, and puts the stacks there. */
static void place_stacks(struct turning *t, const struct part *p, struct part *parts, size_t n)
{
	uint32_t begin = p->begin;
	for (size_t i = 0; i < n; i++) {
		parts[i].begin = begin;
		begin += parts[i].end;
		parts[i].end = parts[i].begin;
	}
	memcpy(t->other, t->stacks + p->begin, (p->end - p->begin) * sizeof *t->stacks);
	for (uint32_t k = 0; k < p->end - p->begin; k++)
		t->stacks[parts[t->part_of[t->other[k].next.sym] - 1].end++] = t->other[k];
}

/* By which siblings are sorted, greater ones first: the weight of a part, or the age of its first sample. */
static uint64_t part_key(const struct turning *t, const struct part *p)
{
	uint64_t key = 0;
	for (uint32_t k = p->begin; t->key && k < p->end; k++) {
		uint64_t one = t->key[t->stacks[k].path];
		key = t->adds_keys ? key + one : one > key ? one : key;
	}
	return key;
}

/* Sorts the last n parts the other way round: the last one is the first to be taken. */
static void sort_parts(struct turning *t, size_t n)
{
	size_t first = t->n_open - n;
	t->open = mem_grow(t->open, &t->cap_open, t->n_open + n, sizeof *t->open);
	t->items = mem_grow(t->items, &t->cap_items, 2 * n, sizeof *t->items);
	struct part *parts = t->open + first, *unsorted = parts + n;
	memcpy(unsorted, parts, n * sizeof *parts);
	for (size_t i = 0; i < n; i++)
		t->items[i] = (struct sort_item){~part_key(t, &parts[i]), t->rank ? t->rank[parts[i].sym] : 0, (uint32_t)i};
	sort_items(t->items, n, t->items + n);
	for (size_t i = 0; i < n; i++)
		parts[n - 1 - i] = unsorted[t->items[i].value];
}

/* Parts the stacks by their next frame. */
static void part_stacks(struct turning *t, const struct part *p)
{
	size_t n = open_parts(t, p);
	struct part *parts = t->open + t->n_open - n;
	if (n == 1)
		parts[0] = (struct part){p->begin, p->end, p->at, parts[0].sym};
	else
		place_stacks(t, p, parts, n);
	for (size_t i = 0; i < n; i++)
		t->part_of[parts[i].sym] = 0;
	if (n > 1)
		sort_parts(t, n);
}

/* Parts that wait are mostly small, and memory answers slowly: what is read first of a later one is fetched now. */
static void fetch_ahead(const struct turning *t)
{
	if (t->n_open >= PARTS_AHEAD)
		fetch_line(&t->steps[t->stacks[t->open[t->n_open - PARTS_AHEAD].begin].next.up]);
}

/* Takes the next part. */
static bool take_part(struct turning *t)
{
	struct part p = t->open[--t->n_open];
	uint32_t n = p.end - p.begin, ended;
	return_to(t, p.at);
	fetch_ahead(t);
	if (n == 1)
		return end_one(t, t->stacks[p.begin], p.at);
	if (p.sym != NO_SYMBOL)
		enter(t, &p);
	ended = end_some(t, &p);
	if (p.begin < p.end)
		part_stacks(t, &p);
	return goes_on(t, n, ended);
}

/* ---- all ----------------------------------------------------------------------------------------------------- */

static uint32_t count_stacks(const struct trie *from)
{
	uint32_t n = 0;
	for (uint32_t i = 1; i < from->n; i++)
		n += from->is_used[i] != 0;
	return n;
}

static struct step *make_steps(const struct trie *from)
{
	struct step *steps = mem_alloc(from->n * sizeof *steps);
	for (uint32_t i = 0; i < from->n; i++)
		steps[i] = (struct step){i ? from->sym[i] : NO_SYMBOL, from->parent[i]};
	return steps;
}

static void begin_all(struct turning *t, uint32_t n_stacks)
{
	const struct trie *from = t->from;
	uint32_t n = 0;
	t->stacks = mem_alloc((n_stacks + 1) * sizeof *t->stacks);
	t->other = mem_alloc((n_stacks + 1) * sizeof *t->other);
	for (uint32_t i = 1; i < from->n && !TRIE_STOPS(from, i); i++) {
		if (t->map)
			t->map[i] = DROPPED;
		if (from->is_used[i])
			t->stacks[n++] = (struct stack){i, t->steps[i]};
	}
	mem_push(t->open, t->n_open, t->cap_open, ((struct part){0, n, NODE_ALL, NO_SYMBOL}));
}

/* How siblings are sorted. false: cancelled. */
static bool order_siblings(struct turning *t, const struct folding *w, uint32_t *rank)
{
	enum sort_order sort = w->recipe->sort;
	const struct symtab *symtab = &w->profile->symtab;
	t->key = sort == SORT_WEIGHT ? t->from->weight[0] : sort == SORT_INPUT ? t->from->age : NULL;
	t->adds_keys = sort == SORT_WEIGHT;
	t->rank = sort == SORT_INPUT ? NULL : rank;
	return !t->rank || symtab_rank_until(symtab, rank, rank + symtab->n, w->progress);
}

static void turn_all(struct turning *t, const struct folding *w)
{
	uint32_t n_stacks = count_stacks(t->from);
	uint32_t *rank = mem_alloc(w->profile->symtab.n * 2 * sizeof *rank);
	if (w->progress)
		atomic_store(&w->progress->all, atomic_load(&w->progress->done) + n_stacks * (uint64_t)ARRANGE_STEPS);
	if (order_siblings(t, w, rank)) {
		begin_all(t, n_stacks);
		while (t->n_open && take_part(t))
			;
		progress_step(t->from->progress, t->ended * ARRANGE_STEPS);
	}
	free(rank);
}

static void free_all(struct turning *t)
{
	free(t->steps);
	free(t->stacks);
	free(t->other);
	free(t->open);
	free(t->part_of);
	free(t->items);
	free(t->way);
	free(t->zeros);
}

enum turn turn_stacks(struct folding *w, struct tree *to, uint32_t *map, uint64_t most)
{
	const struct trie *from = &w->trie;
	struct turning t = {.from = from, .to = to, .map = map, .most = most, .steps = make_steps(from)};
	enum turn how;
	t.part_of = mem_zalloc(w->profile->symtab.n + 1, sizeof *t.part_of);
	begin_tree(&t);
	turn_all(&t, w);
	how = trie_is_stopped(from) ? TURN_STOPPED : to->n > most ? TURN_TOO_MANY : TURN_DONE;
	if (how == TURN_DONE)
		end_tree(&t);
	else
		tree_deinit(to);
	free_all(&t);
	return how;
}
