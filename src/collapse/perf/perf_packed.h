/*
 * perf_packed.h - unpacks compressed perf.data recordings such as perf.data.gz, which perf cannot read.
 */
#ifndef COLLAPSE_PERF_PACKED_H
#define COLLAPSE_PERF_PACKED_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/err.h"

/* Is it a compressed file with a recording inside? "-" is standard input. Reads nothing from pipes. */
bool perf_packed_is(const char *path);

/*
 * Writes the recording into an unnamed file (base/scratch.h) and returns its descriptor, which the caller closes;
 * -1 with err, or without one after *stop.
 */
int perf_packed_unpack(const char *path, const atomic_bool *stop, struct err *err);

#endif
