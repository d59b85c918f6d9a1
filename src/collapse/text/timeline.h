/*
 * timeline.h - turns begin and end events into samples: each moment goes to the innermost event.
 *
 *	Frame  |--------------------|      Frame 1, Layout 4, Frame 2, Paint 2, Frame 1
 *	Layout  .|--------|.........
 *	Paint    .          |---|...
 *
 * That gives one sample per piece, ordered by time, as the flame chart needs them.
 */
#ifndef COLLAPSE_TEXT_TIMELINE_H
#define COLLAPSE_TEXT_TIMELINE_H

#include "collapse/collapse.h"

#define LENGTH_BEGIN (-1) /* a separate event ends it */
#define LENGTH_END (-2)
#define NO_NAME UINT32_MAX /* for an end: closes the innermost event */

struct trace_event {
	int64_t start, length; /* ns; length may be LENGTH_BEGIN or LENGTH_END */
	uint32_t name;         /* symbol */
	uint32_t thread : 31;  /* the caller's number */
	uint32_t is_unended : 1;
};

struct timeline {
	struct sink *sink;
	struct trace_event *events; /* of all threads */
	size_t n_events, cap_events;
	/* private */
	struct open_event *open; /* the events that the sweep is in */
	size_t n_open, cap_open;
	struct begin *begins; /* begin events that wait for their end */
	size_t n_begins, cap_begins;
	uint32_t *nearest; /* by symbol: the innermost of `begins` with that name, plus 1 */
	size_t n_nearest;
};

void timeline_init(struct timeline *, struct sink *);
void timeline_deinit(struct timeline *);

void timeline_add(struct timeline *, const struct trace_event *);
/*
 * Emits the samples of one thread below the path `root`. order[0..n) holds the numbers of its events in file order,
 * and is sorted here. Times count from `zero`. Weights are nanoseconds: microseconds with three decimals.
 */
void timeline_emit(struct timeline *, uint32_t *order, size_t n, uint32_t task, uint32_t root, int64_t zero);

#endif
