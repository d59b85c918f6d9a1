/*
 * Bundles that mean harm: whatever is in them, nothing appears outside of the private directory, and nothing stays.
 */
#include "tests/tap.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/tar_reader.h"
#include "collapse/perf/perf_bundle.h"

static char dir[] = "/tmp/flametop-bundle-XXXXXX";
static char inner[64], archive[64];

static void add_header(struct buf *b, const char *name, uint64_t size, char type)
{
	unsigned char block[TAR_BLOCK] = {0};
	unsigned sum = 0;
	memcpy(block, name, strlen(name));
	snprintf((char *)block + 124, 12, "%011llo", (unsigned long long)(size & 077777777777));
	memcpy(block + 257, "ustar\00000", 8);
	memcpy(block + 157, "/etc/passwd", 11); /* of links */
	memset(block + 148, ' ', 8);
	block[156] = (unsigned char)type;
	for (size_t i = 0; i < sizeof block; i++)
		sum += block[i];
	snprintf((char *)block + 148, 8, "%06o", sum);
	buf_add(b, block, sizeof block);
}

static void add_file(struct buf *b, const char *name, const char *text)
{
	add_header(b, name, strlen(text), '0');
	buf_adds(b, text);
	buf_pad(b, '\0', (TAR_BLOCK - b->len % TAR_BLOCK) % TAR_BLOCK);
}

/* The files below a directory, but for that of the archive. */
static size_t count(const char *path)
{
	size_t n = 0;
	DIR *d = opendir(path);
	for (struct dirent *e; d && (e = readdir(d));) {
		char below[4400];
		struct stat st;
		if (e->d_name[0] == '.' && (e->d_name[1] == '\0' || strcmp(e->d_name, "..") == 0))
			continue;
		snprintf(below, sizeof below, "%s/%s", path, e->d_name);
		n += 1 + (lstat(below, &st) == 0 && S_ISDIR(st.st_mode) ? count(below) : 0);
	}
	if (d)
		closedir(d);
	return n;
}

struct result {
	bool is_read, has_note;
	size_t n_files; /* and directories, below root/ and with it */
	char note[1000];
	struct err err;
};

static size_t count_files(const struct perf_bundle *b)
{
	struct stat st;
	return stat(perf_bundle_root(b), &st) == 0 ? 1 + count(perf_bundle_root(b)) : 0;
}

static struct result unpack(const struct buf *b, size_t n)
{
	static const atomic_bool never;
	struct result r = {0};
	struct report report;
	struct buf note;
	FILE *f = fopen(archive, "wb");
	if (!f || fwrite(b->data, 1, n, f) != n || fclose(f) != 0)
		bail_out("cannot write");
	report_init(&report);
	struct input *in = input_open(archive, &r.err);
	struct perf_bundle *bundle = perf_bundle_unpack(in, "", 0, &never, &report, &r.err);
	r.is_read = bundle;
	r.n_files = bundle ? count_files(bundle) : 0;
	perf_bundle_free(bundle);
	input_close(in);
	r.has_note = report.n > 0;
	buf_init(&note);
	for (size_t i = 0; i < report.n; i++) {
		note_add(&report.notes[i], &note);
		buf_adds(&note, "; ");
	}
	snprintf(r.note, sizeof r.note, "%s", buf_str(&note));
	buf_deinit(&note);
	report_deinit(&report);
	unlink(archive);
	if (count(dir) != 1 || count(inner) != 0) /* only the directory for temporary files, and that is empty */
		bail_out("something is left, or outside");
	return r;
}

/* The archive, ended; it is freed. */
static struct result whole(struct buf *b)
{
	buf_pad(b, '\0', 2 * TAR_BLOCK);
	struct result r = unpack(b, b->len);
	buf_deinit(b);
	return r;
}

static void test_names(void)
{
	static const char *const bad[] = {"/etc/x",    "../x",     "root/../x",         "root/../../x",
	                                  "root/a/..", "root//x",  "root/./x",          "root/",
	                                  "root",      "rooted/x", "perf.data/x",       "other",
	                                  ".root/x",   "",         "root/../perf.data", "././../root/x",
	                                  "..",        ".",        "root/a/../..",      "/"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct buf b;
		buf_init(&b);
		add_file(&b, "perf.data", "1");
		add_file(&b, bad[i], "2");
		struct result r = whole(&b);
		ok(r.is_read && r.n_files == 0 && r.has_note, "'%s' becomes no file: %s", bad[i], r.note);
	}
}

static void test_kinds(void)
{
	for (const char *type = "123467"; *type; type++) {
		struct buf b;
		buf_init(&b);
		add_file(&b, "perf.data", "1");
		add_header(&b, "root", 0, *type);
		add_file(&b, "root/x", "2");
		struct result r = whole(&b);
		bool is_file = *type == '7';
		ok(r.is_read && r.n_files == 2 && r.has_note, "type %c: root is %s: %s", *type,
		   is_file ? "no place for a file" : "a directory", r.note);
	}
}

static void test_twice(void)
{
	struct buf b;
	buf_init(&b);
	add_file(&b, "./perf.data", "1");
	add_file(&b, "./root/a/b", "2");
	add_file(&b, "root/a/b", "3");
	add_file(&b, "root/a/b/c", "4");
	add_file(&b, "root/a", "5");
	add_file(&b, "perf.data", "6");
	struct result r = whole(&b);
	ok(r.is_read && r.n_files == 3 && r.has_note, "the first file of a name stays: %s", r.note);
}

static void test_sizes(void)
{
	struct buf b;
	buf_init(&b);
	add_header(&b, "perf.data", UINT64_C(070000000000), '0');
	buf_adds(&b, "1");
	struct result r = whole(&b);
	ok(r.has_note || !r.is_read, "a size that is a lie: %s%s", r.note, r.err.text);
	buf_init(&b);
	add_file(&b, "perf.data", "1");
	add_header(&b, "root/x", 3, '0');
	r = whole(&b);
	ok(r.is_read && r.has_note, "a member that takes the end: %s", r.note);
}

static void test_cut(void)
{
	struct buf b;
	size_t n_read = 0, n_silent = 0;
	buf_init(&b);
	add_file(&b, "perf.data", "PERFILE2, and what follows");
	add_file(&b, "root/usr/bin/x", "a program");
	add_file(&b, "root/usr/lib/y", "a library");
	buf_pad(&b, '\0', 2 * TAR_BLOCK);
	for (size_t n = 0; n < b.len; n += n % TAR_BLOCK == 0 ? 1 : n % TAR_BLOCK == 1 ? 99 : TAR_BLOCK - 100) {
		struct result r = unpack(&b, n);
		n_read += r.is_read;
		n_silent += r.is_read && !r.has_note;
		if (r.is_read != (n > TAR_BLOCK) && n != TAR_BLOCK)
			ok(false, "cut at %zu: %s", n, r.err.text);
		if (!r.is_read && !r.err.text[0])
			ok(false, "cut at %zu: no reason", n);
	}
	ok(n_read > 10 && n_silent == 0, "a bundle cut anywhere gives the recording, and says that it is cut");
	is_int((int)unpack(&b, 5 * TAR_BLOCK).n_files, 5, "a whole program is there, of a cut library the directory");
	buf_deinit(&b);
}

static void test_many(void)
{
	struct buf b;
	buf_init(&b);
	add_file(&b, "perf.data", "1");
	for (int i = 0; i < 100001; i++)
		add_header(&b, "root", 0, '2');
	struct result r = whole(&b);
	ok(strstr(r.note, "links"), "a hundred thousand links: %s", r.note);
}

static void test_long_names(void)
{
	struct buf b, name;
	buf_init(&b);
	buf_init(&name);
	buf_adds(&name, "root/");
	buf_pad(&name, 'n', 65000);
	add_file(&b, "perf.data", "1");
	for (int i = 0; i < 600; i++) {
		add_header(&b, "././@LongLink", name.len, 'L');
		buf_add(&b, name.data, name.len);
		buf_pad(&b, '\0', (TAR_BLOCK - b.len % TAR_BLOCK) % TAR_BLOCK);
		add_header(&b, "root/short", 0, '2');
	}
	struct result r = whole(&b);
	ok(strstr(r.note, "names of more than 32 MiB"), "names have a limit: %s", r.note);
	buf_deinit(&name);
}

/* A file at the end of so many directories, which are no other file's. */
static void add_deep_file(struct buf *b, int number, int depth)
{
	struct buf name;
	buf_init(&name);
	buf_addf(&name, "root/%d/", number);
	for (int i = 2; i < depth; i++)
		buf_adds(&name, "d/");
	buf_adds(&name, "x");
	add_header(b, "././@LongLink", name.len, 'L');
	buf_add(b, name.data, name.len);
	buf_pad(b, '\0', (TAR_BLOCK - b->len % TAR_BLOCK) % TAR_BLOCK);
	add_header(b, "root/short", 0, '0');
	buf_deinit(&name);
}

static void test_deep(void)
{
	struct buf b;
	buf_init(&b);
	add_file(&b, "perf.data", "1");
	add_deep_file(&b, 1, 100);
	add_deep_file(&b, 2, 101);
	for (int i = 3; i < 30; i++)
		add_deep_file(&b, i, 1900);
	struct result r = whole(&b);
	ok(r.is_read && r.n_files == 101 && r.has_note, "not in more than a hundred directories: %s", r.note);
}

static void test_directories(void)
{
	struct buf b;
	buf_init(&b);
	add_file(&b, "perf.data", "1");
	for (int i = 0; i < 200; i++)
		add_deep_file(&b, i, 100);
	struct result r = whole(&b);
	ok(r.is_read && strstr(r.note, "more than 10000 directories"), "directories have a limit: %s", r.note);
	ok(r.n_files < 10300, "which holds: %zu", r.n_files);
}

/* Changes bytes of headers at random, with checksums that fit. */
static void test_random(void)
{
	static const char *const names[] = {"perf.data", "root/a/b", "root/a", "root/../x", "x"};
	uint64_t random = 1;
	size_t n_read = 0;
	for (int i = 0; i < 2000; i++) {
		struct buf b;
		buf_init(&b);
		for (int k = 0; k < 6; k++) {
			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			size_t at = b.len, n = (random >> 40) % 600;
			add_header(&b, names[k ? (random >> 33) % 5 : 0], n + (random >> 62) * 100,
			           "00000xLgS125"[(random >> 50) % 12]);
			if (random >> 63)
				b.data[at + (random >> 20) % 148] = (char)(random >> 30);
			buf_pad(&b, (char)('0' + k), n);
			buf_pad(&b, '\0', (TAR_BLOCK - b.len % TAR_BLOCK) % TAR_BLOCK);
		}
		struct result r = whole(&b);
		n_read += r.is_read;
		if (!r.is_read && !r.err.text[0])
			ok(false, "an archive made at random is refused without a reason");
	}
	ok(n_read > 100, "archives made at random stay inside: %zu have a recording", n_read);
}

static void test_is(void)
{
	struct buf b;
	buf_init(&b);
	add_file(&b, "./perf.data", "1");
	ok(perf_bundle_is(b.data, b.len) && !perf_bundle_is(b.data, TAR_BLOCK - 1), "a bundle begins with perf.data");
	b.data[3]++;
	ok(!perf_bundle_is(b.data, b.len), "not with another name");
	buf_deinit(&b);
}

int main(void)
{
	if (!mkdtemp(dir))
		skip_all("no temporary directory");
	snprintf(inner, sizeof inner, "%s/inner", dir);
	snprintf(archive, sizeof archive, "%s/archive", dir);
	mkdir(inner, 0700);
	setenv("TMPDIR", inner, 1);
	test_is();
	test_names();
	test_kinds();
	test_twice();
	test_sizes();
	test_cut();
	test_many();
	test_long_names();
	test_deep();
	test_directories();
	test_random();
	rmdir(inner);
	rmdir(dir);
	return done_testing();
}
