/*
 * decompress.h - gzip, zstd and xz behind one face: bytes go in, bytes come out.
 *
 * Memory is bounded whatever the data say (windows of at most 128 MiB); concatenated members, frames and streams
 * are read as one.
 */
#ifndef BASE_DECOMPRESS_H
#define BASE_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"

struct codec;
struct decompressor;

/* The longest start of a file that codec_by_magic() looks at. */
#define CODEC_MAGIC_MAX 6

/*
 * The codec whose data start with these bytes; NULL: none. *undecided (may be NULL) says whether more bytes, up to
 * CODEC_MAGIC_MAX, could still make it one.
 */
const struct codec *codec_by_magic(const void *bytes, size_t n, bool *undecided);
const char *codec_name(const struct codec *);

struct decompressor *decompressor_new(const struct codec *);
void decompressor_free(struct decompressor *);

/* What goes in. */
struct compressed {
	const unsigned char *bytes; /* advanced past what was taken */
	size_t n;
	bool is_last; /* nothing comes after these n bytes */
};

enum decompress_status {
	DECOMPRESS_MORE, /* *made bytes came out; go on, with more input if all was taken */
	DECOMPRESS_END,  /* *made bytes came out, and they were the last */
	DECOMPRESS_BAD,  /* err says why; *made bytes came out before */
};

/* Fills out[0..room) as far as it gets, room > 0. *made = 0 and DECOMPRESS_MORE: it wants more input. */
enum decompress_status decompress(struct decompressor *, struct compressed *in, void *out, size_t room,
                                  size_t *made, struct err *err);

#endif
