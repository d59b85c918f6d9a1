/*
 * scratch.c - files without a name.
 *
 * The file is unlinked at once. Other programs reach it through /proc/PID/fd, which leads to the file itself: perf
 * writes it as if it had a name, and sudo, which closes descriptors, does no harm either.
 */
#include "scratch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "/flametop-"
#define GONE " (deleted)" /* the kernel adds it to names of files that were removed */

static int open_in(const char *dir)
{
	struct buf path;
	buf_init(&path);
	buf_addf(&path, "%s" NAME "XXXXXX", dir);
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

bool scratch_add_name(struct buf *out, int fd)
{
	char link[64], name[4096];
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, name, sizeof name - 1);
	size_t len = n > 0 ? (size_t)n : 0, gone = strlen(GONE);
	name[len] = '\0';
	const char *last = strrchr(name, '/');
	if (len < gone || strcmp(name + len - gone, GONE) != 0 || strncmp(last ? last : "", NAME, strlen(NAME)) != 0)
		return false;
	buf_add(out, name, len - gone);
	return true;
}
