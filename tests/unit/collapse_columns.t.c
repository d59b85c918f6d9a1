/*
 * Data of samples and frames besides stack and weight: times, and places in the source.
 */
#include "tests/tap.h"

#include "collapsing.h"

static void load_text(struct profile *p, const char *format, const char *text)
{
	if (!load_as(p, format, text))
		bail_out("%s: the text was not read", format);
}

static uint64_t time_of(const struct profile *p, size_t sample)
{
	return p->log[0].time != NULL && sample < p->log[0].n ? p->log[0].time[sample] : NO_TIME;
}

/* "file:line" of a frame's source, "" if unknown. */
static const char *source_of(const struct profile *p, const char *name)
{
	uint32_t sym = symtab_find(&p->symtab, name, strlen(name));
	if (sym == UINT32_MAX)
		return "no such frame";
	return place_of_symbol(&p->symtab, sym);
}

static void test_xdebug(void)
{
	struct profile p;
	load_text(&p, "xdebug",
	          "TRACE START [x]\n"
	          "1\t0\t0\t0.5\t1\t{main}\t1\t\t/a.php\t0\t0\n"
	          "2\t1\t0\t0.75\t1\tf\t1\t\t/a.php\t3\t0\n"
	          "2\t1\t1\t1.25\t1\n"
	          "1\t0\t1\t1.5\t1\n"
	          "TRACE END [x]\n");
	is_int(time_of(&p, 0), time_of(&p, 1) - 250000000,
	       "a sample of Xdebug begins with the entry or exit before it");
	profile_deinit(&p);
}

static void test_speedscope(void)
{
	struct profile p;
	load_text(&p, "speedscope",
	          "{\"profiles\":[{\"type\":\"sampled\",\"samples\":[[0,1,2]],\"weights\":[1],\"unit\":\"none\"}],"
	          "\"shared\":{\"frames\":[{\"name\":\"main\",\"file\":\"a.py\",\"line\":3},{\"name\":\"f\",\"line\":0,"
	          "\"file\":\"b.py\"},{\"name\":\"g\"}]},"
	          "\"$schema\":\"https://www.speedscope.app/file-format-schema.json\"}");
	is_str(source_of(&p, "main"), "a.py:3", "a frame of speedscope has its file and line");
	is_str(source_of(&p, "f"), "b.py", "or its file alone");
	is_str(source_of(&p, "g"), "", "or nothing");
	profile_deinit(&p);
}

/*
 * A sleep has the time of its beginning, the event that of its end. Text like a time may be the name of the waker, or
 * have too many digits.
 */
static void test_perf_sched(void)
{
	struct profile p;
	load_text(&p, "perf-sched",
	          "a 7/7 1.5: sched:sched_switch: prev_comm=a prev_pid=7 ==> next_comm=b next_pid=0\n\tff f (k)\n\n"
	          "1.2 3/3 2. 4.1234567890: 5.x: 6.500000: sched:sched_stat_sleep: comm=a pid=7 delay=5000 [ns]\n\n"
	          "a 7/7 1.5: sched:sched_switch: prev_comm=a prev_pid=7 ==> next_comm=b next_pid=0\n\tff f (k)\n\n"
	          "b 3/3 18446744073.5: 7.25: sched:sched_stat_sleep: comm=a pid=7 delay=5000 [ns]\n\n");
	is_int(time_of(&p, 0), 6500000000 - 5000,
	       "the time of a sleep is seconds, a point, at most nine digits and a colon");
	is_int(time_of(&p, 1), 7250000000 - 5000, "and no more of them than can be counted");
	profile_deinit(&p);
}

static void test_xctrace(void)
{
	struct profile p;
	load_text(
		&p, "xctrace",
		"<?xml version=\"1.0\"?><trace-query-result><node>"
		"<row><sample-time id=\"1\">100</sample-time><backtrace id=\"2\"><frame id=\"3\" name=\"f\"/></backtrace></row>"
		"<row><sample-time ref=\"1\"/><backtrace ref=\"2\"/></row>"
		"<row><sample-time>300</sample-time><backtrace ref=\"2\"/></row>"
		"</node></trace-query-result>");
	is_int(time_of(&p, 0), 100, "a sample of xctrace has its time");
	is_int(time_of(&p, 1), 100, "or that of another by its id");
	is_int(time_of(&p, 2), NO_TIME, "a time without id is ignored");
	profile_deinit(&p);
}

static void test_pprof(void)
{
	static const char bytes[] = "\x0a\x04\x08\x01\x10\x02"                 /* values: "n" in "count" */
								"\x12\x07\x0a\x02\x01\x02\x12\x01\x05"     /* 5 at location 1, called by 2 */
								"\x22\x08\x08\x01\x22\x04\x08\x01\x10\x07" /* which is function 1, line 7 */
								"\x22\x06\x08\x02\x22\x02\x08\x02"         /* and the other is function 2 */
								"\x2a\x06\x08\x01\x10\x03\x20\x04"         /* "f" in "a.go" */
								"\x2a\x02\x08\x02"                         /* without a name */
								"\x32\0\x32\1n\x32\5count\x32\1f\x32\4a.go";
	struct collapse_options o = {.format = "pprof", .jobs = 1};
	struct profile p;
	struct err err;
	if (!load_bytes(&p, &o, bytes, sizeof bytes - 1, &err))
		bail_out("%s", err.text);
	ok(symtab_find(&p.symtab, "[unknown]", 9) != UINT32_MAX, "a function without a name is unknown");
	is_str(source_of(&p, "f"), "a.go:7", "a function of pprof has its file, and the line that was met first");
	profile_deinit(&p);
}

static void test_go(void)
{
	struct profile p;
	load_text(&p, "go",
	          "Samples:\nsamples cpu/nanoseconds\n 3 30: 1\nLocations\n 1: 0x4 M=1 f /a.s:4 s=0\nMappings\n");
	is_str(p.symtab.symbols[p.series[0].unit].name, "", "a column of Go without a unit has none");
	is_str(p.symtab.symbols[p.series[1].unit].name, "ns", "another has its own, spelled as in all profiles");
	profile_deinit(&p);
}

static void test_unknown_value(void)
{
	struct collapse_options o = {.format = "vtune-mc", .jobs = 1, .value = "odd"};
	static const char text[] = "Function Stack,Allocations:Self,Module\nmain,1,m\n";
	struct profile p;
	struct err err;
	ok(!load_bytes(&p, &o, text, sizeof text - 1, &err), "a value that is not there is refused");
	ok(strstr(err.text, "no values are called 'odd' (there are: allocations)") != NULL, "with those that are: %s",
	   err.text);
	profile_deinit(&p);
}

/* The warning is about the trace, not about a line of it. */
static void test_chrome(void)
{
	struct profile p;
	load_text(&p, "chrome-tracing",
	          "[{\"ph\":\"B\",\"name\":\"f\",\"ts\":1},{\"ph\":\"X\",\"name\":\"g\",\"ts\":2,\"dur\":3}]");
	is_int(notes_of(&p, "spans without an end"), 1, "a begin without an end is reported");
	is_int(first_line_of(&p, "spans without an end"), 0, "without a line");
	profile_deinit(&p);
}

int main(void)
{
	test_perf_sched();
	test_xctrace();
	test_pprof();
	test_go();
	test_chrome();
	test_unknown_value();
	test_xdebug();
	test_speedscope();
	return done_testing();
}
