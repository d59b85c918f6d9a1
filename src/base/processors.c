/*
 * processors.c - on Linux only those that taskset, a container or a batch system leaves to us.
 */
#include "base/processors.h"

#include <sched.h>
#include <unistd.h>

#include "base/platform.h"

unsigned processors(void)
{
#if ON_LINUX
	cpu_set_t set;
	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return 1;
	long n = CPU_COUNT(&set);
#else
	long n = sysconf(_SC_NPROCESSORS_ONLN);
#endif
	return n > 0 ? (unsigned)n : 1;
}
