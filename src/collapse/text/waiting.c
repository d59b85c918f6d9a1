/*
 * waiting.c - holds back the stacks of waiting threads until their share of the input is known.
 *
 * A live input may go on for hours: there, equal stacks that came within the same slice of time are merged now and
 * then.
 */
#include "collapse/text/waiting.h"

#include "base/mem.h"
#include "base/sort.h"
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

static void put(struct sink *sink, const struct waiting_stack *s, uint64_t time)
{
	struct sample sample = {.weight = s->weight, .time = time, .cpu = NO_CPU, .site = s->site};
	if (s->n == 1) {
		profile_add(sink->profile, sink->options->side, s->path, &sample);
		return;
	}
	if (!sink->profile->n_series)
		profile_series(sink->profile, 0, 0);
	if (__builtin_mul_overflow(s->weight, s->n, &sample.weight))
		sample.weight = UINT64_MAX;
	profile_add_entry(sink->profile, sink->options->side, s->path, &sample, s->n, (struct spread){0});
}

/* --- keeping them for hours --- */

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int by_likeness(const void *a, const void *b)
{
	const struct waiting_stack *x = a, *y = b;
	int order = COMPARE(x->path, y->path);
	order = order ? order : COMPARE(x->site, y->site);
	order = order ? order : COMPARE(x->kind, y->kind);
	order = order ? order : COMPARE(x->weight, y->weight);
	return order ? order : COMPARE(x->at, y->at);
}

static int by_place(const void *a, const void *b)
{
	const struct waiting_stack *x = a, *y = b;
	int order = COMPARE(x->at, y->at);
	return order ? order : by_likeness(a, b);
}

static bool is_like(const struct waiting_stack *a, const struct waiting_stack *b, uint64_t slice)
{
	return a->path == b->path && a->site == b->site && a->kind == b->kind && a->weight == b->weight &&
	       a->time / slice == b->time / slice;
}

static void add_up_slices(struct waiting *w)
{
	size_t n = 0;
	for (size_t i = 0; i < w->n; i++) {
		if (n && is_like(&w->v[n - 1], &w->v[i], w->slice))
			w->v[n - 1].n += w->v[i].n;
		else
			w->v[n++] = w->v[i];
	}
	w->n = n;
}

/* Merges stacks, as retain.h does with the samples of a log. */
static void add_up(struct waiting *w, struct sink *sink)
{
	report_add_state(&sink->profile->report, NOTE_WARN,
	                 "older samples of the same stack were added up to save memory: their times are rounded");
	sort_array(w->v, w->n, sizeof *w->v, by_likeness);
	w->slice = w->slice ? w->slice : 1000000000;
	add_up_slices(w);
	while (w->n > WAITING_MOST / 2 && w->slice < UINT64_MAX / 4) {
		w->slice *= 4;
		add_up_slices(w);
	}
	sort_array(w->v, w->n, sizeof *w->v, by_place);
}

void waiting_add(struct waiting *w, struct sink *sink, unsigned kind, uint32_t path, uint32_t site, uint64_t weight)
{
	struct waiting_stack stack = {path,
	                              site,
	                              kind,
	                              weight,
	                              sink->profile->log[sink->options->side].n,
	                              sink->arrival ? sink->arrival : NO_TIME,
	                              1};
	weight_add(&w->all, weight);
	weight_add(&w->of_kind[kind], weight);
	if (sink->options->idle == IDLE_ALWAYS)
		put(sink, &stack, NO_TIME);
	else
		mem_push(w->v, w->n, w->cap, stack);
	if (sink->is_endless && w->n >= WAITING_MOST && w->n >= 2 * w->least) {
		add_up(w, sink);
		w->least = w->n;
	}
}

bool waiting_is_minor(uint64_t weight, uint64_t all)
{
	return weight <= all / 2;
}

bool waiting_may_go(const struct sink *sink, uint64_t weight, uint64_t all)
{
	return !sink->options->is_one_of_several && waiting_is_minor(weight, all);
}

/* Samples from before a view asked for times have none: a nearby sample's time serves as well. */
static uint64_t time_of(const struct waiting_stack *stack, const struct sample_log *log, size_t n)
{
	if (stack->time != NO_TIME || n == 0)
		return stack->time;
	return log_time(log, stack->at < n ? stack->at : n - 1);
}

/* Moves the kept stacks from the end of the log to their places, each before the sample that followed it. */
static void put_in_place(const struct waiting *w, struct sink *sink, unsigned kept)
{
	unsigned side = sink->options->side;
	size_t first = w->v[0].at, middle = sink->profile->log[side].n, n = 0, before;
	uint64_t *key;
	if (first > middle) /* a live profile has dropped samples */
		first = middle;
	key = mem_alloc((middle - first + w->n) * sizeof *key);
	for (size_t i = first; i < middle; i++)
		key[n++] = 2 * (uint64_t)i + 1;
	for (size_t i = 0; i < w->n; i++) {
		if (!(kept >> w->v[i].kind & 1))
			continue;
		before = sink->profile->log[side].n;
		put(sink, &w->v[i], time_of(&w->v[i], &sink->profile->log[side], middle));
		if (sink->profile->log[side].n > before) /* otherwise it was merged with an equal sample */
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

void waiting_preview(const struct waiting *w, const struct sink *sink, struct profile *copy,
                     waiting_settler *settle)
{
	struct sink shown = *sink;
	struct waiting held = *w; /* its stacks are only read */
	shown.profile = copy;
	settle(&held, &shown);
}
