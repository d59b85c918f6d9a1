/*
 * perf_native_events.h - the events of a recording, as the reader of perf.data needs them.
 */
#ifndef COLLAPSE_PERF_NATIVE_EVENTS_H
#define COLLAPSE_PERF_NATIVE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "collapse/collapse.h"
#include "collapse/perf/perf_event.h"
#include "collapse/perf/perf_io.h"
#include "collapse/perf/perf_order.h"
#include "perfdata/perfdata.h"

/* What is known of an event. */
struct native_event {
	struct buf name; /* without modifiers */
	bool is_known, is_wanted, is_call_stack, has_series;
	bool is_waking;       /* its samples are stacks that wake up another thread */
	bool is_off_cpu;      /* its samples are stacks that leave the CPU */
	bool is_language;     /* its samples are stacks of interpreters, each for the next sample of its thread */
	bool is_off_cpu_time; /* of perf: its samples are waits, each with its time */
	struct io_event io;
	uint32_t series;
};

struct native_events {
	struct sink *sink;
	const struct perfdata *recording;
	const struct perf_io *io; /* set by the owner before the first event is asked for, like has_off_cpu */
	bool has_off_cpu;
	struct native_event *v; /* by number */
	size_t n, cap;
	struct perf_event parser; /* for names of events */
	bool is_listed;
	struct perf_order order;
	struct symtab all_names; /* of events that were counted */
	unsigned *with_name;     /* events with each of them */
	size_t n_names, cap_names;
	unsigned *namesakes; /* events before this one that have its name: perf record -e cycles -e cycles */
	size_t n_counted, cap_counted;
	struct buf text;
};

void native_events_init(struct native_events *, struct sink *, const struct perfdata *);
void native_events_deinit(struct native_events *);
/* Does --event-filter leave time off the CPU in? It may name it, or the event of its stacks. */
bool native_events_want_off_cpu(struct native_events *);
/* The event of this number; valid until the next call. */
struct native_event *native_event(struct native_events *, uint32_t number);
/* Its series in the profile, which is made at the first call. */
uint32_t native_events_series(struct native_events *, struct native_event *, uint32_t number);

#endif
