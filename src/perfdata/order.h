/*
 * order.h - records by time: a recording has those of each processor in runs, perf's rounds say how far they are
 * complete.
 */
#ifndef PERFDATA_ORDER_H
#define PERFDATA_ORDER_H

#include "perfdata/records.h"

struct perfdata_order;

/*
 * `take` gets the records in the order of time, those of one time as they came; their bodies stand at addresses
 * divisible by 8 and may be changed. It must not fail. At most `most` bytes wait for a round; beyond that the
 * older half of them is let go.
 */
struct perfdata_order *perfdata_order_new(size_t most, perfdata_take *take, void *arg);
void perfdata_order_free(struct perfdata_order *);

/* Times are nanoseconds. Keeps a copy of the record. */
void perfdata_order_add(struct perfdata_order *, uint64_t time, const struct perfdata_record *);
/* A record of that time came that is not kept: the next round reaches as far. */
void perfdata_order_see(struct perfdata_order *, uint64_t time);
/* The end of a round: all that is not younger than what had come before the last round's end is complete. */
void perfdata_order_round(struct perfdata_order *);
/* Hands on all that waits. */
void perfdata_order_flush(struct perfdata_order *);

/* How many records came too late: older ones than they had been handed on. */
uint64_t perfdata_order_late(const struct perfdata_order *);

#endif
