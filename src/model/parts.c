/*
 * parts.c - the samples of each event as a profile of their own.
 */
#include "parts.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"

/* Sorts the entries by event; those of one event stay in their order. */
static void sort_log(struct parts *s)
{
	const struct sample_log *log = &s->of->log[0];
	size_t *order = mem_alloc((log->n + 1) * sizeof *order), *next;
	for (size_t i = 0; i < log->n; i++)
		s->first[log_series(log, i) + 1]++;
	for (size_t k = 0; k < s->of->n_series; k++)
		s->first[k + 1] += s->first[k];
	next = mem_copy(s->first, s->of->n_series + 1, sizeof *next);
	for (size_t i = 0; i < log->n; i++)
		order[next[log_series(log, i)]++] = i;
	samples_copy(&s->log, log);
	samples_permute(&s->log, 0, order, log->n);
	free(next);
	free(order);
}

void parts_init(struct parts *s, struct profile *of)
{
	*s = (struct parts){.of = of};
	s->first = mem_zalloc(of->n_series + 2, sizeof *s->first);
	s->number = mem_zalloc(of->n_paths, sizeof *s->number);
	s->has_times = profile_time_range(of, &s->times[0], &s->times[1]);
	sort_log(s);
}

void parts_deinit(struct parts *s)
{
	samples_deinit(&s->log);
	free(s->first);
	free(s->number);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* The paths of the samples and all that these are below, sorted; the caller frees them. */
static uint32_t *paths_of(struct parts *s, size_t first, size_t end, size_t *n)
{
	uint32_t *paths = NULL;
	size_t cap = 0;
	*n = 0;
	mem_push(paths, *n, cap, PATH_ROOT);
	for (size_t i = first; i < end; i++)
		for (uint32_t at = s->log.path[i]; at != PATH_ROOT && !s->number[at]; at = s->of->parent[at]) {
			s->number[at] = 1;
			mem_push(paths, *n, cap, at);
		}
	sort_array(paths, *n, sizeof *paths, by_number);
	return paths;
}

/* The columns of the log from an entry on. */
static struct sample_log stretch(const struct sample_log *log, size_t first, size_t n)
{
	struct sample_log part = *log;
	part.n = part.cap = n;
	part.weight += first;
	part.time += log->time ? first : 0;
	part.task += log->task ? first : 0;
	part.series += log->series ? first : 0;
	part.cpu += log->cpu ? first : 0;
	part.tags += log->tags ? first : 0;
	part.site += log->site ? first : 0;
	part.more += log->more ? first : 0;
	part.spread += log->spread ? first : 0;
	return part;
}

void parts_begin(struct parts *s, uint32_t series, struct profile *part)
{
	size_t first = s->first[series], end = s->first[series + 1], n;
	uint32_t *paths = paths_of(s, first, end, &n);
	*part = *s->of;
	part->times = s->has_times ? s->times : NULL;
	part->n_paths = (uint32_t)n;
	part->parent = mem_alloc(n * sizeof *part->parent);
	part->sym = mem_alloc(n * sizeof *part->sym);
	part->log[0] = stretch(&s->log, first, end - first);
	part->log[0].path = mem_alloc((end - first + 1) * sizeof *part->log[0].path);
	for (size_t i = 0; i < n; i++) {
		s->number[paths[i]] = (uint32_t)i;
		part->parent[i] = s->number[s->of->parent[paths[i]]];
		part->sym[i] = s->of->sym[paths[i]];
	}
	for (size_t i = first; i < end; i++)
		part->log[0].path[i - first] = s->number[s->log.path[i]];
	for (size_t i = 0; i < n; i++)
		s->number[paths[i]] = 0;
	free(paths);
}

void parts_share_symbols(struct parts *s, const struct profile *part)
{
	s->of->symtab = part->symtab;
}

void parts_end(struct profile *part)
{
	free(part->parent);
	free(part->sym);
	free(part->log[0].path);
}
