/*
 * map.h - finds items of an array by their hash.
 *
 *	struct map map;
 *	map_init(&map, 64);
 *	MAP_EACH(&map, hash, i)
 *		if (is_equal(&items[i], key))
 *			return i;
 *	map_add(&map, hash, number of the new item);
 *
 * The caller keeps the items and compares them; the map keeps a number for each, with half of its hash. So most
 * look-ups touch one slot and one item, and the map grows without the items. Items are not removed, only replaced.
 *
 * Open addressing with linear probing, at most half full. A hash must be seeded (hash.h) and good in its upper
 * bits: they choose the slot.
 *
 * Tables stay apart where this one was measured to be slower: those that hold their values themselves, so that a
 * look-up needs one access less (text/memo.h, perf/perf_frames.h, idmap.h, the places in symbols.c), and those of
 * few bytes for each item (model/trie.c: by 8 %; text/branch.c).
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/fetch.h"
#include "base/mem.h"

#define MAP_NONE UINT32_MAX

struct map {
	uint64_t *slots; /* upper half: of the hash; lower half: the item's number + 1; 0: free */
	size_t n, mask;  /* items; slots - 1 */
	unsigned shift;  /* the upper 64 - shift bits of a hash are the number of its slot */
};

/* Makes room for that many items; the map grows as needed. */
static inline void map_init(struct map *m, size_t n_items)
{
	unsigned bits = 4;
	while ((size_t)1 << bits <= n_items * 2)
		bits++;
	*m = (struct map){.mask = ((size_t)1 << bits) - 1, .shift = 64 - bits};
	m->slots = mem_zalloc_table(m->mask + 1, sizeof *m->slots);
}

/* A zeroed map is allowed. */
static inline void map_deinit(struct map *m)
{
	free(m->slots);
	*m = (struct map){0};
}

/* The copy has slots of its own. */
static inline void map_copy(struct map *copy, const struct map *of)
{
	*copy = *of;
	copy->slots = mem_copy(of->slots, of->mask + 1, sizeof *of->slots);
}

/* Items with this hash, and maybe a few others. Their numbers are below UINT32_MAX. */
#define MAP_EACH(map, hash, item) \
	for (size_t item, at_ = map_home(map, hash); ((item) = map_next(map, hash, &at_)) != MAP_NONE;)

static inline size_t map_home(const struct map *m, uint64_t hash)
{
	return hash >> m->shift;
}

static inline uint32_t map_next(const struct map *m, uint64_t hash, size_t *at)
{
	uint64_t slot;
	while ((slot = m->slots[*at])) {
		*at = (*at + 1) & m->mask;
		if ((slot ^ hash) >> 32 == 0)
			return (uint32_t)slot - 1;
	}
	return MAP_NONE;
}

static inline void map_put(struct map *m, uint64_t slot)
{
	size_t at = map_home(m, slot);
	while (m->slots[at])
		at = (at + 1) & m->mask;
	m->slots[at] = slot;
}

/* Makes room for n items in all, at once instead of step by step. */
static inline void map_reserve(struct map *m, size_t n)
{
	struct map old = *m;
	if (n * 2 <= old.mask)
		return;
	map_init(m, n);
	m->n = old.n;
	for (size_t i = 0; i <= old.mask; i++)
		if (old.slots[i])
			map_put(m, old.slots[i]);
	free(old.slots);
}

/* The item must not be there yet. */
static inline void map_add(struct map *m, uint64_t hash, uint32_t item)
{
	map_reserve(m, ++m->n);
	map_put(m, (hash & UINT64_C(0xFFFFFFFF00000000)) | (item + 1u));
}

/* Item `to`, not in the map yet, takes the place of item `from`, which MAP_EACH() found by the same hash. */
static inline void map_replace(struct map *m, uint64_t hash, uint32_t from, uint32_t to)
{
	size_t at = map_home(m, hash);
	while ((uint32_t)m->slots[at] != from + 1u)
		at = (at + 1) & m->mask;
	m->slots[at] = (m->slots[at] & UINT64_C(0xFFFFFFFF00000000)) | (to + 1u);
}

/*
 * Two steps that prefetch memory for a look-up: the slot, and then the number of its item, MAP_NONE if it is free,
 * whose memory the caller can prefetch.
 */
static inline void map_fetch(const struct map *m, uint64_t hash)
{
	fetch_line(&m->slots[map_home(m, hash)]);
}

static inline uint32_t map_peek(const struct map *m, uint64_t hash)
{
	return (uint32_t)m->slots[map_home(m, hash)] - 1;
}

#endif
