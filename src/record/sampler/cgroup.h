/*
 * cgroup.h - control groups, whose threads are sampled together.
 */
#ifndef RECORD_SAMPLER_CGROUP_H
#define RECORD_SAMPLER_CGROUP_H

#include "base/err.h"

/*
 * Opens the directory of a group: its path below /sys/fs/cgroup, a whole one, or "0::PATH" as /proc/PID/cgroup has
 * it. -1 with err: it cannot be opened.
 */
int cgroup_open(const char *path, struct err *);

#endif
