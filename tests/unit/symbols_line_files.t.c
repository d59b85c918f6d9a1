/*
 * What line tables know of source files: tables of both byte orders and offset sizes; damaged ones do no harm.
 */
#include "symbols/line_files.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "symbols/elf_compressed.h"
#include "tests/tap.h"
#include "tests/unit/elf_writer.h"

#define MD5_LEN 16u

enum { PATH = 1, DIRECTORY = 2, TIME = 3, MD5 = 5, SOURCE = 0x2001 };
enum { STRING = 0x08, STRP = 0x0e, UDATA = 0x0f, DATA16 = 0x1e, LINE_STRP = 0x1f, STRX1 = 0x25 };

static bool is_big, is_long;

static void add_number(struct buf *b, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		buf_addc(b, (char)(v >> 8 * (is_big ? bytes - 1 - i : i)));
}

static void add_offset(struct buf *b, uint64_t v)
{
	add_number(b, v, is_long ? 8 : 4);
}

static void add_uleb(struct buf *b, uint64_t v)
{
	for (; v > 0x7f; v >>= 7)
		buf_addc(b, (char)(v | 0x80));
	buf_addc(b, (char)v);
}

static void add_text(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text) + 1);
}

/* A unit around directories and files. */
static void add_unit(struct buf *out, unsigned version, const struct buf *files)
{
	struct buf rest;
	buf_init(&rest);
	add_number(&rest, version, 2);
	buf_add(&rest, "\x08\x00", 2);
	add_offset(&rest, 6 + 2 + files->len);
	buf_add(&rest, "\x01\x01\x01\xfb\x0e\x03\x00\x01", 8);
	buf_add(&rest, files->data, files->len);
	buf_adds(&rest, "program");
	if (is_long)
		add_number(out, UINT32_MAX, 4);
	add_offset(out, rest.len);
	buf_add(out, rest.data, rest.len);
	buf_deinit(&rest);
}

static void add_md5(struct buf *b, char with)
{
	buf_pad(b, with, MD5_LEN);
}

/* "/home/me", "src", "/usr/include" */
static void add_directories(struct buf *b)
{
	buf_add(b, "\x01\x01\x08\x03", 4);
	add_text(b, "/home/me");
	add_text(b, "src");
	add_text(b, "/usr/include");
}

static void begin_files(struct buf *b, unsigned n)
{
	buf_addc(b, 3);
	add_uleb(b, PATH), add_uleb(b, STRING);
	add_uleb(b, DIRECTORY), add_uleb(b, UDATA);
	add_uleb(b, MD5), add_uleb(b, DATA16);
	add_uleb(b, n);
}

static void add_file(struct buf *b, const char *name, unsigned directory, char md5)
{
	add_text(b, name);
	add_uleb(b, directory);
	add_md5(b, md5);
}

static struct line_section section(struct buf *b)
{
	size_t n = b->len;
	return (struct line_section){(unsigned char *)buf_take(b), n};
}

static struct line_files *read_line(struct buf *line)
{
	return line_files_read(&(struct line_sections){.line = section(line), .is_big = is_big});
}

static void has_md5(const struct line_files *f, const char *name, char with, const char *what)
{
	char md5[MD5_LEN];
	struct source_facts facts = {.built = 7};
	memset(md5, with, sizeof md5);
	line_files_find(f, name, &facts);
	if (with)
		is_mem(facts.md5, facts.md5 ? MD5_LEN : 0, md5, MD5_LEN, "%s", what);
	else
		ok(!facts.md5, "%s", what);
	ok(facts.built == 7, "other facts stay");
}

static void test_names(void)
{
	struct buf line, files;
	buf_init(&line);
	buf_init(&files);
	add_directories(&files);
	begin_files(&files, 8);
	add_file(&files, "hot.c", 0, 'a');
	add_file(&files, "hot.c", 1, 'b');
	add_file(&files, "hot.c", 2, 'c');
	add_file(&files, "/tmp/./hot.c", 1, 'd');
	add_file(&files, "../up.c", 1, 'e');
	add_file(&files, "nowhere.c", 9, 'f');
	add_file(&files, "unread.c", 0, 0);
	add_file(&files, "", 0, 'g');
	add_unit(&line, 5, &files);
	struct line_files *f = read_line(&line);
	has_md5(f, "/home/me/hot.c", 'a', "a file is in its directory");
	has_md5(f, "/home/me/src/hot.c", 'b', "a relative directory is in the first one");
	has_md5(f, "/home//me/x/../src/./hot.c", 'b', "names are compared part by part");
	has_md5(f, "/usr/include/hot.c", 'c', "an absolute one is not");
	has_md5(f, "/tmp/hot.c", 'd', "an absolute name has no directory");
	has_md5(f, "/home/me/up.c", 'e', "two points lead out of a directory");
	has_md5(f, "nowhere.c", 'f', "a directory that is not there adds nothing");
	has_md5(f, "/home/me/unread.c", 0, "zeros are no checksum");
	has_md5(f, "/home/me/src/cold.c", 0, "other files are unknown");
	has_md5(f, "/home/me", 0, "a directory is no file");
	has_md5(f, "", 0, "nor is nothing");
	line_files_free(f);
	buf_deinit(&files);
}

/* Names and sources in other sections, and members that are of no use. */
static void test_forms(void)
{
	struct buf line, files, line_str, str;
	struct source_facts facts = {0};
	buf_init(&line), buf_init(&files), buf_init(&line_str), buf_init(&str);
	add_text(&line_str, "/d");
	add_text(&line_str, "a.c");
	add_text(&line_str, "int a;\n");
	add_text(&str, "b.c");
	buf_adds(&str, "int b;"); /* without a NUL */
	buf_add(&files, "\x01\x01\x1f\x01", 4);
	add_offset(&files, 0);
	buf_addc(&files, 4);
	add_uleb(&files, PATH), add_uleb(&files, LINE_STRP);
	add_uleb(&files, TIME), add_uleb(&files, UDATA);
	add_uleb(&files, SOURCE), add_uleb(&files, LINE_STRP);
	add_uleb(&files, 0x3fff), add_uleb(&files, STRX1);
	add_uleb(&files, 2);
	add_offset(&files, 3), add_uleb(&files, 300), add_offset(&files, 7), buf_addc(&files, 0);
	add_offset(&files, 99), add_uleb(&files, 300), add_offset(&files, 7), buf_addc(&files, 0);
	add_unit(&line, 5, &files);
	files.len = 0;
	buf_add(&files, "\x01\x01\x08\x01/d\x00", 7);
	buf_addc(&files, 2);
	add_uleb(&files, PATH), add_uleb(&files, STRP);
	add_uleb(&files, SOURCE), add_uleb(&files, STRP);
	add_uleb(&files, 1);
	add_offset(&files, 0), add_offset(&files, 4);
	add_unit(&line, 5, &files);
	struct line_files *f =
		line_files_read(&(struct line_sections){section(&line), section(&line_str), section(&str), is_big});
	line_files_find(f, "/d/a.c", &facts);
	is_mem(facts.text, facts.len, "int a;\n", 7, "the text of a file");
	ok(!facts.md5, "which has no checksum");
	line_files_find(f, "/d/b.c", &facts);
	is_mem(facts.text, facts.len, "int b;", 6, "the text of another section, which ends with it");
	line_files_find(f, "/d/c.c", &facts);
	ok(!facts.text && facts.len == 0, "no text of a file that is not there");
	line_files_free(f);
	buf_deinit(&files);
}

static void test_units(void)
{
	struct buf line, files;
	buf_init(&line), buf_init(&files);
	add_directories(&files);
	begin_files(&files, 2);
	add_file(&files, "same.c", 0, 'a');
	add_file(&files, "other.c", 0, 'a');
	add_unit(&line, 4, &files);
	add_unit(&line, 5, &files);
	add_unit(&line, 5, &files);
	files.len = 0;
	add_directories(&files);
	begin_files(&files, 1);
	add_file(&files, "other.c", 0, 'b');
	add_unit(&line, 6, &files);
	add_unit(&line, 5, &files);
	struct line_files *f = read_line(&line);
	has_md5(f, "/home/me/same.c", 'a', "a file of several units");
	has_md5(f, "/home/me/other.c", 0, "units that do not agree");
	line_files_free(f);
	buf_deinit(&files);
}

/* Every beginning of a table, and every byte of it changed. */
static void test_damaged(void)
{
	static const char values[] = {0, 1, 0x1f, 0x7f, (char)0x80, (char)0xff};
	struct buf whole, files;
	struct source_facts facts;
	size_t n_known = 0;
	buf_init(&whole), buf_init(&files);
	add_directories(&files);
	begin_files(&files, 1);
	add_file(&files, "hot.c", 0, 'a');
	add_unit(&whole, 5, &files);
	for (size_t i = 0; i < whole.len * (1 + sizeof values); i++) {
		size_t at = i % whole.len, change = i / whole.len;
		struct buf part;
		buf_init(&part);
		buf_add(&part, whole.data, change ? whole.len : at);
		if (change)
			part.data[at] = values[change - 1];
		struct line_files *f = read_line(&part);
		line_files_find(f, "/home/me/hot.c", &facts);
		n_known += facts.md5 != NULL;
		line_files_free(f);
	}
	ok(n_known > 0, "damaged tables do no harm");
	buf_deinit(&files);
	buf_deinit(&whole);
}

/* Many entries of few or no bytes. */
static void test_hostile(void)
{
	struct buf line, files, line_str;
	buf_init(&line), buf_init(&files), buf_init(&line_str);
	buf_addc(&files, 0);
	add_uleb(&files, UINT64_MAX);
	buf_addc(&files, 0);
	add_uleb(&files, UINT64_MAX);
	add_unit(&line, 5, &files);
	double start = tap_seconds();
	line_files_free(read_line(&line));
	ok(tap_seconds() - start < 1, "entries without bytes end");

	files.len = 0;
	buf_add(&files, "\x00\x00\x02", 3);
	add_uleb(&files, PATH), add_uleb(&files, LINE_STRP);
	add_uleb(&files, MD5), add_uleb(&files, DATA16);
	add_uleb(&files, 1000000);
	for (unsigned i = 0; i < 1000000; i++)
		add_offset(&files, i % 3000), add_number(&files, i, 8), add_number(&files, i, 8);
	add_unit(&line, 5, &files);
	buf_pad(&line_str, 'x', 4000);
	start = tap_seconds();
	line_files_free(
		line_files_read(&(struct line_sections){section(&line), section(&line_str), {NULL, 0}, is_big}));
	ok(tap_seconds() - start < 5, "entries that share a long name take no time");
	buf_deinit(&files);
}

/* What zlib makes of bytes that it does not compress. */
static void add_stored(struct buf *out, const struct buf *bytes)
{
	uint32_t a = 1, b = 0;
	for (size_t i = 0; i < bytes->len; i++) {
		a = (a + (unsigned char)bytes->data[i]) % 65521;
		b = (b + a) % 65521;
	}
	buf_add(out, "\x78\x01\x01", 3);
	for (unsigned i = 0; i < 4; i++)
		buf_addc(out, (char)((i < 2 ? bytes->len : ~bytes->len) >> 8 * (i % 2)));
	buf_add(out, bytes->data, bytes->len);
	for (unsigned i = 0; i < 4; i++)
		buf_addc(out, (char)((b << 16 | a) >> (24 - 8 * i)));
}

/* A file whose table is compressed, is_old: in the older way; with `bad`, that byte of it is another one. */
static struct buf compressed_file(bool is_64, bool is_old, size_t bad)
{
	struct buf line, files;
	struct elf_writer w;
	buf_init(&line), buf_init(&files);
	add_directories(&files);
	begin_files(&files, 1);
	add_file(&files, "hot.c", 0, 'a');
	add_unit(&line, 5, &files);
	writer_init(&w, is_64, is_big);
	uint32_t number = writer_section(&w, is_old ? ".zdebug_line" : ".debug_line",
	                                 (struct elf_section){.type = 1, .flags = is_old ? 0 : ELF_SECTION_COMPRESSED});
	struct buf *body = &w.bodies[number];
	if (is_old) {
		buf_add(body, "ZLIB\0\0\0\0\0\0", 10);
		buf_addc(body, (char)(line.len >> 8));
		buf_addc(body, (char)line.len);
	} else {
		writer_int(&w, body, 1, 4);
		if (is_64)
			writer_int(&w, body, 0, 4);
		writer_word(&w, body, line.len);
		writer_word(&w, body, 1);
	}
	add_stored(body, &line);
	if (bad < body->len)
		body->data[bad] ^= 0x55;
	buf_deinit(&line);
	buf_deinit(&files);
	return writer_finish(&w);
}

static struct line_files *open_bytes(struct buf *file)
{
	char path[] = "/tmp/flametop-line-files-XXXXXX";
	int fd = mkstemp(path);
	if (fd < 0 || write(fd, file->data, file->len) != (ssize_t)file->len)
		bail_out("no temporary file");
	struct line_files *f = line_files_open(path);
	unlink(path);
	close(fd);
	buf_deinit(file);
	return f;
}

static void test_compressed(bool is_64, bool is_old)
{
	struct buf file = compressed_file(is_64, is_old, SIZE_MAX);
	struct line_files *f = open_bytes(&file);
	has_md5(f, "/home/me/hot.c", 'a', is_old ? "a table compressed in the older way" : "a compressed table");
	line_files_free(f);
	for (size_t bad = 0; bad < 60; bad++) {
		struct source_facts facts;
		file = compressed_file(is_64, is_old, bad);
		f = open_bytes(&file);
		line_files_find(f, "/home/me/hot.c", &facts);
		line_files_free(f);
	}
	pass("damage in it does no harm");
}

static void test_limit(void)
{
	size_t n;
	struct elf_file elf;
	struct buf file = compressed_file(true, false, SIZE_MAX);
	size_t len = file.len;
	if (!elf_file_open_bytes(&elf, (unsigned char *)buf_take(&file), len, NULL))
		bail_out("not an ELF file");
	const struct elf_section *section = elf_section_named(&elf, ".debug_line");
	unsigned char *bytes = elf_unpacked_bytes(&elf, section, 1000, &n);
	ok(bytes && n > 50, "a section is unpacked");
	free(bytes);
	bytes = elf_unpacked_bytes(&elf, section, n - 1, &n);
	ok(!bytes && n == 0, "but not one that is too large");
	free(bytes);
	elf_file_close(&elf);
}

int main(void)
{
	for (unsigned i = 0; i < 4; i++) {
		is_big = i & 1;
		is_long = i & 2;
		test_names();
		test_forms();
		test_units();
		test_damaged();
		test_compressed(i & 2, false);
		test_compressed(i & 2, true);
	}
	is_big = is_long = false;
	test_limit();
	test_hostile();
	line_files_free(line_files_read(&(struct line_sections){.is_big = false}));
	ok(!line_files_open("/dev/null"), "a device has no tables");
	return done_testing();
}
