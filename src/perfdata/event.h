/*
 * event.h - the events of a recording (struct perf_event_attr of linux/perf_event.h), and the mapping from records
 * to events.
 */
#ifndef PERFDATA_EVENT_H
#define PERFDATA_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/idmap.h"
#include "perfdata/bytes.h"

/* Bits of sample_type, with the kernel's values; a sample holds its fields in another order (sample.c). */
enum perfdata_field {
	FIELD_IP = 1 << 0,
	FIELD_TID = 1 << 1,
	FIELD_TIME = 1 << 2,
	FIELD_ADDR = 1 << 3,
	FIELD_READ = 1 << 4,
	FIELD_CALLCHAIN = 1 << 5,
	FIELD_ID = 1 << 6,
	FIELD_CPU = 1 << 7,
	FIELD_PERIOD = 1 << 8,
	FIELD_STREAM_ID = 1 << 9,
	FIELD_RAW = 1 << 10,
	FIELD_BRANCH_STACK = 1 << 11,
	FIELD_REGS_USER = 1 << 12,
	FIELD_STACK_USER = 1 << 13,
	FIELD_WEIGHT = 1 << 14,
	FIELD_DATA_SRC = 1 << 15,
	FIELD_IDENTIFIER = 1 << 16,
	FIELD_TRANSACTION = 1 << 17,
	FIELD_REGS_INTR = 1 << 18,
	FIELD_PHYS_ADDR = 1 << 19,
	FIELD_AUX = 1 << 20,
	FIELD_CGROUP = 1 << 21,
	FIELD_DATA_PAGE_SIZE = 1 << 22,
	FIELD_CODE_PAGE_SIZE = 1 << 23,
	FIELD_WEIGHT_STRUCT = 1 << 24,
	FIELDS_KNOWN = (1 << 25) - 1
};

/* Bits of read_format. */
enum perfdata_read_format {
	READ_TIME_ENABLED = 1 << 0,
	READ_TIME_RUNNING = 1 << 1,
	READ_ID = 1 << 2,
	READ_GROUP = 1 << 3,
	READ_LOST = 1 << 4
};

/* Bits of `flags`; EXCLUDE bits name the space that the event leaves out. */
#define EVENT_INHERIT ((uint64_t)1 << 1)
#define EVENT_EXCLUDE_USER ((uint64_t)1 << 4)
#define EVENT_EXCLUDE_KERNEL ((uint64_t)1 << 5)
#define EVENT_FREQ ((uint64_t)1 << 10)
#define EVENT_SAMPLE_ID_ALL ((uint64_t)1 << 18)
#define EVENT_CONTEXT_SWITCH ((uint64_t)1 << 26)
#define EVENT_CLOCK ((uint64_t)1 << 25)
#define EVENT_BUILD_ID ((uint64_t)1 << 34)

/* Of `flametop sample --memory`: calls of allocators. What is missing if threads and children do not inherit it: */
#define EVENT_OF_MALLOC "malloc-bytes"
#define EVENT_OF_MALLOC_MISSES                                                                       \
	"--memory: of threads and processes that began during the recording, pages are counted, but no " \
	"calls of malloc: that needs the right to write to tracefs (root)"

/*
 * Of `perf record --off-cpu`: nanoseconds for which a thread was off the CPU. Newer versions of perf (FIELD_RAW)
 * have the fields of such a sample in its raw data (sample.c). Waits that perf has summed up come at the end of a
 * recording, with times that it has made up, from TIMES_MADE_UP on.
 */
#define EVENT_OFF_CPU_TIME "offcpu-time"
#define TIMES_MADE_UP (~(uint64_t)0 << 32)

/* Kinds of events (attr.type). */
enum perfdata_event_type {
	EVENT_HARDWARE,
	EVENT_SOFTWARE,
	EVENT_TRACEPOINT,
	EVENT_HW_CACHE,
	EVENT_RAW,
	EVENT_BREAKPOINT
};

struct perfdata_event {
	const char *name;   /* as perf shows it ("cycles:u"); NULL: not recorded */
	const char *format; /* of a tracepoint's raw data (tracing.h); NULL: not recorded */
	uint32_t type;      /* perfdata_event_type, or the number of a PMU */
	uint64_t config;
	uint64_t sample_period; /* or the frequency, if flags has EVENT_FREQ */
	uint64_t sample_type, read_format, flags, branch_sample_type;
	uint64_t sample_regs_user, sample_regs_intr;
	uint32_t sample_stack_user; /* bytes of the stack to be copied at most; 0: none, or not recorded */
	int32_t clock;              /* of times, numbered as for clock_gettime(): CLOCK_MONOTONIC; -1: perf's own */
};

/* The events and the ids of their counters. Zeroed is empty. */
struct perfdata_events {
	struct perfdata_event *all;
	size_t n, cap;
	uint64_t flags;           /* that any of them has */
	bool is_ambiguous;        /* see perfdata_events_check() */
	struct idmap by_id;       /* id of a counter -> its place in `counters` */
	struct perfdata_counter { /* one of an event's counters, on one processor or in one thread */
		uint32_t event;
		uint64_t value; /* of a counter in a group, at its last reading */
	} * counters;
	size_t n_counters, cap_counters;
	struct idmap by_thread; /* place in `counters`, and a thread -> its place in `readings` */
	uint64_t *readings;     /* of counters that threads inherit, the last ones in each thread */
	size_t n_readings, cap_readings;
	struct arena *texts; /* holds the names */
};

void perfdata_events_init(struct perfdata_events *, struct arena *texts);
void perfdata_events_deinit(struct perfdata_events *);

bool perfdata_event_is_off_cpu_time(const struct perfdata_event *);

/* Takes a perf_event_attr of at most `n` bytes from b; fields it lacks are 0. */
struct perfdata_event perfdata_event_parse(struct perfdata_bytes *b, size_t n);
/* Returns the event's number; UINT32_MAX if there are 65,536 already. */
uint32_t perfdata_events_add(struct perfdata_events *, const struct perfdata_event *);
/* Takes ids of 8 bytes from b, as many as there are. A known id keeps its event. */
void perfdata_events_add_ids(struct perfdata_events *, uint32_t event, struct perfdata_bytes *b);
/* Copies the name, up to a NUL. */
void perfdata_events_name(struct perfdata_events *, uint32_t event, const char *name, size_t len);
/* false: some records are ambiguous (several events, and no id at the same place in each). */
bool perfdata_events_check(const struct perfdata_events *, struct err *);

/* The counter with this id; NULL: unknown. */
struct perfdata_counter *perfdata_events_counter(const struct perfdata_events *, uint64_t id);
/*
 * Its last reading, which the caller changes; since Linux 6.12, a counter that threads inherit has a total in each
 * of them, and tid says in which. NULL: the id is unknown. Valid until the next call.
 */
uint64_t *perfdata_events_reading(struct perfdata_events *, uint64_t id, int32_t tid);
/* Returns the event of a record; UINT32_MAX: unknown. `body` follows the header. */
uint32_t perfdata_events_of(const struct perfdata_events *, struct perfdata_bytes body, bool is_sample);

/* What sample_id_all appends to records that are not samples. */
struct perfdata_trailer {
	int32_t pid, tid; /* -1: not recorded */
	uint64_t time;    /* NO_RECORD_TIME: not recorded */
	uint32_t cpu;     /* UINT32_MAX: not recorded */
};
struct perfdata_trailer perfdata_event_trailer(const struct perfdata_event *, struct perfdata_bytes body);

#define NO_RECORD_TIME UINT64_MAX
/* In nanoseconds of the recording's clock; NO_RECORD_TIME: the record has none. */
uint64_t perfdata_event_time(const struct perfdata_event *, struct perfdata_bytes body, bool is_sample);

#endif
