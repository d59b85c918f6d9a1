/*
 * perf_order.c - the order of events.
 */
#include "collapse/perf/perf_order.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "collapse/perf/perf_event.h"

/* Takes the first event off a list, without a group's braces and what follows them. */
static struct slice take_event(struct slice *list)
{
	bool is_in_terms = false; /* cpu/event=1,umask=2/ */
	size_t n = 0;
	while (n < list->n && (list->s[n] != ',' || is_in_terms))
		is_in_terms ^= list->s[n++] == '/';
	struct slice event = slice_trim(slice_head(*list, n));
	*list = slice_from(*list, n < list->n ? n + 1 : n);
	slice_take(&event, "{");
	return slice_before(event, '}');
}

void perf_order_init(struct perf_order *o)
{
	*o = (struct perf_order){.n = 0};
	symtab_init(&o->names);
}

void perf_order_add(struct perf_order *o, struct slice event)
{
	struct buf name;
	buf_init(&name);
	perf_event_normalize(event, &name);
	uint32_t sym = symtab_intern(&o->names, name.data ? name.data : "", name.len);
	while (o->n_places <= sym)
		mem_push(o->places, o->n_places, o->cap_places, UINT32_MAX);
	if (o->places[sym] == UINT32_MAX)
		o->places[sym] = o->n;
	o->n++;
	buf_deinit(&name);
}

void perf_order_add_list(struct perf_order *o, const char *list)
{
	struct slice rest = slice_of(list ? list : "");
	while (rest.n)
		perf_order_add(o, take_event(&rest));
}

void perf_order_deinit(struct perf_order *o)
{
	symtab_deinit(&o->names);
	free(o->places);
}

/* UINT32_MAX: none. */
static uint32_t place_of(const struct perf_order *o, struct slice name)
{
	uint32_t sym = symtab_find(&o->names, name.n ? name.s : "", name.n);
	return sym < o->n_places ? o->places[sym] : UINT32_MAX;
}

uint32_t perf_order_place(const struct perf_order *o, struct slice name)
{
	uint32_t place = place_of(o, name);
	if (place == UINT32_MAX)
		place = place_of(o, perf_event_base(name));
	return place == UINT32_MAX ? o->n : place;
}
