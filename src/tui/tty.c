/*
 * tty.c - /dev/tty, the controlling terminal; without one, a standard stream may still be a terminal.
 *
 * In a chroot without /dev, terminals have no names. Then only a copy of the stream's descriptor can be had. All
 * copies, also those of the shell, wait or do not wait together, so it cannot be one that does not wait.
 */
#include "tui/tty.h"

#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

static bool can_read_and_write(int fd)
{
	return isatty(fd) && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR;
}

int tty_open(int flags)
{
	int fd = open("/dev/tty", flags | O_CLOEXEC | O_NOCTTY);
	if (fd >= 0 || !isatty(STDOUT_FILENO))
		return fd;
	if (ttyname(STDOUT_FILENO))
		fd = open(ttyname(STDOUT_FILENO), flags | O_CLOEXEC | O_NOCTTY);
	if (fd < 0 && !(flags & O_NONBLOCK) && can_read_and_write(STDOUT_FILENO))
		fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return fd;
}
