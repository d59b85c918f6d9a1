/*
 * descriptor.c - one call where the system has it, else two.
 */
#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/platform.h"

#if ON_LINUX
#include <sys/syscall.h>
#endif

#define MOST_CLOSED 65536 /* without a call that closes all: no more descriptors are tried */

#ifdef MSG_NOSIGNAL
#define NO_SIGNAL MSG_NOSIGNAL
#else
#define NO_SIGNAL 0 /* descriptor_pair() asked the socket for it */
#endif

bool descriptor_is_lacking(int error)
{
	return error == EMFILE || error == ENFILE;
}

#if ON_LINUX

bool descriptor_pipe(int ends[2])
{
	return pipe2(ends, O_CLOEXEC) == 0;
}

bool descriptor_pipe_nonblocking(int ends[2])
{
	return pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0;
}

bool descriptor_pair(int type, int ends[2])
{
	return socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) == 0;
}

bool descriptor_copy(int from, int to)
{
	return dup3(from, to, O_CLOEXEC) >= 0;
}

void descriptor_enlarge(int fd, int bytes)
{
	fcntl(fd, F_SETPIPE_SZ, bytes);
}

#else

static bool mark(const int ends[2])
{
	return fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

static bool close_both(const int ends[2])
{
	int error = errno;
	close(ends[0]);
	close(ends[1]);
	errno = error;
	return false;
}

bool descriptor_pipe(int ends[2])
{
	return pipe(ends) == 0 && (mark(ends) || close_both(ends));
}

static bool wait_never(int fd)
{
	return fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0;
}

bool descriptor_pipe_nonblocking(int ends[2])
{
	return descriptor_pipe(ends) && ((wait_never(ends[0]) && wait_never(ends[1])) || close_both(ends));
}

static void ask_for_no_signal(int fd)
{
#ifdef SO_NOSIGPIPE
	setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#else
	(void)fd;
#endif
}

bool descriptor_pair(int type, int ends[2])
{
	if (socketpair(AF_UNIX, type, 0, ends) != 0)
		return false;
	ask_for_no_signal(ends[0]);
	ask_for_no_signal(ends[1]);
	return mark(ends) || close_both(ends);
}

bool descriptor_copy(int from, int to)
{
	return dup2(from, to) >= 0 && fcntl(to, F_SETFD, FD_CLOEXEC) == 0;
}

void descriptor_enlarge(int fd, int bytes)
{
	(void)fd;
	(void)bytes;
}

#endif

ssize_t descriptor_send(int fd, const void *bytes, size_t n)
{
	return send(fd, bytes, n, NO_SIGNAL);
}

void descriptor_wake(int fd)
{
	shutdown(fd, SHUT_WR);
}

/* By its number: glibc before 2.34 and musl have no function for it. */
static bool close_range_at_once(int first)
{
#if ON_LINUX && defined(SYS_close_range)
	return syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0;
#else
	(void)first;
	return false;
#endif
}

void descriptor_close_from(int first)
{
	if (close_range_at_once(first))
		return;
	long limit = sysconf(_SC_OPEN_MAX);
	for (int fd = first; fd < (limit < 0 || limit > MOST_CLOSED ? MOST_CLOSED : (int)limit); fd++)
		close(fd);
}
