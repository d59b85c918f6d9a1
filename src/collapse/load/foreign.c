/*
 * foreign.c - recognises files that flametop cannot read, and says what helps.
 *
 * Most are profiles in a form that flametop does not read but some tool converts. Others have numbers at the ends
 * of their lines, or are opened by mistake. Marks are as short as possible without matching anything else: "gmon"
 * or "BZh" alone may begin a function's name.
 */
#include "collapse/load/foreign.h"

#include "base/tar_reader.h"
#include "collapse/text/lines.h"

#define RECORD "record with `flametop record -- PROGRAM`"
#define WITHOUT_DEBUG "fetch it without debug=: then it is a pprof profile, which can be read"

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

/* "heap profile: 1: 4096 [1: 4096] @ heap/8192"; gperftools writes "@ heapprofile". */
static bool is_go_heap(struct slice text)
{
	size_t eol = slice_find_byte(text, '\n');
	return eol != SIZE_MAX && slice_has(slice_head(text, eol), "@ heap/");
}

static bool is_line(struct slice text)
{
	return slice_find_byte(text, '\n') != SIZE_MAX;
}

/* "v 10400 3": the version of heaptrack, in hexadecimal, and of its file format. */
static bool is_heaptrack(struct slice text)
{
	size_t eol = slice_find_byte(text, '\n');
	if (eol == SIZE_MAX)
		return false;
	struct slice line = slice_rtrim(slice_from(slice_head(text, eol), 2)), word = slice_take_word(&line);
	if (word.n < 5)
		return false;
	for (size_t i = 0; i < word.n; i++) {
		if (!is_hex_byte(word.s[i]))
			return false;
	}
	word = slice_take_word(&line);
	return word.n && slice_is_digits(word) && !slice_ltrim(line).n;
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

static bool is_go_trace(struct slice text)
{
	return text.n >= 16 && slice_has(slice_head(text, 16), " trace\0");
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
     NULL,
     {"a Java Flight Recorder recording", "run `jfrconv FILE.jfr OUT.collapsed` of async-profiler"}},
	{BYTES("JAVA PROFILE 1.0"),
     NULL,
     {"a dump of Java's hprof", "record with async-profiler: `asprof -d 30 -o collapsed -f OUT PID`"}},
	{BYTES("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
     NULL,
     {"a CPU profile of gperftools", "run `pprof --collapsed PROGRAM FILE`"}},
	{BYTES("\0\0\0\0\3\0\0\0\0\0\0\0"),
     NULL,
     {"a CPU profile of gperftools", "run `pprof --collapsed PROGRAM FILE`"}},
	{BYTES("heap profile: "), is_go_heap, {"a heap profile of Go as text", WITHOUT_DEBUG}},
	{BYTES("heap profile: "), is_line, {"a heap profile of gperftools", "run `pprof --collapsed PROGRAM FILE`"}},
	{BYTES("heap_v2/"), NULL, {"a heap profile of jemalloc", "run `jeprof --collapsed PROGRAM FILE`"}},
	{BYTES("goroutine profile: "), NULL, {"a list of goroutines as text", WITHOUT_DEBUG}},
	{BYTES("threadcreate profile: "), NULL, {"a list of Go's threads as text", WITHOUT_DEBUG}},
	{BYTES("--- mutex:"), NULL, {"a mutex profile of Go as text", WITHOUT_DEBUG}},
	{BYTES("--- contention:"), NULL, {"a block profile of Go as text", WITHOUT_DEBUG}},
	{BYTES("go 1."),
     is_go_trace,
     {"an execution trace of Go", "run `go tool trace -pprof=sched FILE` and read its output"}},
	{BYTES("SIMPLEPERF"), has_zero, {"a simpleperf recording", "run `stackcollapse.py -i FILE` of simpleperf"}},
	{BYTES("gmon"), has_zero, {"a gprof profile without stacks", RECORD}},
	{BYTES("# callgrind format"), NULL, {"a callgrind call graph without stacks", RECORD}},
	{BYTES("v "), is_heaptrack, {"a recording of heaptrack", "run `heaptrack_print -F OUT FILE` and read OUT"}},
	{BYTES("v8-version,"), NULL, {"a log of node --prof", "record with `node --cpu-prof`"}},
	{BYTES("MOJ"), has_zero, {"a binary profile of Austin", "run `mojo2austin FILE OUT` and read OUT"}},
	{BYTES("memray"), has_zero, {"a recording of memray", "run `memray flamegraph FILE`"}},
	{BYTES("\x04\x08{"), NULL, {"a stackprof profile", "run `stackprof --stackcollapse FILE` and read its output"}},
	{BYTES("\xfb("), NULL, {"a profile of Python's cProfile without stacks", "record with `py-spy record -f raw`"}},
	{BYTES("{("),
     has_zero,
     {"a profile of Python's cProfile without stacks", "record with `py-spy record -f raw`"}},
	{BYTES("\x5e\x97\xca\xfd"), NULL, {"a recording of Sysprof", RECORD}},
	{BYTES("\x10\0\4FxT\x16\0"), NULL, {"a Fuchsia trace (of magic-trace?)", "open it at ui.perfetto.dev"}},
	{BYTES("Process Name,"),
     is_xperf,
     {"a table of xperf or WPA", "run `xperf_to_collapsedstacks.py` of UIforETW on the recording"}},
	{BYTES("bplist00"),
     NULL,
     {"a binary property list (of Instruments?)", "run `xctrace export` and read its output"}},
	{BYTES("SQLite format 3"), NULL, {"a database (of Nsight?)", "export the call stacks as text"}},
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

/* "goroutine 7 [semacquire, 2 minutes]:" */
static bool is_goroutine(struct slice line)
{
	return slice_take(&line, "goroutine ") && slice_take_digits(&line).n && slice_starts(line, " [") &&
	       slice_ends(line, "]:");
}

static bool is_events(struct slice line)
{
	return slice_starts(line, "events:");
}

static bool is_callgrind_function(struct slice line)
{
	return slice_starts(line, "fn=");
}

static bool is_massif_description(struct slice line)
{
	return slice_starts(line, "desc:");
}

static bool is_massif_snapshot(struct slice line)
{
	return slice_starts(line, "snapshot=");
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
	{{is_events, is_callgrind_function}, {"a cachegrind profile without stacks", RECORD}, is_cachegrind},
	{{is_events, is_callgrind_function}, {"a callgrind call graph without stacks", RECORD}, NULL},
	{{is_goroutine, is_goroutine},
     {"a dump of goroutines",
      "fetch /debug/pprof/goroutine without debug=: then it is a pprof profile, which can be read"},
     NULL},
	{{is_massif_description, is_massif_snapshot},
     {"a heap profile of massif", "open it with `ms_print FILE`"},
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

/* Recognised by words in a text that no format accepts; all of them must occur. */
static const struct {
	const char *begin; /* the beginning of the text, after any blanks */
	const char *words[2];
	struct foreign kind;
} documents[] = {
	{"<",
     {"const cpool = [", "unpack(cpool)"},
     {"a flame graph of async-profiler", "run `jfrconv -o collapsed FILE.html OUT`"}},
	{"<", {"<html", "<html"}, {"a web page", "open the profile it was made of"}},
	{"<", {"<HTML", "<HTML"}, {"a web page", "open the profile it was made of"}},
	{"<", {"<svg", "<svg"}, {"a picture", "open the profile it was made of"}},
	{"{", {"\"meta\"", "\"threads\""}, {"a profile of Firefox or samply", "open it at profiler.firefox.com"}},
	{"{",
     {"\"meta\"", "\"preprocessedProfileVersion\""},
     {"a profile of Firefox or samply", "open it at profiler.firefox.com"}},
	{"{",
     {"\"frames\"", "\"missed_samples\""},
     {"a stackprof profile", "run `stackprof --stackcollapse FILE` and read its output"}},
	{"{",
     {"\"frames\"", "\"raw_timestamp_deltas\""},
     {"a stackprof profile", "run `stackprof --stackcollapse FILE` and read its output"}},
	{"{", {"\"dhatFileVersion\"", "\"pps\""}, {"a DHAT profile", "open it in dh_view.html of Valgrind"}},
	{"{", {"\"snapshot\"", "\"node_fields\""}, {"a heap snapshot without stacks", "record with `node --cpu-prof`"}},
	{"{", {"\"selfSize\"", "\"callFrame\""}, {"a heap profile of V8", "open it in Chrome's developer tools"}},
	{"{", {"\"head\"", "\"hitCount\""}, {"a CPU profile of an old V8", "record with `node --cpu-prof`"}},
	{"{",
     {"\"cost_centres\"", "\"rts_arguments\""},
     {"a Haskell profile in JSON", "run the program with +RTS -P instead of -pj"}},
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
	struct slice text = {head->text, head->len < 65536 ? head->len : 65536};
	text = slice_ltrim(text);
	for (size_t i = 0; i < N_DOCUMENTS; i++) {
		if (slice_starts(text, documents[i].begin) && slice_has(text, documents[i].words[0]) &&
		    slice_has(text, documents[i].words[1]))
			return &documents[i].kind;
	}
	return NULL;
}
