/*
 * scratch.c - files without a name.
 *
 * The file is unlinked at once. Other programs reach it through /proc/PID/fd, which leads to the file itself: perf
 * writes it as if it had a name, and sudo, which closes descriptors, does no harm either.
 */
#include "scratch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int open_in(const char *dir)
{
	struct buf path;
	buf_init(&path);
	buf_addf(&path, "%s/flametop-XXXXXX", dir);
	buf_str(&path);
	int fd = mkostemp(path.data, O_CLOEXEC);
	if (fd >= 0)
		unlink(path.data);
	buf_deinit(&path);
	return fd;
}

int scratch_open(struct err *err)
{
	const char *dir = getenv("TMPDIR");
	if (dir && *dir) {
		int fd = open_in(dir);
		if (fd < 0)
			fail_errno(err, "temporary file in %s, which TMPDIR names", dir);
		return fd;
	}
	int fd = open_in("/var/tmp");
	if (fd < 0)
		fd = open_in("/tmp");
	if (fd < 0)
		fail_errno(err, "temporary file in /tmp");
	return fd;
}

void scratch_add_path(struct buf *out, int fd)
{
	buf_addf(out, "/proc/%ld/fd/%d", (long)getpid(), fd);
}
