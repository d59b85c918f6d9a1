/*
 * timeline.c - pairs begin and end events, and sweeps over time once.
 *
 * For each thread, begin and end events are paired, all events are sorted by start (the longest first), and a sweep
 * gives each piece of time to the innermost event. An end closes the nearest begin of its name; an end without a
 * name, or with one that is not open, closes the innermost event, as in chrome://tracing. A begin without an end
 * lasts as long as the event around it, or as the events of its thread.
 */
#include "collapse/text/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

#define MICROSECOND 1000

struct open_event {
	uint32_t path;
	int64_t end;
};

struct begin {
	uint32_t event;
	uint32_t same; /* the next outer one with the same name, plus 1; 0: none */
};

/* The state of the sweep over one thread. */
struct sweep {
	struct timeline *l;
	uint32_t task, root;
	int64_t zero;
	int64_t at;      /* time up to here has been given to events */
	int64_t unended; /* time up to here has been counted as within unended events */
};

void timeline_init(struct timeline *l, struct sink *sink)
{
	*l = (struct timeline){.sink = sink};
}

void timeline_deinit(struct timeline *l)
{
	free(l->events);
	free(l->open);
	free(l->begins);
	free(l->nearest);
}

void timeline_add(struct timeline *l, const struct trace_event *e)
{
	mem_push(l->events, l->n_events, l->cap_events, *e);
}

static void warn_of(struct timeline *l, const char *kind, int64_t ns)
{
	uint64_t rounded = ((uint64_t)ns + MICROSECOND - 1) / MICROSECOND;
	report_add_weight(&l->sink->profile->report, NOTE_WARN, kind, NULL, 0, rounded);
}

/* --- order --- */

static int compare_starts(const void *a, const void *b, void *arg)
{
	const struct trace_event *events = arg, *x = &events[*(const uint32_t *)a], *y = &events[*(const uint32_t *)b];
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* If two events start at once, the longer one contains the other. */
static int compare_spans(const void *a, const void *b, void *arg)
{
	const struct trace_event *events = arg, *x = &events[*(const uint32_t *)a], *y = &events[*(const uint32_t *)b];
	if (x->start == y->start && x->length != y->length)
		return x->length > y->length ? -1 : 1;
	return compare_starts(a, b, arg);
}

/* Sorts a thread's events. In most traces they are already in order. */
static void sort_events(struct timeline *l, uint32_t *order, size_t n,
                        int compare(const void *, const void *, void *))
{
	for (size_t i = 1; i < n; i++) {
		if (compare(&order[i - 1], &order[i], l->events) > 0) {
			sort_by(order, n, sizeof *order, compare, l->events);
			return;
		}
	}
}

/* --- begins and ends --- */

/* Makes an entry for every name; between two threads all are 0. */
static void know_names(struct timeline *l)
{
	size_t n = l->sink->profile->symtab.n;
	if (n <= l->n_nearest)
		return;
	free(l->nearest);
	l->nearest = mem_zalloc(n, sizeof *l->nearest);
	l->n_nearest = n;
}

static void push_begin(struct timeline *l, uint32_t event)
{
	uint32_t *nearest = &l->nearest[l->events[event].name];
	mem_push(l->begins, l->n_begins, l->cap_begins, ((struct begin){event, *nearest}));
	*nearest = (uint32_t)l->n_begins;
}

/* Finds the begin that an end closes. There is at least one, and the last one is open. */
static size_t find_begin(struct timeline *l, const struct trace_event *end)
{
	if (end->name != NO_NAME && l->nearest[end->name])
		return l->nearest[end->name] - 1;
	if (end->name != NO_NAME)
		sink_warn(l->sink, "end events of a name that has not begun end the innermost span", 0,
		          l->sink->profile->symtab.symbols[end->name].name,
		          l->sink->profile->symtab.symbols[end->name].len);
	return l->n_begins - 1;
}

/* A begin closed below others stays in place until it is the last one. */
static void end_begun(struct timeline *l, const struct trace_event *end)
{
	if (!l->n_begins) {
		sink_warn(l->sink, "end events without a begin are left out", 0, NULL, 0);
		return;
	}
	const struct begin *b = &l->begins[find_begin(l, end)];
	struct trace_event *begin = &l->events[b->event];
	begin->length = end->start - begin->start;
	l->nearest[begin->name] = b->same;
	while (l->n_begins && l->events[l->begins[l->n_begins - 1].event].length != LENGTH_BEGIN)
		l->n_begins--;
}

static int64_t end_of(const struct timeline *l, const struct begin *b)
{
	return l->events[b->event].start + l->events[b->event].length;
}

/* Ends each begin without an end with the begin around it, or with the last event of its thread. */
static void end_unended(struct timeline *l, int64_t last)
{
	size_t around = 0;
	for (size_t i = 0; i < l->n_begins; i++) {
		struct trace_event *e = &l->events[l->begins[i].event];
		l->nearest[e->name] = 0;
		while (around && end_of(l, &l->begins[around - 1]) <= e->start)
			around--;
		if (e->length == LENGTH_BEGIN) {
			e->length = (around ? end_of(l, &l->begins[around - 1]) : last) - e->start;
			e->is_unended = true;
		}
		l->begins[around++] = l->begins[i];
	}
	l->n_begins = 0;
}

/* Gives each begin its length. */
static void pair_events(struct timeline *l, const uint32_t *order, size_t n)
{
	int64_t last = n ? l->events[order[0]].start : 0;
	know_names(l);
	for (size_t i = 0; i < n; i++) {
		const struct trace_event *e = &l->events[order[i]];
		int64_t end = e->start + (e->length > 0 ? e->length : 0);
		last = end > last ? end : last;
		if (e->length == LENGTH_BEGIN)
			push_begin(l, order[i]);
		else if (e->length == LENGTH_END)
			end_begun(l, e);
	}
	end_unended(l, last);
}

/* Drops the end events. Returns how many events are left, in their order. */
static size_t drop_ends(const struct timeline *l, uint32_t *order, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (l->events[order[i]].length >= 0)
			order[kept++] = order[i];
	}
	return kept;
}

/* --- time --- */

/* Gives the time up to `to` to the innermost event. */
static void add_piece(struct sweep *s, int64_t to)
{
	struct timeline *l = s->l;
	struct sample sample = {.cpu = NO_CPU, .task = s->task};
	if (to <= s->at)
		return;
	sample.weight = (uint64_t)(to - s->at);
	sample.time = (uint64_t)(s->at - s->zero);
	profile_add(l->sink->profile, l->sink->options->side, l->open[l->n_open - 1].path, &sample);
	s->at = to;
}

static void close_events(struct sweep *s, int64_t now)
{
	struct timeline *l = s->l;
	for (; l->n_open && l->open[l->n_open - 1].end <= now; l->n_open--)
		add_piece(s, l->open[l->n_open - 1].end);
}

/* Counts time in unended events, once where they overlap. */
static void count_unended(struct sweep *s, int64_t start, int64_t end)
{
	int64_t from = start > s->unended ? start : s->unended;
	warn_of(s->l, "spans without an end are taken to last until their parent or their thread ends",
	        end > from ? end - from : 0);
	s->unended = end > s->unended ? end : s->unended;
}

/* Keeps an event that outlasts its parent as a call of the parent. Less than a microsecond is rounding. */
static int64_t end_within(struct sweep *s, const struct trace_event *e, const struct open_event *around)
{
	int64_t end = e->start + e->length;
	if (!around || end <= around->end)
		return end;
	if (e->is_unended)
		return around->end;
	if (end - around->end >= MICROSECOND)
		warn_of(s->l, "spans that outlast the one they began in are taken as called by it", end - around->end);
	return end;
}

static void begin_event(struct sweep *s, const struct trace_event *e)
{
	struct timeline *l = s->l;
	const struct open_event *around = NULL;
	close_events(s, e->start);
	if (l->n_open) {
		add_piece(s, e->start);
		around = &l->open[l->n_open - 1];
	}
	int64_t end = end_within(s, e, around);
	if (e->is_unended)
		count_unended(s, e->start, end);
	s->at = e->start;
	uint32_t path = profile_child(l->sink->profile, around ? around->path : s->root, e->name);
	mem_push(l->open, l->n_open, l->cap_open, ((struct open_event){path, end}));
}

void timeline_emit(struct timeline *l, uint32_t *order, size_t n, uint32_t task, uint32_t root, int64_t zero)
{
	struct sweep s = {.l = l, .task = task, .root = root, .zero = zero, .at = zero, .unended = zero};
	sort_events(l, order, n, compare_starts);
	pair_events(l, order, n);
	n = drop_ends(l, order, n);
	sort_events(l, order, n, compare_spans);
	l->n_open = 0;
	for (size_t i = 0; i < n; i++)
		begin_event(&s, &l->events[order[i]]);
	close_events(&s, INT64_MAX);
}
