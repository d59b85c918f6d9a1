/*
 * pauses.c - reads any bytes as a profile whose source pauses anywhere before the format is known. The format, and
 * the whole result, must be the same as without a pause.
 *
 * The first four bytes are the sizes of the reads. Detection runs after each of them, with a small window, so that
 * a few lines exceed it.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/input.h"
#include "collapse/collapse.h"
#ifndef WINDOW /* the unit test uses the real one */
#define WINDOW 512u
#endif
#undef COLLAPSE_HEAD
#define COLLAPSE_HEAD WINDOW
#define GROWTH 1
#define input_read read_up_to_pause
static ssize_t read_up_to_pause(struct input *, void *bytes, size_t n, struct err *);
#include "collapse/load/head.c"
#undef input_read
#ifndef BLOCK
#define BLOCK 4096u
#endif
#include "tests/unit/small_loader.h"

#include "tests/unit/leaving.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define READS 4

/* Sizes of the next reads of a head; 0: all the rest. */
static struct {
	size_t len[READS];
	size_t next;
} reads;

static ssize_t read_up_to_pause(struct input *in, void *bytes, size_t n, struct err *err)
{
	size_t len = reads.next < READS ? reads.len[reads.next++] : 0;

	return input_read(in, bytes, len && len < n ? len : n, err);
}

/* The result for a text that comes in these reads; the caller frees it. */
static char *all_with_pauses(const void *text, size_t len, const size_t *reads_len)
{
	struct collapse_options o = {.jobs = 1};

	memset(&reads, 0, sizeof reads);
	if (reads_len)
		memcpy(reads.len, reads_len, sizeof reads.len);
	return all_of(memory_file(text, len), &o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t lens[READS];

	if (size < READS || size > 16384)
		return 0;
	for (size_t i = 0; i < READS; i++)
		lens[i] = data[i] + 1u;
	char *expected = all_with_pauses(data + READS, size - READS, NULL);
	char *got = all_with_pauses(data + READS, size - READS, lens);
	if (strcmp(expected, got) != 0) {
		fprintf(stderr, "pauses after %zu, %zu, %zu and %zu bytes more make\n%s---\n%s", lens[0], lens[1], lens[2],
		        lens[3], expected, got);
		abort();
	}
	free(expected);
	free(got);
	return 0;
}
