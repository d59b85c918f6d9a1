/*
 * Archives: what is written comes back, whatever the names and sizes, cut anywhere; damage is seen.
 */
#include "tests/tap.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/tar_reader.h"
#include "base/tar_writer.h"
#include "base/temporary_tree.h"

/* "name:size:bytes that came;" for each member, "!name;" for others, "?length;" for names that are too long. */
struct seen {
	struct buf text;
	size_t n, before;
	uint64_t size;
};

static bool begin(void *arg, const char *name, uint64_t size, struct err *err)
{
	struct seen *s = arg;
	(void)err;
	buf_addf(&s->text, "%s:%llu:", name, (unsigned long long)size);
	s->n = 0;
	return true;
}

static bool data(void *arg, const void *bytes, size_t n, struct err *err)
{
	struct seen *s = arg;
	(void)bytes;
	s->n += n;
	return n > 0 || fail(err, "no bytes");
}

static bool end(void *arg, struct err *err)
{
	struct seen *s = arg;
	(void)err;
	buf_addf(&s->text, "%zu;", s->n);
	return true;
}

static bool other(void *arg, const char *name, struct err *err)
{
	struct seen *s = arg;
	(void)err;
	buf_addf(&s->text, "!%s;", name);
	return true;
}

static bool bad_name(void *arg, const char *name, struct err *err)
{
	struct seen *s = arg;
	(void)err;
	buf_addf(&s->text, "?%zu;", strlen(name));
	return true;
}

static const struct tar_hooks hooks = {
	.begin = begin, .data = data, .end = end, .bad_name = bad_name, .other = other};

/* Reads it in pieces. The caller frees the text. */
static char *read_back(const struct buf *tar, size_t piece, bool *is_whole, struct err *err)
{
	struct seen s = {0};
	struct tar_reader *r = tar_reader_new(&hooks, &s);
	bool ok = true;
	err->text[0] = '\0';
	for (size_t at = 0; ok && at < tar->len; at += piece)
		ok = tar_reader_feed(r, tar->data + at, tar->len - at < piece ? tar->len - at : piece, err);
	*is_whole = ok && tar_reader_is_at_end(r);
	tar_reader_free(r);
	return buf_take(&s.text);
}

static char dir[] = "/tmp/flametop-tar-XXXXXX";

static struct buf content(const char *path)
{
	struct buf b;
	struct err err;
	ssize_t n;
	buf_init(&b);
	struct input *in = input_open(path, &err);
	while (in && (n = input_read(in, buf_reserve(&b, 4096), 4096, &err)) > 0)
		b.len += (size_t)n;
	input_close(in);
	return b;
}

static void add_member(struct tar_writer *w, const char *name, size_t n)
{
	char *bytes = mem_zalloc(n + 1, 1);
	tar_writer_begin(w, name, n);
	tar_writer_data(w, bytes, n);
	tar_writer_end(w);
	free(bytes);
}

static char *long_name(size_t parts)
{
	struct buf b;
	buf_init(&b);
	for (size_t i = 0; i < parts; i++)
		buf_adds(&b, "a-directory-of-some-length/");
	buf_adds(&b, "file");
	return buf_take(&b);
}

static struct buf written(enum compression compression, const char *path)
{
	struct err err;
	struct tar_writer w;
	struct output *out = output_open(path, &err);
	struct compressor *c = compressor_new(compression, out);
	tar_writer_init(&w, c, 1700000000);
	add_member(&w, "perf.data", 5);
	add_member(&w, "empty", 0);
	for (size_t parts = 3; parts < 60; parts += 4) {
		char *name = long_name(parts);
		add_member(&w, name, 512 * (parts % 3));
		free(name);
	}
	add_member(&w, "large", 3000000);
	tar_writer_finish(&w);
	compressor_finish(c);
	output_commit(out, &err);
	return content(path);
}

static char *expected(void)
{
	struct buf b;
	buf_init(&b);
	buf_adds(&b, "perf.data:5:5;empty:0:0;");
	for (size_t parts = 3; parts < 60; parts += 4) {
		char *name = long_name(parts);
		buf_addf(&b, "%s:%zu:%zu;", name, 512 * (parts % 3), 512 * (parts % 3));
		free(name);
	}
	buf_adds(&b, "large:3000000:3000000;");
	return buf_take(&b);
}

static void test_round(void)
{
	static const enum compression kinds[] = {COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_ZSTD};
	char path[100], *want = expected();
	struct err err;
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/%zu.tar", dir, i);
		struct buf tar = written(kinds[i], path);
		for (size_t piece = 1; piece < 5000000; piece = piece * 71 + 1) {
			bool is_whole;
			char *got = read_back(&tar, piece, &is_whole, &err);
			is_str(got, want, "compression %zu, pieces of %zu: all members come back", i, piece);
			ok(is_whole, "and the end is seen");
			free(got);
		}
		buf_deinit(&tar);
		unlink(path);
	}
	free(want);
}

/* ---- archives by hand ------------------------------------------------------------------------------------- */

static void add_header(struct buf *b, const char *name, const char *size, char type)
{
	unsigned char block[TAR_BLOCK] = {0};
	unsigned sum = 0;
	memcpy(block, name, strlen(name));
	memcpy(block + 124, size, strlen(size));
	memcpy(block + 257, "ustar  ", 8); /* GNU's */
	memset(block + 148, ' ', 8);
	block[156] = (unsigned char)type;
	for (size_t i = 0; i < sizeof block; i++)
		sum += block[i];
	snprintf((char *)block + 148, 8, "%06o", sum);
	buf_add(b, block, sizeof block);
}

static void add_data(struct buf *b, const char *text)
{
	buf_adds(b, text);
	buf_pad(b, '\0', (TAR_BLOCK - b->len % TAR_BLOCK) % TAR_BLOCK);
}

/* Reads the archive, ended by two blocks, and frees it. */
static void check(struct buf *b, const char *want, const char *why, const char *name)
{
	struct err err;
	bool is_whole;
	buf_pad(b, '\0', 2 * TAR_BLOCK);
	char *got = read_back(b, 100, &is_whole, &err);
	is_str(got, want, "%s", name);
	ok(*why ? strstr(err.text, why) != NULL : is_whole, "%s: %s", name, *why ? err.text : "read to its end");
	free(got);
	buf_deinit(b);
}

static void test_kinds(void)
{
	struct buf b;
	buf_init(&b);
	add_header(&b, "directory/", "00000000000", '5');
	add_header(&b, "link", "00000000000", '2');
	add_header(&b, "hard", "00000000000", '1');
	add_header(&b, "device", "00000000000", '3');
	add_header(&b, "fifo", "00000000000", '6');
	add_header(&b, "old", "00000000003", '\0');
	add_data(&b, "abc");
	check(&b, "!link;!hard;!device;!fifo;old:3:3;", "", "only regular files are members");
	add_header(&b, "././@LongLink", "00000000010", 'L');
	add_data(&b, "a/longer");
	add_header(&b, "short", "00000000001", '0');
	add_data(&b, "x");
	add_header(&b, "next", "00000000000", '0');
	check(&b, "a/longer:1:1;next:0:0;", "", "GNU's long names, for one member");
	char octal[12], *longest = long_name(160);
	snprintf(octal, sizeof octal, "%011o", (unsigned)strlen(longest));
	add_header(&b, "././@LongLink", octal, 'L');
	add_data(&b, longest);
	add_header(&b, "short", "00000000001", '0');
	add_data(&b, "x");
	add_header(&b, "next", "00000000000", '0');
	check(&b, "?4324;next:0:0;", "", "a name that is too long is told");
	free(longest);
	add_header(&b, "x", "00000000026", 'x');
	add_data(&b, "12 path=p/q\n10 size=2\n");
	add_header(&b, "short", "00000000000", '0');
	add_data(&b, "xy");
	check(&b, "p/q:2:2;", "", "pax: name and size");
	add_header(&b, "g", "00000000014", 'g');
	add_data(&b, "12 path=p/q\n");
	add_header(&b, "own", "00000000000", '0');
	check(&b, "own:0:0;", "", "pax: names for all members are none for one");
}

static void test_damage(void)
{
	struct buf b;
	buf_init(&b);
	add_header(&b, "s", "00000000000", 'S');
	check(&b, "", "sparse", "GNU's sparse files are refused");
	add_header(&b, "x", "00000000030", 'x');
	add_data(&b, "24 GNU.sparse.major=1\n\n\n");
	b.data[TAR_BLOCK + 22] = '\0';
	add_header(&b, "s", "00000000000", '0');
	check(&b, "", "sparse", "those of pax, too");
	add_header(&b, "x", "00000000010", 'x');
	add_data(&b, "99 a=b\n");
	check(&b, "", "damaged header", "a pax line longer than its header");
	add_header(&b, "x", "77777777777", 'x');
	check(&b, "", "a header of", "a pax header of gigabytes");
	add_header(&b, "f", "\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", '0');
	memcpy(b.data + 124, "\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", 12);
	check(&b, "", "damaged header", "a checksum that does not fit");
	add_header(&b, "f", "0000000000z", '0');
	check(&b, "", "damaged header", "a size that is no number");
	add_header(&b, "f", "00000000000", '0');
	add_data(&b, "these bytes are no header");
	check(&b, "f:0:0;", "damaged header", "bytes that no member has are no header");
}

static unsigned n_asked;

/* In the place of that of libc: counts. */
int access(const char *path, int mode)
{
	n_asked++;
	return faccessat(AT_FDCWD, path, mode, 0);
}

/* Very many files of a bundle may be in one directory that lies deep. */
static void test_deep(void)
{
	struct err err = {""};
	char name[300];
	setenv("TMPDIR", dir, 1);
	struct temporary_tree *t = temporary_tree_new(&err);
	unsigned n_files = 0;
	n_asked = 0;
	for (unsigned i = 0; t && i < 100; i++) {
		size_t n = (size_t)snprintf(name, sizeof name, "root/%c", "ab"[i % 2]);
		for (unsigned depth = 2; depth < 99; depth++)
			n += (size_t)snprintf(name + n, sizeof name - n, "/d");
		snprintf(name + n, sizeof name - n, "/%u", i);
		int fd = temporary_tree_create(t, name, &err);
		n_files += fd >= 0 && close(fd) == 0;
	}
	ok(n_files == 100 && temporary_tree_directories(t) == 197, "files are made in two deep directories: %s",
	   err.text);
	ok(n_asked <= 100 + 197, "each directory on the way is looked for once, not for each file: %u", n_asked);
	temporary_tree_remove(t);
}

static void test_tree(void)
{
	struct err err = {""};
	struct stat st;
	char path[200];
	setenv("TMPDIR", dir, 1);
	struct temporary_tree *t = temporary_tree_new(&err);
	if (!ok(t != NULL, "a private directory is made: %s", err.text))
		return;
	snprintf(path, sizeof path, "%s", temporary_tree_path(t));
	ok(strncmp(path, dir, strlen(dir)) == 0, "in TMPDIR");
	ok(stat(path, &st) == 0 && (st.st_mode & 0777) == 0700, "only its owner may look into it");
	int a = temporary_tree_create(t, "root/a/b", &err), b = temporary_tree_create(t, "root/a/c", &err);
	ok(a >= 0 && b >= 0, "files and their directories are made");
	ok(temporary_tree_create(t, "root/a/b", &err) < 0, "a second file of a name is not: %s", err.text);
	ok(temporary_tree_create(t, "root/a", &err) < 0, "nor one in the place of a directory");
	ok(temporary_tree_create(t, "root/a/b/c", &err) < 0, "nor a directory in the place of a file");
	close(a);
	close(b);
	temporary_tree_remove(t);
	ok(stat(path, &st) != 0, "all of it goes");
	setenv("TMPDIR", "/nowhere", 1);
	ok(temporary_tree_new(&err) == NULL && strstr(err.text, "TMPDIR"), "a TMPDIR that is not there: %s", err.text);
}

int main(void)
{
	if (!mkdtemp(dir))
		skip_all("no temporary directory");
	test_round();
	test_kinds();
	test_damage();
	test_deep();
	test_tree();
	rmdir(dir);
	return done_testing();
}
