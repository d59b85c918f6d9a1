/*
 * perf_names.h - names perf's tasks, functions and events, for text and recordings alike.
 */
#ifndef COLLAPSE_PERF_NAMES_H
#define COLLAPSE_PERF_NAMES_H

#include <stdbool.h>

#include "collapse/collapse.h"
#include "collapse/perf/perf_order.h"
#include "collapse/text/lines.h"
#include "perfdata/event.h"

/*
 * Names the root frame: "comm", "comm-PID" or "comm-PID/TID", as the options ask. id is "PID/TID", or the TID alone
 * if the PID is unknown. Replaces the content of `name`.
 */
void perf_root_name(struct buf *name, const struct collapse_options *, struct slice comm, struct slice id);

/*
 * A function's name as perf prints it: demangled, without parameters, "[unknown]" for NULL. `demangled` must live
 * as long as the result.
 */
struct slice perf_symbol_name(struct sink *, const char *name, struct buf *demangled);

/* The event's name; without the feature EVENT_DESC, perf's name for a common event. */
const char *perf_usual_name(const struct perfdata_event *);
/*
 * The series of an event; makes it if it is new. Its rank is the event's place in the order; where that is empty,
 * all share a place, and the samples decide. has_period: weights are units of the event, not samples.
 */
uint32_t perf_series(struct sink *, struct slice event, bool has_period, const struct perf_order *);
/*
 * When the span of a sample begins: waits come with the time of their end. NO_TIME: perf has made up the time of
 * waits that it summed up.
 */
uint64_t perf_begin(struct slice event, uint64_t time, uint64_t weight);

#endif
