/*
 * numbers.c - a number for each distinct (module, name).
 */
#include "symbols/numbers.h"

#include <stdbool.h>

#include "base/hash.h"
#include "base/mem.h"

void numbers_init(struct numbers *t)
{
	*t = (struct numbers){0};
	map_init(&t->map, 512);
}

void numbers_deinit(struct numbers *t)
{
	free(t->items);
	map_deinit(&t->map);
}

uint32_t numbers_add(struct numbers *t, const char *module, const char *name)
{
	uint64_t hash = hash_keys((uintptr_t)module, (uintptr_t)name);
	MAP_EACH(&t->map, hash, i)
	if (t->items[i].module == module && t->items[i].name == name)
		return (uint32_t)i;
	mem_push(t->items, t->n, t->cap, ((struct number){module, name}));
	map_add(&t->map, hash, (uint32_t)(t->n - 1));
	return (uint32_t)(t->n - 1);
}
