/*
 * perf_off_cpu.c - turns context switches into time.
 *
 *	SAMPLE  of context-switches, tid 71: main read __schedule     where it leaves
 *	SWITCH  out, tid 71, at 1.000 s                               blocked from here on
 *	SWITCH  in, tid 71, at 1.100 s                                main;read;__schedule;[blocked] 100 ms
 *
 * Users without the right to sample the kernel get no samples of context switches, since these happen there, but
 * they get the switches. The stacks are then those of the last sample on the CPU.
 *
 * Switches may be lost, and come twice. A thread that is sampled runs, whatever its last switch said.
 */
#include "collapse/perf/perf_off_cpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "model/idle.h"
#include "model/symtab.h"

#define SOFTWARE_SWITCHES 3u /* PERF_COUNT_SW_CONTEXT_SWITCHES */
#define LEAVING 100000u      /* ns that a thread may take to leave the CPU: it is sampled meanwhile */

struct sleeper {
	struct off_cpu_stack exact;  /* with which it leaves the CPU; path NO_PATH: unknown */
	struct off_cpu_stack recent; /* of its last sample; path NO_PATH: none */
	uint32_t root;               /* symbol */
	uint32_t task, cpu;
	uint64_t begun; /* when it left the CPU, ns; 0: it runs, or nothing is known */
	bool is_preempted;
	bool has_ended; /* what follows is the rest of its end */
	bool is_named;  /* the profile has event and paths of the present wait */
	uint32_t waker; /* path; NO_PATH: not woken, or unknown by whom */
	uint64_t woken; /* ns; 0: not yet */
};

struct perf_off_cpu {
	struct sink *sink;
	struct idmap by_tid; /* index into sleepers */
	struct sleeper *sleepers;
	size_t n, cap;
	uint64_t least, last; /* ns: the shortest wait; the latest time seen */
	uint32_t exact_series, approximate_series;
	uint64_t n_short, short_time;
	bool takes[2]; /* waits with approximate stacks, with exact ones */
};

static const char *const event_names[] = {"off-cpu (approximate)", "off-cpu"};

bool perf_off_cpu_is_named(const struct collapse_options *options, bool is_exact)
{
	const char *filter = options->event_filter;
	return !filter || strcmp(filter, "off-cpu") == 0 || strcmp(filter, event_names[is_exact]) == 0;
}

struct perf_off_cpu *perf_off_cpu_new(struct sink *sink, uint64_t least)
{
	struct perf_off_cpu *o = mem_zalloc(1, sizeof *o);
	o->sink = sink;
	o->least = least;
	o->exact_series = o->approximate_series = UINT32_MAX;
	for (unsigned i = 0; i < 2; i++)
		o->takes[i] = perf_off_cpu_is_named(sink->options, i) || !perf_off_cpu_is_named(sink->options, !i);
	return o;
}

void perf_off_cpu_free(struct perf_off_cpu *o)
{
	if (!o)
		return;
	idmap_deinit(&o->by_tid);
	free(o->sleepers);
	free(o);
}

/* ---- what there is ------------------------------------------------------------------------------------------- */

bool perf_off_cpu_is_event(const struct perfdata_event *e, const struct collapse_options *o)
{
	return e->type == EVENT_SOFTWARE && e->config == SOFTWARE_SWITCHES && e->sample_period == 1 &&
	       !(e->flags & EVENT_FREQ) && (o->off_cpu || (e->name && strcmp(e->name, "off-cpu") == 0));
}

bool perf_off_cpu_is_in(const struct perfdata *recording, struct sink *sink)
{
	bool has_switches = false, is_wanted = sink->options->off_cpu;
	for (uint32_t i = 0; i < perfdata_n_events(recording); i++) {
		const struct perfdata_event *e = perfdata_event(recording, i);
		has_switches |= (e->flags & EVENT_CONTEXT_SWITCH) != 0;
		is_wanted |= perf_off_cpu_is_event(e, sink->options);
	}
	if (sink->options->off_cpu && !has_switches)
		sink_warn(sink, "--off-cpu has no effect: the recording has no context switches", 0, NULL, 0);
	return has_switches && is_wanted;
}

/* ---- counting ------------------------------------------------------------------------------------------------ */

static uint32_t series_of(struct perf_off_cpu *o, bool is_exact)
{
	uint32_t *series = is_exact ? &o->exact_series : &o->approximate_series;
	struct profile *p = o->sink->profile;
	if (*series != UINT32_MAX)
		return *series;
	const char *name = event_names[is_exact];
	*series = profile_series(p, sink_sym(o->sink, name, strlen(name)), sink_sym(o->sink, "ns", 2));
	profile_rank_series(p, *series, UINT32_MAX);
	p->series[*series].is_off_cpu = true;
	if (!is_exact)
		report_add_state(
			&p->report, NOTE_WARN,
			"stacks off the CPU are approximate: they are the threads' last ones on it (exact ones need the "
			"right to sample the kernel, no lost samples, and no second recorder of perf's)");
	return *series;
}

static const struct off_cpu_stack no_stack = {NO_PATH, NO_SITE};

static struct off_cpu_stack stack_of(const struct sleeper *s)
{
	return s->exact.path != NO_PATH ? s->exact : s->recent;
}

static uint32_t path_of(struct perf_off_cpu *o, const struct sleeper *s)
{
	static const char *const why[] = {FRAME_BLOCKED, FRAME_RUNNABLE};
	struct profile *p = o->sink->profile;
	uint32_t path = stack_of(s).path;
	if (path == NO_PATH)
		path = s->root == NO_SYMBOL ? 0 : profile_path(p, &s->root, 1);
	const char *name = why[s->is_preempted];
	path = profile_child(p, path, sink_sym(o->sink, name, strlen(name)));
	for (uint32_t up = s->waker; up != NO_PATH && up != PATH_ROOT && path != p->bound.lost; up = p->parent[up])
		path = profile_child(p, path, p->sym[up]);
	return path;
}

static bool is_taken(const struct perf_off_cpu *o, const struct sleeper *s)
{
	return o->takes[s->exact.path != NO_PATH];
}

/* Counts a part of a wait. */
static void count(struct perf_off_cpu *o, const struct sleeper *s, uint64_t from, uint64_t to)
{
	if (to <= from || !is_taken(o, s))
		return;
	struct sample sample = {.weight = to - from, .time = from, .cpu = s->cpu, .task = s->task};
	uint32_t path = path_of(o, s);
	sample.series = series_of(o, s->exact.path != NO_PATH);
	sample.site = stack_of(s).site;
	profile_add(o->sink->profile, o->sink->options->side, path, &sample);
}

/* From the wake-up on, the thread waits for a CPU: that time belongs to no waker. */
static struct sleeper when_woken(const struct sleeper *s)
{
	struct sleeper woken = *s;
	woken.is_preempted = true;
	woken.waker = NO_PATH;
	return woken;
}

static void count_wait(struct perf_off_cpu *o, const struct sleeper *s, uint64_t now)
{
	const struct sleeper woken = when_woken(s);
	uint64_t until = s->woken && s->woken < now ? s->woken : now;
	count(o, s, s->begun, until);
	count(o, &woken, until > s->begun ? until : s->begun, now);
}

static void end_wait(struct perf_off_cpu *o, struct sleeper *s, uint64_t now)
{
	if (!s->begun)
		return;
	if (now > s->begun && now - s->begun < o->least) {
		o->n_short += is_taken(o, s);
		o->short_time += is_taken(o, s) ? now - s->begun : 0;
	} else {
		count_wait(o, s, now);
	}
	s->begun = s->woken = 0;
	s->is_named = false;
	s->exact = no_stack;
	s->waker = NO_PATH;
}

/* ---- threads ------------------------------------------------------------------------------------------------- */

static const struct sleeper unknown = {
	.exact = {NO_PATH, NO_SITE}, .recent = {NO_PATH, NO_SITE}, .waker = NO_PATH, .cpu = NO_CPU};

static struct sleeper *sleeper_of(struct perf_off_cpu *o, const struct off_cpu_thread *t)
{
	uint32_t i;
	if (!idmap_find(&o->by_tid, (uint32_t)t->tid, &i)) {
		i = (uint32_t)o->n;
		mem_push(o->sleepers, o->n, o->cap, unknown);
		idmap_add(&o->by_tid, (uint32_t)t->tid, i);
	}
	struct sleeper *s = &o->sleepers[i];
	s->task = t->task;
	s->root = t->root;
	return s;
}

static void see(struct perf_off_cpu *o, uint64_t time)
{
	if (time != NO_TIME && time > o->last)
		o->last = time;
}

void perf_off_cpu_leaves(struct perf_off_cpu *o, const struct off_cpu_thread *t, struct off_cpu_stack stack,
                         uint64_t time)
{
	see(o, time);
	if (t->tid <= 0)
		return;
	struct sleeper *s = sleeper_of(o, t);
	end_wait(o, s, time);
	s->exact = stack;
}

void perf_off_cpu_runs(struct perf_off_cpu *o, const struct off_cpu_thread *t, struct off_cpu_stack stack,
                       uint64_t time)
{
	see(o, time);
	if (t->tid <= 0)
		return;
	struct sleeper *s = sleeper_of(o, t);
	s->recent = stack;
	if (s->begun && time != NO_TIME && time > s->begun + LEAVING)
		end_wait(o, s, time);
}

void perf_off_cpu_switch(struct perf_off_cpu *o, const struct off_cpu_thread *t, const struct perfdata_switch *w)
{
	see(o, w->time);
	if (t->tid <= 0) /* an idle processor */
		return;
	struct sleeper *s = sleeper_of(o, t);
	if (!w->is_out) {
		end_wait(o, s, w->time);
	} else if (!s->begun && !s->has_ended) {
		s->begun = w->time;
		s->is_preempted = w->is_preempted;
		s->cpu = w->cpu;
	}
}

int32_t perf_off_cpu_woken(const struct perfdata_sample *s)
{
	struct perfdata_bytes raw = perfdata_raw(s);
	bytes_skip(&raw, PID_OF_WAKING);
	int32_t tid = bytes_s32(&raw);
	return raw.is_bad ? -1 : tid;
}

void perf_off_cpu_wakes(struct perf_off_cpu *o, int32_t tid, uint32_t waker, uint64_t time)
{
	uint32_t i;
	see(o, time);
	if (tid <= 0 || !idmap_find(&o->by_tid, (uint32_t)tid, &i))
		return;
	struct sleeper *s = &o->sleepers[i];
	if (!s->begun || s->woken || s->is_preempted || time == NO_TIME)
		return;
	s->woken = time;
	s->waker = o->sink->options->wake_stack ? waker : NO_PATH;
	s->is_named = false;
}

void perf_off_cpu_begins(struct perf_off_cpu *o, int32_t tid)
{
	uint32_t i;
	if (idmap_find(&o->by_tid, (uint32_t)tid, &i))
		o->sleepers[i] = unknown;
}

/* It leaves the CPU once more, for ever: this is no wait. */
void perf_off_cpu_ends(struct perf_off_cpu *o, int32_t tid)
{
	if (tid <= 0)
		return;
	const struct off_cpu_thread t = {.tid = tid};
	struct sleeper *s = sleeper_of(o, &t);
	*s = unknown;
	s->has_ended = true;
}

void perf_off_cpu_execs(struct perf_off_cpu *o, int32_t pid)
{
	uint32_t i;
	if (idmap_find(&o->by_tid, (uint32_t)pid, &i))
		o->sleepers[i].has_ended = false;
}

/* ---- so far -------------------------------------------------------------------------------------------------- */

/* Is the thread off the CPU for long enough to be shown, were this the end? */
static bool is_waiting(const struct perf_off_cpu *o, const struct sleeper *s, uint64_t now)
{
	return s->begun && now > s->begun && now - s->begun >= o->least && is_taken(o, s);
}

/*
 * Gives a wait its event and paths in the profile, so that copies of it made at different times have them under the
 * same numbers.
 */
static void name_wait(struct perf_off_cpu *o, struct sleeper *s)
{
	const struct sleeper woken = when_woken(s);
	series_of(o, s->exact.path != NO_PATH);
	path_of(o, s);
	if (s->woken)
		path_of(o, &woken);
	s->is_named = true;
}

void perf_off_cpu_passed(struct perf_off_cpu *o, uint64_t time)
{
	see(o, time);
	for (size_t i = 0; o->sink->is_endless && i < o->n; i++) {
		struct sleeper *s = &o->sleepers[i];
		if (!s->is_named && is_waiting(o, s, o->last))
			name_wait(o, s);
	}
}

void perf_off_cpu_preview(const struct perf_off_cpu *o, struct profile *copy)
{
	struct sink sink = *o->sink;
	struct perf_off_cpu shown = *o;
	sink.profile = copy;
	shown.sink = &sink;
	for (size_t i = 0; i < o->n; i++) {
		const struct sleeper *s = &o->sleepers[i];
		if (s->is_named && is_waiting(o, s, o->last))
			count_wait(&shown, s, o->last);
	}
}

bool perf_off_cpu_finish(struct perf_off_cpu *o)
{
	char text[96];
	for (size_t i = 0; i < o->n; i++)
		end_wait(o, &o->sleepers[i], o->last);
	if (!o->n_short)
		return o->exact_series != UINT32_MAX || o->approximate_series != UINT32_MAX;
	struct profile *p = o->sink->profile;
	uint32_t series = series_of(o, o->takes[1] && o->approximate_series == UINT32_MAX);
	unsigned side = o->sink->options->side;
	idle_add(p, side, series, o->short_time, p->series[series].total[side] + o->short_time, IDLE_SHORT);
	int n = snprintf(text, sizeof text, "%" PRIu64 " of %.3f s together", o->n_short, (double)o->short_time / 1e9);
	report_add(&p->report, NOTE_INFO, "times off the CPU that are too short are left out", NULL, 0, text,
	           (size_t)n);
	return true;
}
