/*
 * The beginning of an input: wherever the source pauses, the format and the profile are the same. All files of
 * tests/data/collapse are read with their first read cut at every byte, long ones at 2048 of them (`make torture`: at
 * 8192); and so are texts that begin like one format and go on like another.
 */
#define WINDOW (256u << 10)
#define BLOCK (64u << 10) /* a read takes a whole packet */
#include "tests/fuzz/pauses.c"

#include <glob.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "packing.h"
#include "replay.h"

/* Pieces that come one per read. */
static int packets_of(const char *text, size_t len, size_t first)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds) != 0)
		bail_out("no socket");
	if ((first && send(fds[1], text, first, 0) < 0) ||
	    (len > first && send(fds[1], text + first, len - first, 0) < 0))
		bail_out("a socket takes nothing");
	close(fds[1]);
	return fds[0];
}

static char *all_in_packets(const char *text, size_t len, size_t first)
{
	struct collapse_options o = {.jobs = 1};

	memset(&reads, 0, sizeof reads);
	return all_of(packets_of(text, len, first), &o);
}

/* Frees got. */
static bool is_same(const char *expected, char *got, const char *name, size_t cut)
{
	bool same = strcmp(expected, got) == 0;

	if (!same)
		diag("%s, cut at byte %zu:\n%s---\n%s", name, cut, expected, got);
	free(got);
	return same;
}

enum { PACKET_MOST = 65536 }; /* bytes */
enum { PAUSES = 2048, PACKETS = 512, PACKED = 128, ALL = 8192, SANITIZED = 24 };

/* From one cut to the next. */
static size_t step_of(size_t len, size_t most)
{
	return 1 + len / (tap_sanitized() ? SANITIZED : getenv("TORTURE") ? ALL : most);
}

/* Byte by byte to the end of the first reads, and then some at once; and with one cut. */
static bool is_same_with_pauses(const char *name, const char *text, size_t len, const char *expected)
{
	bool same = is_same(expected, all_with_pauses(text, len, (size_t[READS]){1, 1, 1, 7}), name, 1);
	for (size_t cut = 1; same && cut < len; cut += step_of(len, PAUSES))
		same = is_same(expected, all_with_pauses(text, len, (size_t[READS]){cut}), name, cut);
	return same;
}

static bool is_same_in_packets(const char *name, const char *text, size_t len, const char *expected, size_t most)
{
	bool same = true;
	for (size_t cut = 1; same && cut < len; cut += step_of(len, most))
		same = is_same(expected, all_in_packets(text, len, cut), name, cut);
	return same;
}

static bool is_same_cut_anywhere(const char *name, const char *text, size_t len)
{
	char *expected = all_with_pauses(text, len, NULL);
	bool same =
		is_same_with_pauses(name, text, len, expected) && is_same_in_packets(name, text, len, expected, PACKETS);

	free(expected);
	return same;
}

static bool is_same_packed_cut_anywhere(const char *name, const char *text, size_t len)
{
	char *expected = all_with_pauses(text, len, NULL);
	bool same = true;

	for (size_t k = 0; k < N_PACKERS; k++) {
		struct buf packed = packers[k].pack(text, len);
		same = same && is_same_in_packets(name, packed.data, packed.len, expected, PACKED);
		buf_deinit(&packed);
	}
	free(expected);
	return same;
}

static void test_samples(void)
{
	glob_t found;
	size_t formats = 0;
	char dir[256] = "";

	if (glob("tests/data/collapse/*/*.in", 0, NULL, &found) != 0)
		bail_out("no tests/data/collapse here");
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i], *slash = strrchr(path, '/');
		bool is_first = strncmp(dir, path, (size_t)(slash - path) + 1) != 0;
		struct buf text;

		snprintf(dir, sizeof dir, "%.*s", (int)(slash - path) + 1, path);
		if (!replay_read(path, &text))
			bail_out("cannot read %s", path);
		if (text.len > PACKET_MOST)
			bail_out("%s is longer than a packet that one read takes", path);
		buf_str(&text); /* an empty one has bytes, too */
		ok(is_same_cut_anywhere(path, text.data, text.len), "%s is the same wherever its source pauses",
		   path + strlen("tests/data/collapse/"));
		if (is_first) {
			formats++;
			ok(is_same_packed_cut_anywhere(path, text.data, text.len), "and compressed, too");
		}
		buf_deinit(&text);
	}
	ok(formats > 25, "all formats were there");
	globfree(&found);
}

/* --- which format it is --- */

struct text {
	const char *name, *text, *format; /* format: NULL: none */
};

static const char *format_of(const char *text, size_t len, bool is_whole)
{
	struct head head = {text, len, is_whole, !is_whole};
	const struct collapse_format *format = NULL;
	struct err err;

	switch (collapse_detect(&head, &format, "input", &err)) {
	case DETECT_FOUND:
		return format->name;
	case DETECT_REFUSED:
		return "none";
	case DETECT_MORE:
		break;
	}
	return "more";
}

#define PERF "app 1/1 1.5: 7 cycles:\n\ta1 go (/bin/x)\n\n"
#define SWITCH "app 1/1 [000] 1.5: sched:sched_switch: x\n\ta1 go (/bin/x)\n\n"
#define WAKE "app 1/1 [000] 2.5: sched:sched_stat_sleep: comm=app pid=1 delay=5 [ns]\n\n"
#define STACKS "a;b 1\na;c 2\na;d 3\na;e 4\na;f 5\na;g 6\na;h 7\na;i 8\n"
#define EXCEPTION "java.io.IOException\n\tat a.b.C.d(C.java:1)\n"
#define DUMP "Full thread dump:\n\n\"main\" prio=5\n   java.lang.Thread.State: RUNNABLE\n\tat a.b.C.d(C.java:1)\n"

/* The first marks decide, except those that prove nothing while better ones could follow. */
static void test_mixtures(void)
{
	static const struct text texts[] = {
		{"perf before an exception", PERF EXCEPTION, "perf"},
		{"an exception before perf", EXCEPTION PERF, "java-exceptions"},
		{"perf before stacks", PERF STACKS, "perf"},
		{"stacks before perf", STACKS PERF, "folded"},
		{"one stack before a thread dump", "a;b 1\n" DUMP, "jstack"},
		{"an exception before a thread dump", EXCEPTION DUMP, "jstack"},
		{"a thread dump before an exception", DUMP EXCEPTION, "jstack"},
		{"sleeps of the scheduler", SWITCH WAKE, "perf-sched"},
		{"sleeps before other events", SWITCH WAKE PERF, "perf-sched"},
		{"other events before sleeps", PERF SWITCH WAKE, "perf"},
		{"other events within sleeps", SWITCH PERF WAKE, "perf"},
		{"switches without sleeps", SWITCH SWITCH, "perf"},
		{"a trace with a schema in it",
	     "{\"traceEvents\":[{\"x\":\"https://www.speedscope.app/file-format-schema.json\"}]}", "chrome-tracing"},
		{"callgrind before stacks", "events: Ir\nfn=main\n" STACKS, "callgrind"},
		{"stacks before callgrind", STACKS "events: Ir\nfn=main\n", "folded"},
		{"a mark in the last line without end", "\nFull stacks", "wcp"},
		{"a mark behind four hundred lines", NULL, "none"},
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct buf text;
		bool stays = true;

		buf_init(&text);
		for (int line = 0; !texts[i].text && line < 400; line++)
			buf_adds(&text, "none\n");
		buf_adds(&text, texts[i].text ? texts[i].text : "Full stacks\n");
		is_str(format_of(text.data, text.len, true), texts[i].format, "%s", texts[i].name);
		for (size_t len = 0; len < text.len; len++) {
			const char *part = format_of(text.data, len, false);
			stays = stays && (strcmp(part, "more") == 0 || strcmp(part, texts[i].format) == 0);
		}
		ok(stays && is_same_cut_anywhere(texts[i].name, text.data, text.len), "and no pause makes it another");
		buf_deinit(&text);
	}
}

/* Certain formats are known at once: the viewer must not stay empty because a source is slow. */
static void test_sure_at_once(void)
{
	is_str(format_of(PERF, sizeof PERF - 2, false), "perf", "one event of perf with its frame is enough");
	is_str(format_of("sh 7 1.5: 1 cycles: 4005d0 main (/bin/sh)\n", 43, false), "perf",
	       "or an event that carries its frame");
	is_str(format_of(STACKS, sizeof STACKS - 1, false), "folded", "eight stacks are enough");
	is_str(format_of(STACKS, sizeof STACKS - 2, false), "more", "seven and the beginning of one are not");
	is_str(format_of("@[\n", 3, false), "bpftrace", "a map that opens is enough");
	is_str(format_of("{\"traceEvents\"", 14, false), "chrome-tracing", "a key of a document needs no end of line");
	is_str(format_of("\177ELF", 4, false), "none", "a program is refused at once");
	is_str(format_of("\177EL", 3, false), "more", "but not by half a magic");
}

/* --- a source that pauses --- */

static bool wait_until_taken(int fd)
{
	int left = 1;

	for (int tries = 0; tries < 2000 && left; tries++) {
		poll(NULL, 0, 5);
		if (ioctl(fd, FIONREAD, &left) != 0)
			return false;
	}
	return left == 0;
}

static bool wait_for_samples(struct loader *l, size_t n)
{
	struct load_status s = {.samples = 0};

	for (int tries = 0; tries < 4000 && s.samples < n && load_is_running(l); tries++) {
		poll(NULL, 0, 5);
		load_get_status(l, &s);
	}
	return s.samples >= n;
}

/* Starts a loader that reads from a pipe; *out is the other end. */
static struct loader *start_on_pipe(const char *format, int *in, int *out)
{
	struct collapse_options o = {.jobs = 2, .format = format};
	int fds[2];

	if (pipe(fds) != 0)
		bail_out("no pipe");
	*in = dup(fds[0]);
	*out = fds[1];
	memset(&reads, 0, sizeof reads);
	struct load_input input = {.path = "live", .fd = fds[0]};
	return load_start(&input, 1, &o, -1);
}

static void put(int fd, const char *text, size_t len)
{
	if (write(fd, text, len) != (ssize_t)len)
		bail_out("a pipe takes nothing");
}

static void test_live(void)
{
	struct profile p;
	struct err err = {""};
	int in, out;
	struct loader *l = start_on_pipe(NULL, &in, &out);

	put(out, PERF, sizeof PERF - 1);
	ok(wait_for_samples(l, 1), "the first sample is there while the source pauses");
	put(out, PERF, sizeof PERF - 1);
	ok(wait_for_samples(l, 2), "and so is the next");
	close(out);
	profile_init(&p);
	ok(load_take(l, &p, &err), "the end of the pipe is the end");
	is_int(p.log[0].total, 14, "of both samples");
	load_free(l);
	profile_deinit(&p);
	close(in);
}

/* A first line longer than the window of a head. */
static void test_pause_in_first_line(void)
{
	struct profile p;
	struct err err = {""};
	struct buf text;
	int in, out;
	struct loader *l = start_on_pipe(NULL, &in, &out);

	buf_init(&text);
	for (int i = 0; i < 6000; i++)
		buf_adds(&text, "f;");
	buf_adds(&text, "g 1\nmain;read 2\n");
	put(out, text.data, 5000);
	ok(wait_until_taken(in), "a pause within the first line");
	poll(NULL, 0, 60); /* gives a wrong conclusion time to appear; correct code passes without it */
	ok(load_is_running(l), "ends nothing");
	put(out, text.data + 5000, text.len - 5000);
	close(out);
	profile_init(&p);
	ok(load_take(l, &p, &err), "and the rest of it tells the format");
	is_str(p.format, "folded", "which is folded");
	is_int(p.log[0].total, 3, "all of it");
	load_free(l);
	profile_deinit(&p);
	close(in);
	buf_deinit(&text);
}

/* The byte order mark is no part of a name, even if it comes byte by byte. */
static void test_byte_order_mark(void)
{
	static const char text[] = "\xef\xbb\xbf"
							   "a;b 1\n";
	struct collapse_options named = {.jobs = 1, .format = "folded"};
	char *expected = all_of(memory_file(text + 3, sizeof text - 4), &named);

	for (size_t cut = 1; cut < 5; cut++) {
		memset(&reads, 0, sizeof reads);
		reads.len[0] = cut;
		char *got = all_of(memory_file(text, sizeof text - 1), &named);
		is_str(got, expected, "a byte order mark with a pause after byte %zu is not part of the text", cut);
		free(got);
	}
	free(expected);
	ok(is_same_cut_anywhere("a byte order mark", text, sizeof text - 1), "nor where the format is not named");
	ok(is_same_cut_anywhere("a byte order mark alone", text, 3) && is_same_cut_anywhere("two bytes of it", text, 2),
	   "nor alone");
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	test_samples();
	test_mixtures();
	test_sure_at_once();
	test_live();
	test_pause_in_first_line();
	test_byte_order_mark();
	return done_testing();
}
