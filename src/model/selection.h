/*
 * selection.h - which samples of the log take part in a fold: those of an event, of processes and threads, of a
 * stretch of time.
 */
#ifndef MODEL_SELECTION_H
#define MODEL_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile.h"
#include "recipe.h"
#include "samples.h"

struct selection {
	const struct recipe *recipe;
	const struct profile *profile;
	uint64_t from, to; /* absolute ns */
	uint64_t now;      /* the last sample's time, from which ages count */
	bool *tasks;       /* by task; NULL: all */
};

/* Recipe and profile must outlive the selection. */
void selection_init(struct selection *, const struct profile *, const struct recipe *);
void selection_deinit(struct selection *);

/* Does this entry of the profile's log take part? Its series is not looked at. */
static inline bool selection_has(const struct selection *s, const struct sample_log *log, size_t i)
{
	if (s->tasks && !s->tasks[log_task(log, i)])
		return false;
	if ((s->from || s->to != UINT64_MAX) && log->time &&
	    (log->time[i] == NO_TIME || log->time[i] < s->from || log->time[i] >= s->to))
		return false;
	return true;
}
/*
 * The same in the log of the baseline. That is another run: a name means the same there, numbers of tasks and times
 * do not.
 */
bool selection_has_before(const struct selection *, const struct sample_log *, size_t i);

/*
 * The series that is read from log `side`. The baseline's is the recipe's, unless the baseline has none of it and
 * one single other: two recordings, one of cycles and one of cpu-clock, still compare by their shares.
 */
int32_t selection_series(const struct profile *, const struct recipe *, unsigned side);

#endif
