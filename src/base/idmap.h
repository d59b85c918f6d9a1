/*
 * idmap.h - maps the ids by which a file refers to its parts (frames, locations, functions) to our own numbers.
 *
 * Ids are arbitrary 64-bit numbers: some writers count, others use addresses. Open addressing with a seeded hash.
 * Ids that differ only in their last bits share a group of slots, so that consecutive ids are found quickly. Groups
 * of consecutive ids are full: a search that finds its slot taken goes on in the next group.
 */
#ifndef BASE_IDMAP_H
#define BASE_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"

#define IDMAP_GROUP 16u

struct idmap_slot {
	uint64_t id;
	uint32_t value;
	bool is_used;
};

/* Zeroed is empty. */
struct idmap {
	struct idmap_slot *slots;
	size_t n, cap; /* cap: 0 or a power of two, more than twice n */
};

static inline void idmap_deinit(struct idmap *m)
{
	free(m->slots);
	*m = (struct idmap){0};
}

/* The slot of id, or the free one where it would go. cap must not be 0. */
static inline struct idmap_slot *idmap_slot(const struct idmap *m, uint64_t id)
{
	uint64_t hash = hash_key(id / IDMAP_GROUP);
	size_t at = (size_t)(hash * IDMAP_GROUP + (id + (hash >> 32)) % IDMAP_GROUP) & (m->cap - 1);
	while (m->slots[at].is_used && m->slots[at].id != id)
		at = (at + IDMAP_GROUP + 1) & (m->cap - 1);
	return &m->slots[at];
}

static inline void idmap_grow(struct idmap *m)
{
	struct idmap old = *m;
	m->cap = old.cap ? old.cap * 2 : 64;
	m->slots = mem_zalloc(m->cap, sizeof *m->slots);
	for (size_t i = 0; i < old.cap; i++) {
		if (old.slots[i].is_used)
			*idmap_slot(m, old.slots[i].id) = old.slots[i];
	}
	free(old.slots);
}

/* Makes room in an empty map for n ids: the last step of growing to millions takes a tenth of a second. */
static inline void idmap_expect(struct idmap *m, size_t n)
{
	size_t cap = 64;
	while (cap <= 2 * n)
		cap *= 2;
	if (m->cap)
		return;
	m->slots = mem_zalloc(cap, sizeof *m->slots);
	m->cap = cap;
}

/* false: the id is already there, and keeps its value. */
static inline bool idmap_add(struct idmap *m, uint64_t id, uint32_t value)
{
	if (m->n * 2 >= m->cap)
		idmap_grow(m);
	struct idmap_slot *slot = idmap_slot(m, id);
	if (slot->is_used)
		return false;
	*slot = (struct idmap_slot){id, value, true};
	m->n++;
	return true;
}

/* The value of the id, which gets this one if it is not there. */
static inline uint32_t idmap_value(struct idmap *m, uint64_t id, uint32_t value)
{
	return idmap_add(m, id, value) ? value : idmap_slot(m, id)->value;
}

static inline bool idmap_find(const struct idmap *m, uint64_t id, uint32_t *value)
{
	if (!m->n)
		return false;
	const struct idmap_slot *slot = idmap_slot(m, id);
	if (slot->is_used)
		*value = slot->value;
	return slot->is_used;
}

#endif
