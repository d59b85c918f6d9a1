/*
 * faulthandler.c - parses the stacks of all threads that Python's faulthandler prints on a signal or a timeout.
 *
 *	Thread 0x00007f1a95c8e740 (most recent call first):
 *	  File "/srv/app/parse.py", line 41 in tokenize
 *	  File "/srv/app/main.py", line 19 in <module>
 *
 *	/srv/app/main.py:19:<module>;/srv/app/parse.py:41:tokenize 1
 *
 * A stack ends at a blank line or the next heading. Any other line within it is the program's own, as both write
 * to stderr; without headings such a line ends a stack, too. "  ..." stands for frames that Python leaves out,
 * "..." for threads. The C stack that Python 3.14 adds is that of the current thread once more, and is left out.
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"

#include "base/buf.h"

struct faulthandler {
	struct sink *sink;
	struct frames frames;
	struct buf name;
	uint64_t heading;  /* line of the heading of the stack being read; 0: none */
	uint32_t task;     /* of the stack; 0: unknown */
	bool has_headings; /* any stack before */
	uint64_t other;    /* number of the last line within the stack that is not of it; 0: none */
};

static void faulthandler_emit(struct faulthandler *f)
{
	if (f->frames.n)
		frames_emit_reversed_of(&f->frames, f->sink, 1, f->task);
	else if (f->heading)
		report_add_weight(&f->sink->profile->report, NOTE_WARN, NO_FRAMES, NULL, f->heading, 1);
	f->heading = 0;
	f->task = 0;
	f->other = 0;
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

/* "Thread 0x00007f1a95c8e740 [name] (most recent call first):", "Stack (most recent call first):" */
static bool is_heading(struct slice line)
{
	return slice_has(line, " (most recent call first") && !slice_has(line, " C stack trace ");
}

/* The thread's number in hex, and its name since Python 3.14. "Stack" names no thread. */
static uint32_t task_of(const struct faulthandler *f, struct slice line)
{
	size_t at = slice_find(line, "hread 0x"), end = slice_rfind(line, "] (most recent call first");
	uint64_t number = 0;
	uint32_t comm = 0;
	if (at == SIZE_MAX)
		return 0;
	line = slice_from(line, at + strlen("hread 0x"));
	end -= end == SIZE_MAX ? 0 : at + strlen("hread 0x");
	while (line.n && is_hex_byte(*line.s)) {
		number = number << 4 | (uint64_t)hex_digit(*line.s);
		line = slice_from(line, 1);
		end -= end != SIZE_MAX;
	}
	if (slice_take(&line, " [") && end != SIZE_MAX && end > 2)
		comm = sink_sym(f->sink, line.s, end - 2);
	return profile_task(f->sink->profile, comm, -1, (int64_t)(number & INT64_MAX));
}

static void push_frame(struct faulthandler *f, const struct python_frame *frame, uint64_t number)
{
	if (f->other)
		sink_warn(f->sink, "a stack with a line of the program's within", f->other, NULL, 0);
	if (!f->frames.n && !f->heading && f->has_headings)
		sink_warn(f->sink, "a stack without a heading (is it the rest of another one?)", number, NULL, 0);
	f->other = 0;
	f->name.len = 0;
	buf_add(&f->name, frame->path.s, frame->path.n);
	buf_addc(&f->name, ':');
	buf_add(&f->name, frame->line.s, frame->line.n);
	buf_addc(&f->name, ':');
	buf_add(&f->name, frame->function.s, frame->function.n);
	frames_push(&f->frames, sink_frame(f->sink, f->name.data, f->name.len));
}

/* Is it a line that Python writes in place of frames? */
static bool take_mark(struct faulthandler *f, struct slice line, uint64_t number)
{
	struct slice text = slice_trim(line);
	if (slice_is(text, "<no Python frame>")) {
		report_add_weight(&f->sink->profile->report, NOTE_WARN, NO_FRAMES, NULL, number, 1);
		f->heading = 0;
	} else if (slice_is(line, "  ...") && f->frames.n) {
		frames_push_elided(&f->frames, f->sink, "a stack without its root: Python prints no more than 100 frames");
		faulthandler_emit(f);
	} else if (slice_is(line, "...") && f->has_headings) {
		faulthandler_emit(f);
		sink_warn(f->sink, "threads are missing: Python prints no more than 100", number, NULL, 0);
	} else {
		return false;
	}
	return true;
}

static void faulthandler_line(struct faulthandler *f, struct slice line, uint64_t number)
{
	struct python_frame frame;
	if (take_frame(line, &frame)) {
		push_frame(f, &frame, number);
	} else if (is_heading(line)) {
		faulthandler_emit(f);
		f->heading = number;
		f->task = task_of(f, line);
		f->has_headings = true;
	} else if (slice_has(line, " C stack trace (most recent call first")) {
		faulthandler_emit(f);
		sink_info(f->sink, "a stack of C functions is left out", number, line.s, line.n);
	} else if (slice_starts(slice_ltrim(line), "File ")) {
		sink_skip(f->sink, "bad frame (expected 'File \"PATH\", line N in NAME')", number, line.s, line.n);
	} else if (!take_mark(f, line, number)) {
		if (!line.n || !f->heading)
			faulthandler_emit(f);
		else if (f->frames.n)
			f->other = number;
	}
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
