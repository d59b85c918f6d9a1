/*
 * perfmap_unite.c - keeps the functions of earlier maps: a JVM writes those alone that it has at the moment.
 *
 * The lines of earlier maps come first, since of two functions at one address the later line counts. Of a target
 * that is not trusted, the earlier map alone is in memory, and a hash for each of its lines; the present one is
 * read piece by piece.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/regular.h"
#include "base/write_all.h"
#include "record/sampler/perfmap_ask.h"

#define MAP_MOST ((size_t)64 << 20)
#define LINES_MOST ((size_t)1 << 20)
#define LINE_LEAST 16 /* bytes: two numbers and a name are longer, and others are not kept */
#define LINE_MOST 65536
#define PIECE ((size_t)64 << 10)

#define TOO_LARGE "its map has more than 64 MiB"
#define TOO_MANY "its map has more than a million lines"

static void name_of(const struct perfmap_target *t, char name[40])
{
	snprintf(name, 40, "perf-%ld.map", (long)t->inner);
}

bool perfmap_make_place(struct perfmap_target *t, struct err *err)
{
	char name[40];
	struct stat st;
	name_of(t, name);
	int fd = openat(t->directory, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0644);
	t->has_made_place = fd >= 0;
	if (fd >= 0)
		close(fd);
	else if (errno != EEXIST)
		return fail_errno(err, "%s", name);
	else if (fstatat(t->directory, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return fail_errno(err, "%s", name);
	else if (!S_ISREG(st.st_mode) || st.st_uid != t->uid || st.st_nlink != 1)
		return fail(err, "%s is there already, and no file of its own, so it would write into something else",
		            name);
	return true;
}

void perfmap_give_up_place(const struct perfmap_target *t)
{
	char name[40];
	name_of(t, name);
	if (t->has_made_place)
		unlinkat(t->directory, name, 0);
}

uint64_t perfmap_size(const struct perfmap_target *t)
{
	char name[40];
	struct stat st;
	name_of(t, name);
	return fstatat(t->directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size
	                                                                                         : 0;
}

/* -1: there is none, or it is not the target's. */
static int open_map(const struct perfmap_target *t, struct stat *st)
{
	char name[40], path[40];
	name_of(t, name);
	int found = openat(t->directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (found < 0)
		return -1;
	bool is_it = fstat(found, st) == 0 && S_ISREG(st->st_mode) && st->st_uid == t->uid;
	snprintf(path, sizeof path, "/proc/self/fd/%d", found);
	int fd = is_it ? regular_open(path, NULL, NULL) : -1;
	close(found);
	return fd;
}

bool perfmap_read(struct perfmap_target *t, struct buf *out)
{
	struct stat st;
	int fd = open_map(t, &st);
	if (fd < 0)
		return false;
	bool is_read = regular_read_all(fd, t->request->is_alone ? MAP_MOST : PERFMAP_SMALL, out, NULL);
	close(fd);
	if (!is_read) {
		t->lost = TOO_LARGE;
		out->len = 0;
	}
	return is_read;
}

/* ---- lines --------------------------------------------------------------------------------------------------- */

typedef void take_line(void *arg, const char *line, size_t n);

static void each_line(const struct buf *b, take_line *take, void *arg)
{
	for (size_t at = 0; at < b->len;) {
		const char *line = b->data + at, *end = memchr(line, '\n', b->len - at);
		size_t n = end ? (size_t)(end - line) + 1 : b->len - at;
		if (end && n >= LINE_LEAST)
			take(arg, line, n);
		at += n;
	}
}

/* Lines of the earlier map. */
struct lines {
	uint64_t *slots; /* hashes without their last bit, which says that the line is no longer needed; 0: free */
	size_t cap;      /* a power of two, 1.5 times the lines or more */
	char *end;       /* of what is kept of the text */
};

static uint64_t hash_of(const char *line, size_t n)
{
	uint64_t hash = hash_bytes(line, n) & ~UINT64_C(1);
	return hash ? hash : 2;
}

static uint64_t *slot_of(const struct lines *l, uint64_t hash)
{
	size_t at = (size_t)(hash >> 1) & (l->cap - 1);
	while (l->slots[at] && (l->slots[at] & ~UINT64_C(1)) != hash)
		at = (at + 1) & (l->cap - 1);
	return &l->slots[at];
}

static void count(void *arg, const char *line, size_t n)
{
	(void)line;
	(void)n;
	++*(size_t *)arg;
}

static void know(void *arg, const char *line, size_t n)
{
	uint64_t hash = hash_of(line, n);
	*slot_of(arg, hash) = hash;
}

static void forget(const struct lines *l, const char *line, size_t n)
{
	uint64_t *slot = slot_of(l, hash_of(line, n));
	*slot |= *slot != 0;
}

/* Moves the line to the others that are kept. */
static void keep(void *arg, const char *line, size_t n)
{
	struct lines *l = arg;
	uint64_t *slot = slot_of(l, hash_of(line, n));
	if (*slot & 1)
		return;
	*slot |= 1;
	memmove(l->end, line, n);
	l->end += n;
}

/* Forgets the lines that end in this piece; `line` has the beginning of the first, and gets that of the last. */
static void forget_piece(const struct lines *l, const char *piece, size_t n, struct buf *line)
{
	for (const char *at = piece, *next; at < piece + n; at = next) {
		const char *newline = memchr(at, '\n', (size_t)(piece + n - at));
		next = newline ? newline + 1 : piece + n;
		if (line->len < LINE_MOST)
			buf_add(line, at, (size_t)(next - at));
		if (newline && line->len >= LINE_LEAST)
			forget(l, line->data, line->len);
		if (newline)
			line->len = 0;
	}
}

/* Reads the present map, whose lines are no longer needed of the earlier one. false: it is too large. */
static bool forget_present(const struct lines *l, int fd)
{
	struct buf line;
	size_t all = 0;
	ssize_t got = 1;
	char *piece = mem_alloc(PIECE);
	buf_init(&line);
	while (all <= MAP_MOST && got > 0) {
		got = read(fd, piece, PIECE);
		forget_piece(l, piece, got > 0 ? (size_t)got : 0, &line);
		all += got > 0 ? (size_t)got : 0;
	}
	free(piece);
	buf_deinit(&line);
	return all <= MAP_MOST;
}

/* ---- the new map --------------------------------------------------------------------------------------------- */

static bool copy(int from, int to)
{
	char *piece = mem_alloc(PIECE);
	size_t all = 0;
	ssize_t got = lseek(from, 0, SEEK_SET) == 0 ? 1 : -1;
	while (got > 0 && all <= MAP_MOST) {
		got = read(from, piece, PIECE);
		if (got > 0 && write_all(to, piece, (size_t)got) != (size_t)got)
			got = -1;
		all += got > 0 ? (size_t)got : 0;
	}
	free(piece);
	return got == 0;
}

/* Writes the earlier lines and the present map in the map's place. */
static bool replace(const struct perfmap_target *t, const struct buf *earlier, int now, mode_t mode,
                    struct err *err)
{
	char name[40], fresh[48];
	name_of(t, name);
	snprintf(fresh, sizeof fresh, ".%s", name);
	int fd = openat(t->directory, fresh, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return fail_errno(err, "%s", fresh);
	bool is_good = write_all(fd, earlier->data, earlier->len) == earlier->len && copy(now, fd) &&
	               fchmod(fd, mode) == 0 && renameat(t->directory, fresh, t->directory, name) == 0;
	if (!is_good) {
		fail_errno(err, "%s", fresh);
		unlinkat(t->directory, fresh, 0);
	}
	close(fd);
	return is_good;
}

/* Leaves those lines of the earlier map that the present one lacks. */
static void leave_gone(struct perfmap_target *t, struct buf *earlier, int now)
{
	size_t n = 0;
	each_line(earlier, count, &n);
	if (n > LINES_MOST) {
		t->lost = TOO_MANY;
		earlier->len = 0;
		return;
	}
	struct lines l = {.cap = 64, .end = earlier->data};
	while (l.cap < n + n / 2)
		l.cap *= 2;
	l.slots = mem_zalloc(l.cap, sizeof *l.slots);
	each_line(earlier, know, &l);
	if (!forget_present(&l, now))
		t->lost = TOO_LARGE;
	each_line(earlier, keep, &l);
	earlier->len = t->lost ? 0 : (size_t)(l.end - earlier->data);
	free(l.slots);
}

bool perfmap_unite(struct perfmap_target *t, struct buf *earlier, struct err *err)
{
	struct stat st;
	bool is_good = true;
	int now = open_map(t, &st);
	if (now < 0)
		return fail(err, "it has written no file that can be read");
	if (earlier->len)
		leave_gone(t, earlier, now);
	if (earlier->len && earlier->len + (size_t)st.st_size > MAP_MOST)
		t->lost = TOO_LARGE;
	else if (earlier->len)
		is_good = replace(t, earlier, now, st.st_mode & 0777, err);
	close(now);
	return is_good;
}
