/*
 * jfr_blocks.c - pairs calls that allocate with those that free, by address and in the order of time.
 *
 * Threads write their events in blocks, so within a chunk a block may be freed before it is allocated. Memory is
 * bounded by the number of different addresses, and by the calls of one chunk.
 */
#include "collapse/formats/jfr_blocks.h"

#include "base/sort.h"

void jfr_blocks_deinit(struct jfr_blocks *b)
{
	idmap_deinit(&b->addresses);
	free(b->v);
	free(b->calls);
}

void jfr_blocks_add(struct jfr_blocks *b, const struct jfr_block *call)
{
	b->has_frees |= call->is_freed;
	mem_push(b->calls, b->n_calls, b->cap_calls, *call);
	b->calls[b->n_calls - 1].order = b->n_calls;
}

/* Calls of one time stay in the order of the file, which is that of their thread. */
static int by_time(const void *a, const void *b)
{
	const struct jfr_block *x = a, *y = b;
	if (x->sample.time != y->sample.time)
		return x->sample.time < y->sample.time ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static void take_call(struct jfr_blocks *b, const struct jfr_block *call)
{
	uint32_t index;
	if (idmap_find(&b->addresses, call->address, &index)) {
		b->v[index] = *call;
	} else if (!call->is_freed && b->n < UINT32_MAX) {
		idmap_add(&b->addresses, call->address, (uint32_t)b->n);
		mem_push(b->v, b->n, b->cap, *call);
	}
}

void jfr_blocks_settle(struct jfr_blocks *b)
{
	if (b->n_calls)
		sort_array(b->calls, b->n_calls, sizeof *b->calls, by_time);
	for (size_t i = 0; i < b->n_calls; i++)
		take_call(b, &b->calls[i]);
	b->n_calls = 0;
}

const struct jfr_block *jfr_blocks_next(const struct jfr_blocks *b, size_t *at)
{
	while (*at < b->n && b->v[*at].is_freed)
		++*at;
	return *at < b->n ? &b->v[(*at)++] : NULL;
}
