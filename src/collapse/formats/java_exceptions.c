/*
 * java_exceptions.c - parses stack traces in the log of a Java program.
 *
 *	2024-03-01 10:00:01 ERROR request failed
 *	java.lang.IllegalStateException: closed
 *		at com.acme.db.Pool.borrow(Pool.java:55)
 *		at com.acme.web.Handler.get(Handler.java:20)
 *	Caused by: java.io.IOException: reset
 *		at com.acme.db.Conn.open(Conn.java:71)
 *		... 2 more
 *
 *	com.acme.web.Handler.get;com.acme.db.Pool.borrow 1
 *	com.acme.db.Conn.open 1
 *
 * Any line that is no frame ends a stack, except remarks about locks between two frames. All other lines of the log
 * are ignored.
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/java.h"
#include "collapse/text/line_format.h"

struct exceptions {
	struct sink *sink;
	struct frames frames;
};

static void exceptions_emit(struct exceptions *e)
{
	if (e->frames.n)
		frames_emit_reversed(&e->frames, e->sink, 1);
}

/* "... 2 more" are the last frames of the enclosing trace. By Logback "... 2 common frames omitted" */
static bool lacks_frames(struct slice line)
{
	return slice_take(&line, "... ") && slice_take_digits(&line).n &&
	       (slice_is(line, " more") || slice_is(line, " common frames omitted"));
}

static void exceptions_line(struct exceptions *e, struct slice line, uint64_t number)
{
	struct slice name, text = slice_ltrim(line);
	if (java_take_frame(line, &name)) {
		java_push(&e->frames, e->sink, line, name);
		return;
	}
	if (lacks_frames(text))
		sink_warn(e->sink,
		          e->frames.n ? "a stack without its callers: they are in the trace that it belongs to"
		                      : "a trace without frames of its own does not count",
		          number, text.s, text.n);
	if (!slice_has(line, "waiting on ") && !slice_starts(text, "- "))
		exceptions_emit(e);
}

static void exceptions_end(struct exceptions *e, bool is_whole)
{
	if (is_whole)
		exceptions_emit(e);
	frames_deinit(&e->frames);
}

LINE_FORMAT(exceptions)

static bool is_mine(struct slice line)
{
	struct slice name;
	return line.n && is_blank_byte(*line.s) && java_take_frame(line, &name) &&
	       slice_find_byte(name, '.') != SIZE_MAX && slice_find_byte(name, ' ') == SIZE_MAX;
}

/* An exception in a log proves nothing as long as a thread dump may follow near the beginning. */
static enum sniff exceptions_sniff(const struct head *head, const char **why)
{
	enum sniff sniff = sniff_any_line(head, is_mine, "no indented line 'at PACKAGE.CLASS.METHOD('", why);
	return sniff == SNIFF_YES && !sniff_is_over(head) ? SNIFF_MAYBE : sniff;
}

const struct collapse_format format_java_exceptions = {
	.name = "java-exceptions",
	.help = "stack traces of exceptions in a Java log",
	.tells_open_end = true,
	.sniff = exceptions_sniff,
	LINE_FORMAT_FUNCTIONS(exceptions),
	.effects = EFFECT_SHORTEN,
};
