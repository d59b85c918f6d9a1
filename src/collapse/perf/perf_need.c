/*
 * perf_need.c - finds out what a recording has, by its header alone.
 */
#include "collapse/perf/perf_need.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/perf/perf_stacks.h"
#include "perfdata/perfdata.h"
#include "symbols/inlines.h"

#define SOFTWARE_DUMMY 9u /* PERF_COUNT_SW_DUMMY: an event that counts nothing */

static bool read_file(void *arg, uint64_t offset, void *into, size_t n)
{
	ssize_t got;
	do
		got = offset <= INT64_MAX ? pread(*(int *)arg, into, n, (off_t)offset) : -1;
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)n;
}

/*
 * Has it only events of the scheduler? The user may want their samples as time. A name alone proves nothing: perf
 * script opens files that a recording names, so a recording must need it.
 */
static bool is_scheduler(struct perfdata *p)
{
	size_t n = 0;
	for (uint32_t i = 0; i < perfdata_n_events(p); i++) {
		const struct perfdata_event *e = perfdata_event(p, i);
		bool is_dummy = e->type == EVENT_SOFTWARE && e->config == SOFTWARE_DUMMY;
		bool is_tracepoint = e->type == EVENT_TRACEPOINT && e->format && (e->sample_type & FIELD_RAW);
		if (is_tracepoint && e->name && strncmp(e->name, "sched:", 6) == 0)
			n++;
		else if (!is_dummy)
			return false;
	}
	return n;
}

static bool has_stacks(struct perfdata *p)
{
	for (uint32_t i = 0; i < perfdata_n_events(p); i++) {
		if (perfdata_event(p, i)->sample_type & FIELD_STACK_USER)
			return true;
	}
	return false;
}

static bool asks_for_text(const struct collapse_options *o)
{
	return o->srcline || (o->inline_ && (o->context || !inlines_is_built()));
}

enum perf_need perf_need_of_plan(const struct collapse_options *o, bool has_dumps)
{
	if (asks_for_text(o))
		return NEED_TEXT;
	return has_dumps && !perf_stacks_can_here() ? NEED_STACKS : NEED_NOTHING;
}

/* Why it cannot be read: a file that is too short even for its header is none that perf would know. */
static enum perf_need need_of_unread(int fd, const struct perfdata *p)
{
	struct stat st;
	bool is_short = fd >= 0 && fstat(fd, &st) == 0 && (uint64_t)st.st_size < perfdata_lacking(p);
	return is_short ? NEED_MORE : NEED_OTHER;
}

enum perf_need perf_need_of_file(const char *path, const struct collapse_options *o, struct err *err)
{
	static const struct perfdata_hooks none = {0};
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct perfdata *p = perfdata_new(&none, NULL);
	enum perf_need need = NEED_NOTHING;
	if (fd < 0 ? !fail_errno(err, "%s", path) : !perfdata_read_features(p, read_file, &fd, err))
		need = need_of_unread(fd, p);
	else if (asks_for_text(o) || is_scheduler(p))
		need = NEED_TEXT;
	else if (has_stacks(p) && !perf_stacks_can(p))
		need = NEED_STACKS;
	perfdata_free(p);
	if (fd >= 0 && !is_stdin)
		close(fd);
	return need;
}
