/*
 * selection.c - translates a recipe's selection into numbers of the profile, once, before the log is read.
 *
 * Times of a recipe count from the first sample; here they become times of the profiler's clock. The choice of
 * processes and threads becomes a flag for each task, so that each sample costs one look-up.
 */
#include "selection.h"

#include <stdlib.h>

#include "base/mem.h"

static bool task_is_wanted(const struct recipe *r, const struct task *t)
{
	return (!r->pid || t->pid == r->pid) && (!r->tid || t->tid == r->tid) && (!r->comm || t->comm == r->comm);
}

void selection_init(struct selection *s, const struct profile *p, const struct recipe *r)
{
	uint64_t first, last;
	*s = (struct selection){.recipe = r, .profile = p, .to = UINT64_MAX};
	if ((r->from || r->to || r->last || r->half_life) && profile_time_range(p, &first, &last)) {
		uint64_t base = profile_time_base(p, first);
		s->now = last;
		s->from = r->from || r->to ? base + r->from : 0;
		s->to = r->to ? base + r->to : UINT64_MAX;
		if (r->last && last - base > r->last && last - r->last > s->from)
			s->from = last - r->last;
	}
	if (!r->pid && !r->tid && !r->comm)
		return;
	s->tasks = mem_alloc(p->n_tasks * sizeof *s->tasks);
	for (size_t i = 0; i < p->n_tasks; i++)
		s->tasks[i] = task_is_wanted(r, &p->tasks[i]);
}

void selection_deinit(struct selection *s)
{
	free(s->tasks);
	s->tasks = NULL;
}

int32_t selection_series(const struct profile *p, const struct recipe *r, unsigned side)
{
	int32_t only = -1;
	if (side == 0 || r->series < 0 || (size_t)r->series >= p->n_series || p->series[r->series].total[side])
		return r->series;
	for (size_t i = 0; i < p->n_series; i++) {
		if (p->series[i].total[side] == 0)
			continue;
		if (only >= 0)
			return r->series;
		only = (int32_t)i;
	}
	return only >= 0 && p->series[only].total[0] == 0 ? only : r->series;
}

bool selection_has_before(const struct selection *s, const struct sample_log *log, size_t i)
{
	uint32_t comm = s->recipe->comm;
	return !comm || !log->task || s->profile->tasks[log->task[i]].comm == comm;
}
