/*
 * replay.h - runs the inputs found by fuzzing, and its seeds, in every test run and under every sanitizer.
 *
 * A test includes a fuzzer's source and this file; main() gives it all files of tests/fuzz/corpus/NAME, whole and
 * truncated. The fuzzer ends the process if something is wrong.
 */
#ifndef TESTS_UNIT_REPLAY_H
#define TESTS_UNIT_REPLAY_H

#include <dirent.h>

#include "base/buf.h"
#include "tests/tap.h"

static int replay_by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool replay_read(const char *path, struct buf *bytes)
{
	FILE *f = fopen(path, "rb");

	buf_init(bytes);
	for (size_t n = 1; f && n;) {
		n = fread(buf_reserve(bytes, 4096), 1, 4096, f);
		bytes->len += n;
	}
	if (f)
		fclose(f);
	return f != NULL;
}

static void replay_one(const char *path, const char *name)
{
	struct buf bytes;
	bool good = replay_read(path, &bytes);

	for (size_t len = bytes.len, step = 1 + len / 24; good; len = len > step ? len - step : 0) {
		uint8_t *exact = malloc(len ? len : 1); /* so that a sanitizer detects a read past the end */
		memcpy(exact, bytes.data ? bytes.data : "", len);
		good = LLVMFuzzerTestOneInput(exact, len) == 0;
		free(exact);
		if (!len)
			break;
	}
	ok(good, "%s does no harm", name);
	buf_deinit(&bytes);
}

/* All inputs of tests/fuzz/corpus/NAME; false: there is no such directory. */
static bool replay_all(const char *name)
{
	struct dirent **entries;
	char dir[512], path[1024];
	int n;

	snprintf(dir, sizeof dir, "tests/fuzz/corpus/%s", name);
	n = scandir(dir, &entries, NULL, replay_by_name);
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, entries[i]->d_name);
		if (*entries[i]->d_name != '.')
			replay_one(path, entries[i]->d_name);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return n >= 0;
}

__attribute__((unused)) static int replay(const char *fuzzer)
{
	if (!replay_all(fuzzer))
		bail_out("no tests/fuzz/corpus/%s here", fuzzer);
	return done_testing();
}

#endif
