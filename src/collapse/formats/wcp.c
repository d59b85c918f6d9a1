/*
 * wcp.c - parses the output of wallClockProfiler.
 *
 *	Full stacks by number of samples:
 *
 *	75.000% ============================= (30 samples)
 *	      1: poll__3   (at /src/loop.nim:343)
 *	      2: main   (at /src/app.c:10)
 *
 *	main   (at /src/app.c:10);poll__3   (at /src/loop.nim:343) 30
 *
 * The tables before "Full stacks" show the same samples. Frame texts are kept unchanged.
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"

struct wcp {
	struct sink *sink;
	struct frames frames;
	bool is_begun; /* "Full stacks" has been read */
	bool has_weight;
	uint64_t weight;
};

static void wcp_emit(struct wcp *w)
{
	if (w->has_weight)
		frames_emit_reversed(&w->frames, w->sink, w->weight);
	w->has_weight = false;
	w->frames.n = 0;
}

/* "75.000% ===== (30 samples)" */
static bool take_weight(struct slice line, uint64_t *weight)
{
	line = slice_ltrim(line);
	if (!slice_take_digits(&line).n || (slice_take(&line, ".") && !slice_take_digits(&line).n))
		return false;
	if (!slice_take(&line, "% ="))
		return false;
	while (slice_take(&line, "="))
		;
	return slice_take(&line, " (") && slice_u64(slice_take_digits(&line), weight) && slice_starts(line, " sample");
}

/* "      1: TEXT" */
static bool take_frame(struct slice line, struct slice *text)
{
	line = slice_ltrim(line);
	if (!slice_take_digits(&line).n || !slice_take(&line, ":"))
		return false;
	*text = slice_ltrim(line);
	return text->n > 0;
}

static void wcp_line(struct wcp *w, struct slice line, uint64_t number)
{
	struct slice text;
	uint64_t weight;
	if (!w->is_begun) {
		w->is_begun = slice_starts(line, "Full stacks");
	} else if (!line.n) {
		/* a blank line follows the heading, and perhaps the bar above a stack */
		if (w->frames.n)
			wcp_emit(w);
	} else if (take_weight(line, &weight)) {
		wcp_emit(w);
		w->weight = weight;
		w->has_weight = true;
	} else if (w->has_weight && take_frame(line, &text)) {
		frames_push_text(&w->frames, w->sink, text);
	} else {
		sink_skip(w->sink, "neither a weight nor a frame (expected 'N% === (N samples)' or 'N: TEXT')", number,
		          line.s, line.n);
	}
}

static void wcp_end(struct wcp *w, bool is_whole)
{
	if (is_whole)
		wcp_emit(w);
	if (is_whole && !w->is_begun)
		sink_warn(w->sink, "the file ends before the stacks (expected a line 'Full stacks')", 0, NULL, 0);
	frames_deinit(&w->frames);
}

LINE_FORMAT(wcp)

static bool is_mine(struct slice line)
{
	return slice_starts(line, "Full stacks");
}

static enum sniff wcp_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_mine, "no line 'Full stacks'", why);
}

const struct collapse_format format_wcp = {
	.name = "wcp",
	.help = "wallClockProfiler",
	.tells_open_end = true,
	.sniff = wcp_sniff,
	LINE_FORMAT_FUNCTIONS(wcp),
};
