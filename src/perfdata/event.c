/*
 * event.c - the events of a recording.
 *
 * Each sample carries the id of its counter, and with sample_id_all so does each other record. The place of the id
 * depends on the event, so all events must agree on it; PERF_SAMPLE_IDENTIFIER was made for this and comes first in
 * a sample, last in other records. Records that perf made up itself (of processes already running) have the id 0.
 *
 *	SAMPLE          IDENTIFIER IP TID TIME ADDR ID ...
 *	other records   ... TID TIME ID STREAM_ID CPU IDENTIFIER, each 8 bytes, and only those in sample_type
 */
#include "perfdata/event.h"

#include "base/arena.h"
#include "base/mem.h"

#define MOST_EVENTS 65536u
#define ATTR_SIZE_FIRST 64u /* of the first version, for which `size` may be 0 */
#define NO_PLACE UINT64_MAX
#define SOFTWARE_BPF_OUTPUT 10u /* PERF_COUNT_SW_BPF_OUTPUT */

void perfdata_events_init(struct perfdata_events *e, struct arena *texts)
{
	*e = (struct perfdata_events){.texts = texts};
}

void perfdata_events_deinit(struct perfdata_events *e)
{
	free(e->all);
	free(e->counters);
	free(e->readings);
	idmap_deinit(&e->by_id);
	idmap_deinit(&e->by_thread);
}

bool perfdata_event_is_off_cpu_time(const struct perfdata_event *e)
{
	return e->type == EVENT_SOFTWARE && e->config == SOFTWARE_BPF_OUTPUT && e->name &&
	       strcmp(e->name, EVENT_OFF_CPU_TIME) == 0;
}

static uint32_t u32_at(struct perfdata_bytes b, size_t place)
{
	bytes_skip(&b, place);
	return bytes_u32(&b);
}

static uint64_t bits_at(struct perfdata_bytes b, size_t place)
{
	bytes_skip(&b, place);
	return bytes_bits(&b);
}

struct perfdata_event perfdata_event_parse(struct perfdata_bytes *b, size_t n)
{
	struct perfdata_bytes attr = *b;
	uint32_t size = u32_at(attr, 4);
	attr.n = n < attr.n ? n : attr.n;
	size = size ? size : ATTR_SIZE_FIRST;
	attr.n = size < attr.n ? size : attr.n;
	bytes_skip(b, n);
	uint64_t flags = bits_at(attr, 40);
	return (struct perfdata_event){
		.type = u32_at(attr, 0),
		.config = bytes_u64_at(attr, 8),
		.sample_period = bytes_u64_at(attr, 16),
		.sample_type = bytes_u64_at(attr, 24),
		.read_format = bytes_u64_at(attr, 32),
		.flags = flags,
		.branch_sample_type = bytes_u64_at(attr, 72),
		.sample_regs_user = bytes_u64_at(attr, 80),
		.sample_stack_user = u32_at(attr, 88),
		.sample_regs_intr = bytes_u64_at(attr, 96),
		.clock = flags & EVENT_CLOCK ? (int32_t)u32_at(attr, 92) : -1,
	};
}

void perfdata_events_add_ids(struct perfdata_events *e, uint32_t event, struct perfdata_bytes *b)
{
	while (b->n >= 8) {
		uint64_t id = bytes_u64(b);
		if (e->n_counters < UINT32_MAX && idmap_add(&e->by_id, id, (uint32_t)e->n_counters))
			mem_push(e->counters, e->n_counters, e->cap_counters, ((struct perfdata_counter){event, 0}));
	}
}

void perfdata_events_name(struct perfdata_events *e, uint32_t event, const char *name, size_t len)
{
	len = strnlen(name, len);
	if (event < e->n && len)
		e->all[event].name = arena_bytes(e->texts, name, len);
}

static uint64_t count(uint64_t sample_type, uint64_t fields)
{
	return 8 * (uint64_t)__builtin_popcountll(sample_type & fields);
}

/* The id's offset in a sample, from its beginning. */
static uint64_t place_in_sample(uint64_t type)
{
	if (type & FIELD_IDENTIFIER)
		return 0;
	return type & FIELD_ID ? count(type, FIELD_IP | FIELD_TID | FIELD_TIME | FIELD_ADDR) : NO_PLACE;
}

/* The id's offset in another record, from its end. */
static uint64_t place_from_end(uint64_t type)
{
	if (type & FIELD_IDENTIFIER)
		return 8;
	return type & FIELD_ID ? 8 + count(type, FIELD_STREAM_ID | FIELD_CPU) : NO_PLACE;
}

/* Can the samples of both be told apart? */
static bool are_distinct(uint64_t first, uint64_t type)
{
	return first == type || (first & FIELD_IDENTIFIER && place_in_sample(first) == place_in_sample(type));
}

uint32_t perfdata_events_add(struct perfdata_events *e, const struct perfdata_event *event)
{
	if (e->n == MOST_EVENTS)
		return UINT32_MAX;
	mem_push(e->all, e->n, e->cap, *event);
	e->flags |= event->flags;
	e->is_ambiguous |= !are_distinct(e->all[0].sample_type, event->sample_type);
	return (uint32_t)e->n - 1;
}

bool perfdata_events_check(const struct perfdata_events *e, struct err *err)
{
	return !e->is_ambiguous || fail(err, "the recording's events have different fields and no identifier, so their "
	                                     "samples cannot be told apart");
}

struct perfdata_counter *perfdata_events_counter(const struct perfdata_events *e, uint64_t id)
{
	uint32_t number;
	return idmap_find(&e->by_id, id, &number) ? &e->counters[number] : NULL;
}

uint64_t *perfdata_events_reading(struct perfdata_events *e, uint64_t id, int32_t tid)
{
	uint32_t place;
	struct perfdata_counter *counter = perfdata_events_counter(e, id);
	if (!counter || !(e->all[counter->event].flags & EVENT_INHERIT))
		return counter ? &counter->value : NULL;
	uint64_t key = (uint64_t)(counter - e->counters) << 32 | (uint32_t)tid;
	if (!idmap_find(&e->by_thread, key, &place)) {
		place = (uint32_t)e->n_readings;
		idmap_add(&e->by_thread, key, place);
		mem_push(e->readings, e->n_readings, e->cap_readings, 0);
	}
	return &e->readings[place];
}

uint32_t perfdata_events_of(const struct perfdata_events *e, struct perfdata_bytes body, bool is_sample)
{
	if (e->n < 2)
		return e->n ? 0 : UINT32_MAX;
	const struct perfdata_event *first = &e->all[0];
	if (!is_sample && !(first->flags & EVENT_SAMPLE_ID_ALL))
		return 0;
	uint64_t place = is_sample ? place_in_sample(first->sample_type) : place_from_end(first->sample_type);
	if (place == NO_PLACE)
		return 0;
	if (!is_sample && place > body.n)
		return UINT32_MAX;
	uint64_t id = bytes_u64_at(body, is_sample ? place : body.n - place);
	const struct perfdata_counter *counter = id ? perfdata_events_counter(e, id) : NULL;
	return counter ? counter->event : id ? UINT32_MAX : 0;
}

uint64_t perfdata_event_time(const struct perfdata_event *event, struct perfdata_bytes body, bool is_sample)
{
	uint64_t type = event->sample_type, place;
	if (!(type & FIELD_TIME) || !(is_sample || event->flags & EVENT_SAMPLE_ID_ALL))
		return NO_RECORD_TIME;
	place = is_sample ? count(type, FIELD_IDENTIFIER | FIELD_IP | FIELD_TID)
	                  : count(type, FIELD_TIME | FIELD_ID | FIELD_STREAM_ID | FIELD_CPU | FIELD_IDENTIFIER);
	if (place + (is_sample ? 8 : 0) > body.n)
		return NO_RECORD_TIME;
	uint64_t time = bytes_u64_at(body, is_sample ? place : body.n - place);
	return time ? time : NO_RECORD_TIME;
}

struct perfdata_trailer perfdata_event_trailer(const struct perfdata_event *event, struct perfdata_bytes body)
{
	struct perfdata_trailer t = {-1, -1, NO_RECORD_TIME, UINT32_MAX};
	uint64_t type = event->sample_type,
			 size = count(type, FIELD_TID | FIELD_TIME | FIELD_ID | FIELD_STREAM_ID | FIELD_CPU | FIELD_IDENTIFIER);
	if (!(event->flags & EVENT_SAMPLE_ID_ALL) || size > body.n)
		return t;
	bytes_skip(&body, body.n - size);
	if (type & FIELD_TID) {
		t.pid = bytes_s32(&body);
		t.tid = bytes_s32(&body);
	}
	if (type & FIELD_TIME)
		t.time = bytes_u64(&body);
	bytes_skip(&body, count(type, FIELD_ID | FIELD_STREAM_ID));
	if (type & FIELD_CPU)
		t.cpu = bytes_u32(&body);
	return t;
}
