/*
 * bundle.c - `flametop bundle`: packs a recording with the files that its names come from.
 *
 *	perf.data -> the look-up of all its addresses -> list of files (symbols/found_files.h) -> tar -> zstd
 *
 * The recording is read as for a picture, with the same functions, so the list has what a picture needs. The result
 * can be opened as it is (collapse/perf/perf_bundle.h), or unpacked for --symfs=root, which perf knows, too.
 */
#include "bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/compress.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/output.h"
#include "base/regular.h"
#include "base/status.h"
#include "base/tar_writer.h"
#include "collapse/perf/perf_bundle.h"
#include "collapse/perf/perf_packed.h"
#include "lib/inside.h"
#include "symbols/found_files.h"

#define PIECE ((size_t)256 << 10)
#define NAMES_MAX ((size_t)2000) /* bytes of names in a message */
#define NO_TERMINAL "a terminal shows no bundle (name a file with -o)"

/* Why files are left out: what the reason says, and what is said of them. The last is for all other reasons. */
static const struct {
	const char *mark, *words;
} reasons[] = {
	{HOLLOW, "almost all holes, and left out"},
	{OTHER_BUILD_ID, "not as recorded (the build id differs), and left out"},
	{NO_PROGRAM, NO_PROGRAM " (core dumps hold memory), and left out"},
	{SEVERAL_OF_NAME, "left out, since several files have the name, and no build id tells them apart"},
	{"", "not here, or cannot be read"},
};
enum { N_REASONS = sizeof reasons / sizeof *reasons };

struct bundle {
	const char *path; /* of the recording */
	int fd;           /* unpacked */
	struct stat st;
	struct buf name; /* of the output */
	enum compression compression;
	struct found_files found;
	struct output *out;
	struct tar_writer tar;
	size_t n_packed;
	struct {
		size_t n;
		struct buf names;
	} left[N_REASONS];
	atomic_uint_fast64_t done, all; /* bytes */
	char *piece;
};

/* ---- what is wanted ---------------------------------------------------------------------------------------- */

static bool has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), len = strlen(suffix);
	return n > len && strcmp(name + n - len, suffix) == 0;
}

static bool choose_name(struct bundle *b, const char *output, struct err *err)
{
	static const struct {
		const char *suffix;
		enum compression compression;
	} suffixes[] = {{".tar", COMPRESSION_NONE},
	                {".tar.gz", COMPRESSION_GZIP},
	                {".tgz", COMPRESSION_GZIP},
	                {".tar.zst", COMPRESSION_ZSTD},
	                {".tzst", COMPRESSION_ZSTD}};
	b->compression = COMPRESSION_ZSTD;
	if (output)
		buf_adds(&b->name, output);
	else
		buf_addf(&b->name, "%s.tar.zst", b->path);
	if (strcmp(buf_str(&b->name), "-") == 0)
		return !isatty(STDOUT_FILENO) || fail(err, NO_TERMINAL);
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		if (!has_suffix(buf_str(&b->name), suffixes[i].suffix))
			continue;
		b->compression = suffixes[i].compression;
		return output_check(buf_str(&b->name), err);
	}
	return fail(err, "%s: a bundle's name ends in .tar, .tar.gz or .tar.zst", buf_str(&b->name));
}

static bool is_bundle(const char *path)
{
	char block[512];
	size_t n = 0;
	ssize_t got = 1;
	struct input *in = input_open_whole(path, NULL);
	while (in && n < sizeof block && (got = input_read(in, block + n, sizeof block - n, NULL)) > 0)
		n += (size_t)got;
	input_close(in);
	return perf_bundle_is(block, n);
}

/* Other programs read a recording only where it is not compressed. */
static bool open_recording(struct bundle *b, struct err *err)
{
	static const atomic_bool never;
	if (strcmp(b->path, "-") == 0)
		return fail(err, "a recording to be bundled needs a name");
	if (is_bundle(b->path))
		return fail(err, "%s: this is a bundle", b->path);
	b->fd = perf_packed_is(b->path) ? perf_packed_unpack(b->path, &never, err) : regular_open(b->path, NULL, err);
	return b->fd >= 0 && (fstat(b->fd, &b->st) == 0 || fail_errno(err, "%s", b->path));
}

static bool is_output(const struct bundle *b)
{
	struct stat st;
	return stat(b->name.data, &st) == 0 && st.st_ino == b->st.st_ino && st.st_dev == b->st.st_dev;
}

/* ---- which files ------------------------------------------------------------------------------------------- */

static bool find_files(struct bundle *b, const struct options *o, struct err *err)
{
	struct load_input input = {.path = b->path, .fd = -1};
	struct collapse_options asked = {.format = "perf-data",
	                                 .symbolizer = SYMBOLIZER_NATIVE,
	                                 .inlines = INLINES_HIDDEN,
	                                 .order = ORDER_IS_NOTHING,
	                                 .symfs = o->collapse.symfs,
	                                 .path_maps = o->collapse.path_maps,
	                                 .kallsyms = o->collapse.kallsyms,
	                                 .debuginfod = o->collapse.debuginfod,
	                                 .found = &b->found};
	struct profile p;
	profile_init(&p);
	bool is_read = load_all(&p, &input, 1, &asked, err);
	status_clear();
	if (is_read && !o->quiet)
		report_print(&p.report, NOTE_WARN);
	profile_deinit(&p);
	return is_read;
}

/* ---- packing ----------------------------------------------------------------------------------------------- */

static void add_name(struct buf *names, size_t *n, const char *name)
{
	if (names->len < NAMES_MAX)
		buf_addf(names, "%s%s", *n ? ", " : "", name);
	else if (!names->len || names->data[names->len - 1] != '.')
		buf_adds(names, " ...");
	++*n;
}

static void miss(struct bundle *b, const struct found_file *f, const char *why)
{
	size_t i = 0;
	while (!strstr(why, reasons[i].mark))
		i++;
	add_name(&b->left[i].names, &b->left[i].n, f->place);
}

/* Writes `size` bytes of the file. false: it has become shorter, or cannot be read; without err: written. */
static bool copy(struct bundle *b, int fd, uint64_t size, const char *name, struct err *err)
{
	for (uint64_t at = 0; at < size;) {
		size_t n = size - at < PIECE ? (size_t)(size - at) : PIECE;
		if (!regular_read(fd, at, b->piece, n))
			return fail(err, "%s: it changed while it was packed", name);
		if (!tar_writer_data(&b->tar, b->piece, n))
			return false;
		atomic_fetch_add(&b->done, n);
		at += n;
	}
	return true;
}

static bool pack_found(struct bundle *b, const struct found_file *f, struct err *err)
{
	struct buf name, bytes;
	struct stat st = {0};
	struct err why = {""};
	int fd;
	buf_init(&name);
	buf_init(&bytes);
	buf_addf(&name, "root%s%s", f->place[0] == '/' ? "" : "/", f->place);
	bool is_here = found_file_open(f, &fd, &bytes, &why) && (fd < 0 || fstat(fd, &st) == 0), ok = true;
	if (is_here) {
		status_detail("packing", f->place);
		tar_writer_begin(&b->tar, buf_str(&name), fd < 0 ? bytes.len : (uint64_t)st.st_size);
		if (fd < 0)
			tar_writer_data(&b->tar, bytes.data, bytes.len);
		ok = (fd < 0 || copy(b, fd, (uint64_t)st.st_size, f->place, err)) && tar_writer_end(&b->tar);
		status_detail(NULL, NULL);
		b->n_packed++;
	} else {
		miss(b, f, why.text);
	}
	if (fd >= 0)
		close(fd);
	buf_deinit(&name);
	buf_deinit(&bytes);
	return ok;
}

/* For the line about progress: files that are in no list of sizes count nothing. */
static uint64_t size_of_all(const struct bundle *b)
{
	uint64_t sum = (uint64_t)b->st.st_size;
	struct stat st;
	for (size_t i = 0; i < b->found.n; i++) {
		const struct found_file *f = &b->found.items[i];
		if ((f->kind == FOUND_ELF || f->kind == FOUND_MODULE) && f->path && regular_stat(f->path, true, &st))
			sum += (uint64_t)st.st_size;
	}
	return sum;
}

static bool pack_all(struct bundle *b, struct err *err)
{
	struct compressor *c = compressor_new(b->compression, b->out);
	uint64_t size = (uint64_t)b->st.st_size;
	atomic_store(&b->all, size_of_all(b));
	status_enter((struct status_stage){"packing", b->path, &b->done, &b->all, true});
	tar_writer_init(&b->tar, c, b->st.st_mtime);
	tar_writer_begin(&b->tar, "perf.data", size);
	bool ok = copy(b, b->fd, size, b->path, err) && tar_writer_end(&b->tar);
	for (size_t i = 0; ok && i < b->found.n; i++)
		ok = pack_found(b, &b->found.items[i], err);
	if (ok)
		tar_writer_finish(&b->tar);
	compressor_finish(c);
	status_enter((struct status_stage){0});
	return ok;
}

static bool write_out(struct bundle *b, struct err *err)
{
	b->out = output_open_like(buf_str(&b->name), b->fd, err);
	if (!b->out)
		return false;
	if (output_is_terminal(b->out)) {
		output_abandon(b->out);
		return fail(err, NO_TERMINAL);
	}
	b->piece = mem_alloc(PIECE);
	bool ok = pack_all(b, err);
	uint64_t written = atomic_load(output_bytes(b->out));
	free(b->piece);
	if (ok || output_has_failed(b->out))
		ok = output_commit(b->out, err);
	else
		output_abandon(b->out);
	atomic_store(&b->done, written);
	return ok;
}

/* ---- what came of it --------------------------------------------------------------------------------------- */

static void say(struct bundle *b)
{
	struct stat st;
	size_t n = b->n_packed;
	for (size_t i = 0; i < N_REASONS; i++)
		n += b->left[i].n;
	bool is_file = stat(buf_str(&b->name), &st) == 0;
	if (is_file)
		err_printf("%s: the recording and %zu file%s, %.1f MB", buf_str(&b->name), b->n_packed,
		           b->n_packed == 1 ? "" : "s", (double)st.st_size / 1e6);
	for (size_t i = N_REASONS; i-- > 0;)
		if (b->left[i].n)
			err_printf("%zu of %zu files %s %s: %s", b->left[i].n, n, b->left[i].n == 1 ? "is" : "are",
			           reasons[i].words, buf_str(&b->left[i].names));
}

static bool bundle(struct bundle *b, const struct options *o, struct err *err)
{
	return choose_name(b, o->output, err) && open_recording(b, err) &&
	       (!is_output(b) || fail(err, "%s: this is the recording itself", buf_str(&b->name))) &&
	       find_files(b, o, err) && write_out(b, err);
}

bool bundle_write(const struct options *o, struct err *err)
{
	struct bundle b = {.path = o->n_files ? o->files[0] : "perf.data", .fd = -1};
	found_files_init(&b.found);
	if (!o->quiet)
		status_begin();
	bool is_done = bundle(&b, o, err);
	status_end();
	if (is_done && !o->quiet)
		say(&b);
	if (b.fd >= 0)
		close(b.fd);
	found_files_deinit(&b.found);
	buf_deinit(&b.name);
	for (size_t i = 0; i < N_REASONS; i++)
		buf_deinit(&b.left[i].names);
	return is_done;
}
