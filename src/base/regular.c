/*
 * regular.c - opens and reads regular files only, whatever a recording calls a file.
 *
 * A recording may come from anywhere, and its names may mean a device, a pipe or a file of the kernel here. Opening
 * some of these has side effects or blocks for ever, so a file is examined before it is opened.
 */
#include "base/regular.h"

#include <errno.h>
#include <unistd.h>

#include "base/file_look.h"

#define PIECE ((size_t)256 << 10)
/* A hollow file is larger than this, and than this many times what is kept of it. */
#define HOLLOW_LEAST ((off_t)16 << 20)
#define HOLLOW_TIMES 64
#define BLOCK 512 /* unit of st_blocks */

/*
 * Has it far more bytes than the disk keeps of it? Such a file costs its maker a block, and its readers as much
 * time as a large one. Small files, and those of file systems that compress, come nowhere near.
 */
static bool is_hollow(const struct stat *st)
{
	return st->st_size > HOLLOW_LEAST && st->st_size / HOLLOW_TIMES > (off_t)st->st_blocks * BLOCK;
}

static int open_looked_at(const struct file_look *look, bool kernels_too, struct err *err)
{
	if (!S_ISREG(look->st.st_mode)) {
		fail(err, "%s: not a regular file", look->path);
		return -1;
	}
	if (!kernels_too && file_look_is_of_kernel(look)) {
		fail(err, "%s: a file of the kernel, not opened", look->path);
		return -1;
	}
	if (!kernels_too && is_hollow(&look->st)) {
		fail(err, "%s: " HOLLOW, look->path);
		errno = EFBIG;
		return -1;
	}
	int fd = file_look_open(look);
	if (fd < 0)
		fail_errno(err, "%s", look->path);
	return fd;
}

static int open_regular(const char *path, bool kernels_too, struct stat *st, struct err *err)
{
	struct file_look look;
	if (!file_look(&look, path, true)) {
		fail_errno(err, "%s", path);
		return -1;
	}
	int fd = open_looked_at(&look, kernels_too, err);
	file_look_end(&look);
	if (st)
		*st = look.st;
	return fd;
}

int regular_open(const char *path, struct stat *st, struct err *err)
{
	return open_regular(path, false, st, err);
}

int regular_open_of_kernel(const char *path, struct err *err)
{
	return open_regular(path, true, NULL, err);
}

bool regular_stat(const char *path, bool follows, struct stat *st)
{
	struct file_look look;
	if (!file_look(&look, path, follows))
		return false;
	*st = look.st;
	file_look_end(&look);
	return true;
}

bool regular_read(int fd, uint64_t offset, void *bytes, size_t n)
{
	if (offset > INT64_MAX || n > INT64_MAX - offset)
		return false;
	for (size_t done = 0; done < n;) {
		ssize_t got = pread(fd, (char *)bytes + done, n - done, (off_t)(offset + done));
		if (got == 0 || (got < 0 && errno != EINTR))
			return false;
		done += got > 0 ? (size_t)got : 0;
	}
	return true;
}

bool regular_read_all(int fd, size_t most, struct buf *out, struct err *err)
{
	size_t start = out->len;
	struct stat st;
	if (fstat(fd, &st) == 0 && st.st_size > 0 && (uint64_t)st.st_size > most)
		return fail(err, "larger than %zu MiB", most >> 20);
	for (;;) {
		ssize_t got = read(fd, buf_reserve(out, PIECE), PIECE);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fail_errno(err, "cannot be read");
		if (got == 0)
			return true;
		out->len += (size_t)got;
		if (out->len - start > most)
			return fail(err, "larger than %zu MiB", most >> 20);
	}
}
