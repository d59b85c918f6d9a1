/*
 * trust.c - opens files where a recorded process puts its own, and where any user could have put them.
 *
 * A recording knows the number of a process, not its owner. Numbers are used again, so the owner of a running
 * process counts only if the process was there already at the time of a sample: then it has had the number ever
 * since. The clock of the samples begins with the machine's start, so it must be the same start: by that clock, no
 * sample is younger than the file of the recording.
 */
#include "symbols/trust.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/proc.h"
#include "base/regular.h"

#define TOLERANCE 2     /* seconds, and */
#define DRIFT (1 / 1e4) /* of the time since the machine's start: perf's clock is not corrected as others are */

static double seconds(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Seconds for which the machine has slept. */
static double slept(void)
{
#ifdef CLOCK_BOOTTIME
	return seconds(CLOCK_BOOTTIME) - seconds(CLOCK_MONOTONIC);
#else
	return 0; /* CLOCK_MONOTONIC counts that time, too */
#endif
}

/*
 * When the process began, in seconds of CLOCK_MONOTONIC, if the machine has not slept since; below 0: it is gone.
 */
static double begin_of(int32_t pid)
{
	struct proc_stat s;
	if (pid <= 0 || !proc_stat(pid, &s))
		return -1;
	double begin = (double)s.begun / (double)sysconf(_SC_CLK_TCK) - slept();
	return begin > 0 ? begin : 0;
}

static double tolerance(void)
{
	return TOLERANCE + seconds(CLOCK_MONOTONIC) * DRIFT;
}

/* Seconds since 1970 of a time of CLOCK_MONOTONIC. */
static double wall_of(double time)
{
	return seconds(CLOCK_REALTIME) - (seconds(CLOCK_MONOTONIC) - time);
}

/* Is it a time (ns) of the recording, since this machine has started? */
static bool is_of_recording(uint64_t ns, struct trust_period period)
{
	double time = (double)ns / 1e9, wall = wall_of(time), most = tolerance();
	return ns > 0 && time <= seconds(CLOCK_MONOTONIC) + most && wall >= (double)period.from - most &&
	       wall <= (double)period.to + most;
}

bool trust_is_recorded(const struct trust_in *in)
{
	double begin = begin_of(in->pid);
	return begin >= 0 && begin <= (double)in->time / 1e9 && is_of_recording(in->time, in->period);
}

/*
 * Was the file left behind by an earlier process of the same number? If nothing else is known of the process's
 * beginning, it was not before the machine's start, as long as it was sampled since then.
 */
static bool is_stale(const struct stat *st, const struct trust_in *in)
{
	double begin = trust_is_recorded(in) ? begin_of(in->pid) : -1, born = (double)in->born / 1e9;
	if (born > begin && is_of_recording(in->born, in->period))
		begin = born;
	if (begin < 0 && !is_of_recording(in->time, in->period))
		return false;
	return (double)st->st_mtime < wall_of(begin < 0 ? -slept() : begin) - tolerance();
}

static bool is_owner(uid_t uid, const struct trust_in *in)
{
	char path[32];
	struct stat process;
	snprintf(path, sizeof path, "/proc/%" PRId32, in->pid);
	return stat(path, &process) == 0 && process.st_uid == uid && trust_is_recorded(in);
}

bool trust_is_ours(uid_t uid)
{
	return uid == 0 || uid == geteuid();
}

/* -1 with err; without, there is no file. */
static int open_unchanged(const char *path, bool follows_links, struct stat *st, struct err *err)
{
	struct stat seen;
	err->text[0] = '\0';
	if (!regular_stat(path, false, &seen))
		return -1;
	bool is_link = S_ISLNK(seen.st_mode);
	if (is_link && !(follows_links && trust_is_ours(seen.st_uid))) {
		fail(err, "%s: a link that neither root nor the user has made, not followed", path);
		return -1;
	}
	int fd = regular_open(path, st, err);
	if (fd < 0 || is_link || (st->st_ino == seen.st_ino && st->st_dev == seen.st_dev))
		return fd;
	fail(err, "%s: changed while it was opened", path);
	close(fd);
	return -1;
}

int trust_open(const char *path, const struct trust_in *in, struct stat *st, struct err *err)
{
	int fd = open_unchanged(path, !in->is_elsewhere, st, err);
	if (fd >= 0 && is_stale(st, in)) {
		fail(err, "%s: written before the process began, not read", path);
		close(fd);
		return -1;
	}
	if (fd < 0 || (!in->is_elsewhere && trust_is_ours(st->st_uid)) || is_owner(st->st_uid, in))
		return fd;
	fail(err, "%s: neither root's nor the user's nor that of the recorded process's owner, not read", path);
	close(fd);
	return -1;
}

int trust_reopen(const char *path, struct err *err)
{
	struct stat st;
	return open_unchanged(path, true, &st, err);
}
