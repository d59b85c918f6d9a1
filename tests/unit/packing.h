/*
 * packing.h - compressed data for tests. What is returned belongs to the caller.
 */
#ifndef TESTS_UNIT_PACKING_H
#define TESTS_UNIT_PACKING_H

#include <lzma.h>
#include <stdint.h>
#include <zlib.h>
#include <zstd.h>

#include "base/buf.h"

#define PACKING_FN __attribute__((unused)) static

PACKING_FN struct buf gzipped(const char *text, size_t len)
{
	z_stream z = {.next_in = (unsigned char *)(uintptr_t)text, .avail_in = (unsigned)len};
	struct buf out;

	buf_init(&out);
	deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	z.avail_out = (unsigned)deflateBound(&z, (unsigned long)len) + 64;
	z.next_out = (unsigned char *)buf_reserve(&out, z.avail_out);
	deflate(&z, Z_FINISH);
	out.len = z.total_out;
	deflateEnd(&z);
	return out;
}

PACKING_FN struct buf zstandard(const char *text, size_t len)
{
	struct buf out;
	size_t room = ZSTD_compressBound(len);

	buf_init(&out);
	out.len = ZSTD_compress(buf_reserve(&out, room), room, text, len, 3);
	return out;
}

PACKING_FN struct buf xzipped(const char *text, size_t len)
{
	struct buf out;
	size_t room = lzma_stream_buffer_bound(len);

	buf_init(&out);
	lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text, len,
	                        (uint8_t *)buf_reserve(&out, room), &out.len, room);
	return out;
}

static const struct {
	const char *name;
	struct buf (*pack)(const char *text, size_t len);
} packers[] = {{"gzip", gzipped}, {"zstd", zstandard}, {"xz", xzipped}};
#define N_PACKERS (sizeof packers / sizeof *packers)

#endif
