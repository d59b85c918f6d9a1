/*
 * decompress.h - gzip, zstd, xz and UTF-16 behind one interface: bytes go in, bytes come out.
 *
 * Windows of at most 128 MiB bound the memory for any input; concatenated members, frames and streams are read as
 * one.
 */
#ifndef BASE_DECOMPRESS_H
#define BASE_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"

struct codec;
struct decompressor;

/* the longest magic that codec_by_magic() recognises */
#define CODEC_MAGIC_MAX 6

/*
 * The codec whose data start with these bytes; NULL: none. *undecided (may be NULL) says whether more bytes, up to
 * CODEC_MAGIC_MAX, could still make it one.
 */
const struct codec *codec_by_magic(const void *bytes, size_t n, bool *undecided);
/* The bare streams of zlib, whose first bytes could be text. */
const struct codec *codec_zlib(void);
const char *codec_name(const struct codec *);

struct decompressor *decompressor_new(const struct codec *);
void decompressor_free(struct decompressor *);

/* the input */
struct compressed {
	const unsigned char *bytes; /* advanced past the bytes taken */
	size_t n;
	bool is_last; /* no bytes follow these n */
};

enum decompress_status {
	DECOMPRESS_MORE, /* *made bytes came out; continue, with more input if all was taken */
	DECOMPRESS_END,  /* *made bytes came out, the last ones */
	DECOMPRESS_BAD,  /* *made good bytes came out, then a fault; err names it */
};

/* Decodes up to room > 0 bytes into out. *made = 0 with DECOMPRESS_MORE: it needs more input. */
enum decompress_status decompress(struct decompressor *, struct compressed *in, void *out, size_t room,
                                  size_t *made, struct err *err);

#endif
