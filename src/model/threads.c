/*
 * threads.c - sorts the log by thread and time, and gives each sample its end.
 *
 * A trace has exact spans: a sample lasts as long as its weight says. A profiler that samples at intervals knows
 * only when it looked. There a sample lasts until the next one of its thread, as in the Firefox Profiler; but if
 * that one comes later than twice the usual distance, the thread was idle in between, and the sample lasts for the
 * usual distance:
 *
 *	samples   a   a   b   b           a   a
 *	drawn     aaaaaaaabbbbbbbb        aaaaaaaa      usual distance: 4 columns
 *
 * The usual distance is the sample's weight if that is a time (cpu-clock), else the median of all distances between
 * neighbours of one thread. No sample reaches into the next one of its thread.
 */
#include "threads.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/sort.h"
#include "selection.h"

#define MOST_DISTANCES 65536u /* of which the median is taken */
#define ROUNDING 2u           /* ns: spans this close to the next one touch it */

void threads_deinit(struct threads *t)
{
	free(t->order);
	free(t->start);
	free(t->task);
	free(t->lasting);
}

/* ---- how long samples last ----------------------------------------------------------------------------------- */

/* Only the samples of the chosen series count, if one is chosen. */
static void set_lasting(struct threads *t, int32_t series)
{
	const struct profile *p = t->profile;
	size_t first = series < 0 ? 0 : (size_t)series, end = series < 0 ? p->n_series : first + 1;
	t->lasting = mem_zalloc(p->n_series + 1, sizeof *t->lasting);
	for (size_t i = first; i < end && i < p->n_series; i++) {
		int scale = profile_time_scale(p->symtab.symbols[p->series[i].unit].name);
		t->lasting[i] = (struct lasting){
			.is_time = scale >= 0,
			.is_sampled = scale < 0 || p->series[i].is_sampled,
			.exponent = 9 - scale - (int)p->decimals,
		};
	}
}

static uint64_t scaled(uint64_t weight, int exponent)
{
	uint64_t power = 1;
	for (int i = 0; i < (exponent < 0 ? -exponent : exponent); i++)
		power *= 10;
	if (exponent < 0)
		return weight / power + (weight % power >= power / 2);
	return __builtin_mul_overflow(weight, power, &weight) ? UINT64_MAX : weight;
}

static uint64_t time_of(const struct threads *t, uint32_t entry)
{
	return t->profile->log[0].time[entry];
}

uint64_t threads_begin(const struct threads *t, size_t place)
{
	return time_of(t, t->order[place]);
}

uint64_t threads_end(const struct threads *t, size_t lane, size_t place)
{
	const struct sample_log *log = &t->profile->log[0];
	uint32_t i = t->order[place];
	const struct lasting *l = &t->lasting[log_series(log, i)];
	uint64_t length = l->is_time ? scaled(log->weight[i], l->exponent) : t->usual * log_count(log, i);
	uint64_t end = u64_sum(threads_begin(t, place), length), near = u64_sum(end, l->is_sampled ? length : ROUNDING);
	if (place + 1 == t->start[lane + 1])
		return end;
	uint64_t next = threads_begin(t, place + 1);
	return next <= near ? next : end;
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* The median distance of neighbours; of many, those at regular places count. */
static void find_usual(struct threads *t)
{
	size_t n = t->start[t->n_lanes], step = n / MOST_DISTANCES + 1, found = 0;
	uint64_t *distance = mem_alloc((n / step + 1) * sizeof *distance);
	for (size_t lane = 0, next = 0; lane < t->n_lanes; lane++) {
		next = next < t->start[lane] ? t->start[lane] : next;
		for (; next + 1 < t->start[lane + 1]; next += step) {
			uint64_t d = threads_begin(t, next + 1) - threads_begin(t, next);
			if (d > 0)
				distance[found++] = d;
		}
	}
	if (found)
		sort_array(distance, found, sizeof *distance, compare_numbers);
	t->usual = found ? distance[found / 2] : 1000000; /* one sample in each thread: a millisecond */
	free(distance);
}

/* ---- order --------------------------------------------------------------------------------------------------- */

/* What a pass over the log finds out about each thread. */
struct thread {
	uint64_t weight; /* of stacks that are shown */
	size_t n;
	uint32_t lane;
	bool is_seen;
};

static bool is_selected(const struct folding *w, const struct selection *s, size_t i)
{
	const struct sample_log *log = &w->profile->log[0];
	return log_is_of(log, i, w->recipe->series) && selection_has(s, log, i);
}

/* Counts the samples of each thread. false: cancelled. */
static bool count(struct threads *t, struct folding *w, const struct selection *s, struct thread *threads)
{
	const struct sample_log *log = &t->profile->log[0];
	for (size_t i = 0; i < log->n; i++) {
		if (EVERY(i) && !folding_goes_on(w, 0x10000))
			return false;
		if (!is_selected(w, s, i))
			continue;
		struct thread *thread = &threads[log_task(log, i)];
		thread->n++;
		if (folding_path(w, i) == DROPPED)
			continue;
		weight_add(&thread->weight, folding_weight(w, i));
		thread->is_seen = true;
	}
	return true;
}

/* Threads of which something is shown become lanes, the heaviest first; the others count only in the range. */
static void set_lanes(struct threads *t, struct thread *threads, size_t n)
{
	struct sort_item *items = mem_alloc((n + 1) * sizeof *items), *scratch = mem_alloc((n + 1) * sizeof *items);
	for (size_t i = 0; i < n; i++) {
		threads[i].lane = UINT32_MAX;
		if (threads[i].is_seen)
			items[t->n_lanes++] = (struct sort_item){UINT64_MAX - threads[i].weight, (uint32_t)i, (uint32_t)i};
	}
	sort_items(items, t->n_lanes, scratch);
	t->start = mem_zalloc(t->n_lanes + 1, sizeof *t->start);
	t->task = mem_alloc((t->n_lanes + 1) * sizeof *t->task);
	for (size_t lane = 0; lane < t->n_lanes; lane++) {
		struct thread *thread = &threads[items[lane].value];
		thread->lane = (uint32_t)lane;
		t->task[lane] = items[lane].value;
		t->start[lane + 1] = t->start[lane] + thread->n;
	}
	free(items);
	free(scratch);
}

/* Puts the samples of each lane into `order`, as they are in the log. false: cancelled. */
static bool put(struct threads *t, struct folding *w, const struct selection *s, const struct thread *threads)
{
	const struct sample_log *log = &t->profile->log[0];
	size_t *next = mem_copy(t->start, t->n_lanes + 1, sizeof *next);
	bool ok = true;
	t->order = mem_alloc((t->start[t->n_lanes] + 1) * sizeof *t->order);
	for (size_t i = 0; i < log->n && ok; i++) {
		ok = !EVERY(i) || folding_goes_on(w, 0);
		uint32_t lane = threads[log_task(log, i)].lane;
		if (lane != UINT32_MAX && is_selected(w, s, i))
			t->order[next[lane]++] = (uint32_t)i;
	}
	free(next);
	return ok;
}

static bool is_sorted(const struct threads *t, size_t lane)
{
	for (size_t k = t->start[lane] + 1; k < t->start[lane + 1]; k++)
		if (threads_begin(t, k) < threads_begin(t, k - 1))
			return false;
	return true;
}

/* Most profiles are in order of time. */
static void sort_lane(struct threads *t, size_t lane)
{
	size_t n = t->start[lane + 1] - t->start[lane];
	uint32_t *order = t->order + t->start[lane];
	if (is_sorted(t, lane))
		return;
	struct sort_item *items = mem_alloc(n * sizeof *items), *scratch = mem_alloc(n * sizeof *items);
	for (size_t k = 0; k < n; k++)
		items[k] = (struct sort_item){time_of(t, order[k]), order[k], order[k]};
	sort_items(items, n, scratch);
	for (size_t k = 0; k < n; k++)
		order[k] = items[k].value;
	free(items);
	free(scratch);
}

static void find_range(struct threads *t)
{
	t->from = UINT64_MAX;
	for (size_t lane = 0; lane < t->n_lanes; lane++) {
		uint64_t from = threads_begin(t, t->start[lane]), to = threads_end(t, lane, t->start[lane + 1] - 1);
		t->from = from < t->from ? from : t->from;
		t->to = to > t->to ? to : t->to;
	}
	if (!t->n_lanes)
		t->from = 0;
	if (t->to <= t->from)
		t->to = t->from + 1;
}

bool threads_make(struct threads *t, struct folding *w)
{
	const struct profile *p = w->profile;
	struct thread *threads = mem_zalloc(p->n_tasks + 1, sizeof *threads);
	struct selection s;
	*t = (struct threads){.profile = p};
	bool is_chosen = selection_init(&s, p, w->recipe, w->progress);
	set_lasting(t, w->recipe->series);
	bool ok = is_chosen && count(t, w, &s, threads);
	set_lanes(t, threads, p->n_tasks);
	ok = ok && put(t, w, &s, threads);
	for (size_t lane = 0; lane < t->n_lanes && ok; lane++) {
		sort_lane(t, lane);
		ok = folding_goes_on(w, 0);
	}
	selection_deinit(&s);
	free(threads);
	if (ok) {
		find_usual(t);
		find_range(t);
	} else {
		threads_deinit(t);
	}
	return ok;
}

/* ---- parts --------------------------------------------------------------------------------------------------- */

__extension__ typedef unsigned __int128 u128;

/* A sample without length belongs to the time at which it begins. */
static uint64_t part_of(const struct threads *t, size_t lane, size_t place, uint64_t from, uint64_t to)
{
	const struct sample_log *log = &t->profile->log[0];
	uint32_t i = t->order[place];
	uint64_t begin = threads_begin(t, place), end = threads_end(t, lane, place), length = end - begin;
	uint64_t first = begin > from ? begin : from, last = end < to ? end : to;
	if (!length ? begin < from || begin >= to : first >= last)
		return WHOLLY_OUT;
	if (!length || !t->lasting[log_series(log, i)].is_time)
		return log->weight[i];
	return (uint64_t)(((u128)log->weight[i] * (last - first) + length / 2) / length);
}

bool threads_parts(struct folding *w)
{
	const struct profile *p = w->profile;
	uint64_t first, last;
	struct threads t;
	if (!profile_time_range(p, &first, &last))
		return true;
	if (!threads_make(&t, w))
		return false;
	uint64_t base = profile_time_base(p, first);
	w->part = mem_alloc((p->log[0].n + 1) * sizeof *w->part);
	memset(w->part, 0xff, p->log[0].n * sizeof *w->part); /* WHOLLY_OUT */
	for (size_t lane = 0; lane < t.n_lanes; lane++)
		for (size_t place = t.start[lane]; place < t.start[lane + 1]; place++)
			w->part[t.order[place]] =
				part_of(&t, lane, place, u64_sum(base, w->recipe->cut_from), u64_sum(base, w->recipe->cut_to));
	threads_deinit(&t);
	return true;
}
