/*
 * What the command of a live recording prints: bounded, never refused, and what is lost is said.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define PRINTED_FIRST ((uint64_t)4 << 20)
#define PRINTED_LAST ((size_t)1 << 20)
#include "record/printed.c"
#include "tests/tap.h"

#define LINE 16u

/* Lines "line 00000001 --", 16 bytes each. false: a write failed. */
static bool print_lines(int fd, size_t bytes)
{
	struct buf block;
	bool is_good = true;
	buf_init(&block);
	for (size_t at = 0; at < bytes && is_good; at += 256 * (size_t)LINE) {
		block.len = 0;
		for (size_t i = 0; i < 256; i++)
			buf_addf(&block, "line %08zu -\n", at / LINE + i);
		is_good = write(fd, block.data, block.len) == (ssize_t)block.len;
	}
	buf_deinit(&block);
	return is_good;
}

/* What is shown, in memory of its own; unmapped by the caller. */
static char *shown(struct printed *p, bool is_quiet, size_t *len)
{
	struct stat st;
	int file = memfd_create("shown", 0), saved = dup(STDERR_FILENO);
	printed_stop(p);
	dup2(file, STDERR_FILENO);
	printed_show(p, is_quiet);
	dup2(saved, STDERR_FILENO);
	fstat(file, &st);
	*len = (size_t)st.st_size;
	char *text = mmap(NULL, *len + 1, PROT_READ, MAP_PRIVATE, file, 0);
	close(file);
	close(saved);
	return text;
}

static void prints(size_t bytes, size_t expected, const char *message, const char *name)
{
	struct printed p;
	struct err err;
	size_t len;
	int out = printed_start(&p, &err);
	ok(print_lines(out, bytes), "%s: nothing is refused", name);
	close(out);
	char *text = shown(&p, false, &len);
	char last[48];
	int n = snprintf(last, sizeof last, "line %08zu -\n", bytes / LINE - 1);
	ok(memcmp(text, "line 00000000 -\n", 16) == 0, "%s: it begins with the beginning", name);
	ok(memmem(text, len, last, (size_t)n), "%s: the end is there", name);
	ok((memmem(text, len, "\n[...]\n", 7) != NULL) == (message != NULL),
	   "%s: a mark stands where something is lost", name);
	ok(message ? memmem(text, len, message, strlen(message)) != NULL : len == bytes, "%s: %s", name,
	   message ? message : "all of it");
	ok(len >= expected && len < expected + 300, "%s: as much as is kept", name);
	munmap(text, len + 1);
	printed_deinit(&p);
}

static void limit_files(rlim_t bytes)
{
	struct rlimit limit;
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes;
	setrlimit(RLIMIT_FSIZE, &limit);
}

static void test_left_behind(void)
{
	struct printed p;
	struct err err;
	size_t len;
	int out = printed_start(&p, &err);
	ok(write(out, "[ perf record: Woken up 1 times ]\nwords", 39) == 39, "a program that stays open prints");
	char *text = shown(&p, false, &len);
	ok(len == 5 && memcmp(text, "words", 5) == 0, "what it has printed is there, without perf's routine");
	munmap(text, len + 1);
	printed_deinit(&p);
	close(out);
}

int main(void)
{
	const size_t mib = (size_t)1 << 20;
	signal(SIGXFSZ, SIG_IGN);
	prints(65536, 65536, NULL, "a little");
	prints(5 * mib - 65536, 5 * mib - 65536, NULL, "more than the file takes");
	prints(
		12 * mib, 5 * mib,
		"flametop: 7.34 MB of what the command printed are lost: only the first 4 MiB and the last 1 MiB are kept\n",
		"more than is kept");
	/* As on a file system without room. What is shown goes to a file, too. */
	struct printed p;
	struct err err;
	size_t len;
	limit_files(3 * mib);
	int out = printed_start(&p, &err);
	ok(print_lines(out, 8 * mib), "a full file system is nothing that the command notices");
	close(out);
	printed_stop(&p);
	limit_files(RLIM_INFINITY);
	char *text = shown(&p, false, &len);
	ok(memmem(text, len, " MB of what the command printed are lost: ", 42) && memmem(text, len, "TMPDIR", 6),
	   "but the user is told");
	ok(len > 4 * mib && len < 4 * mib + 300, "the beginning and the end are there");
	munmap(text, len + 1);
	printed_deinit(&p);
	test_left_behind();
	return done_testing();
}
