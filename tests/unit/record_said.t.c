/*
 * What programs of a recording have said is printed in few writes, and not after the reader is gone.
 */
#include <stdbool.h>
#include <stddef.h>

static bool take(const char *bytes, size_t n);
#define process_write take
#include "record/said.c"
#include "tests/tap.h"

static struct buf taken;
static unsigned writes, most;

static bool take(const char *bytes, size_t n)
{
	buf_add(&taken, bytes, n);
	return ++writes < most;
}

static void says(const struct buf *text, unsigned limit)
{
	taken.len = writes = 0;
	most = limit;
	said_print(text);
}

int main(void)
{
	struct buf text;
	buf_init(&text);
	buf_init(&taken);
	for (int i = 0; i < 1000; i++)
		buf_adds(&text, "y\n");
	says(&text, 100);
	ok(writes == 1 && taken.len == 2000, "a thousand lines are one write");
	buf_adds(&text, "[ perf record: Woken up 1 times ]\nend");
	says(&text, 100);
	is_int(writes, 2, "a line of perf's routine parts them");
	ok(taken.len == 2003 && memcmp(taken.data + 1998, "y\nend", 5) == 0, "and is left out");
	says(&text, 1);
	ok(writes == 1 && taken.len == 2000, "nothing is written to a terminal that is gone");
	text.len = 0;
	says(&text, 100);
	is_int((long)taken.len, 0, "nothing is said");
	buf_deinit(&text);
	buf_deinit(&taken);
	return done_testing();
}
