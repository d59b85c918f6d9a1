/*
 * maps.c - the mappings of a process.
 *
 * A treap, a search tree that random priorities keep shallow, with reference counts: before a node shared by
 * several sets changes, it is copied, and both copies then share its children. The priorities are seeded, so no
 * recording can make the tree deep, and recursion over its depth is safe: 100 levels are unlikely for any number of
 * maps that fits into memory.
 */
#include "perfdata/maps.h"

#include <assert.h>

#include "base/hash.h"
#include "base/mem.h"

struct perfdata_maps {
	struct perfdata_map map;
	struct perfdata_maps *left, *right;
	uint64_t priority; /* at most the parent's */
	uint32_t refs;
};

/* The maps that start below an address, and all others. */
struct halves {
	struct perfdata_maps *below, *rest;
};

struct perfdata_maps *perfdata_maps_share(struct perfdata_maps *t)
{
	if (t)
		t->refs++;
	return t;
}

void perfdata_maps_free(struct perfdata_maps *t)
{
	if (!t || --t->refs)
		return;
	perfdata_maps_free(t->left);
	perfdata_maps_free(t->right);
	free(t);
}

/*
 * Priorities depend on the content only, so that a run can be repeated; the seed keeps a recording from choosing
 * them.
 */
static struct perfdata_maps *new_node(const struct perfdata_map *map)
{
	struct perfdata_maps *t = mem_zalloc(1, sizeof *t);
	t->map = *map;
	t->refs = 1;
	t->priority = hash_mix(map->start ^ hash_seed[0], 0x9e3779b97f4a7c15u ^ hash_seed[1]);
	return t;
}

/* Returns the node for modification: a copy if others hold it, too. */
static struct perfdata_maps *own(struct perfdata_maps *t)
{
	assert(t);
	if (t->refs == 1)
		return t;
	struct perfdata_maps *copy = mem_alloc(sizeof *copy);
	*copy = *t;
	copy->refs = 1;
	perfdata_maps_share(copy->left);
	perfdata_maps_share(copy->right);
	t->refs--;
	return copy;
}

static struct halves split(struct perfdata_maps *t, uint64_t address)
{
	struct halves h;
	if (!t)
		return (struct halves){NULL, NULL};
	t = own(t);
	if (t->map.start < address) {
		h = split(t->right, address);
		t->right = h.below;
		h.below = t;
	} else {
		h = split(t->left, address);
		t->left = h.rest;
		h.rest = t;
	}
	return h;
}

/* All of a lie below all of b. */
static struct perfdata_maps *join(struct perfdata_maps *a, struct perfdata_maps *b)
{
	if (!a || !b)
		return a ? a : b;
	if (a->priority >= b->priority) {
		a = own(a);
		a->right = join(a->right, b);
		return a;
	}
	b = own(b);
	b->left = join(a, b->left);
	return b;
}

static struct perfdata_maps *add(struct perfdata_maps *t, const struct perfdata_map *map)
{
	struct halves h = split(t, map->start);
	return join(join(h.below, new_node(map)), h.rest);
}

/* Gives the map that holds `address` another end. */
static struct perfdata_maps *shorten(struct perfdata_maps *t, uint64_t address, uint64_t end)
{
	struct perfdata_maps *root = t = own(t);
	while (address < t->map.start || address >= t->map.end) {
		struct perfdata_maps **child = address < t->map.start ? &t->left : &t->right;
		t = *child = own(*child);
	}
	t->map.end = end;
	return root;
}

/* Splits the map that crosses `address`. */
static struct perfdata_maps *cut(struct perfdata_maps *t, uint64_t address)
{
	const struct perfdata_map *across = perfdata_maps_at(t, address);
	if (!across || across->start == address)
		return t;
	struct perfdata_map tail = *across;
	tail.pgoff += address - tail.start;
	tail.start = address;
	return add(shorten(t, address, address), &tail);
}

struct perfdata_maps *perfdata_maps_insert(struct perfdata_maps *t, const struct perfdata_map *map)
{
	if (map->start >= map->end)
		return t;
	t = cut(cut(t, map->start), map->end);
	struct halves low = split(t, map->start), high = split(low.rest, map->end);
	perfdata_maps_free(high.below);
	return join(join(low.below, new_node(map)), high.rest);
}

const struct perfdata_map *perfdata_maps_at(const struct perfdata_maps *t, uint64_t address)
{
	while (t && (address < t->map.start || address >= t->map.end))
		t = address < t->map.start ? t->left : t->right;
	return t ? &t->map : NULL;
}
