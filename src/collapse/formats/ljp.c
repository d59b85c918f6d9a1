/*
 * ljp.c - parses the output of lightweight-java-profiler.
 *
 *	17 3  com.acme.Codec.decode(Codec.java:88)
 *	      com.acme.Worker.step(Worker.java:31)
 *	      java.lang.Thread.run(Thread.java:744)
 *	Total trace count = 1
 *
 *	java.lang.Thread.run;com.acme.Worker.step;com.acme.Codec.decode 17
 *
 * The first line of a trace gives its count, its number of frames and the leaf.
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"

struct ljp {
	struct sink *sink;
	struct frames frames;
	uint64_t weight;
	uint64_t depth, line; /* the frames of the present trace, as its first line says, and that line's number */
};

static void ljp_emit(struct ljp *l)
{
	if (!l->frames.n)
		return;
	if (l->frames.n < l->depth)
		sink_warn(l->sink, "a trace lacks frames: it has fewer than its first line says", l->line, NULL, 0);
	frames_emit_reversed(&l->frames, l->sink, l->weight);
}

/* "com.acme.Codec.decode(Codec.java:88)" -> without the parentheses; false if there are several words. */
static bool take_name(struct slice text, struct slice *name)
{
	text = slice_trim(text);
	size_t open = slice_find_byte(text, '('), close = slice_find_last(text, ')');
	if (open != SIZE_MAX && close != SIZE_MAX && close > open && close + 1 == text.n)
		text = slice_head(text, open);
	*name = slice_take_word(&text);
	return name->n && !slice_ltrim(text).n;
}

/* "17 3  com.acme.Codec.decode(Codec.java:88)" */
static bool take_trace(struct slice line, uint64_t *count, uint64_t *depth, struct slice *name)
{
	return slice_u64(slice_take_word(&line), count) && slice_u64(slice_take_word(&line), depth) &&
	       take_name(line, name);
}

static void ljp_line(struct ljp *l, struct slice line, uint64_t number)
{
	struct slice name, rest = line;
	uint64_t count, depth;
	if (!line.n)
		return;
	if (take_trace(line, &count, &depth, &name)) {
		ljp_emit(l);
		l->weight = count;
		l->depth = depth;
		l->line = number;
		frames_push_text(&l->frames, l->sink, name);
	} else if (slice_is(slice_take_word(&rest), "Total")) {
		ljp_emit(l);
	} else if (l->frames.n && take_name(line, &name)) {
		frames_push_text(&l->frames, l->sink, name);
	} else {
		sink_skip(l->sink, "not a frame (expected 'COUNT FRAMES NAME(...)' or 'NAME(...)')", number, line.s,
		          line.n);
	}
}

static void ljp_end(struct ljp *l, bool is_whole)
{
	if (is_whole)
		ljp_emit(l);
	frames_deinit(&l->frames);
}

LINE_FORMAT(ljp)

/* Only the first line counts: any text may have a line that begins with numbers. */
static enum sniff ljp_sniff(const struct head *head, const char **why)
{
	const char *p = head->text, *end = head->text + head->len;
	struct slice line = {0}, name;
	uint64_t count, depth;
	while (head_line(&p, end, &line.s, &line.n)) {
		line = slice_trim(line);
		if (line.n)
			break;
	}
	if (take_trace(line, &count, &depth, &name) && slice_find_byte(line, '(') != SIZE_MAX)
		return SNIFF_YES;
	*why = "the first line is not 'COUNT FRAMES NAME(...)'";
	return SNIFF_NO;
}

const struct collapse_format format_ljp = {
	.name = "ljp",
	.help = "traces.txt of lightweight-java-profiler",
	.tells_open_end = true,
	.sniff = ljp_sniff,
	LINE_FORMAT_FUNCTIONS(ljp),
};
