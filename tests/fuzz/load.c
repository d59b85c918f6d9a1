/*
 * load.c - loads any bytes as a profile in every way: from a file on one thread and on several, through a pipe,
 * compressed. Each way must give the same profile, to the last message.
 *
 * The first byte picks the format, the second its options, the third the number of threads and the compression. The
 * loader is built here with small blocks and ranges, so that a few lines fill many of them.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

#include "collapse/collapse.h"
#undef COLLAPSE_HEAD
#define COLLAPSE_HEAD 64u
#define BLOCK 200u
#define RANGE_MIN 100u
#include "tests/unit/small_loader.h"

#include "base/decompress.h"
#include "tests/fuzz/format.h"
#include "tests/unit/leaving.h"
#include "tests/unit/packing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEAD_BYTES 3

/* The caller leaves out texts that do not fit into a pipe at once. */
static int pipe_of(const void *bytes, size_t len)
{
	int fds[2];
	if (pipe(fds) != 0 || write(fds[1], bytes, len) != (ssize_t)len)
		abort();
	close(fds[1]);
	return fds[0];
}

/* Frees got. */
static void compare(const char *expected, char *got, const char *format, const char *way)
{
	if (strcmp(expected, got) != 0) {
		fprintf(stderr, "%s differs %s:\n%s---\n%s", format, way, expected, got);
		abort();
	}
	free(got);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < HEAD_BYTES || size > 16384)
		return 0;
	const char *text = (const char *)data + HEAD_BYTES;
	size_t len = size - HEAD_BYTES;
	bool is_undecided;
	if (codec_by_magic(data + HEAD_BYTES, len, &is_undecided) != NULL)
		return 0;
	struct collapse_options one = collapse_options_of(data[1]);
	one.format = pick_format(data[0]);
	struct collapse_options many = one;
	many.jobs = 2 + data[2] % 4;
	char *expected = all_of(memory_file(text, len), &one);
	compare(expected, all_of(memory_file(text, len), &many), one.format, "by several threads");
	compare(expected, all_of(pipe_of(text, len), data[2] & 4 ? &one : &many), one.format, "through a pipe");
	struct buf packed = packers[(data[2] >> 3) % N_PACKERS].pack(text, len);
	compare(expected, all_of(memory_file(packed.data, packed.len), data[2] & 4 ? &many : &one), one.format,
	        "compressed");
	buf_deinit(&packed);
	free(expected);
	return 0;
}
