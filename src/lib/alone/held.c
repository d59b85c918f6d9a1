/*
 * held.c - see held.h.
 *
 * free() has no room for a header in front of each block: libc and other libraries hand out blocks of their own
 * that are freed like ours. So the blocks are in a table, and free() finds the ones that it holds.
 */
#include "lib/alone/held.h"

#include <stdint.h>
#include <string.h>

#include "lib/alone/real.h"

#define FIRST_BLOCKS 256u
#define FIRST_THINGS 16u

bool held_init(struct held *h)
{
	memset(h, 0, sizeof *h);
	return pthread_mutex_init(&h->lock, NULL) == 0;
}

void held_deinit(struct held *h)
{
	held_give_back(h);
	__real_free(h->blocks);
	__real_free(h->things);
	pthread_mutex_destroy(&h->lock);
}

static size_t place_of(const struct held *h, const void *block)
{
	uint64_t x = (uint64_t)(uintptr_t)block >> 4; /* blocks are aligned to 16 */
	x *= 0x9e3779b97f4a7c15u;
	return (size_t)(x >> 20) & (h->cap_blocks - 1);
}

static void put(struct held *h, void *block)
{
	size_t i = place_of(h, block);
	while (h->blocks[i])
		i = (i + 1) & (h->cap_blocks - 1);
	h->blocks[i] = block;
}

static bool grow(struct held *h)
{
	size_t old = h->cap_blocks, cap = old ? old * 2 : FIRST_BLOCKS;
	void **before = h->blocks, **after = __real_calloc(cap, sizeof *after);
	if (!after)
		return false;
	h->blocks = after;
	h->cap_blocks = cap;
	for (size_t i = 0; i < old; i++)
		if (before[i])
			put(h, before[i]);
	__real_free(before);
	return true;
}

bool held_has_room(struct held *h)
{
	__real_pthread_mutex_lock(&h->lock);
	/* At most half full; some more room, as other threads may take it before this one does. */
	bool has_room = h->cap_blocks && (h->n_blocks + FIRST_BLOCKS / 4) * 2 <= h->cap_blocks;
	has_room = has_room || grow(h);
	__real_pthread_mutex_unlock(&h->lock);
	return has_room;
}

void held_add(struct held *h, void *block)
{
	__real_pthread_mutex_lock(&h->lock);
	put(h, block);
	h->n_blocks++;
	__real_pthread_mutex_unlock(&h->lock);
}

/* Closes the gap at place i: a block after it that would not be found any more moves into it. */
static void close_gap(struct held *h, size_t i)
{
	size_t mask = h->cap_blocks - 1;
	for (size_t k = (i + 1) & mask; h->blocks[k]; k = (k + 1) & mask) {
		size_t home = place_of(h, h->blocks[k]);
		if (((k - home) & mask) < ((k - i) & mask))
			continue;
		h->blocks[i] = h->blocks[k];
		i = k;
	}
	h->blocks[i] = NULL;
}

void held_drop(struct held *h, void *block)
{
	__real_pthread_mutex_lock(&h->lock);
	size_t i = h->cap_blocks ? place_of(h, block) : 0;
	while (h->cap_blocks && h->blocks[i] && h->blocks[i] != block)
		i = (i + 1) & (h->cap_blocks - 1);
	if (h->cap_blocks && h->blocks[i]) {
		close_gap(h, i);
		h->n_blocks--;
	}
	__real_pthread_mutex_unlock(&h->lock);
}

static bool add_thing_locked(struct held *h, struct held_thing thing)
{
	if (h->n_things == h->cap_things) {
		size_t cap = h->cap_things ? h->cap_things * 2 : FIRST_THINGS;
		struct held_thing *grown = __real_realloc(h->things, cap * sizeof *grown);
		if (!grown)
			return false;
		h->things = grown;
		h->cap_things = cap;
	}
	h->things[h->n_things++] = thing;
	return true;
}

bool held_add_thing(struct held *h, void (*end)(void *), void *thing)
{
	__real_pthread_mutex_lock(&h->lock);
	bool is_kept = add_thing_locked(h, (struct held_thing){end, thing});
	__real_pthread_mutex_unlock(&h->lock);
	return is_kept;
}

bool held_drop_thing(struct held *h, void (*end)(void *), void *thing)
{
	__real_pthread_mutex_lock(&h->lock);
	size_t i = h->n_things; /* what came last usually goes first */
	while (i > 0 && (h->things[i - 1].end != end || h->things[i - 1].thing != thing))
		i--;
	if (i > 0)
		h->things[i - 1].end = NULL;
	while (h->n_things > 0 && !h->things[h->n_things - 1].end)
		h->n_things--;
	__real_pthread_mutex_unlock(&h->lock);
	return i > 0;
}

static bool take_one(struct held *h, void (*end)(void *), void **thing)
{
	__real_pthread_mutex_lock(&h->lock);
	size_t i = 0;
	while (i < h->n_things && h->things[i].end != end)
		i++;
	bool is_there = i < h->n_things;
	if (is_there) {
		*thing = h->things[i].thing;
		h->things[i].end = NULL;
	}
	__real_pthread_mutex_unlock(&h->lock);
	return is_there;
}

void held_end_all(struct held *h, void (*end)(void *))
{
	void *thing;
	while (take_one(h, end, &thing))
		end(thing);
}

/* To end a thing may drop others, which an older one holds. */
void held_give_back(struct held *h)
{
	while (h->n_things > 0) {
		struct held_thing last = h->things[--h->n_things];
		if (last.end)
			last.end(last.thing);
	}
	for (size_t i = 0; i < h->cap_blocks; i++)
		__real_free(h->blocks[i]);
	if (h->cap_blocks)
		memset(h->blocks, 0, h->cap_blocks * sizeof *h->blocks);
	h->n_blocks = 0;
}
