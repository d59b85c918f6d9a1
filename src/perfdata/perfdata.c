/*
 * perfdata.c - turns recordings of `perf record` from bytes into samples.
 *
 *	bytes -> header.c -> records.c -+-> state.c (descriptions)
 *	                                +-> compression.c -> records.c -> the same once more
 *	                                +-> order.c -> state.c (processes, samples) -> hooks
 *
 * A file has three parts: the beginning (header, attributes), which is collected whole before it is parsed; the
 * records; and the features, which a caller that can seek has already read, and which are skipped here. A pipe's
 * recording is a short header and then all records, descriptions among them.
 */
#include "perfdata/perfdata.h"

#include <time.h>

#include "base/mem.h"
#include "perfdata/compression.h"
#include "perfdata/order.h"
#include "perfdata/state.h"

#define MOST_WAITING ((size_t)512 << 20)
#define PIECE ((size_t)64 << 10)

struct perfdata {
	struct perfdata_state state;
	struct perfdata_header header;
	struct buf beginning; /* of the file, until the header is complete */
	uint64_t passed;      /* bytes fed */
	bool has_header, is_spoilt;
	uint64_t rounds;  /* after the last record of another kind */
	uint64_t lacking; /* bytes that the beginning needs, if it could not be read; 0: it could */
	uint64_t end;     /* of the features, which end a file; 0: unknown */
	struct perfdata_records records;
	struct perfdata_compression *compression; /* NULL: none so far */
	struct perfdata_order *order;
	uint64_t aligned[8192]; /* a record whose turn comes at once */
};

/* --- records --- */

/* Takes a record from the queue in its turn. */
static bool take_turn(void *arg, const struct perfdata_record *r, struct err *err)
{
	(void)err;
	perfdata_state_take(&((struct perfdata *)arg)->state, r);
	return true;
}

static void take_now(struct perfdata *p, const struct perfdata_record *r)
{
	struct perfdata_record copy = *r;
	if (r->body.n)
		memcpy(p->aligned, r->body.at, r->body.n);
	copy.body.at = (const unsigned char *)p->aligned;
	perfdata_state_take(&p->state, &copy);
}

static bool is_of_interest(uint32_t type)
{
	return type == RECORD_SAMPLE || type == RECORD_MMAP || type == RECORD_MMAP2 || type == RECORD_COMM ||
	       type == RECORD_FORK || type == RECORD_LOST || type == RECORD_LOST_SAMPLES || type == RECORD_NAMESPACES ||
	       type == RECORD_KSYMBOL || type == RECORD_EXIT || type == RECORD_THROTTLE || type == RECORD_UNTHROTTLE ||
	       type == RECORD_SWITCH || type == RECORD_SWITCH_CPU_WIDE || type == RECORD_CALLCHAIN_DEFERRED;
}

static void pass_over(struct perfdata *p, const struct perfdata_record *r)
{
	perfdata_state_note(&p->state, NOTE_WARN,
	                    r->type < RECORD_USER_TYPES
	                        ? "records of an unknown kind are passed over (of a newer kernel?)"
	                        : "records of an unknown kind are passed over (of a newer perf, or another program?)",
	                    r->offset);
}

/* A record without a time, such as those that perf writes for running processes, takes its turn now. */
static bool take_kernels(struct perfdata *p, const struct perfdata_record *r, struct err *err)
{
	const struct perfdata_events *events = &p->state.events;
	bool is_sample = r->type == RECORD_SAMPLE;
	uint64_t time = NO_RECORD_TIME;
	if (!perfdata_events_check(events, err))
		return false;
	if (!r->type || r->type > RECORD_CALLCHAIN_DEFERRED)
		pass_over(p, r);
	uint32_t event = perfdata_events_of(events, r->body, is_sample);
	if (event != UINT32_MAX)
		time = perfdata_event_time(&events->all[event], r->body, is_sample);
	if (time == NO_RECORD_TIME)
		take_now(p, r);
	else if (is_of_interest(r->type))
		perfdata_order_add(p->order, time, r);
	else
		perfdata_order_see(p->order, time);
	return true;
}

static bool take(void *arg, const struct perfdata_record *r, struct err *err);

static bool take_compressed(struct perfdata *p, const struct perfdata_record *r, struct err *err)
{
	struct perfdata_bytes piece = r->body;
	struct err why;
	if (r->type == RECORD_COMPRESSED2) {
		uint64_t n = bytes_u64(&piece);
		piece.n = n < piece.n ? (size_t)n : piece.n;
	}
	if (!p->compression)
		p->compression = perfdata_compression_new(p->header.is_swapped);
	return perfdata_compression_feed(p->compression, piece, take, p, &why) ||
	       fail(err, "byte %llu: %s", (unsigned long long)r->offset, why.text);
}

static bool take(void *arg, const struct perfdata_record *r, struct err *err)
{
	struct perfdata *p = arg;
	p->rounds = r->type == RECORD_FINISHED_ROUND ? p->rounds + 1 : 0;
	if (r->type < RECORD_USER_TYPES)
		return take_kernels(p, r, err);
	if (r->type == RECORD_ANOTHER_MAGIC)
		return fail(err, "byte %llu: another recording begins here (of joined recordings only the first is read)",
		            (unsigned long long)r->offset);
	if (r->type == RECORD_FINISHED_ROUND)
		perfdata_order_round(p->order);
	else if (r->type == RECORD_COMPRESSED || r->type == RECORD_COMPRESSED2)
		return take_compressed(p, r, err);
	else if (r->type > RECORD_SCHEDSTAT_DOMAIN)
		pass_over(p, r);
	else
		perfdata_state_describe(&p->state, r);
	return true;
}

/* --- the beginning --- */

/* How many bytes of the beginning are needed, as far as known. */
static uint64_t needed(const struct perfdata *p)
{
	size_t n = p->beginning.len;
	if (n < HEADER_PIPE_SIZE)
		return HEADER_PIPE_SIZE;
	if (n < perfdata_header_size(p->beginning.data, n))
		return HEADER_FILE_SIZE;
	return p->header.is_pipe ? HEADER_PIPE_SIZE : p->header.data;
}

/* Parses the beginning, first at 16 or 104 bytes and then whole. *is_whole: nothing more is needed. */
static bool read_header(struct perfdata *p, bool *is_whole, struct err *err)
{
	size_t n = p->beginning.len;
	*is_whole = false;
	if (n < HEADER_PIPE_SIZE || n < perfdata_header_size(p->beginning.data, n))
		return true;
	if (!perfdata_header_parse(&p->header, p->beginning.data, err))
		return false;
	*is_whole = n >= needed(p);
	if (!*is_whole)
		return true;
	if (!p->header.is_pipe && !perfdata_header_events(&p->header, p->beginning.data, &p->state.events, err))
		return false;
	perfdata_records_init(&p->records, needed(p), p->header.is_swapped, "");
	p->has_header = true;
	buf_deinit(&p->beginning);
	return true;
}

/* Appends bytes to the beginning and leaves the rest in *b. */
static bool feed_beginning(struct perfdata *p, struct perfdata_bytes *b, struct err *err)
{
	bool is_whole = false;
	while (b->n && !is_whole) {
		uint64_t n = needed(p) - p->beginning.len;
		n = n < b->n ? n : b->n;
		buf_add(&p->beginning, b->at, (size_t)n);
		bytes_skip(b, n);
		if (!read_header(p, &is_whole, err))
			return false;
	}
	return true;
}

/* --- features of a file --- */

struct reading {
	perfdata_read_at *read_at;
	void *arg;
};

/* Memory grows with the bytes present, not with the size the file claims. */
static bool read_bytes(const struct reading *r, struct buf *into, uint64_t offset, uint64_t n)
{
	while (n) {
		size_t piece = n < PIECE ? (size_t)n : PIECE;
		if (!r->read_at(r->arg, offset, buf_reserve(into, piece), piece))
			return false;
		into->len += piece;
		offset += piece;
		n -= piece;
	}
	return true;
}

static bool read_feature(struct perfdata *p, const struct reading *r, unsigned feature, uint64_t place)
{
	unsigned char section[16];
	struct buf bytes;
	if (!r->read_at(r->arg, place, section, sizeof section))
		return false;
	struct perfdata_bytes b = {section, sizeof section, p->header.is_swapped, false};
	uint64_t offset = bytes_u64(&b), size = bytes_u64(&b), end = offset + size;
	p->end = end > p->end && end >= offset ? end : p->end;
	if (!perfdata_feature_is_known(feature))
		return true;
	buf_init(&bytes);
	bool is_there = size <= FEATURE_MOST && read_bytes(r, &bytes, offset, size);
	if (is_there) {
		b = (struct perfdata_bytes){(const unsigned char *)bytes.data, bytes.len, p->header.is_swapped, false};
		is_there = perfdata_feature_parse(&p->state.features, feature, b);
	}
	buf_deinit(&bytes);
	return is_there;
}

static bool read_beginning(struct perfdata *p, const struct reading *r, struct err *err)
{
	bool is_whole = false;
	while (!is_whole) {
		uint64_t n = needed(p) - p->beginning.len;
		if (!read_bytes(r, &p->beginning, p->beginning.len, n)) {
			p->lacking = needed(p);
			return fail(err, "the file ends in its header, after less than %llu bytes",
			            (unsigned long long)p->lacking);
		}
		if (!read_header(p, &is_whole, err))
			return false;
		if (p->header.is_pipe)
			break;
	}
	return true;
}

bool perfdata_read_features(struct perfdata *p, perfdata_read_at *read_at, void *arg, struct err *err)
{
	const struct reading r = {read_at, arg};
	uint64_t place;
	if (!read_beginning(p, &r, err)) {
		p->is_spoilt = true;
		return false;
	}
	for (unsigned i = 0; i < FEATURES; i++) {
		if (!perfdata_header_feature(&p->header, i, &place))
			continue;
		if (!read_feature(p, &r, i, place))
			perfdata_state_note(&p->state, NOTE_WARN,
			                    "the description of the recording at its end is damaged or cut off", place);
	}
	return true;
}

/* --- from outside --- */

uint64_t perfdata_lacking(const struct perfdata *p)
{
	return p->lacking;
}

struct perfdata *perfdata_new(const struct perfdata_hooks *hooks, void *arg)
{
	struct perfdata *p = mem_zalloc(1, sizeof *p);
	perfdata_state_init(&p->state, hooks, arg);
	buf_init(&p->beginning);
	p->order = perfdata_order_new(MOST_WAITING, take_turn, p);
	return p;
}

void perfdata_free(struct perfdata *p)
{
	if (!p)
		return;
	perfdata_order_free(p->order);
	perfdata_compression_free(p->compression);
	perfdata_records_deinit(&p->records);
	buf_deinit(&p->beginning);
	perfdata_state_deinit(&p->state);
	free(p);
}

/* How many input bytes still lie before the records, if the header came by another way; 0 once they have passed. */
static uint64_t before_records(const struct perfdata *p)
{
	uint64_t begin = p->header.is_pipe ? HEADER_PIPE_SIZE : p->header.data;
	return p->passed < begin ? begin - p->passed : 0;
}

/* flametop's sampler names events first, and writes the features last: it was killed. */
static bool lacks_features(const struct perfdata *p)
{
	return p->state.has_names && !perfdata_header_has_features(&p->header);
}

/*
 * perf writes the size of the records last, flametop's sampler after each round of them. UINT64_MAX: they go on to
 * the end of the file, as far as is known.
 */
static uint64_t end_of_records(const struct perfdata *p)
{
	uint64_t end;
	if (p->header.is_pipe || !p->header.data_size || lacks_features(p) ||
	    __builtin_add_overflow(p->header.data, p->header.data_size, &end))
		return UINT64_MAX;
	return end;
}

bool perfdata_feed(struct perfdata *p, const void *bytes, size_t n, struct err *err)
{
	struct perfdata_bytes b = {bytes, n, false, false};
	bool ok = !p->is_spoilt || fail(err, "the recording cannot be read on");
	if (ok && p->has_header) {
		uint64_t before = before_records(p);
		bytes_skip(&b, before < b.n ? before : b.n);
	} else if (ok) {
		ok = feed_beginning(p, &b, err);
	}
	p->passed += n - b.n;
	while (ok && p->has_header && b.n && p->passed < end_of_records(p)) { /* records can change where they end */
		uint64_t left = end_of_records(p) - p->passed;
		size_t piece = left < b.n ? (size_t)left : b.n;
		ok = perfdata_records_feed(&p->records, b.at, piece, take, p, err);
		bytes_skip(&b, piece);
		p->passed += piece;
	}
	p->passed += b.n;
	p->is_spoilt = !ok;
	return ok;
}

static bool ends_early(const struct perfdata *p)
{
	bool has_end = end_of_records(p) != UINT64_MAX;
	return perfdata_records_are_cut(&p->records) || perfdata_compression_is_cut(p->compression) ||
	       (has_end && p->passed < end_of_records(p));
}

/* Only of flametop's sampler is it known how a pipe ends. */
static bool lacks_rounds(const struct perfdata *p)
{
	const char *recorder = p->state.features.facts.version;
	return recorder && strncmp(recorder, "flametop ", 9) == 0 && p->rounds < ROUNDS_AT_END;
}

static bool was_killed(const struct perfdata *p)
{
	return p->header.is_pipe ? lacks_rounds(p) : !p->header.data_size || lacks_features(p);
}

bool perfdata_is_cut(const struct perfdata *p)
{
	return was_killed(p) || ends_early(p);
}

/* Did threads and children of the target inherit the counters of pages, but not those of calls? */
static bool lacks_births(const struct perfdata_state *s)
{
	bool has_heirs = false, has_others = false;
	for (size_t i = 0; i < s->events.n; i++) {
		const struct perfdata_event *e = &s->events.all[i];
		has_heirs |= (e->flags & EVENT_INHERIT) != 0;
		has_others |= !(e->flags & EVENT_INHERIT) && e->name && strcmp(e->name, EVENT_OF_MALLOC) == 0;
	}
	return s->has_births && has_heirs && has_others;
}

/* Of its last section; UINT64_MAX: unknown. */
static uint64_t end_of_file(const struct perfdata *p)
{
	uint64_t end = end_of_records(p), attrs = p->header.attrs + p->header.attrs_size;
	if (perfdata_header_has_features(&p->header) && p->end <= end)
		return UINT64_MAX;
	end = attrs > end ? attrs : end;
	return p->end > end ? p->end : end;
}

static void note_end(struct perfdata *p, bool is_whole)
{
	if (was_killed(p) && (is_whole || !p->header.is_pipe))
		perfdata_state_note(&p->state, NOTE_WARN,
		                    p->state.has_names || p->header.is_pipe
		                        ? "the recording is not complete (was its recorder killed?)"
		                        : "perf could not complete the recording (was it killed?)",
		                    0);
	if (is_whole && ends_early(p) && !p->is_spoilt)
		perfdata_state_note(&p->state, NOTE_WARN, "the recording ends early (cut off?)", p->passed);
	if (is_whole && p->passed > end_of_file(p))
		perfdata_state_note(&p->state, NOTE_WARN,
		                    "something else follows the recording (of joined ones only the first is read)",
		                    end_of_file(p));
	if (p->state.has_traces)
		perfdata_state_note(&p->state, NOTE_WARN,
		                    "traces of processors (AUX data) are not read (" TRACES_ADVICE ")", 0);
	if (lacks_births(&p->state))
		perfdata_state_note(&p->state, NOTE_WARN, EVENT_OF_MALLOC_MISSES, 0);
	if (perfdata_order_late(p->order))
		perfdata_state_note(&p->state, NOTE_WARN, "records came later than perf's rounds promise", 0);
}

bool perfdata_finish(struct perfdata *p, bool is_whole, struct err *err)
{
	if (!p->has_header)
		return p->is_spoilt || !is_whole
		           ? fail(err, "the recording cannot be read")
		           : fail(err, "the recording ends in its header, after %llu bytes", (unsigned long long)p->passed);
	perfdata_order_flush(p->order);
	perfdata_state_finish(&p->state);
	note_end(p, is_whole);
	return true;
}

const struct perfdata_facts *perfdata_facts(const struct perfdata *p)
{
	return &p->state.features.facts;
}

size_t perfdata_n_events(const struct perfdata *p)
{
	return p->state.events.n;
}

const struct perfdata_event *perfdata_event(const struct perfdata *p, uint32_t number)
{
	return &p->state.events.all[number];
}

const struct perfdata_file *perfdata_file(const struct perfdata *p, uint32_t number)
{
	return perfdata_files_at(&p->state.files, number);
}

const struct perfdata_file *perfdata_file_named(struct perfdata *p, const char *name)
{
	struct perfdata_file unknown = {0};
	uint32_t number = perfdata_files_add(&p->state.files, name, strlen(name), &unknown);
	return perfdata_files_at(&p->state.files, number);
}

bool perfdata_is_monotonic(const struct perfdata *p)
{
	return p->state.events.n && p->state.events.all[0].clock == CLOCK_MONOTONIC;
}

const struct perfdata_process *perfdata_kernel(struct perfdata *p)
{
	return perfdata_process(&p->state.processes, KERNEL_PID);
}

uint64_t perfdata_unpacked(const struct perfdata *p)
{
	return perfdata_compression_made(p->compression);
}

bool perfdata_has_traces(const struct perfdata *p)
{
	return p->state.has_traces;
}

uint64_t perfdata_bad_samples(const struct perfdata *p)
{
	return p->state.bad_samples;
}
