/*
 * trust.h - opens files where a recorded process puts its own, and where any user could have put them.
 */
#ifndef SYMBOLS_TRUST_H
#define SYMBOLS_TRUST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/err.h"

/* Seconds since 1970 between which the samples were taken, if that was since the machine has started. */
struct trust_period {
	int64_t from, to; /* to below from: not on this machine, or unknown */
};

struct trust_in {
	struct trust_period period;
	int32_t pid;
	uint64_t time;     /* ns, when the process was sampled, by perf's clock or CLOCK_MONOTONIC; 0: unknown */
	uint64_t born;     /* likewise, when it or its program began; 0: before the recording, or unknown */
	bool is_elsewhere; /* the path leads into the file system of the process (/proc/PID/root) */
};

bool trust_is_ours(uid_t); /* root or the user */
/* Is the running process of this number the one that was sampled at that time? */
bool trust_is_recorded(const struct trust_in *);
/*
 * Opens a regular file that belongs to root, to the user, or to the owner of the recorded process while it runs;
 * elsewhere, only to that owner, who decides what is at any path there. A link counts only if root or the user made
 * it. A file last written before the process began is refused, as far as that time is known, and one last written
 * before the machine started, if the process was sampled since. -1 with err: there is
 * none. err->text is empty if there is no file at all.
 */
int trust_open(const char *path, const struct trust_in *, struct stat *, struct err *);
/* Opens a file that trust_open() has checked again, without checking its owner; links as above. -1 with err. */
int trust_reopen(const char *path, struct err *);

#endif
