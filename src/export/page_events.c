/*
 * page_events.c - which events of a profile a page has besides that of the view.
 *
 * A page has all of them, up to FEW. Each costs a fold, which takes time for all names of the profile, even if the
 * event has one sample, and each event brings a name. So the time for all would grow with the square of the number.
 * Of more than FEW events, a page has those of most samples that together take no more than MOST_WORK.
 */
#include "page_events.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/sort.h"

#define FEW 64u
#define MOST_WORK ((uint64_t)1 << 25) /* names, paths and samples that are looked at: a second or a few */

bool page_has_all_events(const struct view *v, const struct export_options *o)
{
	return !o->is_one_event && v->recipe.series >= 0 && !view_is_diff(v);
}

/* The lanes of threads depend on the samples of all events. */
static bool can_part(const struct view *v)
{
	return !v->recipe.chart && !v->recipe.cut_to;
}

/* By series, at most so many paths are in its stacks; the caller frees the array. */
static uint64_t *count_paths(const struct profile *p)
{
	const struct sample_log *log = &p->log[0];
	uint64_t *n = mem_zalloc(p->n_series, sizeof *n);
	uint32_t *depth = mem_alloc(p->n_paths * sizeof *depth);
	depth[0] = 0;
	for (uint32_t i = 1; i < p->n_paths; i++)
		depth[i] = depth[p->parent[i]] + 1;
	for (size_t i = 0; i < log->n; i++)
		n[log_series(log, i)] += depth[log->path[i]] + 1;
	for (size_t i = 0; i < p->n_series; i++)
		n[i] = n[i] < p->n_paths ? n[i] : p->n_paths;
	free(depth);
	return n;
}

/* Those of most samples first, then as in the profile. */
static int by_samples(const void *a, const void *b, void *profile)
{
	const struct profile *p = profile;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint64_t of_x = p->series[x].samples, of_y = p->series[y].samples;
	if (of_x != of_y)
		return of_x > of_y ? -1 : 1;
	return (x > y) - (x < y);
}

static void choose(struct page_events *e, const struct profile *p, uint32_t *order, size_t n)
{
	uint64_t *paths = e->has_parts ? count_paths(p) : NULL, work = 0;
	uint64_t each = p->symtab.n + p->n_series + (e->has_parts ? 0 : p->log[0].n + p->n_paths);
	sort_by(order, n, sizeof *order, by_samples, (void *)(uintptr_t)p);
	for (size_t i = 0; i < n; i++) {
		work += each + (paths ? paths[order[i]] : 0);
		e->has[order[i]] = i < FEW || work <= MOST_WORK;
		e->n_left_out += !e->has[order[i]];
	}
	free(paths);
}

void page_events_init(struct page_events *e, const struct view *v, const struct export_options *o)
{
	const struct profile *p = v->profile;
	size_t n = 0;
	*e = (struct page_events){.n_all = 1};
	if (!page_has_all_events(v, o) || p->n_series < 2)
		return;
	uint32_t *others = mem_alloc(p->n_series * sizeof *others);
	for (uint32_t i = 0; i < p->n_series; i++)
		if ((int32_t)i != v->recipe.series && p->series[i].samples)
			others[n++] = i;
	e->has = mem_zalloc(p->n_series, sizeof *e->has);
	e->has_parts = can_part(v);
	e->n_all += n;
	choose(e, p, others, n);
	free(others);
}

void page_events_deinit(struct page_events *e)
{
	free(e->has);
}

void page_events_add_words(const struct page_events *e, struct buf *out)
{
	if (!e->n_left_out)
		return;
	number_add_commas(out, e->n_left_out, 0);
	buf_adds(out, " of ");
	number_add_commas(out, e->n_all, 0);
	buf_adds(out, " events are not in the page, those of the fewest samples");
}
