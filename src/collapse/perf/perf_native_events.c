/*
 * perf_native_events.c - names events, and says what their samples are.
 */
#include "collapse/perf/perf_native_events.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "collapse/perf/perf_languages.h"
#include "collapse/perf/perf_names.h"
#include "collapse/perf/perf_off_cpu.h"

#define BRANCH_CALL_STACK ((uint64_t)1 << 11)

void native_events_init(struct native_events *l, struct sink *sink, const struct perfdata *recording)
{
	*l = (struct native_events){.sink = sink, .recording = recording};
	perf_order_init(&l->order);
	symtab_init(&l->all_names);
	buf_init(&l->text);
	perf_event_init(&l->parser);
	perf_event_want(&l->parser, sink->options->event_filter);
}

void native_events_deinit(struct native_events *l)
{
	for (size_t i = 0; i < l->n; i++)
		buf_deinit(&l->v[i].name);
	free(l->v);
	perf_order_deinit(&l->order);
	symtab_deinit(&l->all_names);
	free(l->with_name);
	free(l->namesakes);
	buf_deinit(&l->text);
	perf_event_deinit(&l->parser);
}

static bool has_wanted_name(struct native_events *l, const char *name)
{
	l->text.len = 0;
	buf_addf(&l->text, " 1.000000: 1 %s:", name);
	perf_event_parse(&l->parser, (struct slice){l->text.data, l->text.len});
	return perf_event_is_wanted(&l->parser);
}

bool native_events_want_off_cpu(struct native_events *l)
{
	const struct collapse_options *o = l->sink->options;
	bool is_wanted = perf_off_cpu_is_named(o, true) || perf_off_cpu_is_named(o, false);
	for (uint32_t i = 0; !is_wanted && i < perfdata_n_events(l->recording); i++) {
		const struct perfdata_event *e = perfdata_event(l->recording, i);
		is_wanted = perf_off_cpu_is_event(e, o) && has_wanted_name(l, perf_usual_name(e));
	}
	return is_wanted;
}

/* Counts the events that have come since the last time. */
static void count_namesakes(struct native_events *l)
{
	while (l->n_counted < perfdata_n_events(l->recording)) {
		const char *name = perf_usual_name(perfdata_event(l->recording, (uint32_t)l->n_counted));
		uint32_t sym = symtab_intern(&l->all_names, name, strlen(name));
		while (l->n_names <= sym)
			mem_push(l->with_name, l->n_names, l->cap_names, 0);
		mem_push(l->namesakes, l->n_counted, l->cap_counted, l->with_name[sym]);
		l->with_name[sym]++;
	}
}

/* The events stand in the order that perf was given, else in that of the recording. */
static void list_events(struct native_events *l)
{
	const char *given = l->sink->options->events;
	perf_order_add_list(&l->order, given);
	for (uint32_t i = 0; !given && i < perfdata_n_events(l->recording); i++)
		perf_order_add(&l->order, slice_of(perf_usual_name(perfdata_event(l->recording, i))));
	l->is_listed = true;
}

/* Takes the name that the text reader finds in an event line. */
static void learn_event(struct native_events *l, struct native_event *e, uint32_t number)
{
	const struct perfdata_event *event = perfdata_event(l->recording, number);
	if (!l->is_listed)
		list_events(l);
	count_namesakes(l);
	e->is_wanted = has_wanted_name(l, perf_usual_name(event));
	buf_init(&e->name);
	buf_add(&e->name, l->parser.name.data, l->parser.name.len);
	if (l->namesakes[number])
		buf_addf(&e->name, " #%u", l->namesakes[number] + 1);
	e->is_waking = l->has_off_cpu && event->type == EVENT_TRACEPOINT && event->name &&
	               strcmp(event->name, "sched:sched_waking") == 0;
	e->is_off_cpu = l->has_off_cpu && perf_off_cpu_is_event(event, l->sink->options);
	e->is_off_cpu_time = perfdata_event_is_off_cpu_time(event);
	e->is_language = perf_languages_is_event(event);
	e->io = perf_io_event(l->io, event);
	e->is_call_stack = event->branch_sample_type & BRANCH_CALL_STACK;
	e->is_known = true;
}

struct native_event *native_event(struct native_events *l, uint32_t number)
{
	while (l->n <= number)
		mem_push(l->v, l->n, l->cap, ((struct native_event){.is_known = false}));
	if (!l->v[number].is_known)
		learn_event(l, &l->v[number], number);
	return &l->v[number];
}

/* Are weights units of the event? Yes, if samples record their period, or all have the period set for the event. */
static bool has_period(const struct native_events *l, uint32_t event)
{
	const struct perfdata_event *e = perfdata_event(l->recording, event);
	return e->sample_type & FIELD_PERIOD || (!(e->flags & EVENT_FREQ) && e->sample_period);
}

uint32_t native_events_series(struct native_events *l, struct native_event *e, uint32_t number)
{
	if (!e->has_series)
		e->series =
			perf_series(l->sink, (struct slice){e->name.data, e->name.len}, has_period(l, number), &l->order);
	e->has_series = true;
	return e->series;
}
