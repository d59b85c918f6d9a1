/*
 * core_file.c - keeps a process that holds credentials out of core files.
 *
 * RLIMIT_CORE is not enough: where kernel.core_pattern is a pipe (systemd-coredump, apport), Linux does not apply
 * it, and the program behind the pipe reads the environment, too. A filter of mappings would leave that to it.
 */
#include "base/core_file.h"

#include <sys/resource.h>

#include "base/platform.h"

#if ON_LINUX
#include <sys/prctl.h>
#endif

void core_file_forbid(void)
{
	struct rlimit limit;
#if ON_LINUX
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
	if (getrlimit(RLIMIT_CORE, &limit) != 0)
		return;
	limit.rlim_cur = 0;
	setrlimit(RLIMIT_CORE, &limit);
}
