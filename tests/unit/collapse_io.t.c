/* io - system calls become bytes, time and calls: exact sums, whatever is lost, cut off or makes no sense. */
#include "collapse/perf/perf_io.h"

#include <stdio.h>

#include "model/profile.h"
#include "tests/tap.h"
#include "tests/unit/perfdata_writer.h"

#define TYPE (FIELD_IDENTIFIER | FIELD_TID | FIELD_TIME | FIELD_RAW)

struct fixture {
	struct profile p;
	struct collapse_options options;
	struct sink sink;
	struct perfdata *recording;
	struct perf_io *io;
	struct io_event begin, end; /* the second and the first event */
	uint64_t regs_abi;          /* of all samples */
	struct sample_place place;
};

static void no_sample(void *arg, const struct perfdata_sample *s)
{
	(void)arg;
	(void)s;
}

/* A recording on x86_64 with these n events, 4 at most, in pipe layout. */
static void begin_events(struct fixture *f, unsigned kinds, const char *const names[], size_t n)
{
	static const struct perfdata_hooks hooks = {.sample = no_sample};
	struct perfdata_event events[4];
	struct writer w = writer_new(false);
	for (size_t i = 0; i < n; i++)
		events[i] = (struct perfdata_event){
			.type = EVENT_TRACEPOINT, .config = 442 + i, .sample_type = TYPE, .flags = EVENT_SAMPLE_ID_ALL};
	put_pipe_header(&w, events, n);
	for (size_t i = 0; i < n; i++) {
		begin_record(&w, RECORD_EVENT_UPDATE, 0);
		put_u64(&w, 2);
		put_u64(&w, id_of(i));
		put_name(&w, names[i]);
		end_record(&w);
	}
	begin_record(&w, RECORD_HEADER_FEATURE, 0);
	put_u64(&w, FEATURE_ARCH);
	put_text(&w, "x86_64");
	end_record(&w);
	*f = (struct fixture){.options = {.jobs = 1, .io = kinds}, .recording = perfdata_new(&hooks, NULL)};
	struct err err;
	if (!perfdata_feed(f->recording, w.out.data, w.out.len, &err))
		bail_out("%s", err.text);
	writer_end(&w);
	profile_init(&f->p);
	f->sink = (struct sink){.profile = &f->p, .options = &f->options};
	f->io = perf_io_new(&f->sink, f->recording);
	f->end = perf_io_event(f->io, perfdata_event(f->recording, 0));
	if (n > 1)
		f->begin = perf_io_event(f->io, perfdata_event(f->recording, 1));
	f->place.path = profile_child(&f->p, PATH_ROOT, sink_sym(&f->sink, "app", 3));
}

static void begin_named(struct fixture *f, unsigned kinds, const char *begin, const char *end)
{
	begin_events(f, kinds, (const char *[]){end, begin}, 2);
}

static void begin(struct fixture *f)
{
	begin_named(f, 0, "io-enter", "io-exit");
}

static void deinit(struct fixture *f)
{
	perf_io_free(f->io);
	perfdata_free(f->recording);
	profile_deinit(&f->p);
}

/* A sample of that event, with n bytes of raw data; is it taken? */
static bool take_event(struct fixture *f, uint32_t event, int32_t tid, int64_t number, int64_t result,
                       uint64_t time, size_t n)
{
	struct {
		uint64_t common;
		int64_t number, result, rest[4];
	} raw = {0, number, result, {0}};
	unsigned char *bytes = malloc(n ? n : 1);
	memcpy(bytes, &raw, n);
	struct perfdata_sample s = {.pid = 7, .tid = tid, .time = time, .cpu = UINT32_MAX, .raw = bytes, .n_raw = n};
	const struct io_event e = perf_io_event(f->io, perfdata_event(f->recording, event));
	s.event = event;
	s.regs_abi = f->regs_abi;
	const struct io_call *call = perf_io_call(f->io, &e, &s);
	if (call && e.role == IO_EXIT)
		perf_io_exit(f->io, &e, call, &s, &f->place);
	else if (call)
		perf_io_enter(f->io, call, &s);
	free(bytes);
	return call;
}

static bool take(struct fixture *f, bool is_end, int32_t tid, int64_t number, int64_t result, uint64_t time,
                 size_t n)
{
	return take_event(f, !is_end, tid, number, result, time, n);
}

static void enter(struct fixture *f, int32_t tid, int64_t number, uint64_t time)
{
	take(f, false, tid, number, 0, time, 56);
}

static void leave(struct fixture *f, int32_t tid, int64_t number, int64_t result, uint64_t time)
{
	take(f, true, tid, number, result, time, 24);
}

static void add_stack(struct buf *text, const struct profile *p, uint32_t path)
{
	if (p->parent[path] != PATH_ROOT)
		add_stack(text, p, p->parent[path]);
	buf_addf(text, "%s%s", p->parent[path] != PATH_ROOT ? ";" : "", p->symtab.symbols[p->sym[path]].name);
}

/* Ends the recording. The stacks are "EVENT STACK WEIGHT@TIME", in the order of the log. */
static void gives(struct fixture *f, const char *expected, const char *name)
{
	struct buf text;
	buf_init(&text);
	for (size_t i = 0; i < f->p.log[0].n; i++) {
		buf_addf(&text, "%s ", profile_event_name(&f->p, log_series(&f->p.log[0], i)));
		add_stack(&text, &f->p, f->p.log[0].path[i]);
		buf_addf(&text, " %llu@%llu\n", (unsigned long long)f->p.log[0].weight[i],
		         (unsigned long long)log_time(&f->p.log[0], i));
	}
	is_str(buf_str(&text), expected, "%s", name);
	buf_deinit(&text);
	deinit(f);
}

static bool has_note(struct fixture *f, const char *text)
{
	perf_io_free(f->io);
	f->io = NULL;
	for (size_t i = 0; i < f->p.report.n; i++)
		if (strstr(f->p.report.notes[i].kind, text))
			return true;
	return false;
}

/* Ends the recording. The notes are "KIND: DETAIL" each, but for those on the whole recording. */
static void notes(struct fixture *f, const char *expected, const char *name)
{
	struct buf text;
	buf_init(&text);
	perf_io_free(f->io);
	f->io = NULL;
	for (size_t i = 0; i < f->p.report.n; i++)
		if (*f->p.report.notes[i].detail)
			buf_addf(&text, "%s: %s\n", f->p.report.notes[i].kind, f->p.report.notes[i].detail);
	is_str(buf_str(&text), expected, "%s", name);
	buf_deinit(&text);
	deinit(f);
}

static void test_calls(void)
{
	struct fixture f;
	begin(&f);
	enter(&f, 71, 0, 100);
	enter(&f, 72, 1, 110);
	leave(&f, 72, 1, 4096, 130);
	leave(&f, 71, 0, 10, 150);
	gives(&f,
	      "io-bytes app;write 4096@110\nio-time app;write 20@110\nio-calls app;write 1@110\n"
	      "io-bytes app;read 10@100\nio-time app;read 50@100\nio-calls app;read 1@100\n",
	      "calls of two threads are apart, and begin where they began");
	begin(&f);
	enter(&f, 71, 257, 100);
	leave(&f, 71, 257, 5, 110);
	enter(&f, 71, 74, 120);
	leave(&f, 71, 74, 0, 130);
	enter(&f, 71, 299, 140);
	leave(&f, 71, 299, 3, 150);
	gives(
		&f,
		"io-time app;openat 10@100\nio-calls app;openat 1@100\nio-time app;fsync 10@120\nio-calls app;fsync 1@120\n"
		"io-time app;recvmmsg 10@140\nio-calls app;recvmmsg 1@140\n",
		"descriptors and messages are no bytes");
	begin(&f);
	enter(&f, 71, 0, 100);
	leave(&f, 71, 0, -11, 110);
	enter(&f, 71, 0, 120);
	leave(&f, 71, 0, -512, 130);
	enter(&f, 71, 0, 140);
	leave(&f, 71, 0, -4000, 150);
	gives(&f,
	      "io-time app;read;[EAGAIN] 10@100\nio-calls app;read;[EAGAIN] 1@100\n"
	      "io-time app;read;[interrupted by a signal] 10@120\nio-calls app;read;[interrupted by a signal] 1@120\n"
	      "io-time app;read;[error 4000] 10@140\nio-calls app;read;[error 4000] 1@140\n",
	      "errors have a frame");
}

static void test_disorder(void)
{
	struct fixture f;
	begin(&f);
	leave(&f, 71, 0, 10, 100);
	enter(&f, 71, 0, 110);
	leave(&f, 71, 1, 10, 120);
	leave(&f, 71, 0, 10, 130);
	gives(&f, "", "an end without a beginning, or with another one, counts nowhere");
	begin(&f);
	enter(&f, 71, 0, 100);
	enter(&f, 71, 0, 110);
	leave(&f, 71, 0, 10, 120);
	gives(&f, "io-bytes app;read 10@110\nio-time app;read 10@110\nio-calls app;read 1@110\n",
	      "a call that begins has ended the one before");
	begin(&f);
	enter(&f, 71, 0, 100);
	perf_io_forget(f.io, 71);
	perf_io_forget(f.io, 99);
	leave(&f, 71, 0, 10, 120);
	gives(&f, "", "a number that another thread gets begins anew");
	begin(&f);
	enter(&f, 71, 0, 100);
	perf_io_lost(f.io);
	leave(&f, 71, 0, 10, 120);
	gives(&f, "", "what lies around a gap belongs to different calls");
	begin(&f);
	enter(&f, 71, 0, 100);
	leave(&f, 71, 0, 10, 90);
	gives(&f, "io-bytes app;read 10@100\nio-calls app;read 1@100\n",
	      "a call that ends before it begins has no time");
	begin(&f);
	enter(&f, 71, 0, 100);
	f.place.path = NO_PATH;
	leave(&f, 71, 0, 10, 120);
	gives(&f, "", "a stack that is left out is not counted");
}

static void test_hostile(void)
{
	struct fixture f;
	begin(&f);
	for (size_t n = 0; n < 24; n++)
		take(&f, true, 71, 0, 10, 100, n);
	for (size_t n = 0; n < 16; n++)
		ok(!take(&f, false, 71, 0, 0, 100, n), "raw data of %zu bytes have no number", n);
	enter(&f, 71, 0, 100);
	ok(take(&f, true, 71, 0, 10, 120, 20), "raw data that are cut off in the result");
	leave(&f, 71, INT64_MIN, 10, 120);
	leave(&f, 71, INT64_MAX, 10, 120);
	leave(&f, 71, -1, 10, 120);
	gives(&f, "", "numbers that make no sense are no calls");
	begin(&f);
	enter(&f, -1, 0, 100);
	leave(&f, -1, 0, INT64_MAX, 120);
	enter(&f, 0, 1, UINT64_MAX);
	leave(&f, 0, 1, INT64_MIN, UINT64_MAX);
	gives(&f,
	      "io-bytes app;read 9223372036854775807@100\nio-time app;read 20@100\nio-calls app;read 1@100\n"
	      "io-calls app;write 1@18446744073709551615\n",
	      "whatever is returned, nothing overflows");
}

static void test_notes(void)
{
	struct fixture f;
	begin(&f);
	leave(&f, 71, 0, 10, 100);
	ok(has_note(&f, "began before the recording"), "calls that began before are told");
	deinit(&f);
	begin(&f);
	enter(&f, 71, 0, 100);
	ok(has_note(&f, "had not returned"), "so are those that did not return");
	deinit(&f);
	begin(&f);
	enter(&f, 71, 0, 100);
	perf_io_lost(f.io);
	ok(has_note(&f, "samples were lost"), "and those around losses");
	deinit(&f);
}

#define BEGAN "system calls began before the recording, or in a gap of it, and are left out"
#define OPEN "system calls had not returned when the recording or their thread ended, and are left out"
#define LOST "system calls are left out: samples were lost before they returned"
#define SHORT "system calls are left out: their samples are too short (a damaged file?)"
#define FOREIGN "system calls of 32-bit programs are left out"

/* Each call is in one note. */
static void test_numbers(void)
{
	struct fixture f;
	begin(&f);
	leave(&f, 71, 0, 10, 100);
	enter(&f, 71, 0, 110);
	perf_io_lost(f.io);
	perf_io_lost(f.io);
	leave(&f, 71, 0, 10, 120);
	enter(&f, 71, 0, 130);
	leave(&f, 71, 0, 10, 140);
	notes(&f, BEGAN ": 1 of 3\n" LOST ": 1 of 3\n", "a call around a gap is one");
	begin(&f);
	enter(&f, 71, 0, 110);
	perf_io_lost(f.io);
	leave(&f, 71, 1, 10, 120);
	enter(&f, 72, 0, 130);
	leave(&f, 72, 1, 10, 140);
	notes(&f, BEGAN ": 2 of 4\n" LOST ": 2 of 4\n", "the end of another call is another one");
	begin(&f);
	enter(&f, 71, 0, 110);
	perf_io_lost(f.io);
	enter(&f, 71, 0, 120);
	leave(&f, 71, 0, 10, 130);
	enter(&f, 72, 0, 140);
	enter(&f, 72, 0, 150);
	leave(&f, 72, 0, 10, 160);
	notes(&f, LOST ": 2 of 4\n", "the second beginning is of another call");
	begin(&f);
	enter(&f, 71, 0, 100);
	perf_io_forget(f.io, 71);
	enter(&f, 71, 0, 110);
	enter(&f, 72, 0, 120);
	perf_io_lost(f.io);
	perf_io_forget(f.io, 72);
	enter(&f, 73, 0, 130);
	notes(&f, OPEN ": 2 of 4\n" LOST ": 2 of 4\n", "threads that end leave calls open");
}

/* Programs of 32 bits have other numbers: 3 is their read. */
static void test_foreign(void)
{
	struct fixture f;
	begin(&f);
	f.regs_abi = 1;
	for (uint64_t i = 0; i < 5; i++) {
		enter(&f, 71, 1, 100 + i);
		leave(&f, 71, 1, 10, 100 + i);
	}
	enter(&f, 71, 3, 110);
	leave(&f, 71, 3, 10, 120);
	f.regs_abi = 2;
	enter(&f, 72, 0, 130);
	leave(&f, 72, 0, 10, 140);
	notes(&f, FOREIGN ": 6 of 7\n", "calls of 32-bit programs are counted once, whatever their number");
	begin(&f);
	enter(&f, 71, 1, 100); /* beginnings of our own have no registers */
	f.regs_abi = 1;
	leave(&f, 71, 1, 10, 110);
	notes(&f, FOREIGN ": 1 of 1\n", "their beginning is no call of its own");
	begin_named(&f, IO_ALL, "syscalls:sys_enter_read", "syscalls:sys_exit_read");
	f.regs_abi = 1;
	enter(&f, 71, 3, 100);
	leave(&f, 71, 3, 10, 110);
	gives(&f, "io-bytes app;read 10@100\nio-time app;read 10@100\nio-calls app;read 1@100\n",
	      "a name is that of all programs");
}

static void test_damaged(void)
{
	struct fixture f;
	begin(&f);
	enter(&f, 71, 0, 100);
	take(&f, true, 71, 0, 10, 110, 20);
	enter(&f, 71, 0, 120);
	take(&f, true, 71, 0, 10, 130, 12);
	take(&f, false, 71, 0, 10, 140, 12);
	take(&f, true, 72, 0, 10, 150, 0);
	enter(&f, 71, 0, 160);
	leave(&f, 71, 0, 10, 170);
	notes(&f, SHORT ": 3 of 4\n", "ends that are too short are told, each once");
}

/* Events of one call alone, and such that tell of all, or of the same. */
static void test_mixtures(void)
{
	static const char *const some[] = {"syscalls:sys_exit_read", "syscalls:sys_enter_read",
	                                   "syscalls:sys_exit_write", "syscalls:sys_enter_fsync"};
	static const char *const twice[] = {"raw_syscalls:sys_exit", "raw_syscalls:sys_enter", "syscalls:sys_exit_read",
	                                    "syscalls:sys_enter_read"};
	static const char *const ends[] = {"raw_syscalls:sys_exit", "syscalls:sys_exit_read"};
	struct fixture f;
	begin_events(&f, IO_ALL, some, 4);
	enter(&f, 71, 0, 100);
	leave(&f, 71, 0, 10, 110);
	take_event(&f, 2, 71, 1, 20, 120, 24);
	ok(!take_event(&f, 3, 71, 74, 0, 130, 24), "a call without an end is not begun");
	ok(has_note(&f, "time of some system calls is unknown"), "times that are missing are told");
	ok(has_note(&f, "some system calls are left out"), "and calls that never end");
	gives(&f,
	      "io-bytes app;read 10@100\nio-time app;read 10@100\nio-calls app;read 1@100\n"
	      "io-bytes app;write 20@120\nio-calls app;write 1@120\n",
	      "calls of which only the ends are recorded count beside others");
	for (int is_noted = 0; is_noted < 2; is_noted++) {
		begin_events(&f, IO_ALL, twice, 4);
		take_event(&f, 2, 71, 0, 5, 90, 24);
		take_event(&f, 0, 71, 0, 5, 91, 24);
		for (uint64_t at = 100; at < 300; at += 100) {
			take_event(&f, 3, 71, 0, 0, at, 24);
			take_event(&f, 1, 71, 0, 0, at + 1, 24);
			take_event(&f, 2, 71, 0, 10, at + 10, 24);
			take_event(&f, 0, 71, 0, 10, at + 11, 24);
		}
		if (is_noted)
			notes(&f, BEGAN ": 1 of 3\n", "and is in one note");
		else
			gives(&f,
			      "io-bytes app;read 10@100\nio-time app;read 10@100\nio-calls app;read 1@100\n"
			      "io-bytes app;read 10@200\nio-time app;read 10@200\nio-calls app;read 1@200\n",
			      "a call that two events tell of counts once");
	}
	begin_events(&f, IO_READ, ends, 2);
	for (uint64_t at = 100; at < 300; at += 100) {
		take_event(&f, 0, 71, 0, 10, at, 24);
		take_event(&f, 1, 71, 0, 10, at + 1, 24);
	}
	gives(&f,
	      "io-bytes app;read 10@100\nio-calls app;read 1@100\nio-bytes app;read 10@200\nio-calls app;read 1@200\n",
	      "also if only ends are recorded");
}

static void test_events(void)
{
	struct fixture f;
	begin_named(&f, 0, "raw_syscalls:sys_enter", "raw_syscalls:sys_exit");
	ok(!f.io && f.begin.role == IO_NO_CALL, "tracepoints are events of their own without --io");
	deinit(&f);
	begin_named(&f, IO_WRITE, "raw_syscalls:sys_enter", "raw_syscalls:sys_exit");
	enter(&f, 71, 0, 100);
	leave(&f, 71, 0, 10, 120);
	enter(&f, 71, 1, 130);
	leave(&f, 71, 1, 10, 140);
	gives(&f, "io-bytes app;write 10@130\nio-time app;write 10@130\nio-calls app;write 1@130\n",
	      "--io=write takes what writes");
	begin_named(&f, IO_ALL, "syscalls:sys_enter_pread64", "syscalls:sys_exit_pread64");
	enter(&f, 71, -1, 100);
	leave(&f, 71, -1, 10, 120);
	gives(&f, "io-bytes app;pread64 10@100\nio-time app;pread64 20@100\nio-calls app;pread64 1@100\n",
	      "tracepoints of one call have it in their names");
	begin_named(&f, IO_ALL, "syscalls:sys_enter_close", "syscalls:sys_exit_close");
	ok(!f.io, "others do no I/O");
	ok(f.p.report.n == 1, "which --io is told");
	deinit(&f);
	begin_named(&f, IO_ALL, "page-faults", "syscalls:sys_exit_read");
	leave(&f, 71, 0, 10, 120);
	gives(&f, "io-bytes app;read 10@120\nio-calls app;read 1@120\n", "ends alone have bytes, and no time");
}

static void test_table(void)
{
	struct buf filter;
	buf_init(&filter);
	ok(io_calls_filter(IO_OPEN, "x86_64", &filter), "a filter");
	is_str(buf_str(&filter), "id == 2 || id == 257 || id == 437", "names the numbers of a processor");
	filter.len = 0;
	ok(io_calls_filter(IO_OPEN, "aarch64", &filter), "another processor");
	is_str(buf_str(&filter), "id == 56 || id == 437", "has others");
	ok(!io_calls_filter(IO_ALL, "sparc64", &filter), "an unknown one has none");
	ok(!io_call_numbered(0, "sparc64"), "nor calls");
	is_str(io_call_numbered(63, "aarch64")->name, "read", "a call by its number");
	is_int(io_kinds("read"), IO_READ, "a word");
	is_int(io_kinds(""), 0, "no word");
	is_str(io_kinds_word(io_kinds("write")), "write", "and back");
	is_str(io_kinds_word(IO_ALL), "all", "all of them");
	buf_deinit(&filter);
}

int main(void)
{
	test_calls();
	test_disorder();
	test_hostile();
	test_notes();
	test_numbers();
	test_foreign();
	test_damaged();
	test_mixtures();
	test_events();
	test_table();
	return done_testing();
}
