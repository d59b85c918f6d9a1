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
	buf_init(&l->names);
	buf_init(&l->text);
	perf_event_init(&l->parser);
	perf_event_want(&l->parser, sink->options->event_filter);
}

void native_events_deinit(struct native_events *l)
{
	for (size_t i = 0; i < l->n; i++)
		buf_deinit(&l->v[i].name);
	free(l->v);
	buf_deinit(&l->names);
	buf_deinit(&l->text);
	perf_event_deinit(&l->parser);
}

/* Lists the names of all events, which gives their order. */
static void list_names(struct native_events *l)
{
	for (uint32_t i = 0; i < perfdata_n_events(l->recording); i++) {
		buf_adds(&l->names, i ? "," : "");
		buf_adds(&l->names, perf_usual_name(perfdata_event(l->recording, i)));
	}
}

/* Events before this one that have its name: perf record -e cycles -e cycles. */
static unsigned namesakes(const struct native_events *l, uint32_t number)
{
	const char *name = perf_usual_name(perfdata_event(l->recording, number));
	unsigned count = 0;
	for (uint32_t i = 0; i < number; i++)
		count += strcmp(perf_usual_name(perfdata_event(l->recording, i)), name) == 0;
	return count;
}

/* Takes the name that the text reader finds in an event line. */
static void learn_event(struct native_events *l, struct native_event *e, uint32_t number)
{
	const struct perfdata_event *event = perfdata_event(l->recording, number);
	unsigned before = namesakes(l, number);
	if (!l->names.len)
		list_names(l);
	l->text.len = 0;
	buf_addf(&l->text, " 1.000000: 1 %s:", perf_usual_name(event));
	perf_event_parse(&l->parser, (struct slice){l->text.data, l->text.len});
	e->is_wanted = perf_event_is_wanted(&l->parser);
	buf_init(&e->name);
	buf_add(&e->name, l->parser.name.data, l->parser.name.len);
	if (before)
		buf_addf(&e->name, " #%u", before + 1);
	e->is_waking = l->has_off_cpu && event->type == EVENT_TRACEPOINT && event->name &&
	               strcmp(event->name, "sched:sched_waking") == 0;
	e->is_off_cpu = l->has_off_cpu && perf_off_cpu_is_event(event, l->sink->options);
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
	const char *order = l->sink->options->events;
	if (!e->has_series)
		e->series = perf_series(l->sink, (struct slice){e->name.data, e->name.len}, has_period(l, number),
		                        order ? order : buf_str(&l->names));
	e->has_series = true;
	return e->series;
}
