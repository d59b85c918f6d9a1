/*
 * compress.c - writes an output compressed by gzip or zstd, or as it is.
 */
#include "compress.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "mem.h"

#define ROOM ((size_t)128 << 10)
#define ZSTD_LEVEL 3
#define ZSTD_STRATEGY ZSTD_dfast /* that of the level; a static program has only this one (scripts/static.ld) */
#define GZIP_LEVEL 6
#define GZIP_HEADER 16 /* added to the size of the window, so that zlib writes gzip */

struct compressor {
	enum compression kind;
	struct output *out;
	z_stream gzip;
	ZSTD_CStream *zstd;
	unsigned char room[ROOM];
};

struct compressor *compressor_new(enum compression kind, struct output *out)
{
	struct compressor *c = mem_alloc(sizeof *c);
	c->kind = kind;
	c->out = out;
	c->zstd = NULL;
	memset(&c->gzip, 0, sizeof c->gzip);
	if (kind == COMPRESSION_GZIP &&
	    deflateInit2(&c->gzip, GZIP_LEVEL, Z_DEFLATED, MAX_WBITS + GZIP_HEADER, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		mem_exhausted();
	if (kind != COMPRESSION_ZSTD)
		return c;
	c->zstd = ZSTD_createCStream();
	if (!c->zstd || ZSTD_isError(ZSTD_CCtx_setParameter(c->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(c->zstd, ZSTD_c_strategy, ZSTD_STRATEGY)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(c->zstd, ZSTD_c_checksumFlag, 1)))
		mem_exhausted();
	return c;
}

/* n: at most 1 GiB. */
static bool write_gzip(struct compressor *c, const unsigned char *bytes, size_t n, int flush)
{
	bool ok = true;
	c->gzip.next_in = (unsigned char *)(uintptr_t)bytes;
	c->gzip.avail_in = (unsigned)n;
	do {
		c->gzip.next_out = c->room;
		c->gzip.avail_out = ROOM;
		if (deflate(&c->gzip, flush) == Z_STREAM_ERROR)
			return false;
		ok = output_write(c->out, c->room, ROOM - c->gzip.avail_out) && ok;
	} while (c->gzip.avail_out == 0);
	return ok;
}

static bool write_zstd(struct compressor *c, const void *bytes, size_t n, ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = {bytes, n, 0};
	bool ok = true;
	size_t left = 1;
	while (in.pos < in.size || (how == ZSTD_e_end && left)) {
		ZSTD_outBuffer out = {c->room, ROOM, 0};
		left = ZSTD_compressStream2(c->zstd, &out, &in, how);
		if (ZSTD_isError(left))
			mem_exhausted(); /* nothing else can fail */
		ok = output_write(c->out, c->room, out.pos) && ok;
	}
	return ok;
}

#define PIECE ((size_t)1 << 20)

bool compressor_write(struct compressor *c, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	bool ok = true;
	if (c->kind == COMPRESSION_NONE)
		return output_write(c->out, bytes, n);
	for (size_t part; n > 0; p += part, n -= part) {
		part = n < PIECE ? n : PIECE;
		ok = (c->kind == COMPRESSION_GZIP ? write_gzip(c, p, part, Z_NO_FLUSH)
		                                  : write_zstd(c, p, part, ZSTD_e_continue)) &&
		     ok;
	}
	return ok;
}

bool compressor_finish(struct compressor *c)
{
	bool ok = c->kind == COMPRESSION_GZIP   ? write_gzip(c, c->room, 0, Z_FINISH)
	          : c->kind == COMPRESSION_ZSTD ? write_zstd(c, NULL, 0, ZSTD_e_end)
	                                        : true;
	if (c->kind == COMPRESSION_GZIP)
		deflateEnd(&c->gzip);
	ZSTD_freeCStream(c->zstd);
	free(c);
	return ok;
}
