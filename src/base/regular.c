/*
 * regular.c - opens and reads regular files only, whatever a recording calls a file.
 *
 * A recording may come from anywhere, and its names may mean a device or a pipe here. Opening some of these has
 * side effects or blocks for ever, so the kind of a file is checked before opening and, since it may change in
 * between, again afterwards.
 */
#include "base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define PIECE ((size_t)256 << 10)

int regular_open(const char *path, struct stat *st, struct err *err)
{
	struct stat own = {0};
	st = st ? st : &own;
	if (stat(path, st) != 0) {
		fail_errno(err, "%s", path);
		return -1;
	}
	int fd = S_ISREG(st->st_mode) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
	if (fd >= 0 && fstat(fd, st) == 0 && S_ISREG(st->st_mode))
		return fd;
	if (fd < 0 && S_ISREG(st->st_mode))
		fail_errno(err, "%s", path);
	else
		fail(err, "%s: not a regular file", path);
	if (fd >= 0)
		close(fd);
	return -1;
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
			return fail(err, "larger than %zu MB", most >> 20);
	}
}
