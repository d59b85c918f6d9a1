/*
 * perf_marks.c - which text is the output of perf script.
 */
#include "collapse/perf/perf_marks.h"

#include "collapse/perf/perf_event.h"
#include "collapse/perf/perf_frames.h"

/* "sh 7 12.5: cycles: 4005d0 main (/bin/sh)"; not far behind its beginning, since a line may be very long. */
static bool carries_frame(struct slice line)
{
	struct perf_site site;
	struct slice symbol;
	size_t at;

	for (int colons = 0; colons < 16 && (at = slice_find(line, ": ")) != SIZE_MAX; colons++) {
		line = slice_ltrim(slice_from(line, at + 1));
		if (perf_frames_split(line, &site, &symbol))
			return true;
	}
	return false;
}

/*
 * The first line is an event line, and the next one a frame, or an event line that carries its frame. As long as all events
 * are the scheduler's, it may become the format perf-sched. A bracket at the end of an event line may be another kind of frame.
 */
enum sniff perf_sniff(const struct head *head, const char **why)
{
	const char *p = head->text, *end = p + head->len, *s;
	struct perf_site site;
	struct slice symbol, line;
	bool has_event = false, had_event = false, had_frame = false, had_bracket = false, is_sched = true;
	bool has_time = false, had_record = false;
	enum sniff event;
	size_t len;

	*why = "the first line is not an event line 'comm pid/tid [cpu] time: event:'";
	while (head_line(&p, end, &s, &len)) {
		line = slice_rtrim((struct slice){s, len});
		if (len && *s == '#')
			continue;
		if (!line.n) {
			has_event = has_time = false;
			continue;
		}
		if ((has_event && perf_frames_split(line, &site, &symbol)) ||
		    (has_time && is_blank_byte(*s) && perf_frames_is_bare(line, false))) {
			had_frame = true;
		} else if ((event = perf_event_sniff(line)) == SNIFF_YES) {
			had_record = true;
		} else if (event == SNIFF_MAYBE) {
			is_sched = is_sched && slice_has(line, " sched:");
			had_frame |= carries_frame(line);
			had_bracket |= line.s[line.n - 1] == ')' && perf_event_has_time(line);
			has_event = had_event = true;
			has_time = perf_event_has_time(line);
			*why = "an event line without a frame 'address symbol (module)' after it";
		} else if (!had_frame && !had_bracket && !had_record) {
			return had_event ? SNIFF_MAYBE : SNIFF_NO;
		}
		if (had_frame && !is_sched)
			return SNIFF_YES;
	}
	return (had_frame || had_bracket || had_record) && !head->is_growing ? SNIFF_YES
	       : had_event                                                   ? SNIFF_MAYBE
	                                                                     : SNIFF_NO;
}
