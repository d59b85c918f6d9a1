/*
 * Which texts are taken for profiles, and the messages for others. Many files without stacks have numbers at line
 * ends; files with stacks in an unsupported form are named, with a remedy.
 */
#include "collapse/collapse.h"

#include <string.h>

#include "tests/tap.h"

static enum detection detect(const char *text, size_t len, const struct collapse_format **format, struct err *err)
{
	struct head head = {.text = text, .len = len, .is_all = true};

	*format = NULL;
	err->text[0] = '\0';
	return collapse_detect(&head, format, "input", err);
}

/* --- folded stacks --- */

static void test_folded(void)
{
	static const struct {
		const char *name, *text;
	} folded[] = {
		{"one line", "main;read 3\n"},
		{"one line without end", "main;read 3"},
		{"one stack of one frame", "main 5\n"},
		{"stacks of one frame", "main 5\nread 7\n[unknown] 2\n0x4005d0 1\n"},
		{"functions with their arguments", "f(int, char*) const 5\nstd::map<int, int>::find(int const&) 7\n"},
		{"C++ operators", "operator= 5\noperator| 1\noperator<< 7\n"},
		{"Objective-C messages", "-[Engine step: with:] 7\n"},
		{"rows of tasks, one with a blank", "swapper 9\nfirefox 3\nperf 2\nWeb Content 1\n"},
		{"names with blanks", "my app;do it now 5\nmy app;done at last 7\n"},
		{"names with a blank behind ';'", "f;core::drop<[u8; 32]> 5\n"},
		{"two columns", "main;read 3 4\nmain 5 6\n"},
		{"two columns of single frames", "main 3 4\nread 0 6\n"},
		{"fractions", "main;read 3.5\nmain 0.25\n"},
		{"comments in front", "# made by hand\n# mode: wall\nmain;read 3\n"},
		{"a header", "stack count\nmain;read 3\nmain;write 4\n"},
		{"CRLF", "main;read 3\r\nmain 4\r\n"},
		{"blank lines", "\n\nmain;read 3\n\nmain;write 3\n"},
		{"mostly single frames",
	     "swapper 900\nsh 3\ncat 4\nls 5\nps 2\nps;main 1\nw 1\nid 1\nyes 9\nno 1\nmore 1\n"},
		{"a few odd lines", "a;b 1\nodd\na;c 1\na;d 2\nodd, too\na;e 3\na;f 4\na;g 5\n"},
		{"the frames of Austin", "# austin: 3.6.0\nP42;T0:7f;/a.py:main:12;/a.py:f:3 100\n"},
		{"empty names", "a;;b 1\n;c 2\n"},
		{"names of other kinds' magics", "gmonstart;main 3\nMZ;main 2\nBZhead;main 1\n"},
		{"one that begins with a mark", "v 8;main 4\nevents:;fn=;x 3\n"},
		{"functions with underscores", "read_bytes 5\nwrite_bytes 7\nmain_loop 9\n"},
		{"functions that are called as units are",
	     "count_total 5\nmain_loop 9\nsum_total 2\nread_bytes 1\nw 1\nx 1\ny 1\n"},
		{"stacks of one frame, one of no weight", "main_loop 5\nread_line 0\nwrite_line 7\n"},
		{"a baseline in front", "main_loop 0 5\nread_line 0 6\n"},
		{"kernel functions", "handle_mm_fault 5\npgfault 7\nclear_page_erms 9\n"},
		{"stacks among single frames", "http_requests_total 7\nhttp_errors_bytes 0\nmain;read_bytes 0\n"},
		{"Rust closures", "main;{{closure}} 3\ncore::ops::function::FnOnce::call_once{{vtable.shim}} 2\n"},
	};
	const struct collapse_format *format;
	struct err err;

	for (size_t i = 0; i < sizeof folded / sizeof *folded; i++) {
		detect(folded[i].text, strlen(folded[i].text), &format, &err);
		is_str(format ? format->name : err.text, "folded", "%s are folded stacks", folded[i].name);
	}
}

static void test_numbers_at_line_ends(void)
{
	static const struct {
		const char *name, *text;
	} texts[] = {
		{"YAML", "name: build\nsteps: 3\nretries: 5\ntimeout: 30\n"},
		{"YAML of numbers alone", "steps: 3\nretries: 5\ntimeout: 30\n"},
		{"TOML", "[package]\nversion = 3\nedition = 2021\n"},
		{"a file of settings", "max_size = 30\ntimeout = 4\n"},
		{"go.mod", "module example.org/x\n\ngo 1.21\n\nrequire golang.org/x/sys v0.1.0\n"},
		{"a Makefile", "CFLAGS = -O2\nall: a.o\n\tcc -o all a.o\n"},
		{"passwd", "root:x:0:0:root:/root:/bin/bash\n"},
		{"a table with commas", "name, count\nread, 5\nwrite, 7\nopen, 8\n"},
		{"a table with semicolons", "name; size; 3\nread; 5; 7\nwrite; 7; 8\n"},
		{"a table of columns", "Name        Size\nread           5\nwrite          7\nopen           8\n"},
		{"a table without heading", "read           5\nwrite          7\nopen           8\n"},
		{"rows of numbers", "1 2 3\n4 5 6\n7 8 9\n"},
		{"rows of a name and numbers", "sda 1 2 3\nsdb 4 5 6\n"},
		{"meminfo", "MemTotal:       16307796 kB\nMemFree:         1043916 kB\nHugePages_Total:       0\n"},
		{"stat", "cpu  1 2 3 4\ncpu0 1 2 3 4\nctxt 5\nbtime 6\n"},
		{"ls -l",
	     "total 8\n-rw-r--r-- 1 root root 4096 Nov 22 10:42 a\n-rw-r--r-- 1 root root 4096 Nov 22 10:42 b\n"},
		{"git log --stat",
	     "commit 1\nAuthor: A <a@b>\n\n a.c | 10 +++\n b.c | 4\n 2 files changed, 10 insertions(+)\n"},
		{"diff --stat", " a.bin | 10\n b.bin | 4\n"},
		{"du -a", "4\t./a\n8\t./b\n12\t.\n"},
		{"wc", "  10  20 300 a\n  11  21 301 b\n  21  41 601 total\n"},
		{"uniq -c", "      3 main\n      4 read\n"},
		{"lines of JSON", "{\"a\": 5, \"b\": 7}\n{\"a\": 6, \"b\": 8}\n"},
		{"JSON", "{\n  \"steps\": 3,\n  \"retries\": 5\n}\n"},
		{"an INI file", "[main]\nport=80\nsize=3\n"},
		{"sshd's settings", "Port 22\nPermitRootLogin no\nMaxAuthTries 6\n"},
		{"a log", "Nov 22 10:30:01 host app[7]: done in 5\nNov 22 10:30:02 host app[7]: done in 7\n"},
		{"a log of requests",
	     "\"GET / HTTP/1.1\" 200 \"Mozilla/5.0 (X11; Linux; rv:1)\" 0.005\n\"GET /a HTTP/1.1\" 200 \"Mozilla/5.0 (X11; Linux)\" 0.004\n"},
		{"messages that end in numbers", "the build took 5\nthe tests took 7\nall of it took 12\n"},
		{"TAP", "ok 1 - zoom keeps the frame\nok 2 - search finds it\n1..2\n"},
		{"TAP without names", "1..2\nok 1\nok 2\n"},
		{"a dump of protoc", "1 {\n  1: 1\n  2: 2\n}\n6: \"samples\"\n"},
		{"a dump of protoc of numbers alone", "1: 1\n2: 2\n9: 30\n"},
		{"C", "int main(void)\n{\n\tint i = 3;\n\treturn i;\n}\n"},
		{"CSS", "a { color: red; margin: 0 }\nb { margin: 0; padding: 0 }\n"},
		{"SQL", "INSERT INTO t VALUES (1, 2);\nSELECT 3;\n"},
		{"a release's name", "Debian GNU/Linux 12\n"},
		{"load averages", "10:42:15 up 12 min, 0 users, load average: 0.02, 0.33, 0.26\n"},
		{"a list of characters", "LETTER A WITH GRAVE;0041 0300\nLETTER E WITH GRAVE;0045 0300\n"},
		{"metrics without their types", "up{job=\"a\"} 1\nup{job=\"b\"} 0\n"},
		{"metrics without labels", "up 1\nhttp_requests_total 1027\nhttp_request_duration_seconds_sum 53.5\n"},
		{"metrics of two kinds", "cache_hits_total 7\ncache_size_bytes 4096\nworkers 3\n"},
		{"metrics that are nothing", "queue_length 0\nqueue_workers 4\nqueue_errors 0\n"},
		{"cpu.stat of an idle group", "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n"},
		{"a part of vmstat",
	     "nr_free_pages 16093\nnr_mlock 0\nnr_bounce 0\nnuma_hit 55\nnuma_miss 0\nnr_dirty 3\n"},
		{"stacks with negative counts", "main -5\nread -7\n"},
		{"dependencies", "libattr 1 libattr1 (>= 2:2.4.44)\nudeb: libattr 1 libattr1-udeb (>= 1:2.4)\n"},
		{"memory maps", "7f38c1a00000-7f38c1a28000 r--p 00000000 fe:00 1234 /tmp/a (deleted)\n"},
		{"a report's first line", "Mon May 23 13:59 2016 Profiling Report  (Final)\n"},
		{"prose", "Dear reader,\nhow are you?\n"},
	};
	const struct collapse_format *format;
	struct err err;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		enum detection found = detect(texts[i].text, strlen(texts[i].text), &format, &err);
		if (!ok(found == DETECT_REFUSED && strstr(err.text, "not a profile format that is known"), "%s: no profile",
		        texts[i].name))
			diag("%s: %s", format ? format->name : "none", err.text);
	}
}

static void test_nearest(void)
{
	static const struct {
		const char *name, *text, *message;
	} texts[] = {
		{"a name before the numbers", "steps: 3\nretries: 5\n",
	     "(folded: lines end in numbers, but what stands before"},
		{"few counts", "a;b 1\nand\nso\non\n", "(folded: fewer than three in four lines"},
		{"no counts", "and\nso\non\n", "(expected one of --format=help"},
		{"an event without frames", "app 1/1 1.5: 7 cycles:\n\n", "perf: an event line without a frame"},
		{"a bad count", "\na;b -1\n", "input:2: bad count in 'a;b -1'"},
	};
	const struct collapse_format *format;
	struct err err;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		detect(texts[i].text, strlen(texts[i].text), &format, &err);
		if (!ok(!format && strstr(err.text, texts[i].message), "%s: the nearest formats are named", texts[i].name))
			diag("%s", err.text);
	}
}

/* --- unsupported files --- */

#define BYTES(s) s, sizeof(s) - 1

static void test_foreign(void)
{
	static const struct {
		const char *text;
		size_t len;
		const char *what, *advice;
	} texts[] = {
		{BYTES(
			 "desc: I1 cache: 32768 B\ndesc: D1 cache: 32768 B\ncmd: ./a\nevents: Ir I1mr\nfl=a.c\nfn=main\n3 10 0\nsummary: 10 0\n"),
	     "cachegrind", "flametop record"},
		{BYTES("cmd: ./a\nevents: Ir\nfl=a.c\nfn=main\n3 10\nsummary: 10\n"), "cachegrind", "flametop record"},
		{BYTES("nr_free_pages 16093\npgpgin 7\npgfault 99\npgmajfault 3\n"), "counters of the kernel", "profile"},
		{BYTES("active_anon 1531904\npgfault 99\npgmajfault 3\ninactive_file 12\n"), "counters of the kernel",
	     "profile"},
		{BYTES("usage_usec 99\nuser_usec 60\nsystem_usec 39\n"), "counters of the kernel", "profile"},
		{BYTES("go_goroutines 8\ngo_threads 7\nprocess_cpu_seconds_total 12\n"), "Prometheus", "profile"},
		{BYTES("up 1\nprocess_resident_memory_bytes 5\n"), "Prometheus", "profile"},
		{BYTES("go 1.19 trace\0\0\0\1"), "execution trace of Go", "go tool trace"},
		{BYTES("v 10400 3\nx 3 ./a\nX ./a\nI 1000 3e8\n"), "heaptrack", "heaptrack --interpret"},
		{BYTES("v8-version,11,3,0\n"), "node --prof", "--preprocess"},
		{BYTES("# HELP up Is it?\n# TYPE up gauge\nup 1\n# TYPE seen counter\nseen 27\n"), "Prometheus", "profile"},
		{BYTES("Process Name, Stack, Weight\na.exe, [Root]/a!f/a!main, 1.5\n"), "xperf",
	     "xperf_to_collapsedstacks"},
		{BYTES(
			 "Flat profile:\n\nEach sample counts as 0.01 seconds.\n  %   cumulative   self\n time   seconds  \n"),
	     "gprof", "flametop record"},
		{BYTES("JAVA PROFILE 1.0.1, created\n"), "hprof", "asprof"},
		{BYTES("gmon\1\0\0\0"), "gprof", "flametop record"},
		{BYTES("MZ\220\0\3\0"), "a program", "profile it"},
		{BYTES("BZh91AY&SY\1\2"), "bzip2", "bzip2 -dc"},
		{BYTES("\x04\x08{\x0d:"), "stackprof", "--stackcollapse"},
		{BYTES("\xdc\xdfJSLB\1\0\1\0\0\0"), "JsonSlabs", "profiler.firefox.com"},
		{BYTES("{\"snapshot\":{\"meta\":{\"node_fields\":[]}}}"), "heap snapshot", "--heap-prof"},
		{BYTES("<!DOCTYPE html>\n<html>\n"), "web page", "open the profile"},
	};
	const struct collapse_format *format;
	struct err err;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		bool refused = detect(texts[i].text, texts[i].len, &format, &err) == DETECT_REFUSED;
		if (!ok(refused && strstr(err.text, texts[i].what) && strstr(err.text, texts[i].advice) &&
		            !strchr(err.text, '\n'),
		        "%s is named, with a remedy", texts[i].what))
			diag("%s: %s", format ? format->name : "none", err.text);
	}
}

/* Bytes that look like a line of some format, behind a zero byte. */
static void test_binary(void)
{
	static const char bytes[] = "\1\2\0\3\n\n0x12\n7\n@[\n]: 3\nFull stacks\n";
	const struct collapse_format *format;
	struct err err;

	is_int(detect(bytes, sizeof bytes - 1, &format, &err), DETECT_REFUSED, "marks within binary data are none");
	ok(strstr(err.text, "binary data"), "and a message calls it binary: %s", err.text);
}

int main(void)
{
	test_folded();
	test_numbers_at_line_ends();
	test_nearest();
	test_foreign();
	test_binary();
	return done_testing();
}
