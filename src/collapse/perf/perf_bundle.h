/*
 * perf_bundle.h - unpacks bundles: a recording and the files that its names come from, as `flametop bundle` packs
 * them.
 */
#ifndef COLLAPSE_PERF_BUNDLE_H
#define COLLAPSE_PERF_BUNDLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/input.h"

/* Does an input with this beginning hold a tar archive whose first member is a recording? */
bool perf_bundle_is(const void *bytes, size_t n);

struct perf_bundle;

/*
 * Unpacks the input, whose first n bytes were read already, into a private directory. The report gets a note if the
 * bundle ends early or has members that were left out. NULL with err: it holds no recording, or cannot be unpacked;
 * without err: after *stop.
 */
struct perf_bundle *perf_bundle_unpack(struct input *, const void *bytes, size_t n, const atomic_bool *stop,
                                       struct report *, struct err *err);
/* Removes the directory. NULL is fine. */
void perf_bundle_free(struct perf_bundle *);
/* The same, but the directory stays until the process ends: views of lines and instructions read its files. */
void perf_bundle_free_late(struct perf_bundle *);

const char *perf_bundle_recording(const struct perf_bundle *); /* path of perf.data */
const char *perf_bundle_root(const struct perf_bundle *);      /* for --symfs */

#endif
