/*
 * slots.c - threads come and go, and their numbers come again: users check what they find.
 */
#include "languages/slots.h"

#include <string.h>

#include "base/mem.h"

void slots_forget(struct slots *s)
{
	idmap_deinit(&s->places);
	s->n = 0;
}

static uint32_t add(struct slots *s, pid_t tid)
{
	if (s->n >= THREADS_MOST)
		slots_forget(s);
	if (s->n == s->cap)
		s->v = mem_grow(s->v, &s->cap, s->n + 1, s->size);
	memset(s->v + s->n * s->size, 0, s->size);
	idmap_add(&s->places, (uint64_t)tid, (uint32_t)s->n);
	return (uint32_t)s->n++;
}

void *slots_of(struct slots *s, pid_t tid)
{
	uint32_t at;
	if (!idmap_find(&s->places, (uint64_t)tid, &at))
		at = add(s, tid);
	return s->v + at * s->size;
}

void slots_deinit(struct slots *s)
{
	slots_forget(s);
	free(s->v);
}
