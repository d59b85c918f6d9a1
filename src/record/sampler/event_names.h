/*
 * event_names.h - events by the names that `perf list` shows.
 */
#ifndef RECORD_SAMPLER_EVENT_NAMES_H
#define RECORD_SAMPLER_EVENT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "record/sampler/abi.h"

/* Where tracefs usually is. */
#define TRACEFS "/sys/kernel/tracing"
#define TRACEFS_OLD "/sys/kernel/debug/tracing" /* older kernels: in debugfs */

/* Appends a file of tracefs below its directory events. false: there is none, or the user may not read it. */
bool event_file_read(const char *path, struct buf *out);

/*
 * Fills in what the name says: type, config, and what modifiers leave out ("cycles:u"). Names of hardware, software
 * and cache events, raw codes ("r1a8") and tracepoints ("sched:sched_switch"), which include probes. false with
 * err: it is none of these, or tracefs does not tell the tracepoint's number.
 */
bool event_named(struct abi_attr *, const char *name, size_t n, struct err *err);

/* Returns the length of the first event of a list, up to a comma that is not within slashes or braces. */
size_t event_names_first(const char *list);

#endif
