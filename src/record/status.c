/*
 * status.c - how the programs of a recording ended: what is said of it, and what is passed on.
 */
#include "record/record.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/regular.h"
#include "perfdata/header.h"
#include "record/said.h"
#include "record/sampler/records.h"

/*
 * A truncated recording has no trailer, so perf script may fail on it. is_told: perf script had to be told to end.
 */
static bool is_script_good(const struct recording *r, bool is_cut_short, bool is_told)
{
	int s = r->script_status;
	if (is_told)
		return true;
	if (WIFSIGNALED(s))
		return WTERMSIG(s) == SIGPIPE && !r->is_read; /* the reader stopped before the end */
	return s == 0 || is_cut_short;
}

static bool report_script(const struct recording *r, bool is_good, struct err *err)
{
	struct buf said;
	buf_init(&said);
	said_add(r->script_said, &said);
	if (!is_good && WIFSIGNALED(r->script_status))
		fail(err, "perf script was ended by signal %d (%s)", WTERMSIG(r->script_status),
		     strsignal(WTERMSIG(r->script_status)));
	else if (!is_good)
		fail(err, "perf script failed: %s", said.len ? buf_str(&said) : "it printed no message");
	else if (said.len && !r->options->quiet)
		err_printf("perf script: %s", buf_str(&said));
	buf_deinit(&said);
	return is_good;
}

/* --ignore-status is about the command. If our own sampler fails, what it recorded is not all. */
static bool is_ignored(const struct recording *r)
{
	return r->options->record.ignore_status && !(r->is_own && r->is_complete == RECORD_IS_CUT);
}

int record_status(const struct recording *r)
{
	int s = r->recorder_status;
	if (is_ignored(r) || r->is_interrupted || r->left_running > 0)
		return 0;
	/* perf record ends itself by the signal that ended it or the command */
	return WIFSIGNALED(s) ? 128 + WTERMSIG(s) : WEXITSTATUS(s);
}

static enum record_completeness completeness_of_file(int fd)
{
	struct perfdata_header header;
	struct err unused = {""};
	unsigned char bytes[HEADER_FILE_SIZE];
	if (!regular_read(fd, 0, bytes, sizeof bytes) || !perfdata_header_parse(&header, bytes, &unused))
		return RECORD_IS_UNKNOWN;
	return perfdata_header_has_features(&header) ? RECORD_IS_COMPLETE : RECORD_IS_CUT;
}

static enum record_completeness completeness_of_path(const char *path)
{
	struct err unused;
	int fd = regular_open(path, NULL, &unused);
	enum record_completeness how = fd < 0 ? RECORD_IS_UNKNOWN : completeness_of_file(fd);
	if (fd >= 0)
		close(fd);
	return how;
}

enum record_completeness record_is_complete(const struct recording *r)
{
	if (!r->is_own)
		return RECORD_IS_UNKNOWN;
	if (r->data >= 0)
		return completeness_of_file(r->data);
	if (r->kept)
		return completeness_of_path(r->kept);
	if (!r->is_live || !r->relay.is_at_end)
		return RECORD_IS_UNKNOWN;
	return records_have_ended(r->relay.tail, sizeof r->relay.tail) ? RECORD_IS_COMPLETE : RECORD_IS_CUT;
}

/*
 * Who ended in that way? A sampler that dies has not completed the recording; one that passes on how its command
 * ended has. NULL: not known, or there is no command. perf's status is usually that of the command, too.
 */
static const char *blamed(const struct recording *r)
{
	const char *command = r->options->record.command ? r->options->record.command[0] : NULL;
	if (!r->is_own)
		return NULL;
	return r->is_complete == RECORD_IS_COMPLETE ? command
	       : r->is_complete == RECORD_IS_CUT    ? record_recorder(r)
	                                            : NULL;
}

/* flametop sample tells of its own failures, and then there are no samples. */
void record_say_status(const struct recording *r)
{
	const char *command = r->options->record.command ? r->options->record.command[0] : NULL, *who = blamed(r);
	const char *samples = !r->is_shown         ? ""
	                      : r->options->output ? "; the samples up to there are written"
	                                           : "; the samples up to there are shown";
	int s = r->recorder_status, status = record_status(r);
	struct buf names;
	if (status == 0 || r->options->quiet)
		return;
	buf_init(&names);
	if (who)
		buf_adds(&names, who);
	else
		buf_addf(&names, "%s%s%s", command ? command : "", command ? " or " : "", record_recorder(r));
	if (WIFSIGNALED(s))
		err_printf("%s was ended by signal %d (%s)%s", buf_str(&names), WTERMSIG(s), strsignal(WTERMSIG(s)),
		           samples);
	else if (!r->is_live) /* its messages are shown as well */
		err_printf("%s ended with status %d%s", buf_str(&names), status, samples);
	buf_deinit(&names);
}

/* Unknown facts are left out: the command may be long gone, or may never have begun. */
void record_say_ending(const struct recording *r)
{
	const char *stripped = r->stripped.len ? r->stripped.data : NULL;
	if (r->options->quiet || r->ended_by < ENDING_STRIPPED)
		return;
	if (r->ended_by == ENDING_LOST)
		err_printf("%s cannot be ended, and is left running", record_recorder(r));
	else if (r->ended_by == ENDING_STRIPPED)
		err_printf("%s did not end when it was told to, until %s, which it had started, was killed",
		           record_recorder(r), stripped);
	else
		err_printf("%s did not end when it was told to, and was killed%s%s%s", record_recorder(r),
		           stripped ? ", as was " : "", stripped ? stripped : "", stripped ? ", which it had started" : "");
}

bool record_script_status(const struct recording *r, bool is_cut_short, bool is_told, struct err *err)
{
	return report_script(r, is_script_good(r, is_cut_short, is_told), err);
}
