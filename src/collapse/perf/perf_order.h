/*
 * perf_order.h - the order of events, as perf record -e takes them ("cpu-clock:u,{cycles,cpu/event=1,umask=2/}").
 */
#ifndef COLLAPSE_PERF_ORDER_H
#define COLLAPSE_PERF_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"
#include "model/symtab.h"

struct perf_order {
	struct symtab names; /* as in event lines */
	uint32_t *places;    /* of each name, the first one */
	size_t n_places, cap_places;
	uint32_t n; /* events in the list */
};

void perf_order_init(struct perf_order *);
void perf_order_deinit(struct perf_order *);
/* Appends an event. */
void perf_order_add(struct perf_order *, struct slice event);
/* Appends all events of a list; NULL: none. */
void perf_order_add_list(struct perf_order *, const char *list);
/*
 * Where an event stands, counted from 0; "cycles:u" may be "cycles" there. After the last one if it is not in the
 * list.
 */
uint32_t perf_order_place(const struct perf_order *, struct slice name);

#endif
