/*
 * file_lock.c - locks of files and directories.
 */
#include "base/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/path_end.h"
#include "base/regular.h"

#define TRIES 1000 /* of 10 ms */

bool file_lock(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

void file_unlock(int fd)
{
	flock(fd, LOCK_UN);
}

bool file_is_locked(const char *path)
{
	int fd = regular_open(path, NULL, NULL);
	bool is_it = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
	if (fd >= 0)
		close(fd);
	return is_it;
}

/* Any user may lock a directory that he can read, for any purpose: hence the limit. */
int file_lock_directory_of(const char *path, bool (*ends)(void))
{
	static const struct timespec pause = {0, 10000000};
	char *directory = path_beside(path, ".");
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; i < TRIES && fd >= 0 && !file_lock(fd) && !ends(); i++)
		nanosleep(&pause, NULL);
	free(directory);
	return fd;
}
