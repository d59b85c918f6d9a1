/*
 * io_calls.c - the table of system calls that do I/O.
 *
 * A call that moves data from one descriptor to another both reads and writes. recvmmsg and sendmmsg return numbers
 * of messages, so their bytes are unknown.
 */
#include "perfdata/io_calls.h"

#include <stddef.h>
#include <string.h>

#define IO_BOTH (IO_READ | IO_WRITE)

const struct io_call io_calls[IO_CALLS] = {
	{"read", {0, 63}, IO_READ, true},
	{"pread64", {17, 67}, IO_READ, true},
	{"readv", {19, 65}, IO_READ, true},
	{"preadv", {295, 69}, IO_READ, true},
	{"preadv2", {327, 286}, IO_READ, true},
	{"recvfrom", {45, 207}, IO_READ, true},
	{"recvmsg", {47, 212}, IO_READ, true},
	{"recvmmsg", {299, 243}, IO_READ, false},
	{"write", {1, 64}, IO_WRITE, true},
	{"pwrite64", {18, 68}, IO_WRITE, true},
	{"writev", {20, 66}, IO_WRITE, true},
	{"pwritev", {296, 70}, IO_WRITE, true},
	{"pwritev2", {328, 287}, IO_WRITE, true},
	{"sendto", {44, 206}, IO_WRITE, true},
	{"sendmsg", {46, 211}, IO_WRITE, true},
	{"sendmmsg", {307, 269}, IO_WRITE, false},
	{"fsync", {74, 82}, IO_WRITE, false},
	{"fdatasync", {75, 83}, IO_WRITE, false},
	{"sendfile64", {40, 71}, IO_BOTH, true},
	{"splice", {275, 76}, IO_BOTH, true},
	{"copy_file_range", {326, 285}, IO_BOTH, true},
	{"open", {2, -1}, IO_OPEN, false},
	{"openat", {257, 56}, IO_OPEN, false},
	{"openat2", {437, 437}, IO_OPEN, false},
};

static const struct {
	const char *word;
	unsigned kinds;
} words[] = {{"all", IO_ALL}, {"read", IO_READ}, {"write", IO_WRITE}};
#define N_WORDS (sizeof words / sizeof *words)

unsigned io_kinds(const char *word)
{
	for (size_t i = 0; i < N_WORDS; i++)
		if (strcmp(words[i].word, word) == 0)
			return words[i].kinds;
	return 0;
}

const char *io_kinds_word(unsigned kinds)
{
	for (size_t i = 1; i < N_WORDS; i++)
		if (words[i].kinds == kinds)
			return words[i].word;
	return words[0].word;
}

/* Returns the place in io_call.number; -1: unknown. */
static int column_of(const char *arch)
{
	static const char *const common[] = {"aarch64", "riscv64", "loongarch64"};
	if (strcmp(arch, "x86_64") == 0)
		return 0;
	for (size_t i = 0; i < sizeof common / sizeof *common; i++)
		if (strcmp(arch, common[i]) == 0)
			return 1;
	return -1;
}

const struct io_call *io_call_named(const char *name)
{
	for (size_t i = 0; i < IO_CALLS; i++)
		if (strcmp(io_calls[i].name, name) == 0)
			return &io_calls[i];
	return NULL;
}

const struct io_call *io_call_numbered(int64_t number, const char *arch)
{
	int column = column_of(arch);
	for (size_t i = 0; i < IO_CALLS && column >= 0 && number >= 0; i++)
		if (io_calls[i].number[column] == number)
			return &io_calls[i];
	return NULL;
}

bool io_calls_filter(unsigned kinds, const char *arch, struct buf *out)
{
	int column = column_of(arch);
	size_t before = out->len;
	for (size_t i = 0; i < IO_CALLS && column >= 0; i++)
		if (io_calls[i].kind & kinds && io_calls[i].number[column] >= 0)
			buf_addf(out, "%sid == %d", out->len == before ? "" : " || ", io_calls[i].number[column]);
	return column >= 0;
}
