/*
 * trie.c - parents, symbols and weights in columns, and a hash table of children.
 *
 * The table has open addressing over (parent, symbol). The first look-up of a child makes it: a trie that is only
 * borrowed, or copied whole, never pays for it.
 */
#include "trie.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

void trie_forget_weights(struct trie *s)
{
	free(s->weight[0]);
	free(s->weight[1]);
	free(s->is_used);
	s->weight[0] = s->weight[1] = NULL;
	s->is_used = NULL;
}

void trie_deinit(struct trie *s)
{
	if (!s->is_borrowed) {
		free(s->parent);
		free(s->sym);
	}
	trie_forget_weights(s);
	free(s->squares[0]);
	free(s->squares[1]);
	free(s->origin);
	free(s->age);
	free(s->slots);
	*s = (struct trie){0};
}

static void trie_zero_weights(struct trie *s, bool has_base)
{
	s->weight[0] = mem_zalloc(s->cap, sizeof *s->weight[0]);
	if (has_base)
		s->weight[1] = mem_zalloc(s->cap, sizeof *s->weight[1]);
	s->is_used = mem_zalloc(s->cap, 1);
}

void trie_init(struct trie *s, size_t cap, bool has_base, struct progress *progress)
{
	*s = (struct trie){.n = 1, .cap = cap ? cap : 1, .progress = progress};
	s->parent = mem_alloc(s->cap * sizeof *s->parent);
	s->sym = mem_alloc(s->cap * sizeof *s->sym);
	s->parent[0] = s->sym[0] = 0;
	trie_zero_weights(s, has_base);
}

static void want_columns_of(struct trie *s, const struct trie *like)
{
	if (like->age)
		trie_want_ages(s);
	if (like->squares[0])
		trie_want_squares(s);
}

void trie_init_like(struct trie *s, const struct trie *like)
{
	trie_init(s, like->n, like->weight[1], like->progress);
	want_columns_of(s, like);
}

void trie_init_from(struct trie *s, uint32_t n, uint32_t *parent, uint32_t *sym, const struct trie *like)
{
	*s = (struct trie){.n = n, .cap = n, .parent = parent, .sym = sym, .progress = like->progress};
	trie_zero_weights(s, like->weight[1]);
	want_columns_of(s, like);
}

void trie_want_squares(struct trie *s)
{
	for (unsigned side = 0; side < 2; side++)
		if (s->weight[side])
			s->squares[side] = mem_zalloc(s->cap, sizeof *s->squares[side]);
}

void trie_want_ages(struct trie *s)
{
	s->age = mem_zalloc(s->cap, sizeof *s->age);
}

void trie_borrow(struct trie *s, uint32_t n, uint32_t *parent, uint32_t *sym, bool has_base,
                 struct progress *progress)
{
	*s = (struct trie){.n = n, .cap = n, .parent = parent, .sym = sym, .is_borrowed = true, .progress = progress};
	trie_zero_weights(s, has_base);
}

static void grow_column(const struct trie *s, uint64_t **column, size_t old)
{
	if (!*column)
		return;
	*column = mem_realloc(*column, s->cap, sizeof **column);
	memset(*column + old, 0, (s->cap - old) * sizeof **column);
}

static void grow_squares(const struct trie *s, double **column, size_t old)
{
	if (!*column)
		return;
	*column = mem_realloc(*column, s->cap, sizeof **column);
	for (size_t i = old; i < s->cap; i++)
		(*column)[i] = 0;
}

static void trie_grow(struct trie *s)
{
	size_t old = s->cap;
	assert(!s->is_borrowed);
	s->parent = mem_grow(s->parent, &s->cap, old + 1, sizeof *s->parent);
	s->sym = mem_realloc(s->sym, s->cap, sizeof *s->sym);
	grow_column(s, &s->weight[0], old);
	grow_column(s, &s->weight[1], old);
	grow_column(s, &s->age, old);
	grow_squares(s, &s->squares[0], old);
	grow_squares(s, &s->squares[1], old);
	s->is_used = mem_realloc(s->is_used, s->cap, 1);
	memset(s->is_used + old, 0, s->cap - old);
}

static size_t trie_home(const struct trie *s, uint32_t parent, uint32_t sym)
{
	uint64_t key = (uint64_t)parent << 32 | sym;
	return hash_key(key) & (s->n_slots - 1);
}

static void trie_rehash(struct trie *s, size_t n_slots)
{
	free(s->slots);
	s->slots = mem_zalloc(n_slots, sizeof *s->slots);
	s->n_slots = n_slots;
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++) {
		size_t at = trie_home(s, s->parent[i], s->sym[i]);
		while (s->slots[at])
			at = (at + 1) & (n_slots - 1);
		s->slots[at] = i;
	}
}

uint32_t trie_find(const struct trie *s, uint32_t parent, uint32_t sym)
{
	for (size_t at = trie_home(s, parent, sym); s->n_slots && s->slots[at]; at = (at + 1) & (s->n_slots - 1))
		if (s->parent[s->slots[at]] == parent && s->sym[s->slots[at]] == sym)
			return s->slots[at];
	return DROPPED;
}

static void trie_make_room(struct trie *s)
{
	if (s->n >= UINT32_MAX - 2)
		mem_exhausted();
	if (s->n == s->cap)
		trie_grow(s);
}

/* The least number of slots that this many paths need. */
static size_t slots_for(uint32_t n)
{
	size_t n_slots = 1024;
	while ((size_t)n * 2 >= n_slots)
		n_slots *= 2;
	return n_slots;
}

uint32_t trie_child(struct trie *s, uint32_t parent, uint32_t sym)
{
	size_t at;
	if ((size_t)s->n * 2 >= s->n_slots)
		trie_rehash(s, slots_for(s->n));
	for (at = trie_home(s, parent, sym); s->slots[at]; at = (at + 1) & (s->n_slots - 1))
		if (s->parent[s->slots[at]] == parent && s->sym[s->slots[at]] == sym)
			return s->slots[at];
	trie_make_room(s);
	s->parent[s->n] = parent;
	s->sym[s->n] = sym;
	s->slots[at] = s->n;
	return s->n++;
}

uint32_t *trie_depths(const struct trie *s)
{
	uint32_t *depth = mem_alloc(s->n * sizeof *depth);
	depth[0] = 0;
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++)
		depth[i] = depth[s->parent[i]] + 1;
	return depth;
}
