/*
 * name_look.c - on Linux the name is opened first and examined then, so that nothing can change in between.
 */
#include "base/name_look.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/platform.h"

#if ON_LINUX

#include <linux/magic.h>
#include <sys/statfs.h>

int name_look_open(const char *directory)
{
	return open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Links in /proc lead to an open file, not to the path in their text. */
static bool is_of_proc(int fd)
{
	struct statfs fs;
	return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

static bool look_at(int fd, struct name_look *l)
{
	ssize_t n = 0;
	if (fstat(fd, &l->st) != 0)
		return false;
	if (S_ISLNK(l->st.st_mode)) {
		n = readlinkat(fd, "", l->target, sizeof l->target - 1);
		l->is_of_proc = is_of_proc(fd);
	}
	l->target[n > 0 ? n : 0] = '\0';
	return n >= 0 || l->is_of_proc;
}

bool name_look(int directory, const char *name, struct name_look *l)
{
	l->is_of_proc = false;
	int fd = openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	bool is_good = look_at(fd, l);
	int error = errno;
	close(fd);
	errno = error;
	return is_good;
}

#else

int name_look_open(const char *directory)
{
	return open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool name_look(int directory, const char *name, struct name_look *l)
{
	ssize_t n = 0;
	l->is_of_proc = false;
	if (fstatat(directory, name, &l->st, AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	if (S_ISLNK(l->st.st_mode))
		n = readlinkat(directory, name, l->target, sizeof l->target - 1);
	l->target[n > 0 ? n : 0] = '\0';
	return n >= 0;
}

#endif
