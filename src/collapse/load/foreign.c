/*
 * foreign.c - recognises files that flametop cannot read, and says what helps.
 *
 * Most are profiles in a form that flametop does not read but some tool converts. Others have numbers at the ends
 * of their lines, or are opened by mistake. Marks are as short as possible without matching anything else: "gmon"
 * or "BZh" alone may begin a function's name.
 */
#include "collapse/load/foreign.h"

#include "base/tar_reader.h"
#include "collapse/formats/pprof_wire.h"
#include "collapse/text/lines.h"

#define PY_SPY "record with `py-spy record -f raw -o OUT -- python PROGRAM`"
#define STACKPROF "run `stackprof --stackcollapse FILE > OUT`; it needs a recording with raw: true"
#define RECORD "record with `flametop record -- PROGRAM`"

static bool has_zero(struct slice text)
{
	return slice_find_byte(text.n > 64 ? slice_head(text, 64) : text, '\0') != SIZE_MAX;
}

/* The magic number of the first block, or of the end of an empty file. */
static bool is_bzip2(struct slice text)
{
	return text.n >= 10 && is_digit_byte(text.s[3]) &&
	       (memcmp(text.s + 4, "1AY&SY", 6) == 0 || memcmp(text.s + 4, "\x17rE8P\x90", 6) == 0);
}

/* "v 10400 3", and after it "x PROGRAM": not yet interpreted, so it has addresses without names. */
static bool is_raw_heaptrack(struct slice text)
{
	size_t module = slice_find(text, "\nx "), string = slice_find(text, "\ns ");
	size_t n = 2;
	while (n < text.n && is_hex_byte(text.s[n]))
		n++;
	return n >= 7 && n < text.n && text.s[n] == ' ' && module < string;
}

/* "Process Name, Display Name, Process, Stack, Module, ..." */
static bool is_xperf(struct slice text)
{
	size_t eol = slice_find_byte(text, '\n');
	return eol != SIZE_MAX && slice_has(slice_head(text, eol), "Stack");
}

/* perf archive packs perf's copies of programs: links in .build-id, and the files that they lead to. */
static bool is_perf_archive(struct slice text)
{
	char name[TAR_NAME_MAX + 1];
	return tar_is(text.s, text.n, name) && (strncmp(name, ".build-id/", 10) == 0 ||
	                                        strncmp(name, "[kernel", 7) == 0 || strncmp(name, "[vdso]", 6) == 0);
}

static bool is_tar(struct slice text)
{
	char name[TAR_NAME_MAX + 1];
	return tar_is(text.s, text.n, name);
}

/* The version is after the magic number. */
static bool is_old_jfr(struct slice text)
{
	return text.n >= 6 && memcmp(text.s + 4, "\0\2", 2) != 0;
}

static bool is_go_trace(struct slice text)
{
	return text.n >= 16 && slice_has(slice_head(text, 16), " trace\0");
}

/* "JAVA PROFILE 1.0.1, created ..." */
static bool is_hprof_text(struct slice text)
{
	return text.n > 18 && text.s[18] == ',';
}

static bool is_hprof_dump(struct slice text)
{
	return text.n > 18 && text.s[18] == '\0';
}

/*
 * A sequence of packets, which have a time (8) or a sequence (10). In other messages that begin with field 1, that
 * has none of these.
 */
static bool is_perfetto(struct slice text)
{
	struct wire_field packet, f;
	bool is_bad = false;
	for (int i = 0, n = 0; i < 16 && wire_take_field(&text, &packet, &is_bad) && packet.number == 1; i++) {
		bool is_packet = false;
		while (wire_take_field(&packet.bytes, &f, &is_bad))
			is_packet |= f.number == 8 || f.number == 10;
		n += is_packet && !is_bad;
		if (n == 3)
			return true;
	}
	return false;
}

/* Recognised by their first bytes, and by `check` where other files may begin with those, too. */
static const struct {
	const char *bytes;
	size_t len;
	bool (*check)(struct slice text);
	struct foreign kind;
} magics[] = {
#define BYTES(s) s, sizeof(s) - 1
	{BYTES("FLR\0"),
     is_old_jfr,
     {"a Flight Recorder recording of Java 7 or 8", "open it in JDK Mission Control, or record with a newer Java"}},
	{BYTES("JAVA PROFILE 1.0"),
     is_hprof_text,
     {"a profile of Java's old hprof", "record with async-profiler: `asprof -d 30 -o collapsed -f OUT PID`"}},
	{BYTES("JAVA PROFILE 1.0"),
     is_hprof_dump,
     {"a dump of Java's objects", "record with async-profiler: `asprof -d 30 -o collapsed -f OUT PID`"}},
	{BYTES("go 1."),
     is_go_trace,
     {"an execution trace of Go", "run `go tool trace -pprof=sched FILE > OUT.pb.gz` and read OUT.pb.gz"}},
	{BYTES("SIMPLEPERF"), has_zero, {"a simpleperf recording", "run `stackcollapse.py -i FILE` of simpleperf"}},
	{BYTES("gmon"), has_zero, {"a gprof profile without stacks", RECORD}},
	{BYTES("v "),
     is_raw_heaptrack,
     {"a raw recording of heaptrack", "run `heaptrack --interpret FILE`, or with "
                                      "heaptrack 1.4 `/usr/lib/heaptrack/libexec/heaptrack_interpret <FILE >OUT`"}},
	{BYTES("v8-version,"),
     NULL,
     {"a log of node --prof", "run `node --prof-process --preprocess FILE` and read its output"}},
	{BYTES("memray\0"), NULL, {"a recording of memray", "open it with `memray flamegraph FILE`"}},
	{BYTES("\x04\x08{"), NULL, {"a stackprof profile", STACKPROF}},
	{BYTES("\xfb)"), has_zero, {"a profile of Python's cProfile without stacks", PY_SPY}},
	{BYTES("{)"), has_zero, {"a profile of Python's cProfile without stacks", PY_SPY}},
	{BYTES("\xfb("), has_zero, {"a profile of Python's cProfile without stacks", PY_SPY}},
	{BYTES("{("), has_zero, {"a profile of Python's cProfile without stacks", PY_SPY}},
	{BYTES("\x5e\x97\xca\xfd"), NULL, {"a recording of Sysprof", "open it in Sysprof, or " RECORD}},
	{BYTES("\xdc\xdfJSLB\1\0"),
     NULL,
     {"a profile of Firefox in JsonSlabs", "save it as JSON at profiler.firefox.com"}},
	{BYTES("\x10\0\4FxT\x16\0"), NULL, {"a Fuchsia trace (of magic-trace?)", "open it at ui.perfetto.dev"}},
	{BYTES("\n"),
     is_perfetto,
     {"a trace of Perfetto", "run `traceconv profile FILE`, which writes profiles of pprof"}},
	{BYTES("Process Name,"),
     is_xperf,
     {"a table of xperf or WPA", "run `xperf_to_collapsedstacks.py` of UIforETW on the recording"}},
	{BYTES("bplist00"),
     NULL,
     {"a binary property list (of Instruments?)", "run `xctrace export` and read its output"}},
	{BYTES("SQLite format 3"), NULL, {"a database (of Nsight?)", "`nsys stats FILE` shows its sums"}},
	{BYTES("\177ELF"), NULL, {"a program, not a profile", "run `flametop record -- PROGRAM`"}},
	{BYTES("\xcf\xfa\xed\xfe"), NULL, {"a program, not a profile", "profile it and read the result"}},
	{BYTES("MZ"), has_zero, {"a program, not a profile", "profile it and read the result"}},
	{BYTES("PK\3\4"), NULL, {"a zip archive", "unpack it and open what is inside"}},
	{BYTES("BZh"),
     is_bzip2,
     {"compressed with bzip2",
      "pipe in `bzip2 -dc FILE`; of perf archive: run `tar xf FILE -C ~/.debug` and open perf.data"}},
	{BYTES(""),
     is_perf_archive,
     {"what perf archive packs, programs without a recording",
      "run `tar xf FILE -C ~/.debug` and open perf.data; `flametop bundle` packs both"}},
	{BYTES(""),
     is_tar,
     {"a tar archive that does not begin with perf.data", "`flametop bundle` makes those that can be read"}},
	{BYTES("\x04\x22\x4d\x18"), NULL, {"compressed with lz4", "pipe in `lz4 -dc FILE`"}},
	{BYTES("\xff\xfe"), NULL, {"UTF-16 text", "pipe in `iconv -f UTF-16 -t UTF-8 FILE`"}},
	{BYTES("\xfe\xff"), NULL, {"UTF-16 text", "pipe in `iconv -f UTF-16 -t UTF-8 FILE`"}},
	{BYTES("\x89PNG"), NULL, {"a picture", "open the profile it was made of"}},
	{BYTES("%PDF"), NULL, {"a document", "open the profile it was made of"}},
};
#define N_MAGICS (sizeof magics / sizeof *magics)

static bool is_events(struct slice line)
{
	return slice_starts(line, "events:");
}

static bool is_cachegrind_function(struct slice line)
{
	return slice_starts(line, "fn=");
}

/* strace begins with 'execve("/bin/ls", ["ls"], 0x7ffe' and the number of variables. */
static bool is_traced_start(struct slice line)
{
	return slice_has(line, "execve(\"") && slice_has(line, " vars */) = 0");
}

/* "brk(NULL) = 0x55c0"; a frame is in the next line if there are stacks, before this one. */
static bool is_traced_call(struct slice line)
{
	return slice_has(line, "brk(NULL)") && slice_has(line, " = 0x");
}

/* "# TYPE http_requests_total counter" */
static bool is_metric_type(struct slice line)
{
	static const char *const types[] = {" counter", " gauge", " histogram", " summary", " untyped"};
	for (size_t i = 0; slice_starts(line, "# TYPE ") && i < sizeof types / sizeof *types; i++) {
		if (slice_ends(line, types[i]))
			return true;
	}
	return false;
}

/* Is its first word one of these? A '{' may follow the name of a metric. */
static bool has_first_word(struct slice line, const char *const *words)
{
	for (; *words; words++) {
		size_t n = strlen(*words);
		if (slice_starts(line, *words) && line.n > n && (line.s[n] == ' ' || line.s[n] == '{'))
			return true;
	}
	return false;
}

/* The metrics that client libraries report for every process. */
static bool is_client_metric(struct slice line)
{
	static const char *const words[] = {"process_cpu_seconds_total",
	                                    "process_resident_memory_bytes",
	                                    "process_start_time_seconds",
	                                    "go_goroutines",
	                                    "go_memstats_alloc_bytes",
	                                    "jvm_memory_used_bytes",
	                                    "python_gc_objects_collected_total",
	                                    "node_cpu_seconds_total",
	                                    NULL};
	return has_first_word(line, words);
}

/* /proc/vmstat, memory.stat, cpu.stat. */
static bool is_kernel_count(struct slice line)
{
	static const char *const words[] = {"pgfault", "usage_usec", NULL};
	return has_first_word(line, words);
}

static bool is_other_kernel_count(struct slice line)
{
	static const char *const words[] = {"nr_free_pages", "pgmajfault", "inactive_anon", "user_usec", NULL};
	return has_first_word(line, words);
}

/* Callgrind begins with its version. */
static bool is_cachegrind(struct slice text)
{
	return slice_starts(text, "desc:") || slice_starts(text, "cmd:");
}

static bool is_gprof_rate(struct slice line)
{
	return slice_starts(line, "Each sample counts as ");
}

static bool is_gprof_heading(struct slice line)
{
	return slice_starts(slice_ltrim(line), "%   cumulative");
}

/* Recognised by lines, one of each kind, and by the beginning of the text where another kind has the same lines. */
static const struct {
	bool (*is_mark[2])(struct slice line);
	struct foreign kind;
	bool (*check)(struct slice text);
} listings[] = {
	{{is_events, is_cachegrind_function}, {"a cachegrind profile without stacks", RECORD}, is_cachegrind},
	{{is_traced_start, is_traced_call},
     {"a trace of system calls without stacks", "record with `strace -k`"},
     NULL},
	{{is_metric_type, is_metric_type}, {"a list of metrics for Prometheus", "profile the program itself"}, NULL},
	{{is_client_metric, is_client_metric},
     {"a list of metrics for Prometheus", "profile the program itself"},
     NULL},
	{{is_kernel_count, is_other_kernel_count},
     {"a list of counters of the kernel", "profile the program itself"},
     NULL},
	{{is_gprof_rate, is_gprof_heading}, {"a gprof report without stacks", RECORD}, NULL},
};
#define N_LISTINGS (sizeof listings / sizeof *listings)

#define PAGE_ADVICE "open the profile it was made of; from a server, it may be a page to log in"

/* Recognised by words in a text that no format accepts; all of them must occur. */
static const struct {
	const char *begin; /* the beginning of the text, after any blanks */
	const char *words[2];
	struct foreign kind;
} documents[] = {
	{"<", {"<html", "<html"}, {"a web page", PAGE_ADVICE}},
	{"<", {"<HTML", "<HTML"}, {"a web page", PAGE_ADVICE}},
	{"<", {"<svg", "<svg"}, {"a picture", "open the profile it was made of"}},
	{"{",
     {"\"resourceProfiles\"", "\"dictionary\""},
     {"a profile of OpenTelemetry in JSON", "have it written as protocol buffers"}},
	{"{",
     {"\"snapshot\"", "\"node_fields\""},
     {"a heap snapshot, objects without stacks", "record with `node --heap-prof`"}},
};
#define N_DOCUMENTS (sizeof documents / sizeof *documents)

const struct foreign *foreign_kind(size_t number)
{
	if (number < N_MAGICS)
		return &magics[number].kind;
	number -= N_MAGICS;
	return number < N_LISTINGS ? &listings[number].kind : NULL;
}

static bool has_magic(size_t i, struct slice text)
{
	return text.n >= magics[i].len && memcmp(text.s, magics[i].bytes, magics[i].len) == 0 &&
	       (!magics[i].check || magics[i].check(text));
}

static bool has_marks(size_t i, const struct head *head)
{
	const char *why;
	if (listings[i].check && !listings[i].check((struct slice){head->text, head->len}))
		return false;
	return sniff_any_line(head, listings[i].is_mark[0], "", &why) == SNIFF_YES &&
	       sniff_any_line(head, listings[i].is_mark[1], "", &why) == SNIFF_YES;
}

bool foreign_is(size_t number, const struct head *head)
{
	if (number < N_MAGICS)
		return has_magic(number, (struct slice){head->text, head->len});
	struct head lines = head_lines(head);
	return has_marks(number - N_MAGICS, &lines);
}

const struct foreign *foreign_by_words(const struct head *head)
{
	struct slice text = slice_ltrim((struct slice){head->text, head->len});
	for (size_t i = 0; i < N_DOCUMENTS; i++) {
		if (slice_starts(text, documents[i].begin) && slice_has(text, documents[i].words[0]) &&
		    slice_has(text, documents[i].words[1]))
			return &documents[i].kind;
	}
	return NULL;
}
