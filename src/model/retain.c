/*
 * retain.c - limits the log by forgetting old samples.
 *
 * A sample takes some thirty bytes in the log. A thousand samples a second on each processor are nothing for a
 * minute but too many for a day, and so is folding them several times a second. Two measures help, in one pass over
 * the log each, and seldom enough that each sample is visited only a few times:
 *
 *	let go    with a window: drops samples older than the window. Their weight is kept as a sum, so that a view can
 *	          say which share it does not show.
 *	add up    beyond a limit: all but the newest samples of equal stack, thread, event, processor and time slice
 *	          become one. Slices begin at a second and grow until there is enough room.
 *
 *	a 10.1  b 10.3  a 10.8  b 11.0      slices of 1 s:    a 10.1 (2)  b 10.3  b 11.0
 *
 * A merged flame graph is the same before and after; only the order within a slice is lost.
 */
#include "retain.h"

#include <string.h>

#include "base/mem.h"

#define SECOND UINT64_C(1000000000)
#define LOOK_LEAST 65536u         /* samples between two checks of the window */
#define FADED_AWAY 40u            /* half-lives after which a weight is nothing */
#define COARSEST (86400 * SECOND) /* the longest slice */

/* Samples at the first check: a window is checked earlier than the limit. */
static size_t least(const struct retention *r)
{
	return r->window && r->limit > LOOK_LEAST ? LOOK_LEAST : r->limit;
}

void retain_init(struct retention *r, uint64_t window, uint64_t half_life)
{
	*r = (struct retention){.window = window, .limit = RETAIN_SAMPLES};
	if (half_life && half_life < UINT64_MAX / FADED_AWAY && (!window || half_life * FADED_AWAY < window))
		r->window = half_life * FADED_AWAY;
	if (window)
		r->coarsest = window / 32 + 1;
	if (half_life && (!r->coarsest || half_life / 16 + 1 < r->coarsest))
		r->coarsest = half_life / 16 + 1;
	r->next = least(r);
}

/* The wider of both wins, also for the precision of times; the newest samples keep theirs in any case. */
void retain_widen(struct retention *r, uint64_t window, uint64_t half_life)
{
	struct retention wide;
	retain_init(&wide, window, half_life);
	if (!r->window || (wide.window && wide.window <= r->window))
		return;
	r->window = wide.window;
	r->coarsest = wide.coarsest;
}

void retain_stamp(struct profile *p, size_t first, uint64_t time)
{
	struct sample_log *log = &p->log[0];
	if (first >= log->n)
		return;
	if (!log->time) {
		log->time = mem_alloc(log->cap * sizeof *log->time);
		memset(log->time, 0xff, log->cap * sizeof *log->time);
		log->has_times = true;
		for (size_t i = 0; i < p->n_series; i++)
			p->series[i].has_times[0] = true;
	}
	for (size_t i = first; i < log->n; i++)
		if (log->time[i] == NO_TIME)
			log->time[i] = time;
}

/* The first entry of the current file. */
static size_t first_entry(const struct profile *p)
{
	size_t first = 0;
	for (size_t i = 0; i < p->n_files; i++)
		if (p->files[i].side == 0)
			first = p->files[i].first[0];
	return first;
}

bool retain_unstamp(struct profile *p, size_t end)
{
	struct sample_log *log = &p->log[0];
	size_t own = end;
	while (own < log->n && log->time && log->time[own] == NO_TIME)
		own++;
	if (own >= log->n || !log->time)
		return false;
	for (size_t i = first_entry(p); i < end; i++)
		log->time[i] = NO_TIME;
	return true;
}

/* --- let go --- */

static void let_go(struct profile *p, size_t i)
{
	struct sample_log *log = &p->log[0];
	struct series *s = &p->series[log_series(log, i)];
	uint64_t weight = log->weight[i];
	if (log->time[i] < p->begin)
		p->begin = log->time[i];
	/* Saturated sums stay saturated. */
	if (log->total != UINT64_MAX)
		log->total -= weight;
	if (s->total[0] != UINT64_MAX)
		s->total[0] -= weight;
	log->samples -= log_count(log, i);
	weight_add(&s->let_go, weight);
}

uint64_t retain_last_time(const struct sample_log *log, size_t first)
{
	uint64_t last = 0;
	for (size_t i = first; i < log->n && log->time; i++)
		if (log->time[i] != NO_TIME && log->time[i] > last)
			last = log->time[i];
	return last;
}

static void drop_older(struct profile *p, size_t first, uint64_t oldest)
{
	struct sample_log *log = &p->log[0];
	size_t n = first, *moved = mem_alloc((log->n - first) * sizeof *moved);
	for (size_t i = first; i < log->n; i++) {
		bool is_old = log->time[i] != NO_TIME && log->time[i] < oldest;
		moved[i - first] = is_old ? SIZE_MAX : n;
		if (is_old)
			let_go(p, i);
		else
			samples_move(log, n++, i);
	}
	log->n = n;
	profile_move_fractions(p, 0, first, moved);
	free(moved);
}

static bool has_older(const struct sample_log *log, size_t first, uint64_t oldest)
{
	size_t i = first;
	while (i < log->n && log->time[i] >= oldest)
		i++;
	return i < log->n;
}

/* now: the time of a sample to come; 0: none. */
static void apply_window(struct profile *p, size_t first, const struct retention *r, uint64_t now)
{
	const struct sample_log *log = &p->log[0];
	if (!r->window || !log->time)
		return;
	uint64_t last = retain_last_time(log, first);
	last = now > last ? now : last;
	uint64_t oldest = last > r->window ? last - r->window : 0;
	if (has_older(log, first, oldest))
		drop_older(p, first, oldest);
}

/* --- add up --- */

/* Joins entries with longer and longer slices. Returns the end of those that were looked at. */
static size_t join(struct profile *p, size_t first, size_t end, struct retention *r)
{
	struct sample_log *log = &p->log[0];
	for (;;) {
		size_t before = log->n;
		profile_add_up(p, 0, first, end, &(struct alike){.slice = r->slice});
		end -= before - log->n;
		if (log->n - first <= r->limit / 2 || r->slice > COARSEST || (r->coarsest && r->slice >= r->coarsest))
			return end;
		r->slice *= 4;
		if (r->coarsest && r->slice > r->coarsest)
			r->slice = r->coarsest;
	}
}

/* Samples of one stack are mostly at different addresses, so their lines may be too many to keep. */
static void forget_sites(struct profile *p, size_t first, size_t end)
{
	memset(p->log[0].site + first, 0, (end - first) * sizeof *p->log[0].site);
	report_add(&p->report, NOTE_WARN, "older samples lost their lines and addresses to save memory", NULL, 0, NULL,
	           0);
}

/* Joins old entries, except the newest eighth. */
static void make_room(struct profile *p, size_t first, struct retention *r)
{
	struct sample_log *log = &p->log[0];
	size_t end = log->n - r->limit / 8;
	if (!r->slice) /* first time */
		report_add(&p->report, NOTE_WARN,
		           "older samples of the same stack were added up to save memory: their times are rounded", NULL, 0,
		           NULL, 0);
	if (!r->slice)
		r->slice = r->coarsest && r->coarsest < SECOND ? r->coarsest : SECOND;
	end = join(p, first, end, r);
	if (log->n - first > r->limit / 2 && log->site) {
		forget_sites(p, first, end);
		join(p, first, end, r);
	}
	r->added_up = log->n;
}

/* --- when --- */

static void set_next(struct retention *r, size_t n)
{
	r->next = n * 2;
	if (r->next < least(r))
		r->next = least(r);
}

void retain_recent(struct profile *p, struct retention *r)
{
	const struct sample_log *log = &p->log[0];
	if (log->n < r->next)
		return;
	size_t first = first_entry(p);
	if (log->n - first < r->next)
		return;
	apply_window(p, first, r, 0);
	if (log->n - first >= r->limit)
		make_room(p, first, r);
	set_next(r, log->n - first);
}

void retain_for(struct profile *p, struct retention *r, uint64_t now)
{
	const struct sample_log *log = &p->log[0];
	size_t first = first_entry(p);
	apply_window(p, first, r, now == NO_TIME ? 0 : now);
	if (log->n - first >= r->limit && log->n > r->added_up + r->added_up / 8)
		make_room(p, first, r);
	set_next(r, log->n - first);
}
