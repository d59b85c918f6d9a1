/*
 * perf_inlines.h - turns inlined calls at the addresses of a recording into frames.
 */
#ifndef COLLAPSE_PERF_INLINES_H
#define COLLAPSE_PERF_INLINES_H

#include "collapse/perf/perf_frames.h"
#include "collapse/perf/perf_symbols.h"

struct perf_inlines;

/* Do the options ask for inlined calls in this pass over a recording? */
bool perf_inlines_are_wanted(const struct collapse_options *);

/* Both must outlive it. */
struct perf_inlines *perf_inlines_new(struct sink *, struct perf_frames *);
void perf_inlines_free(struct perf_inlines *); /* NULL is fine */

/*
 * The frames at an address, leaf first: those of the calls inlined there, then `own`, the frames of its function.
 */
struct perf_place_frames perf_inlines_find(struct perf_inlines *, const struct perf_symbol *,
                                           struct perf_place_frames own, bool is_java);

#endif
