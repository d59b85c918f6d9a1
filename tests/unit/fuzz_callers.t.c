/* Runs the corpus of tests/fuzz/callers.c, and that of each format, reversed in several ways. */
#include "tests/fuzz/callers.c"

#include "replay.h"

/* Runs an input of tests/fuzz/collapse.c, in which two bytes precede the text. */
static bool turn(const char *path, uint8_t format)
{
	struct buf bytes, input;
	bool good = replay_read(path, &bytes);

	for (unsigned way = 0; good && way < 4; way++) {
		buf_init(&input);
		buf_addc(&input, (char)format);
		buf_addc(&input, (char)(way * 23));
		buf_addc(&input, (char)(way * way));
		if (bytes.len > 2)
			buf_add(&input, bytes.data + 2, bytes.len - 2);
		good = LLVMFuzzerTestOneInput((const uint8_t *)input.data, input.len) == 0;
		buf_deinit(&input);
	}
	buf_deinit(&bytes);
	return good;
}

static void turn_format(uint8_t format)
{
	const char *name = collapse_formats[format]->name;
	struct dirent **entries;
	char dir[256], path[600];
	int n, good = 0, all = 0;

	snprintf(dir, sizeof dir, "tests/fuzz/corpus/collapse/%s", name);
	n = scandir(dir, &entries, NULL, replay_by_name);
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, entries[i]->d_name);
		if (*entries[i]->d_name != '.') {
			all++;
			good += turn(path, format);
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	is_int(good, all, "callers first, %s is the same with rows left out", name);
}

int main(void)
{
	for (uint8_t i = 0; collapse_formats[i] != NULL; i++)
		turn_format(i);
	return replay("callers");
}
