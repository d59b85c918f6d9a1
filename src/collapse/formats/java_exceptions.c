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
 *	com.acme.web.Handler.get;com.acme.db.Pool.borrow;com.acme.db.Conn.open 1
 *
 * "... 2 more" are the last frames of the enclosing trace, which for a cause is the trace before at the same
 * indentation, and for a suppressed exception the one with less. "[elided]" stands for them if it is not there.
 *
 * Any line that is no frame ends a stack, except remarks about locks between two frames. All other lines of the log
 * are ignored.
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/java.h"
#include "collapse/text/line_format.h"

enum heading { PLAIN, CAUSE, SUPPRESSED };

struct trace {
	size_t indent; /* of its frames */
	bool is_whole;
	struct frames frames; /* leaf first */
};

struct exceptions {
	struct sink *sink;
	enum heading heading;
	struct trace now;
	struct trace *above; /* those that may enclose others, outermost first */
	size_t n_above, cap_above;
};

/* The trace whose last frames the current one does not repeat; NULL: it is not there. */
static const struct trace *enclosing(const struct exceptions *e)
{
	for (size_t i = e->n_above; i-- && e->heading != PLAIN;) {
		const struct trace *t = &e->above[i];
		if (e->heading == CAUSE ? t->indent == e->now.indent : t->indent < e->now.indent)
			return t;
	}
	return NULL;
}

/* Keeps the current trace in place of those that enclose nothing more. */
static void keep(struct exceptions *e)
{
	struct trace copy = {.indent = e->now.indent, .is_whole = e->now.is_whole};
	if (e->heading == SUPPRESSED && !enclosing(e)) /* then indentation tells nothing */
		copy.is_whole = false;
	while (e->n_above && (e->heading == PLAIN || e->above[e->n_above - 1].indent >= copy.indent))
		frames_deinit(&e->above[--e->n_above].frames);
	for (size_t i = 0; i < e->now.frames.n; i++)
		frames_push_of(&copy.frames, &e->now.frames, i);
	mem_push(e->above, e->n_above, e->cap_above, copy);
}

static void exceptions_emit(struct exceptions *e)
{
	if (!e->now.frames.n)
		return;
	keep(e);
	frames_emit_reversed(&e->now.frames, e->sink, 1);
	e->heading = PLAIN;
}

/* Before a line of a trace. */
static void continue_trace(struct exceptions *e, struct slice line)
{
	if (e->now.frames.n)
		return;
	e->now.indent = line.n - slice_ltrim(line).n;
	e->now.is_whole = true;
}

/* "... 2 more", by Logback "... 2 common frames omitted" */
static bool take_more(struct slice line, uint64_t *n)
{
	line = slice_ltrim(line);
	return slice_take(&line, "... ") && slice_u64(slice_take_digits(&line), n) &&
	       (slice_is(line, " more") || slice_is(line, " common frames omitted"));
}

static void add_more(struct exceptions *e, uint64_t n)
{
	const struct trace *from = enclosing(e);
	if (from && from->is_whole && n <= from->frames.n) {
		for (size_t i = from->frames.n - (size_t)n; i < from->frames.n; i++)
			frames_push_of(&e->now.frames, &from->frames, i);
		return;
	}
	frames_push_elided(&e->now.frames, e->sink,
	                   "a stack without its root: the trace that has the rest is not there");
	e->now.is_whole = false;
}

/* Lines of a message may follow a heading. */
static void take_heading(struct exceptions *e, struct slice text)
{
	if (slice_starts(text, "Caused by: "))
		e->heading = CAUSE;
	else if (slice_starts(text, "Suppressed: "))
		e->heading = SUPPRESSED;
}

static void exceptions_line(struct exceptions *e, struct slice line, uint64_t number)
{
	struct slice name, text = slice_ltrim(line);
	uint64_t more;
	(void)number;
	if (java_take_frame(line, &name)) {
		continue_trace(e, line);
		java_push(&e->now.frames, e->sink, line, name);
	} else if ((e->now.frames.n || e->heading != PLAIN) && take_more(line, &more)) {
		continue_trace(e, line);
		add_more(e, more);
		exceptions_emit(e);
	} else if (!slice_has(line, "waiting on ") && !slice_starts(text, "- ")) {
		exceptions_emit(e);
		take_heading(e, text);
	}
}

static void exceptions_end(struct exceptions *e, bool is_whole)
{
	if (is_whole)
		exceptions_emit(e);
	while (e->n_above)
		frames_deinit(&e->above[--e->n_above].frames);
	free(e->above);
	frames_deinit(&e->now.frames);
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
