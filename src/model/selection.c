/*
 * selection.c - translates a recipe's selection into numbers of the profile, once, before the log is read.
 *
 * Times of a recipe count from the first sample; here they become times of the profiler's clock. The choice of
 * processes and threads becomes a flag for each task, and that of labels a number for each set of them, so that
 * each sample costs one look-up.
 */
#include "selection.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tag_match.h"

static bool task_is_wanted(const struct recipe *r, const struct task *t)
{
	return (!r->pid || t->pid == r->pid) && (!r->tid || t->tid == r->tid) && (!r->comm || t->comm == r->comm);
}

#define SETS_BETWEEN_STEPS 8u /* few, as for names (match.c) */

/*
 * Leaves out the sets of labels that the filter does not keep. Without labels, all samples have the empty set.
 * false: cancelled.
 */
static bool leave_out(struct selection *s, struct filter *f, uint32_t number, struct progress *progress)
{
	const struct tags *tags = s->profile->tags;
	size_t n = tags ? tags_count_sets(tags) : 1;
	struct err err;
	struct tag_match *m = tag_match_new(f->pattern, &err);
	bool has_any = false, goes_on = true;
	for (uint32_t set = 0; set < n && m && goes_on; set++) {
		bool is_match = tags && tag_match_set(m, tags, set);
		has_any |= is_match;
		if (is_match != (f->kind == FILTER_TAGFOCUS) && !s->left_out[set])
			s->left_out[set] = number;
		goes_on = set % SETS_BETWEEN_STEPS || progress_step(progress, 0);
	}
	f->given_up = m ? tag_match_exceeded(m) : 0;
	f->matched_none = !has_any && !f->given_up;
	tag_match_free(m);
	return goes_on;
}

static bool choose_tags(struct selection *s, struct recipe *r, struct progress *progress)
{
	const struct tags *tags = s->profile->tags;
	if (!recipe_chooses_tags(r))
		return true;
	s->left_out = mem_zalloc(tags ? tags_count_sets(tags) : 1, sizeof *s->left_out);
	for (size_t i = 0; i < r->n_filters; i++)
		if (filter_is_of_tags(r->filters[i].kind) && !leave_out(s, &r->filters[i], (uint32_t)i + 1, progress))
			return false;
	return true;
}

bool selection_has_times(const struct profile *p, const struct recipe *r)
{
	bool has_one = r->series >= 0 && (size_t)r->series < p->n_series;
	return p->log[0].time && (!has_one || p->series[r->series].has_times[0]);
}

static bool could_have_axis(const struct profile *p, const struct recipe *r)
{
	return p->log[0].n < UINT32_MAX && selection_has_times(p, r);
}

bool selection_has_time_axis(const struct profile *p, const struct recipe *r)
{
	return r->chart && r->axis == AXIS_TIME && could_have_axis(p, r);
}

bool selection_axis_leaves_out(const struct profile *p, const struct recipe *r)
{
	const struct sample_log *log = &p->log[0];
	size_t i = 0;
	if (!r->chart || !could_have_axis(p, r))
		return false;
	while (i < log->n && (log->time[i] != NO_TIME || !log_is_of(log, i, r->series)))
		i++;
	return i < log->n;
}

void selection_drop_chart(const struct profile *p, struct recipe *r)
{
	r->timed |= selection_has_time_axis(p, r);
	r->chart = false;
}

static bool needs_time(const struct profile *p, const struct recipe *r)
{
	return recipe_chooses_times(r) || r->cut_to || (r->timed && could_have_axis(p, r)) ||
	       selection_has_time_axis(p, r);
}

bool selection_init(struct selection *s, const struct profile *p, struct recipe *r, struct progress *progress)
{
	uint64_t first, last;
	*s = (struct selection){.recipe = r, .profile = p, .to = UINT64_MAX};
	if (needs_time(p, r) && profile_time_range(p, &first, &last)) {
		s->needs_time = true;
		uint64_t base = profile_time_base(p, first);
		s->now = last;
		s->from = r->from || r->to ? base + r->from : 0;
		s->to = r->to ? base + r->to : UINT64_MAX;
		if (r->last && last - base > r->last && last - r->last > s->from)
			s->from = last - r->last;
	}
	if (!choose_tags(s, r, progress))
		return false;
	if (!r->pid && !r->tid && !r->comm)
		return true;
	s->tasks = mem_alloc(p->n_tasks * sizeof *s->tasks);
	for (size_t i = 0; i < p->n_tasks; i++)
		s->tasks[i] = task_is_wanted(r, &p->tasks[i]);
	return true;
}

void selection_deinit(struct selection *s)
{
	free(s->tasks);
	free(s->left_out);
	s->tasks = NULL;
	s->left_out = NULL;
}

/* The only series with weight on that side; -1: none or several. */
static int32_t only_series(const struct profile *p, unsigned side)
{
	int32_t only = -1;
	for (size_t i = 0; i < p->n_series; i++) {
		if (p->series[i].total[side] == 0)
			continue;
		if (only >= 0)
			return -1;
		only = (int32_t)i;
	}
	return only;
}

/* The baseline's event that samples without a name are compared with. */
static int32_t named_series(const struct profile *p, const struct recipe *r)
{
	return r->base_series ? selection_chosen(r) : (int32_t)profile_main_series(p, 1);
}

/* The only series of the new profile, if its samples have no name, and those of the baseline have; else -1. */
static int32_t unnamed_series(const struct profile *p)
{
	int32_t only = only_series(p, 0);
	return only >= 0 && !p->series[only].name && p->series[only].total[1] == 0 ? only : -1;
}

int32_t selection_series(const struct profile *p, const struct recipe *r, unsigned side)
{
	if (side == 0 || r->series < 0 || (size_t)r->series >= p->n_series || p->series[r->series].total[side])
		return r->series;
	int32_t only = only_series(p, 1);
	if (only >= 0)
		return p->series[only].total[0] == 0 ? only : r->series;
	return r->series == unnamed_series(p) ? named_series(p, r) : r->series;
}

void selection_choose(const struct profile *p, struct recipe *r, int32_t series)
{
	int32_t unnamed = unnamed_series(p);
	bool is_of_baseline = unnamed >= 0 && series >= 0 && p->series[series].total[1];
	r->series = is_of_baseline ? unnamed : series;
	r->base_series = is_of_baseline ? (uint32_t)series + 1 : 0;
}

int32_t selection_chosen(const struct recipe *r)
{
	return r->base_series ? (int32_t)r->base_series - 1 : r->series;
}

bool selection_is_taken(const struct profile *p, const struct recipe *r, unsigned side)
{
	int32_t series = selection_series(p, r, side), other = selection_series(p, r, !side);
	return series != other && profile_is_bare(p, series);
}

bool selection_has_before(const struct selection *s, const struct sample_log *log, size_t i)
{
	uint32_t comm = s->recipe->comm;
	if (selection_left_out_by(s, log, i))
		return false;
	return !comm || !log->task || s->profile->tasks[log->task[i]].comm == comm;
}
