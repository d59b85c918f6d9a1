/*
 * faulthandler.c - parses the stacks of all threads that Python's faulthandler prints on a signal or a timeout.
 *
 *	Thread 0x00007f1a95c8e740 (most recent call first):
 *	  File "/srv/app/parse.py", line 41 in tokenize
 *	  File "/srv/app/main.py", line 19 in <module>
 *
 *	/srv/app/main.py:19:<module>;/srv/app/parse.py:41:tokenize 1
 *
 * Any line that is not a frame ends a stack: the next thread's heading, a blank line, the list of extension
 * modules.
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"

#include "base/buf.h"

struct faulthandler {
	struct sink *sink;
	struct frames frames;
	struct buf name;
};

static void faulthandler_emit(struct faulthandler *f)
{
	if (f->frames.n)
		frames_emit_reversed(&f->frames, f->sink, 1);
}

struct python_frame {
	struct slice path, line, function;
};

/* '  File "PATH", line N in FUNCTION'; the path may contain quotes, so its end is searched from the right. */
static bool take_frame(struct slice text, struct python_frame *frame)
{
	text = slice_ltrim(text);
	if (!slice_take(&text, "File \""))
		return false;
	static const char middle[] = "\", line ";
	size_t at = slice_rfind(text, middle);
	if (at == SIZE_MAX)
		return false;
	frame->path = slice_head(text, at);
	text = slice_from(text, at + sizeof middle - 1);
	frame->line = slice_take_digits(&text);
	if (!slice_take(&text, " in "))
		return false;
	frame->function = text;
	return frame->line.n > 0;
}

static void faulthandler_line(struct faulthandler *f, struct slice line, uint64_t number)
{
	struct python_frame frame;
	if (!take_frame(line, &frame)) {
		/* "  ..." follows when faulthandler leaves out frames */
		if (slice_is(slice_trim(line), "<no Python frame>"))
			report_add_weight(&f->sink->profile->report, NOTE_WARN, NO_FRAMES, NULL, number, 1);
		if (slice_starts(slice_ltrim(line), "File "))
			sink_skip(f->sink, "bad frame (expected 'File \"PATH\", line N in NAME')", number, line.s, line.n);
		else
			faulthandler_emit(f);
		return;
	}
	f->name.len = 0;
	buf_add(&f->name, frame.path.s, frame.path.n);
	buf_addc(&f->name, ':');
	buf_add(&f->name, frame.line.s, frame.line.n);
	buf_addc(&f->name, ':');
	buf_add(&f->name, frame.function.s, frame.function.n);
	frames_push(&f->frames, sink_frame(f->sink, f->name.data, f->name.len));
}

static void faulthandler_end(struct faulthandler *f, bool is_whole)
{
	if (is_whole)
		faulthandler_emit(f);
	frames_deinit(&f->frames);
	buf_deinit(&f->name);
}

LINE_FORMAT(faulthandler)

static bool is_mine(struct slice line)
{
	struct python_frame frame;
	if (slice_starts(line, "  File \""))
		return take_frame(line, &frame);
	return (slice_starts(line, "Thread 0x") || slice_starts(line, "Current thread 0x")) &&
	       slice_has(line, "(most recent call first");
}

static enum sniff faulthandler_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_mine, "no line 'Thread 0x... (most recent call first)'", why);
}

const struct collapse_format format_faulthandler = {
	.name = "faulthandler",
	.help = "Python's faulthandler: faulthandler.dump_traceback_later(0.01, repeat=True)",
	.tells_open_end = true,
	.sniff = faulthandler_sniff,
	LINE_FORMAT_FUNCTIONS(faulthandler),
};
