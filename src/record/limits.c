/*
 * limits.c - reads the kernel's settings, and our capabilities.
 */
#include "record/limits.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/proc.h"

static int setting(const char *path)
{
	int64_t n = LIMITS_UNKNOWN;
	proc_number(path, &n);
	return (int)n;
}

/* Has CAP_SYS_ADMIN (21) or CAP_PERFMON (38), which perf events ask for. */
static bool has_capability(void)
{
	char text[64];
	if (!proc_line("/proc/self/status", "CapEff:", text, sizeof text))
		return false;
	unsigned long long set = strtoull(text, NULL, 16);
	return set >> 21 & 1 || set >> 38 & 1;
}

void limits_read(struct limits *l)
{
	l->paranoid = setting("/proc/sys/kernel/perf_event_paranoid");
	l->kptr_restrict = setting("/proc/sys/kernel/kptr_restrict");
	l->is_privileged = geteuid() == 0 || has_capability();
}

uint64_t limits_frequency(uint64_t wanted)
{
	int64_t most = 0;
	proc_number("/proc/sys/kernel/perf_event_max_sample_rate", &most);
	return most > 0 && wanted > (uint64_t)most ? (uint64_t)most : wanted;
}

bool limits_raise_files(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max)
		return false;
	limit.rlim_cur = limit.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}
