/*
 * load.c - any bytes as a profile, by every way in which it can arrive: from a file on one thread and on several, through a
 * pipe, compressed. It has to be the same profile each time, to the last message.
 *
 * The first byte picks the format, the second its options, the third how many threads, and what compresses it. The loader is
 * built here with small blocks and ranges, so that a few lines are many of them.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

#include "collapse/collapse.h"
#undef COLLAPSE_HEAD
#define COLLAPSE_HEAD 64u
#define BLOCK 200u
#define RANGE_MIN 100u
#include "collapse/load.c"
#undef PAD

#include "base/decompress.h"
#include "tests/unit/packing.h"
#define feed_piece feed_one_piece /* load.c has one, too */
#include "tests/unit/collapsing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEAD_BYTES 3

/* What belongs to a sample beside its stack and weight. */
static void add_columns(struct buf *out, const struct profile *p)
{
	const struct sample_log *log = &p->log[0];
	for (size_t i = 0; i < log->n; i++) {
		const struct task *task = &p->tasks[log->task ? log->task[i] : 0];
		const struct series *series = &p->series[log->series ? log->series[i] : 0];
		buf_addf(out, "%s %s/%" PRId64 "/%" PRId64 " cpu %u at %" PRIu64 "\n", p->symtab.symbols[series->name].name,
		         log->task && log->task[i] ? p->symtab.symbols[task->comm].name : "-",
		         log->task && log->task[i] ? task->pid : -1, log->task && log->task[i] ? task->tid : -1,
		         log->cpu ? log->cpu[i] : NO_CPU, log->time ? log->time[i] : NO_TIME);
	}
	for (size_t i = 0; i < p->n_series; i++)
		buf_addf(out, "%s: %" PRIu64 " in %" PRIu64 "\n", p->symtab.symbols[p->series[i].name].name,
		         p->series[i].total[0], p->series[i].samples);
	buf_addf(out, "total %" PRIu64 ", %u decimals, %" PRIu64 " lost\n", log->total, p->decimals, p->lost);
}

/* Everything that is seen of a profile, and of what went wrong; the caller frees it. Takes over fd. */
static char *load_text_of(int fd, const struct collapse_options *o)
{
	struct load_input input = {.path = "fuzz", .fd = fd};
	struct profile p;
	struct err err = {""};
	struct buf out;
	profile_init(&p);
	bool is_good = load_all(&p, &input, 1, o, &err);
	char *samples = samples_of(&p);
	buf_init(&out);
	buf_addf(&out, "%s%s\n", samples, is_good ? "" : err.text);
	if (is_good)
		add_columns(&out, &p);
	free(samples);
	profile_deinit(&p);
	return buf_take(&out);
}

static int file_of(const void *bytes, size_t len)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	return fd;
}

/* What does not fit into a pipe at once is left out by the caller. */
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

static const char *pick_format(uint8_t byte)
{
	size_t n = 0;
	while (collapse_formats[n] != NULL)
		n++;
	return collapse_formats[byte % n]->name;
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
	char *expected = load_text_of(file_of(text, len), &one);
	compare(expected, load_text_of(file_of(text, len), &many), one.format, "by several threads");
	compare(expected, load_text_of(pipe_of(text, len), data[2] & 4 ? &one : &many), one.format, "through a pipe");
	struct buf packed = packers[(data[2] >> 3) % N_PACKERS].pack(text, len);
	compare(expected, load_text_of(file_of(packed.data, packed.len), data[2] & 4 ? &many : &one), one.format,
	        "compressed");
	buf_deinit(&packed);
	free(expected);
	return 0;
}
