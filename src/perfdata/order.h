/*
 * order.h - sorts records by time: a recording has each processor's records in runs, and perf's rounds tell how far
 * they are complete.
 */
#ifndef PERFDATA_ORDER_H
#define PERFDATA_ORDER_H

#include "perfdata/records.h"

struct perfdata_order;

/*
 * `take` gets the records in time order; records of equal time keep their order of arrival. Their bodies are at
 * addresses divisible by 8 and may be changed. `take` must not fail. What waits for a round takes at most `most`
 * bytes of memory; when it is more, the older half is handed on early.
 */
struct perfdata_order *perfdata_order_new(size_t most, perfdata_take *take, void *arg);
void perfdata_order_free(struct perfdata_order *);

/* Times are nanoseconds. Keeps a copy of the record. */
void perfdata_order_add(struct perfdata_order *, uint64_t time, const struct perfdata_record *);
/* Notes the time of a record that is not kept, so that the next round reaches as far. */
void perfdata_order_see(struct perfdata_order *, uint64_t time);
/*
 * Ends a round: every record no younger than the youngest that came before the last round's end is complete.
 */
void perfdata_order_round(struct perfdata_order *);
/* Hands on all waiting records. */
void perfdata_order_flush(struct perfdata_order *);

/* Counts the records that came too late: older than a record already handed on. */
uint64_t perfdata_order_late(const struct perfdata_order *);

#endif
