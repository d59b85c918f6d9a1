/*
 * status.c - how the programs of a recording ended: what is said of it, and what is passed on.
 */
#include "record/record.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/regular.h"
#include "perfdata/header.h"
#include "record/said.h"

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

int record_status(const struct recording *r)
{
	int s = r->recorder_status;
	if (r->options->record.ignore_status || r->is_interrupted || r->left_running > 0)
		return 0;
	/* perf record ends itself by the signal that ended it or the command */
	return WIFSIGNALED(s) ? 128 + WTERMSIG(s) : WEXITSTATUS(s);
}

/* Did flametop's own sampler die, rather than pass on how the command ended? Then it did not complete the file. */
static bool has_sampler_died(const struct recording *r)
{
	struct perfdata_header header;
	struct err unused = {""};
	unsigned char bytes[HEADER_FILE_SIZE];
	return r->is_own && r->data >= 0 && WIFSIGNALED(r->recorder_status) &&
	       regular_read(r->data, 0, bytes, sizeof bytes) && perfdata_header_parse(&header, bytes, &unused) &&
	       !perfdata_header_has_features(&header);
}

/* perf record's status is usually the command's own: perf record ends with the same signal, too. */
void record_say_status(const struct recording *r)
{
	const char *command = r->options->record.command ? r->options->record.command[0] : NULL;
	int s = r->recorder_status, status = record_status(r);
	if (status == 0 || r->options->quiet)
		return;
	/* flametop sample tells of its own failures, and then there are no samples. */
	if (has_sampler_died(r))
		command = NULL;
	const char *recorder = command && r->is_own ? "" : record_recorder(r);
	const char * or = command && *recorder ? " or " : "", *done = r->options->output ? "written" : "shown";
	if (WIFSIGNALED(s))
		err_printf("%s%s%s was ended by signal %d (%s); the samples up to there are %s", command ? command : "", or,
		           recorder, WTERMSIG(s), strsignal(WTERMSIG(s)), done);
	else if (!r->is_live) /* its messages are shown as well */
		err_printf("%s%s%s ended with status %d; the samples up to there are %s", command ? command : "", or,
		           recorder, status, done);
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
