/*
 * decompress.c - gzip, zstd, xz and UTF-16 behind one interface.
 *
 * A codec is three functions over its library's stream. Each call decodes once; the caller loops until bytes come
 * out. All three libraries deliver the bytes before a fault and then report it. We handle two cases ourselves: data
 * that end too early (the library only asks for more), and bytes after the end of a member:
 *
 *	gzip   1f 8b 08    another member | zeros, the padding of tapes | anything else is an error
 *	zstd   28 b5 2f fd, or a skippable frame 5x 2a 4d 18: the next frame is up to the library
 *	xz     fd 37 7a 58 5a 00: the same, with LZMA_CONCATENATED
 *
 * UTF-16 text (ff fe, fe ff) is a codec, too: UTF-8 comes out.
 */
#define ZLIB_CONST

#include "base/decompress.h"

#include <limits.h>
#include <lzma.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/mem.h"
#include "base/utf16.h"

#define WINDOW_LOG_MAX 27
#define ZSTD_HEADER_MAX 18 /* bytes of a frame's header, magic included */
/* a window of 128 MiB plus the decoder's own memory */
#define XZ_MEMORY_MAX ((uint64_t)160 << 20)

struct codec {
	const char *name;
	const char *magic;
	size_t magic_length;
	const char *mask; /* bits of the magic that count; NULL: all */
	bool (*start)(struct decompressor *);
	enum decompress_status (*decode)(struct decompressor *, struct compressed *, unsigned char *out, size_t room,
	                                 size_t *made, struct err *);
	void (*stop)(struct decompressor *);
};

struct decompressor {
	const struct codec *codec;
	bool is_inside; /* of a gzip member or zstd frame: data must not end here */
	union {
		z_stream gzip;
		struct {
			ZSTD_DStream *stream;
			unsigned char head[ZSTD_HEADER_MAX]; /* of the current frame */
			size_t head_length;
			uint64_t made; /* bytes of the current frame so far */
		} zstd;
		lzma_stream xz;
		struct utf16 utf16;
	};
};

static enum decompress_status truncated(const struct decompressor *d, struct err *err)
{
	fail(err, "%s data end early (truncated file?)", d->codec->name);
	return DECOMPRESS_BAD;
}

static enum decompress_status corrupt(const struct decompressor *d, const char *why, struct err *err)
{
	fail(err, "corrupt %s data: %s", d->codec->name, why);
	return DECOMPRESS_BAD;
}

/* Other programs may unpack them. */
static enum decompress_status too_large(const struct decompressor *d, struct err *err)
{
	fail(err, "%s data need too much memory to unpack (a window of more than 128 MiB)", d->codec->name);
	return DECOMPRESS_BAD;
}

static bool gzip_start(struct decompressor *d)
{
	d->gzip = (z_stream){0};
	d->is_inside = true;
	return inflateInit2(&d->gzip, 15 + 16) == Z_OK;
}

/* Between two members: skips zeros and enters the next member. */
static enum decompress_status gzip_next(struct decompressor *d, struct compressed *in, struct err *err)
{
	while (in->n > 0 && *in->bytes == 0) {
		in->bytes++;
		in->n--;
	}
	if (in->n == 0)
		return in->is_last ? DECOMPRESS_END : DECOMPRESS_MORE;
	if (*in->bytes != 0x1F)
		return corrupt(d, "something else follows the end", err);
	if (inflateReset(&d->gzip) != Z_OK)
		mem_exhausted();
	d->is_inside = true;
	return DECOMPRESS_MORE;
}

static enum decompress_status gzip_decode(struct decompressor *d, struct compressed *in, unsigned char *out,
                                          size_t room, size_t *made, struct err *err)
{
	z_stream *z = &d->gzip;
	if (!d->is_inside)
		return gzip_next(d, in, err);
	uInt given = in->n < UINT_MAX ? (uInt)in->n : UINT_MAX;
	uInt space = room < UINT_MAX ? (uInt)room : UINT_MAX;
	z->next_in = in->bytes;
	z->avail_in = given;
	z->next_out = out;
	z->avail_out = space;
	int status = inflate(z, Z_NO_FLUSH);
	in->bytes += given - z->avail_in;
	in->n -= given - z->avail_in;
	*made = space - z->avail_out;
	if (status == Z_MEM_ERROR)
		mem_exhausted();
	if (status == Z_STREAM_END)
		d->is_inside = false;
	else if (status != Z_OK && status != Z_BUF_ERROR)
		return corrupt(d, z->msg ? z->msg : "invalid stream", err);
	if (d->is_inside && *made == 0 && in->n == 0 && in->is_last)
		return truncated(d, err);
	return DECOMPRESS_MORE;
}

static void gzip_stop(struct decompressor *d)
{
	inflateEnd(&d->gzip);
}

static bool zlib_start(struct decompressor *d)
{
	d->gzip = (z_stream){0};
	d->is_inside = true;
	return inflateInit2(&d->gzip, 15) == Z_OK;
}

static bool zstd_start(struct decompressor *d)
{
	ZSTD_DStream *z = d->zstd.stream = ZSTD_createDStream();
	return z && !ZSTD_isError(ZSTD_initDStream(z)) &&
	       !ZSTD_isError(ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, WINDOW_LOG_MAX));
}

/*
 * Does the finished frame hold as many bytes as its header says? The library checks this, too, but misses an empty
 * last block when the frame comes in pieces.
 */
static bool zstd_is_whole(struct decompressor *d)
{
	unsigned long long promised = ZSTD_getFrameContentSize(d->zstd.head, d->zstd.head_length);
	bool is_known = promised != ZSTD_CONTENTSIZE_UNKNOWN && promised != ZSTD_CONTENTSIZE_ERROR;
	bool is_whole = !is_known || promised == d->zstd.made;
	d->zstd.head_length = 0;
	d->zstd.made = 0;
	return is_whole;
}

static void zstd_keep_head(struct decompressor *d, const unsigned char *taken, size_t n)
{
	size_t room = ZSTD_HEADER_MAX - d->zstd.head_length;
	n = n < room ? n : room;
	if (n > 0)
		memcpy(d->zstd.head + d->zstd.head_length, taken, n);
	d->zstd.head_length += n;
}

static enum decompress_status zstd_decode(struct decompressor *d, struct compressed *in, unsigned char *out,
                                          size_t room, size_t *made, struct err *err)
{
	if (in->n == 0 && !d->is_inside)
		return in->is_last ? DECOMPRESS_END : DECOMPRESS_MORE;
	ZSTD_inBuffer from = {in->bytes, in->n, 0};
	ZSTD_outBuffer to = {out, room, 0};
	size_t status = ZSTD_decompressStream(d->zstd.stream, &to, &from);
	zstd_keep_head(d, in->bytes, from.pos);
	in->bytes += from.pos;
	in->n -= from.pos;
	*made = to.pos;
	d->zstd.made += to.pos;
	if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation)
		mem_exhausted();
	if (ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge)
		return too_large(d, err);
	if (ZSTD_isError(status))
		return corrupt(d, ZSTD_getErrorName(status), err);
	d->is_inside = status != 0;
	if (!d->is_inside && !zstd_is_whole(d))
		return corrupt(d, "a frame has another size than it says", err);
	if (d->is_inside && *made == 0 && in->n == 0 && in->is_last)
		return truncated(d, err);
	return DECOMPRESS_MORE;
}

static void zstd_stop(struct decompressor *d)
{
	ZSTD_freeDStream(d->zstd.stream);
}

static bool xz_start(struct decompressor *d)
{
	d->xz = (lzma_stream)LZMA_STREAM_INIT;
	return lzma_stream_decoder(&d->xz, XZ_MEMORY_MAX, LZMA_CONCATENATED) == LZMA_OK;
}

static const char *xz_reason(lzma_ret status)
{
	switch (status) {
	case LZMA_FORMAT_ERROR:
		return "something else follows the end";
	case LZMA_OPTIONS_ERROR:
		return "unsupported options";
	default:
		return "invalid stream or wrong checksum";
	}
}

static enum decompress_status xz_decode(struct decompressor *d, struct compressed *in, unsigned char *out,
                                        size_t room, size_t *made, struct err *err)
{
	lzma_stream *x = &d->xz;
	size_t given = in->n;
	x->next_in = in->bytes;
	x->avail_in = given;
	x->next_out = out;
	x->avail_out = room;
	lzma_ret status = lzma_code(x, in->is_last ? LZMA_FINISH : LZMA_RUN);
	in->bytes += given - x->avail_in;
	in->n = x->avail_in;
	*made = room - x->avail_out;
	if (status == LZMA_MEM_ERROR)
		mem_exhausted();
	if (status == LZMA_STREAM_END)
		return DECOMPRESS_END;
	if (status == LZMA_BUF_ERROR && *made == 0 && in->n == 0 && in->is_last)
		return truncated(d, err);
	if (status == LZMA_MEMLIMIT_ERROR)
		return too_large(d, err);
	if (status != LZMA_OK && status != LZMA_BUF_ERROR)
		return corrupt(d, xz_reason(status), err);
	return DECOMPRESS_MORE;
}

static void xz_stop(struct decompressor *d)
{
	lzma_end(&d->xz);
}

static bool utf16_start(struct decompressor *d)
{
	d->utf16 = (struct utf16){.is_big = (unsigned char)d->codec->magic[0] == 0xFE};
	return true;
}

static enum decompress_status utf16_decode(struct decompressor *d, struct compressed *in, unsigned char *out,
                                           size_t room, size_t *made, struct err *err)
{
	*made = utf16_to_utf8(&d->utf16, &in->bytes, &in->n, (char *)out, room);
	if (*made || in->n || !in->is_last)
		return DECOMPRESS_MORE;
	return utf16_is_cut(&d->utf16) ? truncated(d, err) : DECOMPRESS_END;
}

static void utf16_stop(struct decompressor *d)
{
	(void)d;
}

static const struct codec codecs[] = {
	{"gzip", "\x1F\x8B\x08", 3, NULL, gzip_start, gzip_decode, gzip_stop},
	{"UTF-16", "\xFF\xFE", 2, NULL, utf16_start, utf16_decode, utf16_stop},
	{"UTF-16", "\xFE\xFF", 2, NULL, utf16_start, utf16_decode, utf16_stop},
	{"zstd", "\x28\xB5\x2F\xFD", 4, NULL, zstd_start, zstd_decode, zstd_stop},
	{"zstd", "\x50\x2A\x4D\x18", 4, "\xF0\xFF\xFF\xFF", zstd_start, zstd_decode, zstd_stop},
	{"xz", "\xFD\x37\x7A\x58\x5A\x00", 6, NULL, xz_start, xz_decode, xz_stop},
};

static bool has_magic(const struct codec *c, const unsigned char *bytes, size_t n)
{
	for (size_t i = 0; i < n && i < c->magic_length; i++) {
		unsigned mask = c->mask ? (unsigned char)c->mask[i] : 0xFF;
		if ((bytes[i] & mask) != (unsigned char)c->magic[i])
			return false;
	}
	return true;
}

const struct codec *codec_by_magic(const void *bytes, size_t n, bool *undecided)
{
	bool could_be = false, ignored;
	if (!undecided)
		undecided = &ignored;
	*undecided = false;
	for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
		if (!has_magic(&codecs[i], bytes, n))
			continue;
		if (n >= codecs[i].magic_length)
			return &codecs[i];
		could_be = true;
	}
	*undecided = could_be;
	return NULL;
}

const struct codec *codec_zlib(void)
{
	static const struct codec zlib = {"zlib", "", 0, NULL, zlib_start, gzip_decode, gzip_stop};
	return &zlib;
}

const char *codec_name(const struct codec *c)
{
	return c->name;
}

struct decompressor *decompressor_new(const struct codec *codec)
{
	struct decompressor *d = mem_zalloc(1, sizeof *d);
	d->codec = codec;
	if (!codec->start(d))
		mem_exhausted(); /* with constant parameters only memory can be missing */
	return d;
}

void decompressor_free(struct decompressor *d)
{
	if (!d)
		return;
	d->codec->stop(d);
	free(d);
}

enum decompress_status decompress(struct decompressor *d, struct compressed *in, void *out, size_t room,
                                  size_t *made, struct err *err)
{
	*made = 0;
	return d->codec->decode(d, in, out, room, made, err);
}
