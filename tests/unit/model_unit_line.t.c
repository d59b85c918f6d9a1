/* The line of folded stacks that says what the counts count. */
#include "tests/tap.h"

#include <string.h>

#include "model/unit_line.h"

static void reads(const char *line, const char *event, const char *unit)
{
	struct buf e, u;
	buf_init(&e);
	buf_init(&u);
	bool is_unit = unit_line_read(line, strlen(line), &e, &u);
	ok(is_unit == (unit != NULL), "'%s' is %s such a line", line, unit ? "" : "not");
	if (unit) {
		is_str(buf_str(&e), event, "with the event '%s'", event);
		is_str(buf_str(&u), unit, "with the unit '%s'", unit);
	}
	buf_deinit(&e);
	buf_deinit(&u);
}

static void writes(const char *event, const char *unit, const char *expected)
{
	struct buf line;
	buf_init(&line);
	unit_line_add(&line, event, unit);
	is_str(buf_str(&line), expected, "'%s' and '%s' as a line", event, unit);
	reads(buf_str(&line), event, unit);
	buf_deinit(&line);
}

int main(void)
{
	writes("cpu", "ns", "# event=cpu unit=ns 0\n");
	writes("", "bytes", "# unit=bytes 0\n");
	writes("CPU Time", "ms", "# event=CPU\\x20Time unit=ms 0\n");
	writes("a;b\\x41\n7 8", "7", "# event=a\\x3bb\\x5cx41\\x0a7\\x208 unit=7 0\n");
	reads("# unit: ns", "", "ns");
	reads("# unit: ms, event: off-cpu\r\n", "off-cpu", "ms");
	reads("#unit = s", "", "s");
	reads("# event=cpu 0", NULL, NULL);
	reads("# unit=", NULL, NULL);
	reads("# unit of all: ns", NULL, NULL);
	reads("# 0.9 of 107 MB read so far", NULL, NULL);
	reads("# units=ns", NULL, NULL);
	reads("unit=ns 0", NULL, NULL);
	reads("# unit=ns 1", NULL, NULL);
	reads("#", NULL, NULL);
	reads("", NULL, NULL);
	return done_testing();
}
