/*
 * samples.c - the columns of a log, and joining of entries.
 *
 *	path  task  weight            path  task  weight  more
 *	a        1       2            a        1       6     2      three samples of 2
 *	b        1       5            b        1       5     0
 *	a        1       2
 *	a        1       2
 *
 * If the samples of an entry have different weights, it also keeps the sum of their squares and their common
 * divisor, which a comparison of profiles needs (diff.c).
 */
#include "samples.h"

#include <stdlib.h>
#include <string.h>

#include "base/fetch.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

#define COARSEST UINT64_C(86400000000000) /* ns: slices longer than a day count as one */

uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

double log_squares(const struct sample_log *log, size_t i)
{
	double each = (double)log_each(log, i);
	return log_is_even(log, i) ? each * each * (double)log_count(log, i) : log->spread[i].squares;
}

uint64_t log_divisor(const struct sample_log *log, size_t i)
{
	return log_is_even(log, i) ? log_each(log, i) : log->spread[i].divisor;
}

/* --- columns --- */

void samples_deinit(struct sample_log *log)
{
	free(log->path);
	free(log->weight);
	free(log->time);
	free(log->task);
	free(log->series);
	free(log->cpu);
	free(log->tags);
	free(log->site);
	free(log->more);
	free(log->spread);
}

void samples_copy(struct sample_log *copy, const struct sample_log *of)
{
	*copy = *of;
	copy->cap = of->n;
	copy->path = mem_copy(of->path, of->n, sizeof *of->path);
	copy->weight = mem_copy(of->weight, of->n, sizeof *of->weight);
	copy->time = mem_copy(of->time, of->n, sizeof *of->time);
	copy->task = mem_copy(of->task, of->n, sizeof *of->task);
	copy->series = mem_copy(of->series, of->n, sizeof *of->series);
	copy->cpu = mem_copy(of->cpu, of->n, sizeof *of->cpu);
	copy->tags = mem_copy(of->tags, of->n, sizeof *of->tags);
	copy->site = mem_copy(of->site, of->n, sizeof *of->site);
	copy->more = mem_copy(of->more, of->n, sizeof *of->more);
	copy->spread = mem_copy(of->spread, of->n, sizeof *of->spread);
}

/* Makes a column that only some entries need; earlier ones get its default, all bytes `fill`. */
static void *new_column(const struct sample_log *log, size_t size, int fill)
{
	char *column = mem_alloc(log->cap * size);
	memset(column, fill, log->cap * size);
	return column;
}

static void *grow_column(void *column, size_t from, size_t to, size_t size, int fill)
{
	char *grown;
	if (!column)
		return NULL;
	grown = mem_realloc(column, to, size);
	memset(grown + from * size, fill, (to - from) * size);
	return grown;
}

void samples_grow(struct sample_log *log)
{
	size_t cap = log->cap, old = log->cap;
	log->path = mem_grow(log->path, &cap, log->cap + 1, sizeof *log->path);
	log->cap = cap;
	log->weight = mem_realloc(log->weight, cap, sizeof *log->weight);
	log->time = grow_column(log->time, old, cap, sizeof *log->time, 0xff);
	log->task = grow_column(log->task, old, cap, sizeof *log->task, 0);
	log->series = grow_column(log->series, old, cap, sizeof *log->series, 0);
	log->cpu = grow_column(log->cpu, old, cap, sizeof *log->cpu, 0xff);
	log->tags = grow_column(log->tags, old, cap, sizeof *log->tags, 0);
	log->site = grow_column(log->site, old, cap, sizeof *log->site, 0);
	log->more = grow_column(log->more, old, cap, sizeof *log->more, 0);
	log->spread = grow_column(log->spread, old, cap, sizeof *log->spread, 0);
}

void samples_push(struct sample_log *log, uint32_t path, const struct sample *s)
{
	size_t i = log->n++;
	if (s->time != NO_TIME && !log->time)
		log->time = new_column(log, sizeof *log->time, 0xff);
	if (s->task && !log->task)
		log->task = new_column(log, sizeof *log->task, 0);
	if (s->series && !log->series)
		log->series = new_column(log, sizeof *log->series, 0);
	if (s->cpu != NO_CPU && !log->cpu)
		log->cpu = new_column(log, sizeof *log->cpu, 0xff);
	if (s->tags && !log->tags)
		log->tags = new_column(log, sizeof *log->tags, 0);
	if (s->site && !log->site)
		log->site = new_column(log, sizeof *log->site, 0);
	log->path[i] = path;
	log->weight[i] = s->weight;
	if (log->time)
		log->time[i] = s->time;
	if (log->task)
		log->task[i] = s->task;
	if (log->series)
		log->series[i] = (uint16_t)s->series;
	if (log->cpu)
		log->cpu[i] = s->cpu;
	if (log->tags)
		log->tags[i] = s->tags;
	if (log->site)
		log->site[i] = s->site;
	if (log->more)
		log->more[i] = 0;
	if (log->spread)
		log->spread[i] = (struct spread){0};
}

void samples_repeat(struct sample_log *log, size_t i, uint64_t count)
{
	if (count && !log->more)
		log->more = new_column(log, sizeof *log->more, 0);
	if (count)
		log->more[i] += count;
}

void samples_add_sites(struct sample_log *log, const uint32_t *node)
{
	if (log->n && !log->site)
		log->site = new_column(log, sizeof *log->site, 0);
	for (size_t i = 0; i < log->n; i++)
		if (!log->site[i])
			log->site[i] = node[log->path[i]];
}

void samples_set_spread(struct sample_log *log, size_t i, struct spread spread)
{
	if (!log->spread && !spread.divisor && spread.squares == 0)
		return;
	if (!log->spread)
		log->spread = new_column(log, sizeof *log->spread, 0);
	log->spread[i] = spread;
}

void samples_move(struct sample_log *log, size_t to, size_t from)
{
	log->path[to] = log->path[from];
	log->weight[to] = log->weight[from];
	if (log->time)
		log->time[to] = log->time[from];
	if (log->task)
		log->task[to] = log->task[from];
	if (log->series)
		log->series[to] = log->series[from];
	if (log->cpu)
		log->cpu[to] = log->cpu[from];
	if (log->tags)
		log->tags[to] = log->tags[from];
	if (log->site)
		log->site[to] = log->site[from];
	if (log->more)
		log->more[to] = log->more[from];
	if (log->spread)
		log->spread[to] = log->spread[from];
}

/* Moves column[first + order[i]] to column[first + i]. */
static void permute(void *column, size_t size, size_t first, const size_t *order, size_t n)
{
	char *was, *to;
	if (!column)
		return;
	to = (char *)column + first * size;
	was = mem_alloc(n * size);
	memcpy(was, to, n * size);
	for (size_t i = 0; i < n; i++)
		memcpy(to + i * size, was + order[i] * size, size);
	free(was);
}

void samples_permute(struct sample_log *log, size_t first, const size_t *order, size_t n)
{
	permute(log->path, sizeof *log->path, first, order, n);
	permute(log->weight, sizeof *log->weight, first, order, n);
	permute(log->time, sizeof *log->time, first, order, n);
	permute(log->task, sizeof *log->task, first, order, n);
	permute(log->series, sizeof *log->series, first, order, n);
	permute(log->cpu, sizeof *log->cpu, first, order, n);
	permute(log->tags, sizeof *log->tags, first, order, n);
	permute(log->site, sizeof *log->site, first, order, n);
	permute(log->more, sizeof *log->more, first, order, n);
	permute(log->spread, sizeof *log->spread, first, order, n);
}

/* --- joining entries --- */

struct merger {
	struct sample_log *log;
	const struct alike *alike;
	uint64_t *mark; /* by kept entry, from first on; NULL: all equal */
	size_t first;
	struct map map;  /* of the entries so far to which more can be added, numbered from first on */
	uint32_t closed; /* an entry that find_alike() found in the map although its sum is full; MAP_NONE: none */
};

static uint64_t slice_of(const struct merger *m, size_t i)
{
	uint64_t time = log_time(m->log, i);
	if (!m->alike->slice || time == NO_TIME)
		return NO_TIME;
	return m->alike->slice > COARSEST ? 0 : time / m->alike->slice;
}

static uint64_t mark_of(const struct merger *m, size_t i)
{
	return m->mark ? m->mark[i - m->first] : 0;
}

static bool are_evenly_heavy(const struct sample_log *log, size_t a, size_t b)
{
	return log_is_even(log, a) && log_is_even(log, b) && log_each(log, a) == log_each(log, b);
}

static bool is_alike(const struct merger *m, size_t a, size_t b)
{
	const struct sample_log *log = m->log;
	return log->path[a] == log->path[b] && log_task(log, a) == log_task(log, b) &&
	       log_series(log, a) == log_series(log, b) && log_cpu(log, a) == log_cpu(log, b) &&
	       log_tags(log, a) == log_tags(log, b) && log_site(log, a) == log_site(log, b) &&
	       slice_of(m, a) == slice_of(m, b) && mark_of(m, a) == mark_of(m, b) &&
	       (!m->alike->is_even || are_evenly_heavy(log, a, b));
}

static uint64_t hash_of(const struct merger *m, size_t i)
{
	const struct sample_log *log = m->log;
	uint64_t key = (uint64_t)log->path[i] << 32 | log_task(log, i);
	uint64_t rest = slice_of(m, i) * 31 + log_cpu(log, i) + ((uint64_t)log_series(log, i) << 48) +
	                ((uint64_t)log_tags(log, i) << 20) + ((uint64_t)log_site(log, i) << 28);
	if (m->alike->is_even)
		rest += hash_mix(log_each(log, i) ^ mark_of(m, i), UINT64_C(0x9E3779B97F4A7C15));
	return hash_keys(key, rest);
}

/* May entry i be equal to another? If weights must be, not once it has different ones or their sum is cut. */
static bool is_open(const struct merger *m, size_t i)
{
	return !m->alike->is_even || log_is_even(m->log, i);
}

/* The number of an earlier entry equal to entry i, minus first; MAP_NONE: there is none. */
static uint32_t find_alike(struct merger *m, uint64_t hash, size_t i)
{
	m->closed = MAP_NONE;
	if (!is_open(m, i))
		return MAP_NONE;
	MAP_EACH(&m->map, hash, k)
	{
		if (is_alike(m, m->first + k, i))
			return (uint32_t)k;
		if (!is_open(m, m->first + k))
			m->closed = (uint32_t)k;
	}
	return MAP_NONE;
}

/* Lets later entries find this one, in place of one to which nothing can be added: look-ups stay short. */
static void make_known(struct merger *m, uint64_t hash, uint32_t entry)
{
	if (!is_open(m, m->first + entry))
		return;
	if (m->closed != MAP_NONE)
		map_replace(&m->map, hash, m->closed, entry);
	else
		map_add(&m->map, hash, entry);
}

/* Adds the samples of entry `from` to entry `to`. */
static void merge(struct sample_log *log, size_t to, size_t from)
{
	uint64_t sum = log->weight[to];
	bool is_even = weight_add(&sum, log->weight[from]) && are_evenly_heavy(log, to, from);
	if (!is_even)
		samples_set_spread(log, to,
		                   (struct spread){log_squares(log, to) + log_squares(log, from),
		                                   common_divisor(log_divisor(log, to), log_divisor(log, from))});
	log->weight[to] = sum;
	if (!log->more)
		log->more = new_column(log, sizeof *log->more, 0);
	log->more[to] += log->more[from] + 1;
}

#define FETCHED_AT_ONCE 64u /* entries whose look-ups overlap */

/* Hashes the entries from i on, up to FETCHED_AT_ONCE, and prefetches what finding their like reads. */
static void fetch_alike(const struct merger *m, size_t i, size_t end, uint64_t *hashes)
{
	size_t n = end - i < FETCHED_AT_ONCE ? end - i : FETCHED_AT_ONCE;
	for (size_t k = 0; k < n; k++) {
		hashes[k] = hash_of(m, i + k);
		map_fetch(&m->map, hashes[k]);
	}
	for (size_t k = 0; k < n; k++) {
		uint32_t entry = map_peek(&m->map, hashes[k]);
		if (entry == MAP_NONE)
			continue;
		fetch_line(&m->log->path[m->first + entry]);
		fetch_line(&m->log->weight[m->first + entry]);
	}
}

void samples_add_up(struct sample_log *log, size_t first, size_t end, const struct alike *alike, size_t *moved)
{
	struct merger m = {.log = log, .alike = alike, .first = first};
	uint64_t hashes[FETCHED_AT_ONCE];
	size_t n = first;
	if (end - first >= UINT32_MAX)
		end = first + UINT32_MAX - 1;
	map_init(&m.map, end - first);
	m.mark = mem_copy(alike->mark, log->n - first, sizeof *alike->mark);
	for (size_t i = first; i < log->n; i++) {
		if (i < end && (i - first) % FETCHED_AT_ONCE == 0)
			fetch_alike(&m, i, end, hashes);
		uint64_t hash = i < end ? hashes[(i - first) % FETCHED_AT_ONCE] : 0;
		uint32_t alike_to = i < end ? find_alike(&m, hash, i) : MAP_NONE;
		if (alike_to != MAP_NONE) {
			merge(log, first + alike_to, i);
			if (moved)
				moved[i - first] = first + alike_to;
			continue;
		}
		samples_move(log, n, i);
		if (m.mark)
			m.mark[n - first] = m.mark[i - first];
		if (moved)
			moved[i - first] = n;
		if (i < end)
			make_known(&m, hash, (uint32_t)(n - first));
		n++;
	}
	log->n = n;
	free(m.mark);
	map_deinit(&m.map);
}

bool samples_time_range(const struct sample_log *log, uint64_t *first, uint64_t *last)
{
	*first = UINT64_MAX;
	*last = 0;
	for (size_t i = 0; log->time && i < log->n; i++) {
		if (log->time[i] == NO_TIME)
			continue;
		if (log->time[i] < *first)
			*first = log->time[i];
		if (log->time[i] > *last)
			*last = log->time[i];
	}
	return *first != UINT64_MAX;
}
