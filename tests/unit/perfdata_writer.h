/*
 * perfdata_writer.h - recordings of perf made by tests: any fields, either byte order, as a file or as a pipe.
 */
#ifndef TESTS_UNIT_PERFDATA_WRITER_H
#define TESTS_UNIT_PERFDATA_WRITER_H

#include <zstd.h>

#include "base/buf.h"
#include "perfdata/event.h"
#include "perfdata/records.h"
#include "tests/tap.h"

struct writer {
	struct buf out;
	bool is_swapped;
	size_t record; /* where the record at hand begins */
	ZSTD_CCtx *zstd;
};

TAP_FN struct writer writer_new(bool is_swapped)
{
	struct writer w = {.is_swapped = is_swapped};
	buf_init(&w.out);
	return w;
}

TAP_FN void writer_end(struct writer *w)
{
	buf_deinit(&w->out);
	ZSTD_freeCCtx(w->zstd);
	w->zstd = NULL;
}

TAP_FN void put_u64(struct writer *w, uint64_t v)
{
	v = w->is_swapped ? __builtin_bswap64(v) : v;
	buf_add(&w->out, &v, sizeof v);
}

TAP_FN void put_u32(struct writer *w, uint32_t v)
{
	v = w->is_swapped ? __builtin_bswap32(v) : v;
	buf_add(&w->out, &v, sizeof v);
}

TAP_FN void put_u16(struct writer *w, unsigned value)
{
	uint16_t v = (uint16_t)value;
	v = w->is_swapped ? __builtin_bswap16(v) : v;
	buf_add(&w->out, &v, sizeof v);
}

TAP_FN void put_zeros(struct writer *w, size_t n)
{
	buf_pad(&w->out, '\0', n);
}

/* With a NUL, filled up to 8 bytes, as the kernel writes names. */
TAP_FN void put_name(struct writer *w, const char *name)
{
	size_t len = strlen(name) + 1;
	buf_add(&w->out, name, len);
	put_zeros(w, (8 - len % 8) % 8);
}

/* As features have them. */
TAP_FN void put_text(struct writer *w, const char *text)
{
	size_t len = (strlen(text) + 64) & ~(size_t)63;
	put_u32(w, (uint32_t)len);
	buf_adds(&w->out, text);
	put_zeros(w, len - strlen(text));
}

TAP_FN void begin_record(struct writer *w, uint32_t type, unsigned misc)
{
	w->record = w->out.len;
	put_u32(w, type);
	put_u16(w, misc);
	put_u16(w, 0);
}

TAP_FN void set_u16(struct writer *w, size_t place, size_t value)
{
	uint16_t v = (uint16_t)value;
	v = w->is_swapped ? __builtin_bswap16(v) : v;
	memcpy(w->out.data + place, &v, sizeof v);
}

TAP_FN void end_record(struct writer *w)
{
	set_u16(w, w->record + 6, w->out.len - w->record);
}

/* The trailer of a record that is no sample, and its end. */
TAP_FN void end_with_id(struct writer *w, const struct perfdata_event *e, uint64_t time, uint64_t id)
{
	uint64_t type = e->flags & EVENT_SAMPLE_ID_ALL ? e->sample_type : 0;
	if (type & FIELD_TID)
		put_u64(w, 0);
	if (type & FIELD_TIME)
		put_u64(w, time);
	if (type & FIELD_ID)
		put_u64(w, id);
	if (type & FIELD_STREAM_ID)
		put_u64(w, 77);
	if (type & FIELD_CPU)
		put_u64(w, 0);
	if (type & FIELD_IDENTIFIER)
		put_u64(w, id);
	end_record(w);
}

TAP_FN uint64_t writer_flags(const struct writer *w, uint64_t flags)
{
	uint64_t reversed = 0;
	bool is_big = w->is_swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	for (unsigned i = 0; i < 64; i++)
		reversed |= (flags >> i & 1) << (63 - i);
	return is_big ? reversed : flags;
}

#define WRITER_ATTR 128u

TAP_FN void put_attr(struct writer *w, const struct perfdata_event *e)
{
	put_u32(w, e->type);
	put_u32(w, WRITER_ATTR);
	put_u64(w, e->config);
	put_u64(w, e->sample_period);
	put_u64(w, e->sample_type);
	put_u64(w, e->read_format);
	put_u64(w, writer_flags(w, e->flags));
	put_zeros(w, 24);
	put_u64(w, e->branch_sample_type);
	put_u64(w, e->sample_regs_user);
	put_u64(w, 0);
	put_u64(w, e->sample_regs_intr);
	put_zeros(w, WRITER_ATTR - 104);
}

/* Event i has the ids 100 * (i + 1) and the one after. */
TAP_FN uint64_t id_of(size_t event)
{
	return 100 * (event + 1);
}

/* The header of a file whose records, data_size bytes, follow. features: bits. */
TAP_FN void put_file_header(struct writer *w, const struct perfdata_event *events, size_t n, uint64_t data_size,
                            uint64_t features)
{
	uint64_t ids = 104, attrs = ids + 16 * n, data = attrs + (WRITER_ATTR + 16) * n;
	put_u64(w, 0x32454c4946524550); /* PERFILE2 */
	put_u64(w, 104);
	put_u64(w, WRITER_ATTR + 16);
	put_u64(w, attrs);
	put_u64(w, (WRITER_ATTR + 16) * n);
	put_u64(w, data);
	put_u64(w, data_size);
	put_u64(w, 0);
	put_u64(w, 0);
	put_u64(w, features);
	put_zeros(w, 24);
	for (size_t i = 0; i < n; i++) {
		put_u64(w, id_of(i));
		put_u64(w, id_of(i) + 1);
	}
	for (size_t i = 0; i < n; i++) {
		put_attr(w, &events[i]);
		put_u64(w, ids + 16 * i);
		put_u64(w, 16);
	}
}

TAP_FN void put_pipe_header(struct writer *w, const struct perfdata_event *events, size_t n)
{
	put_u64(w, 0x32454c4946524550);
	put_u64(w, 16);
	for (size_t i = 0; i < n; i++) {
		begin_record(w, RECORD_HEADER_ATTR, 0);
		put_attr(w, &events[i]);
		put_u64(w, id_of(i));
		put_u64(w, id_of(i) + 1);
		end_record(w);
	}
}

TAP_FN void put_round(struct writer *w)
{
	begin_record(w, RECORD_FINISHED_ROUND, 0);
	end_record(w);
}

/* Packs records into one piece of the writer's zstd stream. */
TAP_FN void put_compressed(struct writer *w, const char *records, size_t n, uint32_t type)
{
	static char packed[60000];
	ZSTD_inBuffer in = {records, n, 0};
	ZSTD_outBuffer out = {packed, sizeof packed, 0};
	if (!w->zstd)
		w->zstd = ZSTD_createCCtx();
	ZSTD_compressStream2(w->zstd, &out, &in, ZSTD_e_flush);
	begin_record(w, type, 0);
	if (type == RECORD_COMPRESSED2)
		put_u64(w, out.pos);
	buf_add(&w->out, packed, out.pos);
	if (type == RECORD_COMPRESSED2)
		put_zeros(w, (8 - out.pos % 8) % 8);
	end_record(w);
}

#endif
