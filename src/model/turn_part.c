/*
 * turn_part.c - makes the nodes of a stretch: parts that wait are on a stack, the next one on top.
 */
#include "turn_part.h"

#include <stdlib.h>
#include <string.h>

#include "arrange.h"
#include "base/fetch.h"
#include "base/mem.h"
#include "symtab.h"
#include "tree_build.h"

/* Moves of stacks between two questions whether to go on. Tests have fewer. */
#ifndef MOVES_SHIFT
#define MOVES_SHIFT 16u
#endif
#define PARTS_AHEAD 4u /* from the next part to the one whose memory is fetched */

/* ---- the tree ------------------------------------------------------------------------------------------------ */

static void make_room(struct stretch *t)
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

static inline uint32_t add_node(struct stretch *t, uint32_t parent, uint32_t sym)
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
static void return_to(struct stretch *t, uint32_t node)
{
	while (t->way[t->depth] != node)
		t->to->end[t->way[t->depth--]] = t->to->n;
}

static void go_down(struct stretch *t, uint32_t node)
{
	if (++t->depth == t->cap_way)
		t->way = mem_grow(t->way, &t->cap_way, t->cap_way + 1, sizeof *t->way);
	t->way[t->depth] = node;
	if (t->depth > t->to->depth)
		t->to->depth = t->depth;
}

/* The stack has no more frames after this node, the last one made or one above nodes that are yet to be made. */
static void end_stack(struct stretch *t, uint32_t path, uint32_t node)
{
	const struct trie *from = t->in->from;
	t->sum[0] += from->weight[0][path];
	if (t->to->base)
		t->sum[1] += from->weight[1][path];
	t->has_zero |= !from->weight[0][path] && from->is_used[path] & 1;
	if (t->in->map)
		t->in->map[path] = node;
}

/* All stacks that end in the node have ended. */
static void end_stacks_at(struct stretch *t, uint32_t node)
{
	if (t->has_zero && t->sum[0] == t->to->pos[node])
		mem_push(t->zeros, t->n_zeros, t->cap_zeros, node);
	t->has_zero = false;
}

static void mark_zeros(struct stretch *t)
{
	struct tree *to = t->to;
	if (t->n_zeros)
		to->ends = mem_zalloc(to->n / 64 + 1, sizeof *to->ends);
	for (size_t k = 0; k < t->n_zeros; k++)
		to->ends[t->zeros[k] / 64] |= UINT64_C(1) << t->zeros[k] % 64;
}

void stretch_begin(struct stretch *t, const struct turn_input *in, struct tree *to)
{
	*t = (struct stretch){.in = in, .to = to};
	t->cap = in->from->n;
	tree_build(to, in->from->n, in->from->weight[1]);
	to->n = 0;
	t->way = mem_grow(NULL, &t->cap_way, 64, sizeof *t->way);
	t->way[0] = add_node(t, NODE_ALL, 0);
	end_stack(t, PATH_ROOT, NODE_ALL);
	end_stacks_at(t, NODE_ALL);
	mem_push(t->open, t->n_open, t->cap_open, ((struct part){0, in->n_stacks, NODE_ALL, NO_SYMBOL}));
}

void stretch_close(struct stretch *t)
{
	return_to(t, NODE_ALL);
	t->to->end[NODE_ALL] = t->to->n;
}

void stretch_finish(struct stretch *t)
{
	struct tree *to = t->to;
	stretch_close(t);
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

static bool tell_progress(struct stretch *t)
{
	bool goes_on = progress_step(t->in->from->progress, t->ended * ARRANGE_STEPS);
	t->ended = 0;
	return goes_on && (!t->goes_on || t->goes_on(t));
}

/* Counts moves of stacks, and stacks that ended. false: the fold was cancelled, or there are too many nodes. */
static bool goes_on(struct stretch *t, uint32_t moved, uint32_t ended)
{
	uint64_t before = t->moved >> MOVES_SHIFT;
	t->moved += moved;
	t->ended += ended;
	return (t->moved >> MOVES_SHIFT == before || tell_progress(t)) && t->to->n <= t->in->most;
}

/* The only stack of a part goes on to its root. */
static bool end_one(struct stretch *t, struct stack s, uint32_t at)
{
	struct tree *to = t->to;
	uint32_t first = to->n;
	for (struct step next = s.next; next.sym != NO_SYMBOL; next = t->in->steps[next.up])
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
static void enter(struct stretch *t, struct part *p)
{
	p->at = add_node(t, p->at, p->sym);
	go_down(t, p->at);
	for (struct stack *s = t->in->stacks + p->begin; s < t->in->stacks + p->end; s++)
		s->next = t->in->steps[s->next.up];
}

/* Takes out the stacks that end where the part stands; the others keep their order. Returns their number. */
static uint32_t end_some(struct stretch *t, struct part *p)
{
	uint32_t left = p->begin, end = p->end;
	for (uint32_t k = p->begin; k < end; k++) {
		if (t->in->stacks[k].next.sym == NO_SYMBOL)
			end_stack(t, t->in->stacks[k].path, p->at);
		else
			t->in->stacks[left++] = t->in->stacks[k];
	}
	p->end = left;
	end_stacks_at(t, p->at);
	return end - left;
}

/* Opens a part for each next frame, `end` is its number of stacks. Returns the number of parts. */
static size_t open_parts(struct stretch *t, const struct part *p)
{
	size_t first = t->n_open;
	for (uint32_t k = p->begin; k < p->end; k++) {
		uint32_t sym = t->in->stacks[k].next.sym;
		if (!t->room->part_of[sym]) {
			mem_push(t->open, t->n_open, t->cap_open, ((struct part){0, 0, p->at, sym}));
			t->room->part_of[sym] = (uint32_t)(t->n_open - first);
		}
		t->open[first + t->room->part_of[sym] - 1].end++;
	}
	return t->n_open - first;
}

static struct stack *room_for_stacks(struct turn_room *r, uint32_t n)
{
	if (n > r->cap_other) {
		free(r->other); /* nothing in it is needed any more */
		r->other = NULL;
		r->other = mem_alloc(n * sizeof *r->other);
		r->cap_other = n;
	}
	return r->other;
}

/* Gives the parts their places among the stacks, one after the other, and puts the stacks there. */
static void place_stacks(struct stretch *t, const struct part *p, struct part *parts, size_t n)
{
	uint32_t begin = p->begin;
	for (size_t i = 0; i < n; i++) {
		parts[i].begin = begin;
		begin += parts[i].end;
		parts[i].end = parts[i].begin;
	}
	struct stack *other = room_for_stacks(t->room, p->end - p->begin);
	memcpy(other, t->in->stacks + p->begin, (p->end - p->begin) * sizeof *other);
	for (uint32_t k = 0; k < p->end - p->begin; k++)
		t->in->stacks[parts[t->room->part_of[other[k].next.sym] - 1].end++] = other[k];
}

/* By which siblings are sorted, greater ones first: the weight of a part, or the age of its first sample. */
static uint64_t part_key(const struct stretch *t, const struct part *p)
{
	uint64_t key = 0;
	for (uint32_t k = p->begin; t->in->key && k < p->end; k++) {
		uint64_t one = t->in->key[t->in->stacks[k].path];
		key = t->in->adds_keys ? key + one : one > key ? one : key;
	}
	return key;
}

/* Sorts the last n parts the other way round: the last one is the first to be taken. */
static void sort_parts(struct stretch *t, size_t n)
{
	size_t first = t->n_open - n;
	t->open = mem_grow(t->open, &t->cap_open, t->n_open + n, sizeof *t->open);
	t->room->items = mem_grow(t->room->items, &t->room->cap_items, 2 * n, sizeof *t->room->items);
	struct part *parts = t->open + first, *unsorted = parts + n;
	memcpy(unsorted, parts, n * sizeof *parts);
	for (size_t i = 0; i < n; i++)
		t->room->items[i] =
			(struct sort_item){~part_key(t, &parts[i]), t->in->rank ? t->in->rank[parts[i].sym] : 0, (uint32_t)i};
	sort_items(t->room->items, n, t->room->items + n);
	for (size_t i = 0; i < n; i++)
		parts[n - 1 - i] = unsorted[t->room->items[i].value];
}

/* Parts the stacks by their next frame. */
static void part_stacks(struct stretch *t, const struct part *p)
{
	size_t n = open_parts(t, p);
	struct part *parts = t->open + t->n_open - n;
	if (n == 1)
		parts[0] = (struct part){p->begin, p->end, p->at, parts[0].sym};
	else
		place_stacks(t, p, parts, n);
	for (size_t i = 0; i < n; i++)
		t->room->part_of[parts[i].sym] = 0;
	if (n > 1)
		sort_parts(t, n);
}

/* Parts that wait are mostly small, and memory answers slowly: what is read first of a later one is fetched now. */
static void fetch_ahead(const struct stretch *t)
{
	if (t->n_open - t->first_open >= PARTS_AHEAD)
		fetch_line(&t->in->steps[t->in->stacks[t->open[t->n_open - PARTS_AHEAD].begin].next.up]);
}

/* Takes the next part. */
static bool take_part(struct stretch *t)
{
	struct part p = t->open[--t->n_open];
	uint32_t n = p.end - p.begin, ended;
	return_to(t, p.at);
	fetch_ahead(t);
	if (n == 1)
		return end_one(t, t->in->stacks[p.begin], p.at);
	if (p.sym != NO_SYMBOL)
		enter(t, &p);
	ended = end_some(t, &p);
	if (p.begin < p.end)
		part_stacks(t, &p);
	return goes_on(t, n, ended);
}

/* ---- stretches ----------------------------------------------------------------------------------------------- */

void stretch_run(struct stretch *t)
{
	while (t->n_open > t->first_open && take_part(t))
		;
	progress_step(t->in->from->progress, t->ended * ARRANGE_STEPS);
	t->ended = 0;
}

void stretch_deinit(struct stretch *t)
{
	free(t->open);
	free(t->way);
	free(t->zeros);
}

void turn_room_init(struct turn_room *r, const struct turn_input *in)
{
	*r = (struct turn_room){.part_of = mem_zalloc(in->n_symbols + 1, sizeof *r->part_of)};
}

void turn_room_deinit(struct turn_room *r)
{
	free(r->part_of);
	free(r->other);
	free(r->items);
}
