/*
 * waiting.c - stacks that wait, held back until it is known how much of the input they are.
 */
#include "collapse/waiting.h"

#include "base/mem.h"
#include "model/idle.h"

void waiting_deinit(struct waiting *w)
{
	free(w->v);
	*w = (struct waiting){0};
}

void waiting_work(struct waiting *w, uint64_t weight)
{
	weight_add(&w->all, weight);
}

static void put(struct sink *sink, uint32_t path, uint64_t weight)
{
	const struct sample sample = {.weight = weight, .time = NO_TIME, .cpu = NO_CPU};

	profile_add(sink->profile, sink->options->side, path, &sample);
}

void waiting_add(struct waiting *w, struct sink *sink, unsigned kind, uint32_t path, uint64_t weight)
{
	struct waiting_stack stack = {path, kind, weight, sink->profile->log[sink->options->side].n};

	weight_add(&w->all, weight);
	weight_add(&w->of_kind[kind], weight);
	if (sink->options->idle == IDLE_ALWAYS)
		put(sink, path, weight);
	else
		mem_push(w->v, w->n, w->cap, stack);
}

bool waiting_is_minor(uint64_t weight, uint64_t all)
{
	return weight <= all / 2;
}

bool waiting_may_go(const struct sink *sink, uint64_t weight, uint64_t all)
{
	return !sink->options->is_one_of_several && waiting_is_minor(weight, all);
}

/* The stacks that stay stand at the end of the log: each goes to before the sample that followed it. */
static void put_in_place(const struct waiting *w, struct sink *sink, unsigned kept)
{
	unsigned side = sink->options->side;
	size_t first = w->v[0].at, middle = sink->profile->log[side].n, n = 0, before;
	uint64_t *key;

	if (first > middle) /* a live profile has let samples go */
		first = middle;
	key = mem_alloc((middle - first + w->n) * sizeof *key);
	for (size_t i = first; i < middle; i++)
		key[n++] = 2 * (uint64_t)i + 1;
	for (size_t i = 0; i < w->n; i++) {
		if (!(kept >> w->v[i].kind & 1))
			continue;
		before = sink->profile->log[side].n;
		put(sink, w->v[i].path, w->v[i].weight);
		if (sink->profile->log[side].n > before) /* else it joined a sample that it is like */
			key[n++] = 2 * (uint64_t)w->v[i].at;
	}
	profile_order(sink->profile, side, first, key);
	free(key);
}

void waiting_settle(struct waiting *w, struct sink *sink, unsigned kinds, const char *what)
{
	uint64_t left_out = 0;

	if (sink->options->idle == IDLE_NEVER)
		kinds = ~0u;
	if (!w->n)
		return;
	for (unsigned i = 0; i < WAITING_KINDS; i++)
		weight_add(&left_out, kinds >> i & 1 ? w->of_kind[i] : 0);
	put_in_place(w, sink, ~kinds);
	idle_add(sink->profile, sink->options->side, 0, left_out, w->all, what);
	w->n = 0;
}
