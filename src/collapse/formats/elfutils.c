/*
 * elfutils.c - parses eu-stack output: the stacks of a process or a core file.
 *
 *	PID 2310 - process
 *	TID 2310:
 *	#0  0x00007f5c9a1d7e9e poll
 *	#1  0x000055d0c1b21a3c main - 1
 *	    /src/main.c:12:3
 *
 *	main - 1;poll 1
 *
 * "- 1" means that the address was moved back into the call. Behind the name it is kept for compatibility, but with
 * -a eu-stack puts it before the name, where it is dropped. -m adds the module after the name, and -v does both:
 *
 *	#1  0x000055d0c1b21a3c - 1 main - /usr/bin/app
 *
 * Source lines (-s) and build ids (-b) are indented below their frame. --pid and --tid add PID=2310 and TID=2310 at
 * the root.
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"
#include "collapse/text/tidy.h"

struct elfutils {
	struct sink *sink;
	struct frames frames;
	uint64_t next;     /* number of the stack's next frame */
	uint64_t heading;  /* line of a thread's heading without frames so far; 0: none */
	uint32_t task;     /* of the stack; 0: unknown */
	int64_t process;   /* its number; -1: unknown; 0: no line with it so far */
	uint32_t pid, tid; /* symbols "PID=..."; 0: unknown or not wanted */
};

static void elfutils_emit(struct elfutils *e)
{
	if (e->heading)
		report_add_weight(&e->sink->profile->report, NOTE_WARN, NO_FRAMES, NULL, e->heading, 1);
	e->heading = e->next = 0;
	if (!e->frames.n)
		return;
	if (e->tid)
		frames_push(&e->frames, e->tid);
	if (e->pid)
		frames_push(&e->frames, e->pid);
	frames_emit_reversed_of(&e->frames, e->sink, 1, e->task);
}

static uint32_t id_frame(struct elfutils *e, const char *what, struct slice digits)
{
	struct buf text;
	buf_init(&text);
	buf_adds(&text, what);
	buf_add(&text, digits.s, digits.n);
	uint32_t sym = sink_frame(e->sink, text.data, text.len);
	buf_deinit(&text);
	return sym;
}

/* "PID 2310 - process" or "TID 2310:" */
static bool take_id(struct slice line, const char *what, struct slice *digits)
{
	if (!slice_take(&line, what) || !slice_take(&line, " "))
		return false;
	*digits = slice_take_digits(&line);
	return digits->n > 0;
}

/* "- 1 main - /usr/bin/app" -> "main" and the module, which may be empty. "main - 1" is a name as a whole. */
static void split_name(struct slice text, struct slice *name, struct slice *module)
{
	if (slice_is(text, "- 1") || slice_starts(text, "- 1 "))
		text = slice_ltrim(slice_from(text, strlen("- 1")));
	*name = slice_head(text, 0);
	*module = text;
	if (slice_take(module, "- "))
		return;
	size_t dash = tidy_find_outside(text.s, text.n, " - "); /* "operator-" and "f<(a - b)>" are names */
	*module = slice_ltrim(slice_from(text, dash < text.n ? dash + 3 : text.n));
	if (slice_is(*module, "1") || slice_starts(*module, "1 - ")) {
		dash += strlen(" - 1");
		*module = slice_from(*module, module->n > 1 ? strlen("1 - ") : 1);
	}
	*name = slice_rtrim(slice_head(text, dash));
}

/* "#1  0x000055d0c1b21a3c main": takes the number, and the text after the address. */
static bool take_frame(struct slice line, uint64_t *level, struct slice *text)
{
	if (!slice_take(&line, "#") || !slice_u64(slice_take_digits(&line), level))
		return false;
	if (!slice_is_address(slice_take_word(&line)))
		return false;
	*text = slice_trim(line);
	return true;
}

static void push_frame(struct elfutils *e, struct slice text)
{
	struct slice name, module;
	split_name(text, &name, &module);
	if (!name.n)
		name = slice_of("[unknown]");
	uint32_t sym = sink_frame(e->sink, name.s, name.n);
	frames_push(&e->frames, sink_module(e->sink, sym, module.s, module.n));
}

/* A number that does not rise begins a stack. */
static void take_level(struct elfutils *e, uint64_t level, uint64_t number, struct slice line)
{
	e->heading = 0;
	if (level < e->next)
		elfutils_emit(e);
	if (level != e->next)
		frames_push_lost(&e->frames, e->sink, number, line);
	e->next = level + 1;
}

static void elfutils_line(struct elfutils *e, struct slice line, uint64_t number)
{
	const struct collapse_options *options = e->sink->options;
	struct slice text;
	uint64_t level;
	if (take_frame(line, &level, &text)) {
		take_level(e, level, number, line);
		push_frame(e, text);
	} else if (take_id(line, "PID", &text)) {
		elfutils_emit(e);
		e->tid = e->task = 0;
		e->process = slice_id(text);
		e->pid = options->pid || options->tid ? id_frame(e, "PID=", text) : 0;
	} else if (take_id(line, "TID", &text)) {
		elfutils_emit(e);
		e->tid = options->tid ? id_frame(e, "TID=", text) : 0;
		e->task = profile_task(e->sink->profile, 0, e->process ? e->process : -1, slice_id(text));
		e->heading = number;
	} else if (line.n && !is_blank_byte(*line.s)) {
		sink_skip(e->sink, "neither PID, TID nor frame (expected '#N 0xADDRESS NAME')", number, line.s, line.n);
	}
}

static void elfutils_end(struct elfutils *e, bool is_whole)
{
	if (is_whole)
		elfutils_emit(e);
	frames_deinit(&e->frames);
}

LINE_FORMAT(elfutils)

static bool is_heading(struct slice line)
{
	struct slice digits;
	if (take_id(line, "PID", &digits))
		return slice_starts(slice_from(line, 4 + digits.n), " - ");
	return take_id(line, "TID", &digits) && slice_is(slice_from(line, 4 + digits.n), ":");
}

static enum sniff elfutils_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_heading, "no line 'PID NUMBER - ' or 'TID NUMBER:'", why);
}

const struct collapse_format format_elfutils = {
	.name = "elfutils",
	.help = "eu-stack of elfutils: eu-stack -p PID",
	.tells_open_end = true,
	.sniff = elfutils_sniff,
	LINE_FORMAT_FUNCTIONS(elfutils),
	.effects = EFFECT_PID | EFFECT_TID,
};
