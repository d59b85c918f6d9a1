/*
 * decompress.c - takes any bytes as compressed data. The first byte tells how many bytes go in and come out at
 * once; with any step, the same bytes must come out, and no more than requested. Damaged data may yield more or
 * less of the beginning.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/decompress.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST ((size_t)1 << 20) /* a few bytes can be made into gigabytes */

/* Appends the decompressed bytes; false: the data are bad. */
static bool run(struct buf *out, const uint8_t *data, size_t size, size_t in_step, size_t out_step)
{
	struct decompressor *d = decompressor_new(codec_by_magic(data, size, NULL));
	size_t given = 0;
	enum decompress_status status = DECOMPRESS_MORE;
	struct compressed in = {.bytes = data};
	buf_init(out);
	while (status == DECOMPRESS_MORE && out->len < MOST) {
		struct err err;
		size_t made = 0, room = MOST - out->len < out_step ? MOST - out->len : out_step;
		if (in.n == 0 && given < size) {
			in.n = size - given < in_step ? size - given : in_step;
			given += in.n;
		}
		in.is_last = given == size;
		status = decompress(d, &in, buf_reserve(out, room), room, &made, &err);
		if (made > room || in.bytes + in.n != data + given)
			abort();
		out->len += made;
	}
	decompressor_free(d);
	return status != DECOMPRESS_BAD;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf whole, pieces;
	if (size < 2 || codec_by_magic(data + 1, size - 1, NULL) == NULL)
		return 0;
	bool is_good = run(&whole, data + 1, size - 1, size, 1 << 16);
	if (run(&pieces, data + 1, size - 1, 1 + (data[0] & 15), (size_t)1 << (data[0] >> 4)) != is_good)
		abort();
	size_t len = whole.len < pieces.len ? whole.len : pieces.len;
	if ((is_good && whole.len != pieces.len) || (len > 0 && memcmp(whole.data, pieces.data, len) != 0))
		abort();
	buf_deinit(&whole);
	buf_deinit(&pieces);
	return 0;
}
