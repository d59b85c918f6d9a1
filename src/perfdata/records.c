/*
 * records.c - turns a run of bytes into records.
 *
 * A record that is whole in a piece is handed on in place; only a cut one is assembled, and it has at most 64 kB.
 * Two kinds have data after them that their own size does not count: formats of tracepoints, and traces of
 * processors.
 */
#include "perfdata/records.h"

#include <assert.h>

void perfdata_records_init(struct perfdata_records *r, uint64_t offset, bool is_swapped, const char *inside)
{
	*r = (struct perfdata_records){.offset = offset, .is_swapped = is_swapped, .inside = inside};
	buf_init(&r->held);
	buf_init(&r->formats);
}

void perfdata_records_deinit(struct perfdata_records *r)
{
	buf_deinit(&r->held);
	buf_deinit(&r->formats);
}

bool perfdata_records_are_cut(const struct perfdata_records *r)
{
	return r->held.len || r->skip;
}

static uint64_t data_behind(const struct perfdata_record *record)
{
	struct perfdata_bytes body = record->body;
	if (record->type == RECORD_TRACING_DATA)
		return ((uint64_t)bytes_u32(&body) + 7) & ~(uint64_t)7;
	return record->type == RECORD_AUXTRACE ? bytes_u64(&body) : 0;
}

/* Returns the size of the record that begins here; 0: it is not a valid record. b holds its header. */
static uint16_t size_of(struct perfdata_bytes b)
{
	bool is_another = bytes_u32(&b) == RECORD_ANOTHER_MAGIC;
	bytes_skip(&b, 2);
	uint16_t size = bytes_u16(&b);
	if (is_another) /* what follows its magic is no size */
		return RECORD_HEADER;
	return size < RECORD_HEADER ? 0 : size;
}

static bool take_one(struct perfdata_records *r, struct perfdata_bytes whole, perfdata_take *take, void *arg,
                     struct err *err)
{
	struct perfdata_record record = {.offset = r->offset};
	record.type = bytes_u32(&whole);
	record.misc = bytes_u16(&whole);
	bytes_skip(&whole, 2);
	record.body = whole;
	r->offset += RECORD_HEADER + whole.n;
	r->skip = data_behind(&record);
	r->has_formats = record.type == RECORD_TRACING_DATA && r->skip && r->skip <= FEATURE_MOST;
	return record.type == RECORD_TRACING_DATA || take(arg, &record, err);
}

static bool fail_size(const struct perfdata_records *r, struct perfdata_bytes b, struct err *err)
{
	uint32_t type = bytes_u32(&b);
	bytes_skip(&b, 2);
	return fail(err, "byte %llu%s: a record of type %u has %u bytes (expected 8 or more: the file is damaged)",
	            (unsigned long long)r->offset, r->inside, type, bytes_u16(&b));
}

/* Appends up to n bytes to those held. */
static void hold(struct perfdata_records *r, struct perfdata_bytes *b, size_t n)
{
	n = n < b->n ? n : b->n;
	buf_add(&r->held, b->at, n);
	bytes_skip(b, n);
}

/* Completes the held record, as far as the bytes go. */
static bool complete(struct perfdata_records *r, struct perfdata_bytes *b, perfdata_take *take, void *arg,
                     struct err *err)
{
	if (r->held.len < RECORD_HEADER)
		hold(r, b, RECORD_HEADER - r->held.len);
	if (r->held.len < RECORD_HEADER)
		return true;
	struct perfdata_bytes held = {(const unsigned char *)r->held.data, r->held.len, r->is_swapped, false};
	size_t size = size_of(held);
	if (!size)
		return fail_size(r, held, err);
	hold(r, b, size - r->held.len);
	if (r->held.len < size)
		return true;
	held = (struct perfdata_bytes){(const unsigned char *)r->held.data, size, r->is_swapped, false};
	r->held.len = 0;
	return take_one(r, held, take, arg, err);
}

/* Passes over the data after a record. Formats are a record when all have come. */
static bool pass_over(struct perfdata_records *r, struct perfdata_bytes *b, perfdata_take *take, void *arg,
                      struct err *err)
{
	uint64_t n = r->skip < b->n ? r->skip : b->n;
	if (r->has_formats)
		buf_add(&r->formats, b->at, (size_t)n);
	bytes_skip(b, n);
	r->skip -= n;
	r->offset += n;
	if (r->skip || !r->has_formats)
		return true;
	struct perfdata_record record = {.type = RECORD_TRACING_DATA, .offset = r->offset - r->formats.len};
	record.body =
		(struct perfdata_bytes){(const unsigned char *)r->formats.data, r->formats.len, r->is_swapped, false};
	bool is_good = take(arg, &record, err);
	buf_deinit(&r->formats);
	buf_init(&r->formats);
	return is_good;
}

bool perfdata_records_feed(struct perfdata_records *r, const void *bytes, size_t n, perfdata_take *take, void *arg,
                           struct err *err)
{
	struct perfdata_bytes b = {bytes, n, r->is_swapped, false};
	while (b.n) {
		assert(b.at);
		size_t size = b.n < RECORD_HEADER ? 0 : size_of(b);
		if (r->skip) {
			if (!pass_over(r, &b, take, arg, err))
				return false;
		} else if (r->held.len || b.n < RECORD_HEADER || size > b.n) {
			if (!complete(r, &b, take, arg, err))
				return false;
		} else if (!size) {
			return fail_size(r, b, err);
		} else {
			struct perfdata_bytes whole = {b.at, size, r->is_swapped, false};
			bytes_skip(&b, size);
			if (!take_one(r, whole, take, arg, err))
				return false;
		}
	}
	return true;
}
