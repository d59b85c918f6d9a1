/*
 * file_look.c - on Linux a descriptor leads to the file, so that what is opened is what was examined.
 */
#include "base/file_look.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/platform.h"

#define HOW_TO_READ (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

/* Opens the path, as long as it still leads to the file. */
static int open_by_path(const struct file_look *look)
{
	struct stat st;
	int fd = open(look->path, HOW_TO_READ);
	if (fd < 0 || (fstat(fd, &st) == 0 && st.st_ino == look->st.st_ino && st.st_dev == look->st.st_dev))
		return fd;
	close(fd);
	errno = ESTALE;
	return -1;
}

/* ---- paths below the root of a process ----------------------------------------------------------------------- */

#define DEPTH 5u /* of /proc/PID/task/TID/root */

/* The names of a path, without "." and what ".." takes away. */
struct names {
	struct name {
		const char *s;
		size_t n;
	} v[DEPTH];
	size_t n; /* also of those that are deeper, and not in v */
};

static bool is_name(const struct name *name, const char *word)
{
	return name->n == strlen(word) && memcmp(name->s, word, name->n) == 0;
}

static bool is_number(const struct name *name)
{
	return name->n > 0 && strspn(name->s, "0123456789") == name->n;
}

static void take_name(struct names *names, const struct name *name)
{
	if (is_name(name, "."))
		return;
	if (is_name(name, "..")) {
		names->n -= names->n > 0;
		return;
	}
	if (names->n < DEPTH)
		names->v[names->n] = *name;
	names->n++;
}

/* /proc/PID/root or /proc/PID/task/TID/root; PID may also be "self" or "thread-self". */
static bool is_root(const struct names *names)
{
	const struct name *v = names->v;
	if ((names->n != 3 && names->n != DEPTH) || !is_name(&v[0], "proc") || !is_name(&v[names->n - 1], "root"))
		return false;
	return (is_number(&v[1]) || is_name(&v[1], "self") || is_name(&v[1], "thread-self")) &&
	       (names->n == 3 || (is_name(&v[2], "task") && is_number(&v[3])));
}

size_t file_look_root(const char *path)
{
	struct names names = {.n = 0};
	for (const char *at = path; ON_LINUX && *path == '/' && *at;) {
		struct name name = {at + strspn(at, "/"), 0};
		name.n = strcspn(name.s, "/");
		at = name.s + name.n;
		take_name(&names, &name);
		if (*at && is_root(&names))
			return (size_t)(at - path);
	}
	return 0;
}

#if ON_LINUX

#include <limits.h>
#include <stdint.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

#define TRIES 64 /* while other programs move directories */

/* ---- opening below the root of a process --------------------------------------------------------------------- */

/* openat2(), which C libraries lack; its number is the same for all processors that we know. */
static int open_resolved(int root, const char *path, int flags)
{
	const struct {
		uint64_t flags, mode, resolve;
	} how = {.flags = (uint64_t)flags, .resolve = 0x02 | 0x10}; /* RESOLVE_NO_MAGICLINKS, RESOLVE_IN_ROOT */
	int fd = -1;
	for (int i = 0; i < TRIES && fd < 0 && (i == 0 || errno == EAGAIN || errno == EINTR); i++)
		fd = (int)syscall(437, root, path, &how, sizeof how);
	return fd;
}

/* One name of the path, which ends at `end`, in a directory; -1: failed. */
static int open_name(int directory, const char *name, const char *end)
{
	char text[NAME_MAX + 1];
	size_t n = (size_t)(end - name);
	if (n >= sizeof text) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(text, name, n);
	text[n] = '\0';
	if (strcmp(text, "..") == 0) {
		errno = EXDEV;
		return -1;
	}
	return openat(directory, text, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

/* For kernels before 5.6: goes from name to name, and through no link. */
static int open_linkless(int root, const char *path)
{
	int at = fcntl(root, F_DUPFD_CLOEXEC, 0);
	while (at >= 0 && *(path += strspn(path, "/"))) {
		const char *end = path + strcspn(path, "/");
		int next = open_name(at, path, end), error = errno;
		close(at);
		errno = error;
		at = next;
		path = end;
	}
	return at;
}

static int open_below(const char *path, const char *below, int flags)
{
	char name[PATH_MAX];
	if (snprintf(name, sizeof name, "%.*s", (int)(below - path), path) >= (int)sizeof name) {
		errno = ENAMETOOLONG;
		return -1;
	}
	int root = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -1;
	int fd = open_resolved(root, below, flags);
	if (fd < 0 && (errno == ENOSYS || errno == EPERM)) /* EPERM: some sandboxes forbid what they do not know */
		fd = open_linkless(root, below);
	int error = errno;
	close(root);
	errno = error;
	return fd;
}

/* ---- looks --------------------------------------------------------------------------------------------------- */

bool file_look(struct file_look *look, const char *path, bool follows)
{
	int flags = O_PATH | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW);
	size_t root = file_look_root(path);
	*look = (struct file_look){.path = path};
	look->fd = root ? open_below(path, path + root, flags) : open(path, flags);
	if (look->fd < 0)
		return false;
	if (fstat(look->fd, &look->st) == 0)
		return true;
	int error = errno;
	file_look_end(look);
	errno = error;
	return false;
}

/* All file systems of Linux whose files are neither on a disk or a network nor in memory. */
static const uint32_t kernels_own[] = {
	0x00009fa0, /* proc */
	0x62656572, /* sysfs */
	0x74726163, /* tracefs */
	0x64626720, /* debugfs */
	0x0027e0eb, /* cgroup, cpuset */
	0x63677270, /* cgroup2 */
	0x62656570, /* configfs */
	0x73636673, /* securityfs */
	0xf97cff8c, /* selinuxfs */
	0x43415d53, /* smackfs */
	0x5a3c69f0, /* apparmorfs */
	0xcafe4a11, /* bpf */
	0x6165676c, /* pstore */
	0xde5e81e4, /* efivarfs */
	0x42494e4d, /* binfmt_misc */
	0x65735543, /* fusectl */
	0x6c6f6f70, /* binder */
	0x00001cd1, /* devpts */
	0x19800202, /* mqueue */
	0x07655821, /* resctrl */
	0x6e667364, /* nfsd */
	0x67596969, /* rpc_pipefs */
	0x76a9f425, /* ocfs2_dlmfs */
	0x0a647361, /* functionfs */
	0xaee71ee7, /* gadgetfs */
	0xabba1974, /* xenfs */
	0x6f70726f, /* oprofilefs */
	0x00687970, /* s390_hypfs */
	0x23c9b64e, /* spufs */
	0x00009fa1, /* openpromfs */
	0x00009fa2, /* usbfs */
	0x726f7461, /* ibmasmfs */
	0x00726a77, /* ipathfs */
	0x64646178, /* dax */
	0x454d444d, /* devmem */
	0x444d4142, /* dmabuf */
	0x5345434d, /* secretmem */
	0x6e736673, /* nsfs */
	0x50494446, /* pidfs */
	0x534f434b, /* sockfs */
	0x50495045, /* pipefs */
	0x09041934, /* anon_inodefs */
	0x62646576, /* bdev */
	0x00000187, /* autofs */
};

static bool is_kernels_own(uint32_t type)
{
	for (size_t i = 0; i < sizeof kernels_own / sizeof *kernels_own; i++)
		if (kernels_own[i] == type)
			return true;
	return false;
}

bool file_look_is_of_kernel(const struct file_look *look)
{
	struct statfs fs;
	return fstatfs(look->fd, &fs) != 0 || is_kernels_own((uint32_t)fs.f_type);
}

int file_look_open(const struct file_look *look)
{
	char path[32];
	snprintf(path, sizeof path, "/proc/self/fd/%d", look->fd);
	int fd = open(path, HOW_TO_READ);
	return fd < 0 && errno == ENOENT && access(path, F_OK) != 0 ? open_by_path(look) : fd; /* without /proc */
}

void file_look_end(struct file_look *look)
{
	if (look->fd >= 0)
		close(look->fd);
	look->fd = -1;
}

#else

bool file_look(struct file_look *look, const char *path, bool follows)
{
	*look = (struct file_look){.path = path, .fd = -1};
	return (follows ? stat : lstat)(path, &look->st) == 0;
}

bool file_look_is_of_kernel(const struct file_look *look)
{
	char *whole = realpath(look->path, NULL);
	bool is_it = !whole || strncmp(whole, "/proc/", 6) == 0 || strncmp(whole, "/sys/", 5) == 0;
	free(whole);
	return is_it;
}

int file_look_open(const struct file_look *look)
{
	return open_by_path(look);
}

void file_look_end(struct file_look *look)
{
	(void)look;
}

#endif
