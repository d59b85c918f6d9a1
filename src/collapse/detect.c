/*
 * detect.c - which format an input is in, or why it is in none.
 *
 * Every format has a sniffer, and the table puts them in an order in which the first that says yes is right. What
 * is left for this file is the case that none does: then the user has to learn what flametop made of the input.
 * Well-known kinds of files that hold profiles, but not as text that could be read here, are named together with
 * the command that turns them into something readable; for everything else, the formats that came near are listed
 * with what was missing.
 */
#include "collapse/formats.h"
#include "collapse/lines.h"

/* A kind of file that begins with these bytes. */
struct magic {
	const char *bytes;
	size_t len;
	const char *what, *instead;
};

#define BYTES(s) s, sizeof(s) - 1

static const struct magic magics[] = {
	{BYTES("PERFILE2"), "a perf.data recording on a pipe",
     "save it to a file and open that, or pipe in `perf script`"},
	{BYTES("2ELIFREP"), "a perf.data recording of a big-endian machine", "run `perf script` and read its output"},
	{BYTES("PERFFILE"), "a perf.data recording of an old version",
     "run `perf script` of that version and read its output"},
	{BYTES("FLR\0"), "a Java Flight Recorder recording", "run `jfrconv FILE.jfr OUT.collapsed` of async-profiler"},
	{BYTES("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), "a CPU profile of gperftools",
     "run `pprof --collapsed PROGRAM FILE`"},
	{BYTES("\0\0\0\0\3\0\0\0\0\0\0\0"), "a CPU profile of gperftools", "run `pprof --collapsed PROGRAM FILE`"},
	{BYTES("heap profile:"), "a heap profile of gperftools", "run `pprof --collapsed PROGRAM FILE`"},
	{BYTES("SIMPLEPERF"), "a simpleperf recording", "run `stackcollapse.py -i FILE` of simpleperf"},
	{BYTES("gmon"), "a gprof profile, which has no stacks", "record with `flametop record -- PROGRAM`"},
	{BYTES("# callgrind format"), "a callgrind call graph, which has no stacks",
     "record with `flametop record -- PROGRAM`"},
	{BYTES("bplist00"), "a binary property list (of Instruments?)", "run `xctrace export` and read its output"},
	{BYTES("SQLite format 3"), "a database (of Nsight?)", "export the call stacks as text"},
	{BYTES("\177ELF"), "a program, not a profile", "run `flametop record -- PROGRAM`"},
	{BYTES("\xcf\xfa\xed\xfe"), "a program, not a profile", "profile it and read the result"},
	{BYTES("MZ"), "a program, not a profile", "profile it and read the result"},
	{BYTES("PK\3\4"), "a zip archive", "unpack it and open what is inside"},
	{BYTES("BZh"), "compressed with bzip2", "pipe in `bzip2 -dc FILE`"},
	{BYTES("\x04\x22\x4d\x18"), "compressed with lz4", "pipe in `lz4 -dc FILE`"},
	{BYTES("\xff\xfe"), "UTF-16 text", "pipe in `iconv -f UTF-16 -t UTF-8 FILE`"},
	{BYTES("\xfe\xff"), "UTF-16 text", "pipe in `iconv -f UTF-16 -t UTF-8 FILE`"},
	{BYTES("\x89PNG"), "a picture", "open the profile it was made of"},
	{BYTES("%PDF"), "a document", "open the profile it was made of"},
};

/* Text formats of other viewers, known by words near the beginning. All of the words have to be there. */
static const struct {
	const char *words[2];
	const char *what, *instead;
} relatives[] = {
	{{"<svg", "<svg"}, "a picture", "open the profile it was made of"},
	{{"<html", "<html"}, "a web page", "open the profile it was made of"},
	{{"\"meta\"", "\"threads\""}, "a profile of Firefox or samply", "open it at profiler.firefox.com"},
	{{"\"raw_timestamp_deltas\"", "\"frames\""}, "a stackprof profile", "run `stackprof --collapsed FILE`"},
	{{"\"dhatFileVersion\"", "\"pps\""}, "a DHAT profile", "open it in dh_view.html of Valgrind"},
	{{"\"cost_centres\"", "\"rts_arguments\""},
     "a Haskell profile in JSON",
     "run the program with +RTS -P instead of -pj"},
	{{"events:", "fn="}, "a callgrind call graph, which has no stacks", "record with `flametop record -- PROGRAM`"},
	{{"Each sample counts as", "cumulative"},
     "a gprof report, which has no stacks",
     "record with `flametop record -- PROGRAM`"},
};

static bool fail_known(struct err *err, const char *file, const char *what, const char *instead)
{
	return fail(err, "%s: this is %s, which cannot be read (%s)", file, what, instead);
}

static bool starts_with(const struct head *head, const char *bytes, size_t len)
{
	return head->len >= len && memcmp(head->text, bytes, len) == 0;
}

/* Sets err and returns true if the input is of a kind that is known, and known not to be readable. */
static bool is_known_binary(const struct head *head, const char *file, struct err *err)
{
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
		if (starts_with(head, magics[i].bytes, magics[i].len)) {
			fail_known(err, file, magics[i].what, magics[i].instead);
			return true;
		}
	}
	return false;
}

static bool is_known_relative(const struct head *head, const char *file, struct err *err)
{
	struct slice text = {head->text, head->len < 65536 ? head->len : 65536};
	for (size_t i = 0; i < sizeof relatives / sizeof *relatives; i++) {
		if (slice_has(text, relatives[i].words[0]) && slice_has(text, relatives[i].words[1])) {
			fail_known(err, file, relatives[i].what, relatives[i].instead);
			return true;
		}
	}
	return false;
}

static bool is_blank(const struct head *head)
{
	for (size_t i = 0; i < head->len; i++) {
		if (!is_blank_byte(head->text[i]))
			return false;
	}
	return true;
}

/* The first line that is not blank, and its number. */
static struct slice first_line(const struct head *head, unsigned *number)
{
	const char *p = head->text;
	struct slice line = {"", 0};
	for (*number = 1; head_line(&p, head->text + head->len, &line.s, &line.n) && !slice_trim(line).n; ++*number)
		;
	line = slice_trim(line);
	return line.n > 60 ? slice_head(line, 60) : line;
}

/* "a;b 1e400", "a;b -1": folded, but for the count. */
static bool has_bad_count(struct slice line)
{
	size_t space = slice_find_last(line, ' ');
	uint64_t whole;
	uint32_t millionths;
	if (space != SIZE_MAX && number_count(line.s + space + 1, line.n - space - 1, &whole, &millionths))
		return false;
	return space != SIZE_MAX && slice_find_byte(slice_head(line, space), ';') != SIZE_MAX && space + 1 < line.n &&
	       strchr("+-.0123456789iInN", line.s[space + 1]);
}

/* "perf: an event line without ...; folded: fewer than nine ..." */
static void list_nearest(const struct head *head, struct buf *out)
{
	for (const struct collapse_format *const *f = collapse_formats; *f; f++) {
		const char *why = "";
		if ((*f)->is_asked_for || !(*f)->sniff || (*f)->sniff(head, &why) != SNIFF_MAYBE)
			continue;
		buf_addf(out, "%s%s: %s", out->len ? "; " : "", (*f)->name, why);
	}
}

static void fail_unknown(const struct head *head, const char *file, struct err *err)
{
	unsigned number;
	struct slice line = first_line(head, &number);
	struct buf nearest;
	if (memchr(head->text, '\0', head->len)) {
		fail(err, "%s: binary data of a kind that is not known (expected a format of --format=help)", file);
		return;
	}
	if (has_bad_count(line)) {
		fail(err, "%s:%u: bad count in '%.*s' (expected folded stacks, 'frame;frame;frame count', counts below 2^64)", file,
		     number, (int)line.n, line.s);
		return;
	}
	buf_init(&nearest);
	list_nearest(head, &nearest);
	fail(err,
	     "%s:%u: not a profile format that is known, it begins '%.*s' (%s%sexpected one of --format=help, or -f NAME)",
	     file, number, (int)line.n, line.s, buf_str(&nearest), nearest.len ? "; " : "");
	buf_deinit(&nearest);
}

const struct collapse_format *collapse_detect(const struct head *head, const char *file, struct err *err)
{
	const char *why;
	if (is_blank(head)) {
		fail(err,
		     head->is_all ? "%s: the input is empty (expected a profile)"
		                  : "%s: nothing but white space at the beginning (expected a profile)",
		     file);
		return NULL;
	}
	if (is_known_binary(head, file, err))
		return NULL;
	for (const struct collapse_format *const *f = collapse_formats; *f; f++) {
		if (!(*f)->is_asked_for && (*f)->sniff && (*f)->sniff(head, &why) == SNIFF_YES)
			return *f;
	}
	if (!is_known_relative(head, file, err))
		fail_unknown(head, file, err);
	return NULL;
}
