/*
 * left.c - what perf record has left: a recording, or the reason why there is none.
 */
#include "record/record.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>

#include "record/sampler/written.h"

#ifdef __APPLE__
#define CHANGED st_mtimespec
#else
#define CHANGED st_mtim
#endif
#define LEAST_ROOM 65536 /* bytes: less than perf writes at once */

/*
 * Has perf written the file? A name given by --keep-data or --cmd may belong to an older recording, which a failing
 * perf leaves unchanged.
 */
static bool has_data(const struct recording *r, const struct stat *before)
{
	struct stat st;
	if (stat(r->data_path, &st) != 0 || st.st_size == 0)
		return false;
	return st.st_dev != before->st_dev || st.st_ino != before->st_ino || st.st_size != before->st_size ||
	       st.CHANGED.tv_sec != before->CHANGED.tv_sec || st.CHANGED.tv_nsec != before->CHANGED.tv_nsec;
}

/* Is there room left for the recording? */
static bool has_room(const struct recording *r)
{
	struct statvfs fs;
	return r->data < 0 || fstatvfs(r->data, &fs) != 0 || (uint64_t)fs.f_bavail * fs.f_frsize >= LEAST_ROOM;
}

static bool lacks_room(const struct recording *r)
{
	return r->recorder_status != 0 && !has_room(r);
}

/* perf's status is usually that of the command. Our sampler has failed if the recording has no end. */
bool record_has_failed(const struct recording *r)
{
	return r->is_own ? r->recorder_status != 0 && record_is_complete(r) == RECORD_IS_CUT : lacks_room(r);
}

static bool fail_without_samples(const struct recording *r, struct err *err)
{
	int s = r->recorder_status;
	if (r->ended_by >= ENDING_STRIPPED)
		return fail(err, "%s had to be killed, and left no samples", record_recorder(r));
	if (r->is_interrupted)
		return fail(err, "%s was interrupted before it had samples", record_recorder(r));
	if (WIFSIGNALED(s))
		return fail(err, "%s was ended by signal %d (%s) and left no samples", record_recorder(r), WTERMSIG(s),
		            strsignal(WTERMSIG(s)));
	if (WEXITSTATUS(s) == 0)
		return fail(err, "%s left no samples", record_recorder(r));
	return fail(err, "%s failed with status %d and left no samples", record_recorder(r), WEXITSTATUS(s));
}

/*
 * perf tells that there was no room, but no remedy. perf script cannot read a recording that filled its file
 * system: it has no end. flametop can, up to there.
 */
static bool say_no_room(const struct recording *r, bool is_there, struct err *err)
{
	static const char no_room[] = "no room is left for the recording" WRITTEN_ADVICE;
	if (!is_there || record_is_for_script(r))
		return fail(err, "%s", no_room);
	err_print(no_room);
	return true;
}

bool record_has_left_samples(const struct recording *r, const struct stat *before, struct err *err)
{
	bool is_there = has_data(r, before);
	if (!r->is_own && lacks_room(r)) /* our sampler has told of it */
		return say_no_room(r, is_there, err);
	return is_there || fail_without_samples(r, err);
}
