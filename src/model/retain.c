/*
 * retain.c - forgetting in an orderly way.
 *
 * A sample is some thirty bytes in the log. At a thousand a second on each processor that is nothing for a minute and
 * too much for a day, and so is folding them all again several times a second. Two things are done about it, in one
 * pass over the log each, and seldom enough that a sample is looked at a small number of times in its life:
 *
 *	let go    with a window, what the window has passed. Its weight is kept as a number, so that a view can say
 *	          which share it does not show.
 *	add up    beyond a limit, all but the newest samples: those of the same stack, thread, event and processor in
 *	          the same slice of time become one. Slices begin at a second and grow until enough room is made.
 *
 *	a 10.1  b 10.3  a 10.8  b 11.0      slices of 1 s:    a 10.1 (2)  b 10.3  b 11.0
 *
 * A merged flame graph is the same before and after adding up; the order within a slice is lost.
 */
#include "retain.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

#define SECOND UINT64_C(1000000000)
#define LOOK_LEAST 65536u         /* samples between two looks at the window */
#define FADED_AWAY 40u            /* half-lives after which nothing is left of a weight */
#define COARSEST (86400 * SECOND) /* slices beyond this are one */

/* A window is worth a look earlier than the limit is. */
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

/* The wider one of both counts, also for how exact times remain: the newest samples are left as they are in any case. */
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
	}
	for (size_t i = first; i < log->n; i++)
		if (log->time[i] == NO_TIME)
			log->time[i] = time;
}

static void move_sample(struct sample_log *log, size_t to, size_t from)
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
}

/* Fractions name their samples by number: moved[i] is the new one of first + i, SIZE_MAX if it is gone. */
static void move_fractions(struct profile *p, size_t first, const size_t *moved)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_fractions; i++) {
		struct fraction x = p->fractions[i];

		if (x.side == 0 && x.sample >= first)
			x.sample = moved[x.sample - first];
		if (x.sample != SIZE_MAX)
			p->fractions[n++] = x;
	}
	p->n_fractions = n;
}

/* --- let go --- */

static void let_go(struct profile *p, size_t i)
{
	struct sample_log *log = &p->log[0];
	struct series *s = &p->series[log->series ? log->series[i] : 0];
	uint64_t weight = log->weight[i];

	if (log->time[i] < p->begin)
		p->begin = log->time[i];
	/* Sums that have reached the end of 64 bits stay there. */
	if (log->total != UINT64_MAX)
		log->total -= weight;
	if (s->total[0] != UINT64_MAX)
		s->total[0] -= weight;
	if (__builtin_add_overflow(s->let_go, weight, &s->let_go))
		s->let_go = UINT64_MAX;
}

static uint64_t last_time(const struct sample_log *log, size_t first)
{
	uint64_t last = 0;

	for (size_t i = first; i < log->n; i++)
		if (log->time[i] != NO_TIME && log->time[i] > last)
			last = log->time[i];
	return last;
}

static void drop_older(struct profile *p, size_t first, uint64_t window)
{
	struct sample_log *log = &p->log[0];
	uint64_t last = last_time(log, first), oldest = last > window ? last - window : 0;
	size_t n = first, *moved = mem_alloc((log->n - first) * sizeof *moved);

	for (size_t i = first; i < log->n; i++) {
		bool is_old = log->time[i] != NO_TIME && log->time[i] < oldest;

		moved[i - first] = is_old ? SIZE_MAX : n;
		if (is_old)
			let_go(p, i);
		else
			move_sample(log, n++, i);
	}
	log->n = n;
	move_fractions(p, first, moved);
	free(moved);
}

/* --- add up --- */

/* The places of the samples that are there already, by open addressing; 0: free, else the number from 1. */
struct merger {
	struct sample_log *log;
	uint64_t slice;
	size_t *slots, n_slots;
};

static uint64_t slice_of(const struct merger *m, size_t i)
{
	if (!m->log->time || m->log->time[i] == NO_TIME)
		return NO_TIME;
	return m->slice > COARSEST ? 0 : m->log->time[i] / m->slice;
}

static bool is_alike(const struct merger *m, size_t a, size_t b)
{
	const struct sample_log *log = m->log;

	return log->path[a] == log->path[b] && (!log->task || log->task[a] == log->task[b]) &&
	       (!log->series || log->series[a] == log->series[b]) && (!log->cpu || log->cpu[a] == log->cpu[b]) &&
	       slice_of(m, a) == slice_of(m, b);
}

static size_t home_of(const struct merger *m, size_t i)
{
	const struct sample_log *log = m->log;
	uint64_t key = (uint64_t)log->path[i] << 32 | (log->task ? log->task[i] : 0);
	uint64_t rest =
		slice_of(m, i) * 31 + (log->cpu ? log->cpu[i] : 0) + ((uint64_t)(log->series ? log->series[i] : 0) << 48);

	return hash_mix(key ^ hash_seed[0], (rest ^ hash_seed[1]) | 1) & (m->n_slots - 1);
}

/* The slot of an earlier sample that is like number i, or a free one. */
static size_t *slot_for(struct merger *m, size_t i)
{
	size_t at = home_of(m, i);

	while (m->slots[at] && !is_alike(m, m->slots[at] - 1, i))
		at = (at + 1) & (m->n_slots - 1);
	return &m->slots[at];
}

/* Adds up within [first, end); what comes after moves up. */
static void add_up(struct profile *p, size_t first, size_t end, uint64_t slice)
{
	struct sample_log *log = &p->log[0];
	struct merger m = {.log = log, .slice = slice, .n_slots = 1024};
	size_t n = first, *moved = mem_alloc((log->n - first) * sizeof *moved);

	while (m.n_slots < (end - first) * 2)
		m.n_slots *= 2;
	m.slots = mem_zalloc(m.n_slots, sizeof *m.slots);
	for (size_t i = first; i < log->n; i++) {
		size_t *slot = i < end ? slot_for(&m, i) : NULL;

		if (slot && *slot) {
			uint64_t *sum = &log->weight[*slot - 1];

			if (__builtin_add_overflow(*sum, log->weight[i], sum))
				*sum = UINT64_MAX;
			moved[i - first] = *slot - 1;
			continue;
		}
		move_sample(log, n, i);
		moved[i - first] = n++;
		if (slot)
			*slot = n;
	}
	log->n = n;
	move_fractions(p, first, moved);
	free(moved);
	free(m.slots);
}

/* The newest eighth stays as it is. */
static void make_room(struct profile *p, size_t first, struct retention *r)
{
	struct sample_log *log = &p->log[0];
	size_t end = log->n - r->limit / 8;

	if (!r->slice) /* the first time */
		report_add(&p->report, NOTE_WARN,
		           "older samples of the same stack were added up to save memory: their times are rounded", NULL, 0,
		           NULL, 0);
	if (!r->slice)
		r->slice = r->coarsest && r->coarsest < SECOND ? r->coarsest : SECOND;
	for (;;) {
		size_t before = log->n;

		add_up(p, first, end, r->slice);
		end -= before - log->n;
		if (log->n - first <= r->limit / 2 || r->slice > COARSEST || (r->coarsest && r->slice >= r->coarsest))
			break;
		r->slice *= 4;
		if (r->coarsest && r->slice > r->coarsest)
			r->slice = r->coarsest;
	}
}

void retain_recent(struct profile *p, struct retention *r)
{
	struct sample_log *log = &p->log[0];
	size_t first = 0;

	if (log->n < r->next)
		return;
	for (size_t i = 0; i < p->n_files; i++)
		if (p->files[i].side == 0)
			first = p->files[i].first[0];
	if (log->n - first < r->next)
		return;
	if (r->window && log->time)
		drop_older(p, first, r->window);
	if (log->n - first >= r->limit)
		make_room(p, first, r);
	r->next = (log->n - first) * 2;
	if (r->next < least(r))
		r->next = least(r);
}
