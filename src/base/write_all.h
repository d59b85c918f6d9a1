/*
 * write_all.h - writes all bytes to a descriptor.
 */
#ifndef BASE_WRITE_ALL_H
#define BASE_WRITE_ALL_H

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

/*
 * Returns how many bytes were written; if fewer than n, errno says why, such as EAGAIN for a non-blocking
 * descriptor. A signal handler may call it.
 */
static inline size_t write_all(int fd, const char *bytes, size_t n)
{
	size_t done = 0;
	while (done < n) {
		ssize_t put = write(fd, bytes + done, n - done);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			break;
		done += (size_t)put;
	}
	return done;
}

#endif
