/*
 * ibmjava.c - parses javacore files of IBM's J9. Each line begins with a tag that gives its meaning.
 *
 *	3XMTHREADINFO      "pool-3-thread-9" J9VMThread:0x..., java/lang/Thread:0x..., state:R, prio=5
 *	3XMTHREADINFO1            (native thread ID:0x4F11, native priority:0x5, ...)
 *	3XMTHREADINFO3           Java callstack:
 *	4XESTACKTRACE                at com/acme/Codec.decode(Codec.java:88(Compiled Code))
 *	4XESTACKTRACE                at com/acme/Worker.run(Worker.java:31)
 *	3XMTHREADINFO3           Native callstack:
 *
 *	pool-3-thread-9;com/acme/Worker.run;com/acme/Codec.decode 1
 *
 * The distance between tag and text varies with the version, and does not matter here. Tags of other sections are
 * skipped. --tid appends the native thread's number to its name. A file begins with the section TITLE and ends with
 * "NULL ---- END OF DUMP ----"; a part of one may lack both.
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/java.h"
#include "collapse/text/line_format.h"

struct ibmjava {
	struct sink *sink;
	struct frames frames;
	struct buf thread; /* name of the current thread */
	bool has_thread;
	bool is_in_file; /* below its title, and not at its end */
};

static void ibmjava_emit(struct ibmjava *i)
{
	if (i->has_thread) {
		frames_push(&i->frames, sink_frame(i->sink, buf_str(&i->thread), i->thread.len));
		frames_emit_reversed(&i->frames, i->sink, 1);
	}
	i->has_thread = false;
	i->frames.n = 0;
}

/* '"pool-3-thread-9" J9VMThread:...', or 'Anonymous native thread' */
static void open_thread(struct ibmjava *i, struct slice text, uint64_t number)
{
	struct slice name = text;
	ibmjava_emit(i);
	if (slice_take(&text, "\"")) {
		/* quotes within a name are not escaped, so the last quote before the thread's address ends it */
		size_t address = slice_find(text, " J9VMThread:");
		size_t end = slice_find_last(address == SIZE_MAX ? text : slice_head(text, address), '"');
		name = slice_head(text, end == SIZE_MAX ? text.n : end);
	} else if (!slice_starts(text, "Anonymous native thread")) {
		sink_skip(i->sink, "a thread without name (expected '\"NAME\"' or 'Anonymous native thread')", number,
		          text.s, text.n);
		return;
	}
	i->thread.len = 0;
	buf_add(&i->thread, name.s, name.n);
	i->has_thread = true;
}

/* "(native thread ID:0x4F11, ..." */
static void add_thread_id(struct ibmjava *i, struct slice text)
{
	size_t at = slice_find(text, "native thread ID:");
	if (at == SIZE_MAX || !i->sink->options->tid || !i->has_thread)
		return;
	struct slice id = slice_before(slice_from(text, at + strlen("native thread ID:")), ',');
	buf_addc(&i->thread, '-');
	buf_add(&i->thread, id.s, id.n);
}

static void add_frame(struct ibmjava *i, struct slice text, uint64_t number)
{
	struct slice name;
	if (!java_take_frame(text, &name))
		sink_skip(i->sink, "bad frame (expected 'at CLASS.METHOD(...)')", number, text.s, text.n);
	else if (i->has_thread)
		java_push(&i->frames, i->sink, text, name);
}

/* At the next title, and at the end. */
static void check_end(struct ibmjava *i)
{
	if (!i->is_in_file)
		return;
	sink_lacks(i->sink)->is_cut_off = true;
	sink_warn(i->sink, "a javacore file without 'END OF DUMP' (is it cut off?)", 0, NULL, 0);
	i->is_in_file = false;
}

static void ibmjava_line(struct ibmjava *i, struct slice line, uint64_t number)
{
	struct slice text = line, tag = slice_take_word(&text);
	text = slice_ltrim(text);
	if (slice_is(tag, "3XMTHREADINFO")) {
		open_thread(i, text, number);
	} else if (slice_is(tag, "3XMTHREADINFO1")) {
		add_thread_id(i, text);
	} else if (slice_is(tag, "4XESTACKTRACE")) {
		add_frame(i, text, number);
	} else if (slice_is(tag, "3XMTHREADINFO3") && slice_starts(text, "Native callstack:")) {
		ibmjava_emit(i);
	} else if (slice_is(tag, "0SECTION") && slice_starts(text, "TITLE ")) {
		check_end(i);
		i->is_in_file = true;
	} else if (slice_is(tag, "NULL") && slice_has(text, "- END OF DUMP -")) {
		i->is_in_file = false;
	}
}

static void ibmjava_end(struct ibmjava *i, bool is_whole)
{
	if (is_whole) {
		ibmjava_emit(i);
		check_end(i);
	}
	frames_deinit(&i->frames);
	buf_deinit(&i->thread);
}

LINE_FORMAT(ibmjava)

static bool is_mine(struct slice line)
{
	return slice_starts(line, "1XM") || slice_starts(line, "3XMTHREADINFO") || slice_starts(line, "4XESTACKTRACE");
}

static enum sniff ibmjava_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_mine, "no line with a tag 1XM..., 3XMTHREADINFO or 4XESTACKTRACE", why);
}

const struct collapse_format format_ibmjava = {
	.name = "ibmjava",
	.help = "javacore files of IBM Java (J9)",
	.tells_open_end = true,
	.sniff = ibmjava_sniff,
	LINE_FORMAT_FUNCTIONS(ibmjava),
	.effects = EFFECT_TID | EFFECT_SHORTEN,
};
