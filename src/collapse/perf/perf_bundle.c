/*
 * perf_bundle.c - unpacks bundles into a private directory.
 *
 *	perf.data                                the recording, first
 *	root/usr/bin/x                           files of its machine: programs, libraries
 *	root/usr/lib/debug/.build-id/ab/cd.debug debug files
 *	root/proc/kallsyms, root/tmp/perf-1.map  functions of the kernel and of JIT compilers
 *
 * A bundle may come from anywhere. Of its members only regular files with plain names below root/ become files, in
 * a directory that nothing but this code writes, so no name leads out of it. A second member of a name is left out.
 * What comes out of it must fit into half of the free space, where each file and directory takes whole blocks, and
 * compressed input has the bound of input_bound().
 */
#include "collapse/perf/perf_bundle.h"

#include <limits.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/tar_reader.h"
#include "base/temporary_tree.h"
#include "base/write_all.h"

#define BLOCK ((size_t)256 << 10)
#define OTHER_NAMES "files of the bundle with other names than those in a bundle are left out"
#define MEMBERS_MAX ((size_t)100000)
#define NAMES_MAX ((size_t)32 << 20) /* bytes of their names */
#define DIRECTORIES_MAX ((size_t)10000)
#define DEPTH_MAX 100u /* directories around a file */
#define RECORDING "perf.data"

struct perf_bundle {
	struct temporary_tree *tree;
	struct buf recording, root;
	struct report *report;
	size_t n_members, n_names; /* n_names: bytes */
	uint64_t room;             /* bytes that may still be written */
	uint64_t block;            /* bytes: the least that a file or a directory takes */
	int fd;                    /* of the present member; -1: it is left out */
	struct buf name;           /* of the present member, without "./" */
	bool has_recording;
};

/* Without "./" in front, as in "./perf.data". */
static const char *cleaned(const char *name)
{
	while (strncmp(name, "./", 2) == 0)
		name += 2;
	return name;
}

/* Are all parts of the path plain names, and not too many? */
static bool is_plain(const char *path)
{
	unsigned depth = 0;
	for (const char *part = path;; part++) {
		size_t n = strcspn(part, "/");
		if (n == 0 || n > NAME_MAX || (n == 1 && part[0] == '.') || (n == 2 && memcmp(part, "..", 2) == 0))
			return false;
		if (depth++ > DEPTH_MAX)
			return false;
		part += n;
		if (*part == '\0')
			return true;
	}
}

static bool is_wanted(const char *name)
{
	return strcmp(name, RECORDING) == 0 || (strncmp(name, "root/", 5) == 0 && is_plain(name));
}

bool perf_bundle_is(const void *bytes, size_t n)
{
	char name[TAR_NAME_MAX + 1];
	return tar_is(bytes, n, name) && strcmp(cleaned(name), RECORDING) == 0;
}

static void note(struct perf_bundle *b, const char *kind, const char *detail)
{
	report_add(b->report, NOTE_WARN, kind, NULL, 0, detail, strlen(detail));
}

static bool count(struct perf_bundle *b, const char *name, struct err *err)
{
	b->n_names += strlen(name);
	if (b->n_names > NAMES_MAX)
		return fail(err, "names of more than %zu MiB in it", NAMES_MAX >> 20);
	return ++b->n_members <= MEMBERS_MAX || fail(err, "more than %zu files in it", MEMBERS_MAX);
}

/* For n files or directories. */
static bool take_room(struct perf_bundle *b, size_t n, uint64_t size, struct err *err)
{
	if (size > b->room || n > (b->room - size) / b->block)
		return fail(err,
		            "unpacked, the bundle takes more than half of the free space for temporary files (name another "
		            "directory in TMPDIR)");
	b->room -= size + n * b->block;
	return true;
}

static bool create(struct perf_bundle *b, const char *name, struct err *err)
{
	struct err why = {""};
	size_t before = temporary_tree_directories(b->tree);
	b->fd = temporary_tree_create(b->tree, name, &why);
	if (b->fd < 0)
		note(b, "files of the bundle are left out", why.text);
	size_t n = temporary_tree_directories(b->tree);
	if (n > DIRECTORIES_MAX)
		return fail(err, "more than %zu directories in it", DIRECTORIES_MAX);
	return take_room(b, n - before, 0, err);
}

static bool bad_name(void *arg, const char *name, struct err *err)
{
	struct perf_bundle *b = arg;
	note(b, OTHER_NAMES, name);
	return count(b, name, err);
}

static bool begin(void *arg, const char *name, uint64_t size, struct err *err)
{
	struct perf_bundle *b = arg;
	name = cleaned(name);
	b->fd = -1;
	b->name.len = 0;
	buf_adds(&b->name, name);
	if (!count(b, name, err) || !take_room(b, 1, size, err))
		return false;
	if (!is_wanted(name)) {
		note(b, OTHER_NAMES, name);
		return true;
	}
	return create(b, name, err);
}

static bool data(void *arg, const void *bytes, size_t n, struct err *err)
{
	const struct perf_bundle *b = arg;
	return b->fd < 0 || write_all(b->fd, bytes, n) == n || fail_errno(err, "temporary file for the bundle");
}

static void end_file(struct perf_bundle *b)
{
	if (b->fd >= 0) {
		close(b->fd);
		b->has_recording |= strcmp(buf_str(&b->name), RECORDING) == 0;
	}
	b->fd = -1;
}

static bool end(void *arg, struct err *err)
{
	(void)err;
	end_file(arg);
	return true;
}

static bool other(void *arg, const char *name, struct err *err)
{
	struct perf_bundle *b = arg;
	note(b, "links and devices in the bundle are left out", name);
	return count(b, name, err);
}

/* Of a recording the beginning is of use; of a program it would only give wrong names. */
static void end_early(struct perf_bundle *b, const char *why)
{
	struct buf path;
	buf_init(&path);
	buf_addf(&path, "%s/%s", temporary_tree_path(b->tree), buf_str(&b->name));
	if (b->fd >= 0 && strcmp(buf_str(&b->name), RECORDING) != 0)
		unlink(buf_str(&path));
	buf_deinit(&path);
	end_file(b);
	report_add(b->report, NOTE_WARN, "the bundle ends early, so functions may have no names", NULL, 0, why,
	           strlen(why));
}

/* false: the rest cannot be read, or *stop was set. */
static bool read_rest(struct tar_reader *r, struct input *in, const atomic_bool *stop, struct err *err)
{
	char *block = mem_alloc(BLOCK);
	ssize_t n = 1;
	while (n > 0 && !atomic_load(stop)) {
		n = input_read(in, block, BLOCK, err);
		if (n > 0 && !tar_reader_feed(r, block, (size_t)n, err))
			n = -1;
	}
	free(block);
	return n == 0;
}

static bool unpack(struct perf_bundle *b, struct input *in, const void *bytes, size_t n, const atomic_bool *stop,
                   struct err *err)
{
	static const struct tar_hooks hooks = {
		.begin = begin, .data = data, .end = end, .bad_name = bad_name, .other = other};
	struct tar_reader *r = tar_reader_new(&hooks, b);
	struct err why = {""};
	input_bound(in);
	bool is_read = tar_reader_feed(r, bytes, n, &why) && read_rest(r, in, stop, &why);
	bool is_whole = is_read && tar_reader_is_at_end(r);
	tar_reader_free(r);
	if (atomic_load(stop))
		return false;
	if (!is_whole)
		end_early(b, why.text);
	return b->has_recording || fail(err, "%s", *why.text ? why.text : "a bundle without a recording");
}

struct perf_bundle *perf_bundle_unpack(struct input *in, const void *bytes, size_t n, const atomic_bool *stop,
                                       struct report *report, struct err *err)
{
	struct perf_bundle *b = mem_zalloc(1, sizeof *b);
	struct statvfs fs;
	b->report = report;
	b->fd = -1;
	b->tree = temporary_tree_new(err);
	bool has_room = b->tree && statvfs(temporary_tree_path(b->tree), &fs) == 0;
	b->room = has_room ? (uint64_t)fs.f_bavail * fs.f_frsize / 2 : INT64_MAX;
	b->block = has_room && fs.f_frsize ? fs.f_frsize : 1;
	if (b->tree) {
		buf_addf(&b->recording, "%s/" RECORDING, temporary_tree_path(b->tree));
		buf_addf(&b->root, "%s/root", temporary_tree_path(b->tree));
	}
	if (b->tree && unpack(b, in, bytes, n, stop, err))
		return b;
	perf_bundle_free(b);
	return NULL;
}

void perf_bundle_free_late(struct perf_bundle *b)
{
	temporary_tree_keep(b->tree);
	b->tree = NULL;
	perf_bundle_free(b);
}

void perf_bundle_free(struct perf_bundle *b)
{
	if (!b)
		return;
	if (b->fd >= 0)
		close(b->fd);
	temporary_tree_remove(b->tree);
	buf_deinit(&b->recording);
	buf_deinit(&b->root);
	buf_deinit(&b->name);
	free(b);
}

const char *perf_bundle_recording(const struct perf_bundle *b)
{
	return b->recording.data;
}

const char *perf_bundle_root(const struct perf_bundle *b)
{
	return b->root.data;
}
