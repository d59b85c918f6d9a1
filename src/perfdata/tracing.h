/*
 * tracing.h - the formats of tracepoints, as a recording holds them (HEADER_TRACING_DATA).
 */
#ifndef PERFDATA_TRACING_H
#define PERFDATA_TRACING_H

#include "base/arena.h"
#include "perfdata/event.h"

/* Gives the events that are tracepoints their formats, copied to the arena. false: the data are cut off. */
bool tracing_parse(struct perfdata_events *, struct arena *texts, struct perfdata_bytes);

/* A number in the raw data of a tracepoint. */
struct tracing_field {
	uint32_t offset, size; /* bytes */
};
/*
 * Finds the field in a format, which is text as in a file `format` of tracefs. false: there is none of this name,
 * or its place makes no sense.
 */
bool tracing_find(const char *format, const char *name, struct tracing_field *);
/* Reads it. false: the raw data end before, or it is no number of 4 or 8 bytes. */
bool tracing_number(const struct tracing_field *, struct perfdata_bytes raw, int64_t *);

#endif
