/*
 * pending.c - chooses the samples whose stacks can be read.
 */
#include "record/sampler/pending.h"

#include "base/mem.h"

#define SAME_MOMENT UINT64_C(100000) /* ns: a thread is sampled, and then leaves the processor for the reader */
#define THREADS_MOST 10000u          /* that are remembered */

void pending_add(struct pending_list *l, const struct pending *w)
{
	if (!idmap_add(&l->last, (uint32_t)w->tid, (uint32_t)l->n))
		idmap_slot(&l->last, (uint32_t)w->tid)->value = (uint32_t)l->n;
	mem_push(l->v, l->n, l->cap, *w);
}

void pending_clear(struct pending_list *l)
{
	l->n = 0;
	if (l->last.n > THREADS_MOST)
		idmap_deinit(&l->last);
}

void pending_deinit(struct pending_list *l)
{
	idmap_deinit(&l->last);
	free(l->v);
	*l = (struct pending_list){0};
}

/* Is the sample the last one of its thread, or of the same moment? */
static bool is_present(const struct pending_list *l, const struct pending *w)
{
	uint32_t last = 0;
	idmap_find(&l->last, (uint32_t)w->tid, &last);
	return l->v[last].time - w->time < SAME_MOMENT;
}

enum pending_choice pending_choose(const struct pending_list *l, size_t i)
{
	const struct pending *w = &l->v[i];
	if (!is_present(l, w))
		return PENDING_GONE;
	return i > 0 && w[-1].tid == w->tid && is_present(l, &w[-1]) ? PENDING_SAME : PENDING_READ;
}

bool pending_is_last(const struct pending_list *l, size_t i, const struct pending *other)
{
	const struct pending *w = &l->v[i];
	uint32_t last = 0;
	idmap_find(&l->last, (uint32_t)w->tid, &last);
	return last == i && w->tid == other->tid && w->time + SAME_MOMENT - other->time < 2 * SAME_MOMENT;
}
