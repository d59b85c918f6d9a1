/*
 * texts.c - each distinct text once, in an arena.
 */
#include "symbols/texts.h"

#include <stdbool.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

void texts_init(struct texts *t)
{
	*t = (struct texts){0};
	arena_init(&t->arena);
	map_init(&t->map, 512);
}

void texts_deinit(struct texts *t)
{
	arena_deinit(&t->arena);
	free(t->items);
	map_deinit(&t->map);
}

const char *texts_add(struct texts *t, const char *s, size_t n)
{
	uint64_t hash = hash_bytes(s, n);
	MAP_EACH(&t->map, hash, i)
	if (t->items[i].len == n && (n == 0 || memcmp(t->items[i].text, s, n) == 0))
		return t->items[i].text;
	struct text text = {arena_bytes(&t->arena, s, n), n};
	mem_push(t->items, t->n, t->cap, text);
	t->bytes += n;
	map_add(&t->map, hash, (uint32_t)(t->n - 1));
	return text.text;
}

const char *texts_add_name(struct texts *t, const char *name, struct report *report)
{
	size_t n = strnlen(name, NAME_MAX_BYTES + 1);
	if (n <= NAME_MAX_BYTES)
		return texts_add(t, name, n);
	if (report)
		report_add_state(report, NOTE_WARN, "names of functions longer than 64 KiB are cut");
	return texts_add(t, name, NAME_MAX_BYTES);
}
