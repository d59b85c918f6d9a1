/*
 * compression.c - unpacks the records that `perf record -z` compressed.
 *
 * All pieces of a recording form one zstd stream, whose frame never ends, so one decompressor serves them all. It
 * hands on its output at once, whatever the amount: memory stays at zstd's window and one block.
 */
#include "perfdata/compression.h"

#include "base/decompress.h"
#include "base/input.h"
#include "base/mem.h"

#define BLOCK ((size_t)128 << 10)

struct perfdata_compression {
	struct decompressor *zstd;
	uint64_t taken, made; /* bytes */
	struct perfdata_records records;
	unsigned char block[BLOCK];
};

struct perfdata_compression *perfdata_compression_new(bool is_swapped)
{
	struct perfdata_compression *c = mem_alloc(sizeof *c);
	c->taken = c->made = 0;
	c->zstd = decompressor_new(codec_by_magic("\x28\xB5\x2F\xFD", 4, NULL));
	perfdata_records_init(&c->records, 0, is_swapped, " of the unpacked records");
	return c;
}

void perfdata_compression_free(struct perfdata_compression *c)
{
	if (!c)
		return;
	decompressor_free(c->zstd);
	perfdata_records_deinit(&c->records);
	free(c);
}

uint64_t perfdata_compression_made(const struct perfdata_compression *c)
{
	return c ? c->made : 0;
}

bool perfdata_compression_is_cut(const struct perfdata_compression *c)
{
	return c && perfdata_records_are_cut(&c->records);
}

bool perfdata_compression_feed(struct perfdata_compression *c, struct perfdata_bytes piece, perfdata_take *take,
                               void *arg, struct err *err)
{
	struct compressed in = {.bytes = piece.at, .n = piece.n};
	size_t made = BLOCK;
	c->taken += piece.n;
	while (in.n || made == BLOCK) {
		size_t before = in.n;
		if (decompress(c->zstd, &in, c->block, BLOCK, &made, err) == DECOMPRESS_BAD)
			return false;
		c->made += made;
		if (input_is_bomb(c->made, c->taken))
			return fail(err, INPUT_BOMB);
		if (!perfdata_records_feed(&c->records, c->block, made, take, arg, err))
			return false;
		if (!made && in.n == before)
			break;
	}
	return true;
}
