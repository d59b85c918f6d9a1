/*
 * random.c - by a system call on Linux, which needs no file and no descriptor; else from the device.
 */
#include "base/random.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/platform.h"

#if ON_LINUX

#include <sys/random.h>

bool random_bytes(void *to, size_t n)
{
	ssize_t got;
	do
		got = getrandom(to, n, GRND_NONBLOCK);
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)n;
}

#else

bool random_bytes(void *to, size_t n)
{
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t got;
	do
		got = read(fd, to, n);
	while (got < 0 && errno == EINTR);
	close(fd);
	return got == (ssize_t)n;
}

#endif
