/*
 * A function with more pieces of inlined calls than compilers make: an address may not cost a look at each. Calls
 * whose names are the ends of one long text may not take it once for each.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "symbols/inlines.h"
#include "tests/unit/elf_writer.h"

#define START 0x1000u
#define SIZE 0x100000u
#define CALLS 120u
#define PIECES 2000u
#define ADDRESSES 200000u
#define MOST_SECONDS 6 /* of the processor; a look at each piece takes more than 20 */

#ifdef HAVE_LIBDW

static char path[] = "/tmp/flametop-test-XXXXXX";

/* A unit; a function that is inlined; one with code; an inlined call, which has a list of pieces. */
static const unsigned char abbreviations[] = {
	1, 0x11, 1,    0x11, 0x01, 0x12, 0x07, 0,    0, /* low, high */
	2, 0x2e, 0,    0x03, 0x08, 0x20, 0x0b, 0,    0, /* name, inline */
	3, 0x2e, 1,    0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0,
	0, 4,    0x1d, 1,    0x31, 0x13, 0x55, 0x17, 0,    0, /* origin, ranges */
	5, 0x1d, 0,    0x31, 0x13, 0x55, 0x17, 0,    0,    0,
};

static void put_call(const struct elf_writer *w, struct buf *info, int kind, size_t origin, uint64_t ranges)
{
	buf_addc(info, (char)kind);
	writer_int(w, info, origin, 4);
	writer_int(w, info, ranges, 4);
}

static struct buf make_info(const struct elf_writer *w, uint64_t odd)
{
	struct buf info;
	buf_init(&info);
	writer_int(w, &info, 0, 4); /* length: below */
	buf_add(&info, "\4\0\0\0\0\0\x08\1", 8);
	writer_int(w, &info, START, 8);
	writer_int(w, &info, SIZE, 8);
	size_t inlined = info.len;
	buf_add(&info, "\2inlined\0\1", 10);
	buf_add(&info, "\3outer\0", 7);
	writer_int(w, &info, START, 8);
	writer_int(w, &info, SIZE, 8);
	for (size_t i = 0; i < CALLS; i++)
		put_call(w, &info, 5, inlined, 0);
	put_call(w, &info, 4, inlined, odd); /* overlaps the next */
	put_call(w, &info, 5, inlined, odd);
	buf_addc(&info, 0);
	put_call(w, &info, 5, inlined, odd);
	buf_add(&info, "\0\0", 2);
	for (size_t i = 0; i < 4; i++)
		info.data[i] = (char)((info.len - 4) >> 8 * i);
	return info;
}

static void write_elf(struct elf_writer *w)
{
	struct buf file = writer_finish(w);
	FILE *f = fopen(path, "w");
	if (!f || fwrite(file.data, 1, file.len, f) != file.len || fclose(f) != 0)
		bail_out("%s", path);
	buf_deinit(&file);
}

/* CALLS calls with the same pieces of a byte at each second address from START on, and some over all of the rest. */
static void write_program(void)
{
	struct elf_writer w;
	struct elf_section debug = {.type = 1};
	writer_init(&w, true, false);
	writer_segment(&w, ELF_SEGMENT_EXECUTABLE, 0, 0, 0x1000);
	buf_add(&w.bodies[writer_section(&w, ".debug_abbrev", debug)], abbreviations, sizeof abbreviations);
	struct buf *ranges = &w.bodies[writer_section(&w, ".debug_ranges", debug)];
	for (uint64_t i = 0; i < PIECES; i++) {
		writer_int(&w, ranges, 2 * i, 8);
		writer_int(&w, ranges, 2 * i + 1, 8);
	}
	buf_pad(ranges, '\0', 16);
	uint64_t odd = ranges->len;
	writer_int(&w, ranges, 2 * PIECES, 8);
	writer_int(&w, ranges, SIZE, 8);
	buf_pad(ranges, '\0', 16);
	w.bodies[writer_section(&w, ".debug_info", debug)] = make_info(&w, odd);
	write_elf(&w);
}

#define NAMES 2000u
#define LONGEST 20000u

/* NAMES calls of 16 bytes each, whose names begin at one byte after the other of a text. */
static void write_names(void)
{
	/* as above, but the name is an offset in .debug_str, and a call has one piece */
	static const unsigned char kinds[] = {
		1,    0x11, 1,    0x11, 0x01, 0x12, 0x07, 0,    0,    2,    0x2e, 0,    0x03, 0x0e,
		0x20, 0x0b, 0,    0,    3,    0x2e, 1,    0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0,
		0,    4,    0x1d, 0,    0x31, 0x13, 0x11, 0x01, 0x12, 0x07, 0,    0,    0,
	};
	struct elf_writer w;
	struct elf_section debug = {.type = 1};
	writer_init(&w, true, false);
	writer_segment(&w, ELF_SEGMENT_EXECUTABLE, 0, 0, 0x1000);
	buf_add(&w.bodies[writer_section(&w, ".debug_abbrev", debug)], kinds, sizeof kinds);
	struct buf *text = &w.bodies[writer_section(&w, ".debug_str", debug)];
	for (uint32_t i = 0; i < LONGEST / 4; i++)
		buf_addf(text, "%04x", i);
	buf_addc(text, '\0');
	struct buf *info = &w.bodies[writer_section(&w, ".debug_info", debug)];
	writer_int(&w, info, 0, 4); /* length: below */
	buf_add(info, "\4\0\0\0\0\0\x08\1", 8);
	writer_int(&w, info, START, 8);
	writer_int(&w, info, SIZE, 8);
	size_t first = info->len;
	for (size_t i = 0; i < NAMES; i++) {
		buf_addc(info, 2);
		writer_int(&w, info, i, 4);
		buf_addc(info, 1);
	}
	buf_add(info, "\3outer\0", 7);
	writer_int(&w, info, START, 8);
	writer_int(&w, info, SIZE, 8);
	for (size_t i = 0; i < NAMES; i++) {
		put_call(&w, info, 4, first + 6 * i, START + 16 * i);
		writer_int(&w, info, 0, 4);
		writer_int(&w, info, 16, 8);
	}
	buf_add(info, "\0\0", 2);
	for (size_t i = 0; i < 4; i++)
		info->data[i] = (char)((info->len - 4) >> 8 * i);
	write_elf(&w);
}

static void test_names(void)
{
	struct err err = {""};
	const struct inlined_at *frames;
	write_names();
	struct inlines *in = inlines_open(&(struct inlines_files){.path = path}, &err);
	if (!in)
		bail_out("%s", err.text);
	inlines_at(in, START, &frames);
	is_int(strlen(frames[0].name), LONGEST, "a long name is read");
	ok(!inlines_lacks_names(in), "and no name is left out");
	uint64_t bytes = 0;
	for (uint64_t i = 0; i < NAMES; i++)
		bytes += inlines_at(in, START + 16 * i, &frames) == 2 ? strlen(frames[0].name) : 0;
	ok(bytes > LONGEST && bytes < UINT64_C(20) * LONGEST, "names of a file have a limit together: %" PRIu64, bytes);
	is_str(frames[0].name, "{unnamed}", "then calls have none");
	ok(inlines_lacks_names(in), "which is said");
	inlines_free(in);
}

static size_t depth_at(struct inlines *in, uint64_t vaddr)
{
	const struct inlined_at *frames;
	size_t n = inlines_at(in, vaddr, &frames);
	return n > 0 && strcmp(frames[n - 1].name, "outer") == 0 ? n : 0;
}

int main(void)
{
	struct err err = {""};
	close(mkstemp(path));
	write_program();
	struct inlines *in = inlines_open(&(struct inlines_files){.path = path}, &err);
	if (!in)
		bail_out("%s", err.text);
	is_int(depth_at(in, START), 2, "of calls that overlap side by side, one is shown");
	is_int(depth_at(in, START + 1), 1, "between its pieces there is no call");
	is_int(depth_at(in, START + 2 * PIECES - 2), 2, "the last piece");
	is_int(depth_at(in, START + 2 * PIECES - 1), 1, "behind the last piece");
	is_int(depth_at(in, START + 2 * PIECES), 3, "calls within calls, with the first one's calls");
	bool is_right = true;
	for (uint64_t at = 0; at < ADDRESSES; at++)
		is_right = is_right && depth_at(in, START + 2 * PIECES + at) == 3;
	ok(is_right, "so at all addresses");
	double seconds = (double)clock() / CLOCKS_PER_SEC;
	ok(seconds < MOST_SECONDS, "which take little time (%.1f s)", seconds);
	inlines_free(in);
	test_names();
	unlink(path);
	return done_testing();
}

#else

int main(void)
{
	skip_all("built without libdw");
}

#endif
