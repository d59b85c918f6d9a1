/*
 * perf_packed.h - perf.data recordings that were compressed, as perf.data.gz: perf itself reads none of these.
 */
#ifndef COLLAPSE_PERF_PACKED_H
#define COLLAPSE_PERF_PACKED_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/err.h"

/* Is it a file, compressed, with a recording inside? "-" is standard input. Nothing is taken from pipes. */
bool perf_packed_is(const char *path);

/*
 * Writes the recording into a file without a name (base/scratch.h) and returns its descriptor, which the caller
 * closes; -1 with err, or without one after *stop.
 */
int perf_packed_unpack(const char *path, const atomic_bool *stop, struct err *err);

#endif
