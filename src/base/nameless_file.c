/*
 * nameless_file.c - O_TMPFILE; other systems than Linux have nothing like it.
 */
#include "base/nameless_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/platform.h"

#if ON_LINUX

struct link {
	char path[64];
};

static struct link link_of(int fd)
{
	struct link l;
	snprintf(l.path, sizeof l.path, "/proc/self/fd/%d", fd);
	return l;
}

int nameless_file_open(const char *directory, mode_t mode)
{
	int fd = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
	/* It gets its name through /proc, which may be missing. */
	if (fd < 0 || access(link_of(fd).path, F_OK) == 0)
		return fd;
	close(fd);
	return -1;
}

bool nameless_file_link(int fd, const char *name)
{
	return linkat(AT_FDCWD, link_of(fd).path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

#else

int nameless_file_open(const char *directory, mode_t mode)
{
	(void)directory;
	(void)mode;
	errno = ENOTSUP;
	return -1;
}

bool nameless_file_link(int fd, const char *name)
{
	(void)fd;
	(void)name;
	errno = ENOTSUP;
	return false;
}

#endif
