/*
 * perfmap_unite.c - keeps the functions of earlier maps: a JVM writes those alone that it has at the moment.
 *
 * The lines of earlier maps come first, since of two functions at one address the later line counts.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/idmap.h"
#include "base/regular.h"
#include "base/write_all.h"
#include "record/sampler/perfmap_ask.h"

#define MAP_MOST ((size_t)64 << 20)

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

bool perfmap_read(const struct perfmap_target *t, struct buf *out, mode_t *mode)
{
	char name[40], path[40];
	struct stat st;
	name_of(t, name);
	int found = openat(t->directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (found < 0)
		return false;
	bool is_it = fstat(found, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == t->uid;
	snprintf(path, sizeof path, "/proc/self/fd/%d", found);
	int fd = is_it ? regular_open(path, NULL, NULL) : -1;
	is_it = fd >= 0 && regular_read_all(fd, MAP_MOST, out, NULL);
	close(found);
	if (fd >= 0)
		close(fd);
	if (mode)
		*mode = st.st_mode & 0777;
	return is_it;
}

/* Writes a file in the map's place. */
static bool replace(const struct perfmap_target *t, const struct buf *bytes, mode_t mode, struct err *err)
{
	char name[40], fresh[48];
	name_of(t, name);
	snprintf(fresh, sizeof fresh, ".%s", name);
	int fd = openat(t->directory, fresh, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return fail_errno(err, "%s", fresh);
	bool is_good = write_all(fd, bytes->data, bytes->len) == bytes->len && fchmod(fd, mode) == 0 &&
	               renameat(t->directory, fresh, t->directory, name) == 0;
	if (!is_good) {
		fail_errno(err, "%s", fresh);
		unlinkat(t->directory, fresh, 0);
	}
	close(fd);
	return is_good;
}

typedef void take_line(void *arg, const char *line, size_t n);

static void each_line(const struct buf *b, take_line *take, void *arg)
{
	for (size_t at = 0; at < b->len;) {
		const char *line = b->data + at, *end = memchr(line, '\n', b->len - at);
		size_t n = end ? (size_t)(end - line) + 1 : b->len - at;
		if (end)
			take(arg, line, n);
		at += n;
	}
}

struct uniting {
	struct idmap lines; /* hashes */
	struct buf out;
};

static void know(void *arg, const char *line, size_t n)
{
	idmap_add(&((struct uniting *)arg)->lines, hash_bytes(line, n), 0);
}

static void keep(void *arg, const char *line, size_t n)
{
	struct uniting *u = arg;
	if (idmap_add(&u->lines, hash_bytes(line, n), 0))
		buf_add(&u->out, line, n);
}

bool perfmap_unite(const struct perfmap_target *t, const struct buf *earlier, struct err *err)
{
	struct uniting u = {.lines = {0}};
	struct buf now;
	mode_t mode = 0;
	bool is_good = true;
	buf_init(&now);
	buf_init(&u.out);
	if (!perfmap_read(t, &now, &mode))
		is_good = fail(err, "it has written no file that can be read");
	each_line(&now, know, &u);
	each_line(earlier, keep, &u);
	if (is_good && u.out.len && u.out.len + now.len <= MAP_MOST) {
		buf_add(&u.out, now.data, now.len);
		is_good = replace(t, &u.out, mode, err);
	}
	idmap_deinit(&u.lines);
	buf_deinit(&now);
	buf_deinit(&u.out);
	return is_good;
}
