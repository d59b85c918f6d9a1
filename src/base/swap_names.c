/*
 * swap_names.c - renameat2(), which only Linux has, and not with every file system.
 */
#include "base/swap_names.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/platform.h"

#if ON_LINUX
#include <sys/syscall.h>
#endif

#if ON_LINUX && defined(SYS_renameat2)

#define EXCHANGE 2u /* RENAME_EXCHANGE of linux/fs.h */

bool swap_names(const char *a, const char *b)
{
	return syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, EXCHANGE) == 0;
}

#else

bool swap_names(const char *a, const char *b)
{
	(void)a;
	(void)b;
	errno = ENOSYS;
	return false;
}

#endif
