/*
 * Many entries of debug information that name one list of ranges, entries of one byte, and units with one table of
 * abbreviations: what is kept of them counts, for all files that are open, and what is left out is said.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "collapse/perf/perf_frames.h"
#include "collapse/perf/perf_inlines.h"
#include "symbols/debug_cost.h"
#include "symbols/inlines.h"
#include "tests/unit/elf_writer.h"

#ifdef HAVE_LIBDW

#define START 0x1000u
#define SIZE 0x1000u
#define INNER (START + SIZE / 2)      /* the last inlined call, of 16 bytes */
#define ELSEWHERE 0x100000u           /* where the ranges begin, from START on */
#define LIMIT ((uint64_t)1 << 30)     /* of all files, as these are small */
#define LEFT ((uint64_t)8 << 20)      /* less than any of the programs below takes */
#define MOST_PIECES ((size_t)1 << 18) /* of a function */

static char path[] = "/tmp/flametop-test-XXXXXX";

enum { UNIT_OF_RANGES = 1, UNIT, FUNCTION, FUNCTION_OF_RANGES, CALL_OF_RANGES, EMPTY_CALL, CALL };

/* Each: number, tag, has children, pairs of attribute and form; a 0 ends them all. */
static const char abbreviations[] = "\1\x11\0\x55\x17\0\0"           /* UNIT_OF_RANGES: ranges */
									"\2\x11\1\x11\1\x12\7\0\0"       /* UNIT: low, high */
									"\3\x2e\1\3\10\x11\1\x12\7\0\0"  /* FUNCTION: name, low, high */
									"\4\x2e\0\x55\x17\0\0"           /* FUNCTION_OF_RANGES: ranges */
									"\5\x1d\0\x55\x17\0\0"           /* CALL_OF_RANGES: ranges */
									"\6\x1d\0\0\0"                   /* EMPTY_CALL: nothing */
									"\7\x1d\0\3\10\x11\1\x12\7\0\0"; /* CALL: name, low, high */

/* n entries of that kind stand before the function, or its call; those with ranges name the same n_ranges. */
struct shape {
	const char *what;
	int kind;
	size_t n, n_ranges;
	bool is_empty; /* the ranges, which are not kept */
};

static size_t begin_unit(const struct elf_writer *w, struct buf *info)
{
	size_t at = info->len;
	writer_int(w, info, 0, 4); /* length: below */
	buf_add(info, "\4\0\0\0\0\0\x08", 7);
	return at;
}

static void end_unit(struct buf *info, size_t at)
{
	for (size_t i = 0; i < 4; i++)
		info->data[at + i] = (char)((info->len - at - 4) >> 8 * i);
}

static void put_named(const struct elf_writer *w, struct buf *info, int kind, const char *name, uint64_t start,
                      uint64_t size)
{
	buf_addc(info, (char)kind);
	buf_add(info, name, strlen(name) + (*name != '\0'));
	writer_int(w, info, start, 8);
	writer_int(w, info, size, 8);
}

static void put_many(const struct elf_writer *w, struct buf *info, const struct shape *s)
{
	for (size_t i = 0; i < s->n; i++) {
		size_t unit = s->kind == UNIT_OF_RANGES ? begin_unit(w, info) : 0;
		buf_addc(info, (char)s->kind);
		if (s->kind != EMPTY_CALL)
			writer_int(w, info, 0, 4);
		if (s->kind == UNIT_OF_RANGES)
			end_unit(info, unit);
	}
}

static struct buf make_info(const struct elf_writer *w, const struct shape *s)
{
	struct buf info;
	buf_init(&info);
	if (s->kind == UNIT_OF_RANGES)
		put_many(w, &info, s);
	size_t unit = begin_unit(w, &info);
	put_named(w, &info, UNIT, "", START, SIZE);
	if (s->kind == FUNCTION_OF_RANGES)
		put_many(w, &info, s);
	put_named(w, &info, FUNCTION, "outer", START, SIZE);
	if (s->kind == CALL_OF_RANGES || s->kind == EMPTY_CALL)
		put_many(w, &info, s);
	put_named(w, &info, CALL, "inner", INNER, 16);
	buf_add(&info, "\0\0", 2);
	end_unit(&info, unit);
	return info;
}

static void write_file(struct elf_writer *w)
{
	struct buf file = writer_finish(w);
	FILE *f = fopen(path, "w");
	if (!f || fwrite(file.data, 1, file.len, f) != file.len || fclose(f) != 0)
		bail_out("%s", path);
	buf_deinit(&file);
}

static void write_program(const struct shape *s)
{
	struct elf_writer w;
	struct elf_section debug = {.type = 1};
	writer_init(&w, true, false);
	writer_segment(&w, ELF_SEGMENT_EXECUTABLE, 0, 0, 0x1000);
	buf_add(&w.bodies[writer_section(&w, ".debug_abbrev", debug)], abbreviations, sizeof abbreviations);
	struct buf *ranges = &w.bodies[writer_section(&w, ".debug_ranges", debug)];
	for (uint64_t i = 0; i < s->n_ranges; i++) {
		writer_int(&w, ranges, ELSEWHERE + 16 * i, 8);
		writer_int(&w, ranges, ELSEWHERE + 16 * i + (s->is_empty ? 0 : 8), 8);
	}
	buf_pad(ranges, '\0', 16);
	w.bodies[writer_section(&w, ".debug_info", debug)] = make_info(&w, s);
	write_file(&w);
}

/* Is the inlined call found? *cut: is something said to be left out, with the file's name? */
static bool finds_inner(bool *cut)
{
	struct err err = {""};
	const struct inlined_at *frames;
	struct inlines *in = inlines_open(&(struct inlines_files){.path = path}, &err);
	if (!in)
		bail_out("%s", err.text);
	size_t n = inlines_at(in, INNER, &frames);
	bool is_found = n == 2 && frames[0].is_inlined && strcmp(frames[0].name, "inner") == 0;
	const char *name = inlines_cut(in);
	*cut = name && strcmp(name, path) == 0;
	inlines_free(in);
	return is_found;
}

static void test_memory(const struct shape *s)
{
	struct debug_cost others = {0};
	struct err err = {""};
	bool cut;
	write_program(s);
	ok(debug_cost_bytes(&others, LIMIT - LEFT, 0, "others", "what is in them", &err),
	   "%s: other files take much %s", s->what, err.text);
	finds_inner(&cut);
	ok(cut, "then not all of it is read, which is said");
	debug_cost_end(&others);
	ok(debug_cost_bytes(&others, LIMIT, 0, "others", "what is in them", &err), "nothing is counted afterwards %s",
	   err.text);
	debug_cost_end(&others);
	ok(finds_inner(&cut) && !cut, "alone it is read to its end");
}

/* What perf's recordings say of it. */
static void test_note(const struct shape *s, bool is_cut)
{
	const struct collapse_options options = {.inlines = INLINES_SHOWN};
	struct profile profile;
	struct sink sink = {.profile = &profile, .options = &options};
	struct perf_frames frames;
	const struct perf_symbol symbol = {.path = path, .vaddr = INNER};
	struct buf text;
	write_program(s);
	profile_init(&profile);
	perf_frames_init(&frames, &sink, false);
	struct perf_inlines *p = perf_inlines_new(&sink, &frames);
	struct perf_place_frames found = perf_inlines_find(p, &symbol, (struct perf_place_frames){0}, false);
	perf_inlines_free(p);
	perf_frames_deinit(&frames);
	is_int(found.n, is_cut ? 0 : 1, "%s: %s", s->what, is_cut ? "the call after them is lost" : "no call is lost");
	is_int(profile.report.n, is_cut, is_cut ? "which is said" : "and nothing is said");
	buf_init(&text);
	if (profile.report.n)
		note_add(&profile.report.notes[0], &text);
	ok(!is_cut || strstr(buf_str(&text), path), "with the file's name: %s", buf_str(&text));
	buf_deinit(&text);
	profile_deinit(&profile);
}

#define ABBREVIATIONS 15000u

static void put_uleb(struct buf *b, uint64_t v)
{
	for (; v > 0x7f; v >>= 7)
		buf_addc(b, (char)(v | 0x80));
	buf_addc(b, (char)v);
}

/* Units that share one table, and whose entries have its last abbreviation. `odd` is between the first and it. */
static void write_units(size_t n, const char *odd, size_t n_odd)
{
	struct elf_writer w;
	struct elf_section debug = {.type = 1};
	writer_init(&w, true, false);
	writer_segment(&w, ELF_SEGMENT_EXECUTABLE, 0, 0, 0x1000);
	struct buf *table = &w.bodies[writer_section(&w, ".debug_abbrev", debug)];
	for (uint32_t i = 1; i <= ABBREVIATIONS; i++) {
		put_uleb(table, i);
		buf_add(table, "\x11\0\0\0", 4);
		buf_add(table, odd, i == 1 ? n_odd : 0);
	}
	buf_addc(table, 0);
	struct buf *info = &w.bodies[writer_section(&w, ".debug_info", debug)];
	for (size_t i = 0; i < n; i++) {
		size_t unit = begin_unit(&w, info);
		put_uleb(info, ABBREVIATIONS);
		end_unit(info, unit);
	}
	write_file(&w);
}

static void test_abbreviations(const char *what, size_t n, const char *odd, size_t n_odd, bool is_fine)
{
	struct err err = {""};
	write_units(n, odd, n_odd);
	struct inlines *in = inlines_open(&(struct inlines_files){.path = path}, &err);
	if (is_fine)
		ok(in, "%s are read %s", what, err.text);
	else
		ok(!in && errno == EFBIG && strncmp(err.text, path, strlen(path)) == 0, "%s are not: %s", what, err.text);
	inlines_free(in);
}

int main(void)
{
	static const struct shape shapes[] = {
		{"units that share their ranges", UNIT_OF_RANGES, 500, 800, false},
		{"functions that share their ranges", FUNCTION_OF_RANGES, 400, 500, false},
		{"inlined calls that share their ranges", CALL_OF_RANGES, 400, 500, false},
		{"inlined calls of one byte", EMPTY_CALL, 300000, 0, false},
	};
	close(mkstemp(path));
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		test_memory(&shapes[i]);
	test_note(&(struct shape){"few pieces", CALL_OF_RANGES, 10, 500, false}, false);
	test_note(
		&(struct shape){"more pieces than a function may have", CALL_OF_RANGES, MOST_PIECES / 500 + 1, 500, false},
		true);
	test_note(&(struct shape){"few empty ranges", FUNCTION_OF_RANGES, 20, 3000, true}, false);
	test_note(&(struct shape){"more of them than a small file may have", FUNCTION_OF_RANGES, 3000, 3000, true},
	          true);
	/* an attribute whose form is 0, after which libdw may go on otherwise */
	static const char odd[] = {2, 0x34, 0, 3, 0, 0x7f, 0x7f, 0};
	test_abbreviations("ten units that share abbreviations", 10, "", 0, true);
	test_abbreviations("a thousand of them", 1000, "", 0, false);
	test_abbreviations("a thousand with a damaged table", 1000, odd, sizeof odd, false);
	unlink(path);
	return done_testing();
}

#else

int main(void)
{
	skip_all("built without libdw");
}

#endif
