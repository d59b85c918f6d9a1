/*
 * numbers.c - a number for each distinct (module, name): a hash table with open addressing.
 */
#include "symbols/numbers.h"

#include <stdbool.h>

#include "base/hash.h"
#include "base/mem.h"

#define SLOTS ((size_t)1 << 10)

void numbers_init(struct numbers *t)
{
	*t = (struct numbers){.n_slots = SLOTS, .slots = mem_zalloc(SLOTS, sizeof *t->slots)};
}

void numbers_deinit(struct numbers *t)
{
	free(t->items);
	free(t->slots);
}

/* The slot of a pair, or the free one where it belongs. */
static uint32_t *slot_of(const struct numbers *t, const struct number *pair)
{
	uint64_t hash = hash_mix((uintptr_t)pair->module ^ hash_seed[0], (uintptr_t)pair->name ^ hash_seed[1]);
	for (size_t i = (size_t)hash;; i++) {
		uint32_t *slot = &t->slots[i & (t->n_slots - 1)];
		if (*slot == 0)
			return slot;
		const struct number *other = &t->items[*slot - 1];
		if (other->module == pair->module && other->name == pair->name)
			return slot;
	}
}

static void grow(struct numbers *t)
{
	free(t->slots);
	t->n_slots *= 2;
	t->slots = mem_zalloc(t->n_slots, sizeof *t->slots);
	for (size_t i = 0; i < t->n; i++)
		*slot_of(t, &t->items[i]) = (uint32_t)(i + 1);
}

uint32_t numbers_add(struct numbers *t, const char *module, const char *name)
{
	struct number pair = {module, name};
	uint32_t *slot = slot_of(t, &pair);
	if (*slot != 0)
		return *slot - 1;
	mem_push(t->items, t->n, t->cap, pair);
	uint32_t number = (uint32_t)(t->n - 1);
	*slot = number + 1;
	if (t->n * 2 > t->n_slots)
		grow(t);
	return number;
}
