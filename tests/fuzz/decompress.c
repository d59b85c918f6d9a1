/*
 * decompress.c - any bytes as compressed data. The first byte says how much goes in and comes out at once; however that is,
 * the same bytes have to come out, and no more than asked for.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/decompress.h"
#include "base/hash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST ((size_t)4 << 20) /* a few bytes can be made into gigabytes */

struct result {
	uint64_t sum; /* depends on every byte */
	size_t len;
	bool is_bad;
};

static struct result run(const uint8_t *data, size_t size, size_t in_step, size_t out_step)
{
	struct result r = {0};
	struct decompressor *d = decompressor_new(codec_by_magic(data, size, NULL));
	unsigned char *out = malloc(out_step);
	size_t given = 0;
	enum decompress_status status = DECOMPRESS_MORE;
	struct compressed in = {.bytes = data};
	while (status == DECOMPRESS_MORE && r.len < MOST) {
		struct err err;
		size_t made = 0;
		if (in.n == 0 && given < size) {
			in.n = size - given < in_step ? size - given : in_step;
			given += in.n;
		}
		in.is_last = given == size;
		size_t room = MOST - r.len < out_step ? MOST - r.len : out_step;
		status = decompress(d, &in, out, room, &made, &err);
		if (made > room || in.bytes + in.n != data + given)
			abort();
		for (size_t i = 0; i < made; i++)
			r.sum = r.sum * 31 + out[i] + 1;
		r.len += made;
	}
	r.is_bad = status == DECOMPRESS_BAD;
	free(out);
	decompressor_free(d);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2 || codec_by_magic(data + 1, size - 1, NULL) == NULL)
		return 0;
	size_t in_step = 1 + (data[0] & 15), out_step = (size_t)1 << (data[0] >> 4);
	struct result whole = run(data + 1, size - 1, size, 1 << 16), pieces = run(data + 1, size - 1, in_step, out_step);
	if (whole.len != pieces.len || whole.sum != pieces.sum || whole.is_bad != pieces.is_bad)
		abort();
	return 0;
}
