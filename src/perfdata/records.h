/*
 * records.h - turns a run of bytes, in pieces cut anywhere, into records (struct perf_event_header of
 * linux/perf_event.h).
 */
#ifndef PERFDATA_RECORDS_H
#define PERFDATA_RECORDS_H

#include "base/buf.h"
#include "base/err.h"
#include "perfdata/bytes.h"

/* Types below 64 are the kernel's, the others perf's own (perf.data-file-format.txt). */
enum perfdata_record_type {
	RECORD_MMAP = 1,
	RECORD_LOST = 2,
	RECORD_COMM = 3,
	RECORD_EXIT = 4,
	RECORD_THROTTLE = 5,
	RECORD_UNTHROTTLE = 6,
	RECORD_FORK = 7,
	RECORD_SAMPLE = 9,
	RECORD_MMAP2 = 10,
	RECORD_LOST_SAMPLES = 13,
	RECORD_SWITCH = 14,
	RECORD_SWITCH_CPU_WIDE = 15,
	RECORD_NAMESPACES = 16,
	RECORD_KSYMBOL = 17,
	RECORD_CALLCHAIN_DEFERRED = 22, /* the kernel's last, so far */
	RECORD_USER_TYPES = 64,
	RECORD_HEADER_ATTR = 64,
	RECORD_TRACING_DATA = 66,
	RECORD_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68,
	RECORD_AUXTRACE = 71,
	RECORD_EVENT_UPDATE = 78,
	RECORD_HEADER_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_COMPRESSED2 = 83,
	RECORD_SCHEDSTAT_DOMAIN = 86,     /* perf's last, so far */
	RECORD_ANOTHER_MAGIC = 0x46524550 /* "PERF", with which another recording begins */
};

#define FEATURE_MOST ((uint64_t)64 << 20) /* bytes: a longer description, in or behind a record, is not read */
#define RECORD_HEADER 8u                  /* bytes: u32 type, u16 misc, u16 size of the whole */

/*
 * flametop's sampler ends a recording through a pipe with so many rounds without records, more than there are
 * anywhere else: perf knows no record that means the end, and refuses those that it does not know.
 */
#define ROUNDS_AT_END 3u

struct perfdata_record {
	uint32_t type;
	uint16_t misc;
	uint64_t offset;            /* of its header in the run of bytes, for messages */
	struct perfdata_bytes body; /* the bytes after the header; at any address */
};

/*
 * Takes one record, whose bytes are gone when it returns. false: it wants no more, and err says why. Formats of
 * tracepoints come as the body of their RECORD_TRACING_DATA, all at once.
 */
typedef bool perfdata_take(void *arg, const struct perfdata_record *, struct err *err);

struct perfdata_records {
	struct buf held;    /* the beginning of a record that continues in the next piece */
	uint64_t offset;    /* of the next byte to come, held bytes included */
	uint64_t skip;      /* bytes to come after a record that belong to it */
	struct buf formats; /* of tracepoints; these are kept */
	bool has_formats;   /* skip is of them */
	const char *inside; /* names the run that offsets count in: "" or " of the unpacked records" */
	bool is_swapped;
};

void perfdata_records_init(struct perfdata_records *, uint64_t offset, bool is_swapped, const char *inside);
void perfdata_records_deinit(struct perfdata_records *);
/* false: `take` returned false, or a record is impossible. */
bool perfdata_records_feed(struct perfdata_records *, const void *bytes, size_t n, perfdata_take *take, void *arg,
                           struct err *err);
/* Do the bytes so far end within a record or the data that belongs to it? */
bool perfdata_records_are_cut(const struct perfdata_records *);

#endif
