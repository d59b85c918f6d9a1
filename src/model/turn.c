/*
 * turn.c - reverses stacks by parting them.
 *
 * All stacks begin together at the new root. Those that stand at a path are parted by their next frame, each part
 * gets one new path and goes on by itself, and a part of one stack is copied to its end: no path is ever searched.
 * Parts are finished one after the other, so new paths are in preorder, and what a part needs is close together.
 */
#include "turn.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A stack on its way from its leaf to its root. */
struct stack {
	uint32_t path;    /* of the old trie: where it ends */
	uint32_t up, sym; /* its next frame; PATH_ROOT: it has no more */
};

/* Stacks [begin, end) stand at path `at` of the new trie, and all go on with this frame; NO_SYMBOL: with any. */
struct part {
	uint32_t begin, end, at, sym;
};

struct turning {
	const struct trie *from;
	struct trie *to;
	uint32_t *map;
	uint64_t most, steps;
	struct stack *stacks, *other; /* other: room to part them */
	struct part *open;            /* parts that wait; the last one is next */
	size_t n_open, cap_open;
	uint32_t *part_of; /* by symbol, while stacks are parted: number of its part plus one; else 0 */
};

/* Counts frames. false: the fold was cancelled, or there are too many paths. */
static bool goes_on(struct turning *t, uint32_t n)
{
	uint64_t before = t->steps >> 16;
	t->steps += n;
	return (t->steps >> 16 == before || !trie_is_stopped(t->from)) && t->to->n <= t->most;
}

/* The only stack of a part goes on to its root. */
static bool end_one(struct turning *t, struct stack s, uint32_t at)
{
	const uint32_t *parent = t->from->parent, *sym = t->from->sym;
	uint32_t n = 0;
	if (s.up != PATH_ROOT)
		at = trie_add(t->to, at, s.sym);
	for (uint32_t up = s.up; up != PATH_ROOT && (up = parent[up]) != PATH_ROOT; n++)
		at = trie_add(t->to, at, sym[up]);
	t->map[s.path] = at;
	return goes_on(t, n + 1);
}

/* Adds the path of a part, and moves its stacks there. */
static void enter(struct turning *t, struct part *p)
{
	const struct trie *from = t->from;
	p->at = trie_add(t->to, p->at, p->sym);
	for (struct stack *s = t->stacks + p->begin; s < t->stacks + p->end; s++) {
		s->up = from->parent[s->up];
		s->sym = from->sym[s->up];
	}
}

/* Takes out the stacks that end where the part stands; the others keep their order. */
static void end_some(struct turning *t, struct part *p)
{
	uint32_t left = p->begin;
	for (uint32_t k = p->begin; k < p->end; k++) {
		if (t->stacks[k].up == PATH_ROOT)
			t->map[t->stacks[k].path] = p->at;
		else
			t->stacks[left++] = t->stacks[k];
	}
	p->end = left;
}

/* Opens a part for each next frame, `end` is its number of stacks. Returns the number of parts. */
static size_t open_parts(struct turning *t, const struct part *p)
{
	size_t first = t->n_open;
	for (uint32_t k = p->begin; k < p->end; k++) {
		uint32_t sym = t->stacks[k].sym;
		if (!t->part_of[sym]) {
			mem_push(t->open, t->n_open, t->cap_open, ((struct part){0, 0, p->at, sym}));
			t->part_of[sym] = (uint32_t)(t->n_open - first);
		}
		t->open[first + t->part_of[sym] - 1].end++;
	}
	return t->n_open - first;
}

/* Puts the stacks of each part together. */
static void sort_stacks(struct turning *t, const struct part *p, struct part *parts, size_t n)
{
	uint32_t begin = p->begin;
	for (size_t i = 0; i < n; i++) {
		parts[i].begin = begin;
		begin += parts[i].end;
		parts[i].end = parts[i].begin;
	}
	memcpy(t->other, t->stacks + p->begin, (p->end - p->begin) * sizeof *t->stacks);
	for (uint32_t k = 0; k < p->end - p->begin; k++)
		t->stacks[parts[t->part_of[t->other[k].sym] - 1].end++] = t->other[k];
}

/* Parts the stacks by their next frame. The frame that comes first is the first to be taken. */
static void part_stacks(struct turning *t, const struct part *p)
{
	size_t n = open_parts(t, p);
	struct part *parts = t->open + t->n_open - n;
	if (n == 1)
		parts[0] = (struct part){p->begin, p->end, p->at, parts[0].sym};
	else
		sort_stacks(t, p, parts, n);
	for (size_t i = 0; i < n; i++)
		t->part_of[parts[i].sym] = 0;
	for (size_t i = 0; i < n / 2; i++) {
		struct part one = parts[i];
		parts[i] = parts[n - 1 - i];
		parts[n - 1 - i] = one;
	}
}

/* Takes the next part. */
static bool take_part(struct turning *t)
{
	struct part p = t->open[--t->n_open];
	uint32_t n = p.end - p.begin;
	if (n == 1)
		return end_one(t, t->stacks[p.begin], p.at);
	if (p.sym != NO_SYMBOL)
		enter(t, &p);
	end_some(t, &p);
	if (p.begin < p.end)
		part_stacks(t, &p);
	return goes_on(t, n);
}

static void begin_all(struct turning *t)
{
	const struct trie *from = t->from;
	uint32_t n = 0;
	t->map[0] = PATH_ROOT;
	for (uint32_t i = 1; i < from->n && !TRIE_COUNTS(from, i, 1); i++) {
		t->map[i] = DROPPED;
		if (from->is_used[i])
			t->stacks[n++] = (struct stack){i, i, from->sym[i]};
	}
	mem_push(t->open, t->n_open, t->cap_open, ((struct part){0, n, PATH_ROOT, NO_SYMBOL}));
}

enum turn turn_stacks(const struct folding *w, struct trie *to, uint32_t *map, uint64_t most)
{
	const struct trie *from = &w->trie;
	struct turning t = {.from = from, .to = to, .map = map, .most = most};
	t.stacks = mem_alloc(from->n * sizeof *t.stacks);
	t.other = mem_alloc(from->n * sizeof *t.other);
	t.part_of = mem_zalloc(w->profile->symtab.n + 1, sizeof *t.part_of);
	begin_all(&t);
	while (t.n_open && take_part(&t))
		;
	free(t.stacks);
	free(t.other);
	free(t.open);
	free(t.part_of);
	return trie_is_stopped(from) ? TURN_STOPPED : to->n > most ? TURN_TOO_MANY : TURN_DONE;
}
