/*
 * title.c - what a recording and its recorder are called.
 */
#include "record/record.h"

void record_title(struct buf *out, const struct record_options *r)
{
	const char *const *list = (const char *const *)(r->pids ? r->pids : r->tids);
	if (r->command)
		for (char **w = r->command; *w; w++)
			buf_addf(out, "%s%s", w == r->command ? "" : " ", *w);
	else if (r->cgroup)
		buf_addf(out, "control group %s", r->cgroup);
	else if (!list)
		buf_adds(out, "the whole system");
	else
		for (size_t i = 0; list[i]; i++)
			buf_addf(out, "%s%s", i ? ", " : r->pids ? "process " : "thread ", list[i]);
}

const char *record_recorder(const struct recording *r)
{
	static const char *const names[] = {
		[WITH_FLAMETOP] = "flametop sample",
		[WITH_PERF] = "perf record",
		[WITH_DTRACE] = "dtrace",
		[WITH_XCTRACE] = "xctrace",
	};
	return names[r->with];
}

const char *record_format(const struct recording *r)
{
	if (r->with >= WITH_DTRACE)
		return r->with == WITH_DTRACE ? "dtrace" : "xctrace";
	return r->is_native ? "perf-data" : "perf";
}
