/* The line about long work: the words, and what is left of them on narrow terminals. */
#include "base/status_line.h"

#include <stdatomic.h>

#include "tap.h"

static void is_line(const struct status_line *l, size_t columns, enum utf8_clean_mode mode, const char *expected)
{
	struct buf out;
	buf_init(&out);
	status_line_add(&out, l, columns, mode);
	is_str(buf_str(&out), expected, "%zu columns", columns);
	buf_deinit(&out);
}

int main(void)
{
	struct status_line l = {.verb = "reading",
	                        .what = "/var/tmp/builds/perf.data",
	                        .detail = "symbols of",
	                        .detail_of = "/lib/libLLVM.so",
	                        .done = 34000000,
	                        .all = 100000000,
	                        .is_bytes = true,
	                        .seconds = 2};
	is_line(&l, 120, UTF8_CLEAN_UTF8,
	        "flametop: reading /var/tmp/builds/perf.data: 34% of 100 MB, 17 MB/s; symbols of /lib/libLLVM.so");
	is_line(&l, 75, UTF8_CLEAN_UTF8, "flametop: reading /var/tmp/builds/perf.data: 34% of 100 MB, 17 MB/s; symbol");
	is_line(&l, 60, UTF8_CLEAN_UTF8, "34% reading /var/tmp/builds/perf.data");
	is_line(&l, 29, UTF8_CLEAN_UTF8, "34% reading …builds/perf.data");
	is_line(&l, 29, UTF8_CLEAN_ASCII, "34% reading ..uilds/perf.data");
	is_line(&l, 19, UTF8_CLEAN_UTF8, "34% reading …f.data");
	is_line(&l, 15, UTF8_CLEAN_UTF8, "34% reading");
	is_line(&l, 7, UTF8_CLEAN_UTF8, "34% rea");
	is_line(&l, 0, UTF8_CLEAN_UTF8, "");
	l.all = 0;
	is_line(&l, 29, UTF8_CLEAN_UTF8, "34 MB reading …ilds/perf.data");
	l = (struct status_line){.verb = "adding up", .done = 8, .all = 100};
	is_line(&l, 79, UTF8_CLEAN_UTF8, "flametop: adding up: 8%");
	is_line(&l, 19, UTF8_CLEAN_UTF8, "8% adding up");
	l = (struct status_line){.verb = "writing", .what = "a\n\xe6\xbc\xa2\xe5\xad\x97.svg"};
	is_line(&l, 79, UTF8_CLEAN_UTF8, "flametop: writing a\xef\xbf\xbd\xe6\xbc\xa2\xe5\xad\x97.svg");
	is_line(&l, 16, UTF8_CLEAN_UTF8, "writing …\xe5\xad\x97.svg");
	return done_testing();
}
