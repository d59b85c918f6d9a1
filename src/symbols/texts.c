/*
 * texts.c - each distinct text once: a hash table with open addressing over an arena.
 */
#include "symbols/texts.h"

#include <stdbool.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

#define SLOTS ((size_t)1 << 10)

void texts_init(struct texts *t)
{
	arena_init(&t->arena);
	t->n = 0;
	t->n_slots = SLOTS;
	t->slots = mem_zalloc(SLOTS, sizeof *t->slots);
}

void texts_deinit(struct texts *t)
{
	arena_deinit(&t->arena);
	free(t->slots);
}

/* The slot of a text, or the free one where it belongs. */
static struct texts_slot *slot_of(const struct texts *t, uint64_t hash, const char *s, size_t n)
{
	for (size_t i = (size_t)hash;; i++) {
		struct texts_slot *slot = &t->slots[i & (t->n_slots - 1)];
		bool is_it =
			slot->hash == hash && slot->len == n && slot->text && (n == 0 || memcmp(slot->text, s, n) == 0);
		if (!slot->text || is_it)
			return slot;
	}
}

static void grow(struct texts *t)
{
	struct texts_slot *old = t->slots;
	size_t n_old = t->n_slots;
	t->n_slots *= 2;
	t->slots = mem_zalloc(t->n_slots, sizeof *t->slots);
	for (size_t i = 0; i < n_old; i++)
		if (old[i].text)
			*slot_of(t, old[i].hash, old[i].text, old[i].len) = old[i];
	free(old);
}

const char *texts_add(struct texts *t, const char *s, size_t n)
{
	uint64_t hash = hash_bytes(s, n);
	struct texts_slot *slot = slot_of(t, hash, s, n);
	if (slot->text)
		return slot->text;
	const char *text = arena_bytes(&t->arena, s, n);
	*slot = (struct texts_slot){hash, text, n};
	if (++t->n * 2 > t->n_slots)
		grow(t);
	return text;
}
