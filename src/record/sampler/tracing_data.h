/*
 * tracing_data.h - what tracefs tells about tracepoints, for recordings: how their raw data are laid out.
 */
#ifndef RECORD_SAMPLER_TRACING_DATA_H
#define RECORD_SAMPLER_TRACING_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "record/sampler/counter.h"

/* Is one of the events a tracepoint? */
bool tracing_data_is_needed(const struct counter_event *, size_t n_events);
/* Appends the formats of all that are, as perf.data has them (perfdata/tracing.h). */
void tracing_data_add(struct buf *, const struct counter_event *, size_t n_events);

/* Says why tracepoints of system calls cannot be looked up, and what helps. Always false. */
bool tracing_data_fail(struct err *);

#endif
