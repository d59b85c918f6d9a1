/*
 * slots.c - threads and code come and go, and their numbers and addresses come again: users check what they find.
 */
#include "languages/slots.h"

#include <string.h>

#include "base/mem.h"

void slots_forget(struct slots *s)
{
	for (size_t i = 0; s->empty && i < s->n; i++)
		s->empty(s->v + i * s->size);
	idmap_deinit(&s->places);
	s->n = 0;
}

static uint32_t add(struct slots *s, uint64_t key)
{
	if (s->n >= s->most)
		slots_forget(s);
	if (s->n == s->cap)
		s->v = mem_grow(s->v, &s->cap, s->n + 1, s->size);
	memset(s->v + s->n * s->size, 0, s->size);
	idmap_add(&s->places, key, (uint32_t)s->n);
	return (uint32_t)s->n++;
}

void *slots_find(const struct slots *s, uint64_t key)
{
	uint32_t at;
	return idmap_find(&s->places, key, &at) ? s->v + at * s->size : NULL;
}

void *slots_of(struct slots *s, uint64_t key)
{
	uint32_t at;
	if (!idmap_find(&s->places, key, &at))
		at = add(s, key);
	return s->v + at * s->size;
}

void slots_deinit(struct slots *s)
{
	slots_forget(s);
	free(s->v);
}
