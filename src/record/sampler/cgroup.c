/*
 * cgroup.c - finds the directory of a control group.
 *
 * Counters know the groups of one hierarchy: their own, the unified one next to older ones, or that alone.
 */
#include "record/sampler/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/buf.h"

#define FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

static int open_below_bases(const char *path)
{
	static const char *const bases[] = {"/sys/fs/cgroup/perf_event", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"};
	struct buf whole;
	int fd = -1;
	buf_init(&whole);
	for (size_t i = 0; i < sizeof bases / sizeof *bases && fd < 0; i++) {
		whole.len = 0;
		buf_addf(&whole, "%s%s%s", bases[i], path[0] == '/' ? "" : "/", path);
		fd = open(buf_str(&whole), FLAGS);
	}
	int error = errno;
	buf_deinit(&whole);
	errno = error;
	return fd;
}

int cgroup_open(const char *path, struct err *err)
{
	path += strncmp(path, "0::", 3) == 0 ? 3 : 0;
	int fd = strncmp(path, "/sys/", 5) == 0 ? open(path, FLAGS) : open_below_bases(path);
	if (fd < 0)
		fail_errno(err, "control group %s", path);
	return fd;
}
