/*
 * copy_data.c - on Linux inside the kernel, which for some file systems moves no data at all.
 */
#include "base/copy_data.h"

#include <errno.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/platform.h"

#if ON_LINUX

#include <sys/sendfile.h>

bool copy_data(int from, int to)
{
	ssize_t done;
	off_t at = 0;
	do
		done = sendfile(to, from, &at, (size_t)1 << 30);
	while (done > 0 || (done < 0 && errno == EINTR));
	return done == 0;
}

#else

#include "base/write_all.h"

bool copy_data(int from, int to)
{
	char piece[8192];
	off_t at = 0;
	for (;;) {
		ssize_t n = pread(from, piece, sizeof piece, at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0;
		if (!write_all(to, piece, (size_t)n))
			return false;
		at += n;
	}
}

#endif
