/*
 * header.c - the beginning of a recording.
 *
 *	0   "PERFILE2", as a number of the recording's byte order
 *	8   u64 size of this header: 16 in pipes, whose records follow at once
 *	16  u64 size of an attribute with the section of its ids
 *	24  sections {u64 offset, size}: attributes, records, event types (unused)
 *	72  256 bits: the features present; their sections follow one another after the records
 *
 * perf writes ids, attributes and records in this order, so a pipe can deliver all of it, too. A recorder that was
 * killed leaves the size of the records at 0.
 */
#include "perfdata/header.h"

#define MAGIC_LITTLE "PERFILE2"
#define MAGIC_BIG "2ELIFREP"
#define MAGIC_OLD "PERFFILE"
#define ATTR_LEAST 64u
#define ATTR_MOST 4096u
#define SECTION 16u

static bool begins(const void *bytes, size_t n, const char *magic)
{
	return memcmp(bytes, magic, n < 8 ? n : 8) == 0;
}

bool perfdata_header_has_magic(const void *bytes, size_t n)
{
	return n >= 8 && (begins(bytes, 8, MAGIC_LITTLE) || begins(bytes, 8, MAGIC_BIG));
}

static uint64_t u64_at(const struct perfdata_header *h, const void *bytes, size_t place)
{
	struct perfdata_bytes b = {bytes, HEADER_FILE_SIZE, h->is_swapped, false};
	return bytes_u64_at(b, place);
}

size_t perfdata_header_size(const void *bytes, size_t n)
{
	struct perfdata_bytes b = {bytes, n, n >= 8 && begins(bytes, 8, MAGIC_BIG) != MACHINE_IS_BIG, false};
	return bytes_u64_at(b, 8) == HEADER_FILE_SIZE ? HEADER_FILE_SIZE : HEADER_PIPE_SIZE;
}

static bool check(const struct perfdata_header *h, struct err *err)
{
	if (h->data < HEADER_FILE_SIZE || h->data > HEADER_MOST)
		return fail(err, "the records begin at byte %llu (expected 104 to 67,108,864: the header is damaged)",
		            (unsigned long long)h->data);
	if (h->attr_size < ATTR_LEAST + SECTION || h->attr_size > ATTR_MOST)
		return fail(err, "attributes of %llu bytes (expected 80 to 4,096: the header is damaged)",
		            (unsigned long long)h->attr_size);
	if (h->attrs > h->data || h->attrs_size > h->data - h->attrs || h->attrs_size < h->attr_size)
		return fail(err, "the attributes do not stand before the records (the header is damaged)");
	if (h->features[0] >> FEATURE_DIR_FORMAT & 1)
		return fail(err, "a part of a directory that perf record --threads has written (expected a single file: "
		                 "perf script -i DIRECTORY | flametop -)");
	return true;
}

bool perfdata_header_parse(struct perfdata_header *h, const void *bytes, struct err *err)
{
	bool is_big = begins(bytes, 8, MAGIC_BIG);
	*h = (struct perfdata_header){.is_swapped = is_big != MACHINE_IS_BIG};
	if (begins(bytes, 8, MAGIC_OLD))
		return fail(err, "a recording in the format of perf before Linux 2.6.33, which cannot be read (expected "
		                 "PERFILE2)");
	if (!is_big && !begins(bytes, 8, MAGIC_LITTLE))
		return fail(err, "no recording of perf (expected PERFILE2 at its beginning)");
	struct perfdata_bytes size = {bytes, HEADER_PIPE_SIZE, h->is_swapped, false};
	h->is_pipe = perfdata_header_size(bytes, HEADER_PIPE_SIZE) == HEADER_PIPE_SIZE;
	if (h->is_pipe && bytes_u64_at(size, 8) != HEADER_PIPE_SIZE)
		return fail(err, "a header of %llu bytes (expected 16 or 104)", (unsigned long long)bytes_u64_at(size, 8));
	if (h->is_pipe)
		return true;
	h->attr_size = u64_at(h, bytes, 16);
	h->attrs = u64_at(h, bytes, 24);
	h->attrs_size = u64_at(h, bytes, 32);
	h->data = u64_at(h, bytes, 40);
	h->data_size = u64_at(h, bytes, 48);
	for (size_t i = 0; i < FEATURES / 64; i++)
		h->features[i] = u64_at(h, bytes, 72 + 8 * i);
	return check(h, err);
}

bool perfdata_header_has_features(const struct perfdata_header *h)
{
	uint64_t all = 0;
	for (size_t i = 0; i < FEATURES / 64; i++)
		all |= h->features[i];
	return all;
}

/* Adds the ids of one attribute; all ids together are at most *left bytes. */
static bool add_ids(const struct perfdata_header *h, struct perfdata_bytes b, struct perfdata_bytes section,
                    struct perfdata_events *events, uint32_t event, uint64_t *left)
{
	uint64_t at = bytes_u64(&section), size = bytes_u64(&section);
	if (at > h->data || size > h->data - at || size > *left)
		return false;
	*left -= size;
	bytes_skip(&b, at);
	b.n = (size_t)size;
	perfdata_events_add_ids(events, event, &b);
	return true;
}

bool perfdata_header_events(const struct perfdata_header *h, const void *bytes, struct perfdata_events *events,
                            struct err *err)
{
	const struct perfdata_bytes whole = {bytes, (size_t)h->data, h->is_swapped, false};
	uint64_t left = h->data;
	for (uint64_t i = 0; i < h->attrs_size / h->attr_size; i++) {
		struct perfdata_bytes b = whole;
		bytes_skip(&b, h->attrs + i * h->attr_size);
		struct perfdata_event event = perfdata_event_parse(&b, h->attr_size - SECTION);
		uint32_t number = perfdata_events_add(events, &event);
		if (number == UINT32_MAX)
			return fail(err, "more than 65,536 events");
		if (!add_ids(h, whole, b, events, number, &left))
			return fail(err, "ids of an event do not stand before the records (the header is damaged)");
	}
	return perfdata_events_check(events, err);
}

bool perfdata_header_feature(const struct perfdata_header *h, unsigned feature, uint64_t *offset)
{
	uint64_t place = 0;
	if (h->is_pipe || !h->data_size || !(h->features[feature / 64] >> feature % 64 & 1))
		return false;
	for (unsigned i = 0; i < feature; i++)
		place += h->features[i / 64] >> i % 64 & 1;
	return !__builtin_add_overflow(h->data, h->data_size, offset) &&
	       !__builtin_add_overflow(*offset, place * SECTION, offset);
}
