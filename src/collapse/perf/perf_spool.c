/*
 * perf_spool.c - a recording that came through a pipe, in a file without a name.
 */
#include "collapse/perf/perf_spool.h"

#include <errno.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/scratch.h"

void perf_spool_init(struct perf_spool *s)
{
	*s = (struct perf_spool){.fd = -1};
}

void perf_spool_deinit(struct perf_spool *s)
{
	if (s->fd >= 0)
		close(s->fd);
	perf_spool_init(s);
}

static bool open_spool(struct perf_spool *s, struct err *err)
{
	struct statvfs fs;
	s->fd = scratch_open(err);
	s->room = s->fd >= 0 && fstatvfs(s->fd, &fs) == 0 ? (uint64_t)fs.f_bavail * fs.f_frsize / 2 : UINT64_MAX;
	return s->fd >= 0;
}

bool perf_spool_add(struct perf_spool *s, const void *bytes, size_t n, struct err *err)
{
	const char *at = bytes;
	if (s->fd < 0 && !open_spool(s, err))
		return false;
	if (n > s->room - s->size)
		return fail(err, "the recording takes more than half of the free space for temporary files (name another "
		                 "directory in TMPDIR, or save it to a file and open that)");
	while (n) {
		ssize_t done = write(s->fd, at, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return fail_errno(err, "temporary file for the recording");
		at += done;
		n -= (size_t)done;
		s->size += (uint64_t)done;
	}
	return true;
}

bool perf_spool_read_at(void *spool, uint64_t offset, void *into, size_t n)
{
	const struct perf_spool *s = spool;
	size_t done = 0;
	while (done < n) {
		if (s->fd < 0 || offset >= s->size)
			return false;
		ssize_t got = pread(s->fd, (char *)into + done, n - done, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		done += (size_t)got;
		offset += (uint64_t)got;
	}
	return true;
}
