/*
 * names.c - keeps each text once.
 *
 * A table maps hashes to numbers; a text whose hash is taken by another one, which the seed makes next to
 * impossible, uses the next free hash.
 */
#include "perfdata/names.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

void perfdata_names_deinit(struct perfdata_names *names)
{
	arena_deinit(&names->texts);
	idmap_deinit(&names->by_hash);
	free(names->all);
	*names = (struct perfdata_names){0};
}

uint32_t perfdata_names_add(struct perfdata_names *names, const char *text, size_t len)
{
	uint32_t number;
	len = strnlen(text, len);
	uint64_t hash = hash_bytes(text, len);
	for (; idmap_find(&names->by_hash, hash, &number); hash++) {
		if (strncmp(names->all[number], text, len) == 0 && names->all[number][len] == '\0')
			return number;
	}
	if (names->n == UINT32_MAX)
		mem_exhausted();
	number = (uint32_t)names->n;
	idmap_add(&names->by_hash, hash, number);
	mem_push(names->all, names->n, names->cap, arena_bytes(&names->texts, text, len));
	return number;
}

const char *perfdata_names_keep(struct perfdata_names *names, const char *text, size_t len)
{
	uint32_t number = perfdata_names_add(names, text, len);
	return names->all[number];
}
