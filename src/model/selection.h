/*
 * selection.h - selects the samples of a fold: by event, process, thread, label and time.
 */
#ifndef MODEL_SELECTION_H
#define MODEL_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "profile.h"
#include "recipe.h"
#include "samples.h"

struct selection {
	const struct recipe *recipe;
	const struct profile *profile;
	uint64_t from, to; /* ns of the profiler's clock */
	uint64_t now;      /* time of the last sample, from which ages count */
	bool needs_time;   /* samples without a time are left out: the recipe chooses or shows times */
	bool *tasks;       /* by task; NULL: all */
	/* By set of labels: 0, or from 1 on the number of the first filter of the recipe that leaves it out; NULL: no
	   filter does. */
	uint32_t *left_out;
};

/* The number from 1 on of the filter of labels that leaves the entry out; 0: none. */
static inline uint32_t selection_left_out_by(const struct selection *s, const struct sample_log *log, size_t i)
{
	return s->left_out ? s->left_out[log_tags(log, i)] : 0;
}

/*
 * Recipe and profile must outlive the selection. Sets matched_none and given_up of the recipe's filters of labels,
 * whose expressions were read before and are good. progress may be NULL. false: cancelled; selection_deinit() is
 * needed in either case.
 */
bool selection_init(struct selection *, const struct profile *, struct recipe *, struct progress *);
void selection_deinit(struct selection *);

/* Does the recipe select this entry of the profile's log, whatever its time is? Ignores its series. */
static inline bool selection_has_but_for_time(const struct selection *s, const struct sample_log *log, size_t i)
{
	return !(s->tasks && !s->tasks[log_task(log, i)]) && !selection_left_out_by(s, log, i);
}

static inline bool selection_lacks_time(const struct selection *s, const struct sample_log *log, size_t i)
{
	return s->needs_time && log->time && log->time[i] == NO_TIME;
}

/* Does the recipe select this entry of the profile's log? Ignores its series. */
static inline bool selection_has(const struct selection *s, const struct sample_log *log, size_t i)
{
	if (s->needs_time && log->time && (log->time[i] == NO_TIME || log->time[i] < s->from || log->time[i] >= s->to))
		return false;
	return selection_has_but_for_time(s, log, i);
}
/*
 * The same for the baseline's log. That is another run: names mean the same there, task numbers and times do not.
 */
bool selection_has_before(const struct selection *, const struct sample_log *, size_t i);

/* Do samples of what the recipe shows have times? Those of another event do not count. */
bool selection_has_times(const struct profile *, const struct recipe *);
/* Would a time axis leave out samples of the recipe's chart, since these have no time, but others have? */
bool selection_axis_leaves_out(const struct profile *, const struct recipe *);
/* Does the recipe make a chart with a time axis from this profile? */
bool selection_has_time_axis(const struct profile *, const struct recipe *);
/* Makes a recipe of a chart one of the flame graph of the same samples. */
void selection_drop_chart(const struct profile *, struct recipe *);

/*
 * The series to read from log `side`. For the baseline it is the recipe's, unless the baseline has weight in
 * exactly one other series, and the profile has none there: a recording of cycles and one of cpu-clock still
 * compare by share. Samples without a name (folded stacks) are compared with the event that is shown of a profile,
 * and with the main event of a baseline, or the one that the recipe chooses.
 */
int32_t selection_series(const struct profile *, const struct recipe *, unsigned side);
/*
 * Shows this event; -1: all. If the new profile has only samples without a name, they stay, and the event is that
 * of the baseline which they are compared with.
 */
void selection_choose(const struct profile *, struct recipe *, int32_t series);
/* What was chosen. */
int32_t selection_chosen(const struct recipe *);
/* Are the samples of this side taken as the other side's event, for they have neither a name nor a unit? */
bool selection_is_taken(const struct profile *, const struct recipe *, unsigned side);

#endif
