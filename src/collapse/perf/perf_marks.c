/*
 * perf_marks.c - recognises the output of perf script.
 */
#include "collapse/perf/perf_marks.h"

#include "collapse/perf/perf_event.h"
#include "collapse/perf/perf_frames.h"

/* "sh 7 12.5: cycles: 4005d0 main (/bin/sh)"; looks only near its beginning, since a line may be very long. */
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

/* What the lines so far contain. */
struct perf_seen {
	bool has_event, has_time;              /* since the last blank line; has_time: of the event line */
	bool had_event, had_frame, had_record; /* anywhere */
	bool had_bracket;                      /* an event line with a time ended in a bracket: perhaps a frame */
	bool has_others;                       /* events that are not the scheduler's */
};

static bool is_frame(const struct perf_seen *seen, struct slice line)
{
	struct perf_site site;
	struct slice symbol;
	return (seen->has_event && perf_frames_split(line, &site, &symbol)) ||
	       (seen->has_time && is_blank_byte(*line.s) && perf_frames_is_bare(line, false));
}

static void look_at_event(struct perf_seen *seen, struct slice line)
{
	seen->has_event = seen->had_event = true;
	seen->has_time = perf_event_has_time(line);
	seen->had_frame |= carries_frame(line);
	seen->had_bracket |= seen->has_time && line.s[line.n - 1] == ')';
	seen->has_others |= !slice_has(line, " sched:");
}

/* false: not a line of perf script. */
static bool look_at_line(struct perf_seen *seen, struct slice line)
{
	enum sniff event;
	if (is_frame(seen, line)) {
		seen->had_frame = true;
		return true;
	}
	event = perf_event_sniff(line);
	if (event == SNIFF_MAYBE)
		look_at_event(seen, line);
	seen->had_record |= event == SNIFF_YES;
	return event != SNIFF_NO;
}

/*
 * The first line must be an event line, and the next one a frame, or the event line carries its frame. As long as
 * all events are the scheduler's, the format may still become perf-sched.
 */
enum sniff perf_sniff(const struct head *head, const char **why)
{
	const char *p = head->text, *end = p + head->len;
	struct perf_seen seen = {false};
	struct slice line;
	bool is_perf = false; /* a line matched, unless a better format comes */
	while (head_line(&p, end, &line.s, &line.n)) {
		if (line.n && *line.s == '#')
			continue;
		line = slice_rtrim(line);
		if (!line.n)
			seen.has_event = seen.has_time = false;
		else if (!look_at_line(&seen, line) && !is_perf)
			break;
		is_perf = seen.had_frame || seen.had_bracket || seen.had_record;
		if (seen.had_frame && seen.has_others)
			return SNIFF_YES;
	}
	if (is_perf && !head->is_growing)
		return SNIFF_YES;
	*why = seen.had_event ? "an event line without a frame 'address symbol (module)' after it"
	                      : "the first line is not an event line 'comm pid/tid [cpu] time: event:'";
	return seen.had_event ? SNIFF_MAYBE : SNIFF_NO;
}
