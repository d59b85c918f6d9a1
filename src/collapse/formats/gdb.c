/*
 * gdb.c - parses gdb's backtraces of all threads, the poor man's profiler.
 *
 *	Thread 2 (Thread 0x7f3c1b7fe640 (LWP 4242)):
 *	#0  0x00007f3c1c0d1a17 in epoll_wait (epfd=5, events=0x55) at epoll_wait.c:30
 *	#1  worker (arg=0x0) at worker.c:19
 *
 *	worker;epoll_wait 1
 *
 * Command: gdb -p PID -batch -ex 'thread apply all bt'. A stack ends at the next one, or at a blank line; the lines
 * of `bt full` between the frames are skipped. "[elided]" stands for the frames beyond the number asked for, and
 * for those whose numbers are missing; a stack that gdb could not follow to its root is counted. The input may be a
 * session with prompts: "(gdb) #0  ...".
 *
 * gdb prints a single frame, and below it a line of source ("44	abort();"), when it opens a core file and after
 * the commands `thread 2`, `frame 3` and `up`. That frame is no stack. So the parser holds the first frame of a
 * stack until the next lines tell which it is.
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"
#include "collapse/text/tidy.h"

struct gdb {
	struct sink *sink;
	struct frames frames;
	uint64_t next;                    /* number of the stack's next frame */
	uint64_t heading;                 /* line of a thread's heading without frames so far; 0: none */
	struct buf held;                  /* "#0  TEXT", the first frame of a stack */
	uint64_t held_level, held_number; /* of its line; 0: none is held */
	uint32_t task;                    /* of the stack; 0: unknown */
	bool is_selected;                 /* a first frame without others is the selected one */
};

/* Start of the argument values: the first " (" outside brackets; the end of the text if there is none. */
static size_t arguments_start(struct slice text)
{
	long depth = 0;
	for (size_t i = 0; i < text.n; i++) {
		size_t sign = text.s[i] == 'o' ? tidy_operator(text.s, text.n, i) : 0;
		if (sign) {
			i += sign - 1;
			continue;
		}
		if (text.s[i] == '(' && depth <= 0 && i && text.s[i - 1] == ' ')
			return i - 1;
		if (strchr("<{[(", text.s[i]))
			depth++;
		else if (strchr(">}])", text.s[i]))
			depth--;
	}
	return text.n;
}

/* "0x00007f3c1c0d1a17 in epoll_wait (epfd=5) at epoll_wait.c:30" -> "epoll_wait" */
static struct slice function_name(struct slice text)
{
	struct slice rest = text;
	if (slice_is_address(slice_take_word(&rest)) && slice_take(&rest, " in "))
		text = rest;
	if (slice_starts(text, "<signal handler called>"))
		return slice_of("<signal handler called>");
	struct slice name = slice_trim(slice_head(text, arguments_start(text)));
	name = slice_rtrim(slice_head(name, tidy_signature(name.s, name.n)));
	return slice_is(name, "??") || !name.n ? slice_of("[unknown]") : name;
}

/* "main () at app.c:30", "read () from /lib/libc.so.6": what follows the last of these words. */
static struct slice text_behind(struct slice text, const char *words)
{
	size_t at = slice_rfind(text, words);
	return at == SIZE_MAX ? slice_head(text, 0) : slice_from(text, at + strlen(words));
}

static void push_frame(struct gdb *g, struct slice text)
{
	struct slice name = function_name(text), module = text_behind(text, ") from "),
				 file = text_behind(text, ") at ");
	uint32_t sym = sink_frame(g->sink, name.s, name.n);
	frames_push(&g->frames, sink_origin(g->sink, sym, module.s, module.n, file.s, file.n, 0));
	frames_set_place(&g->frames, g->sink, file);
}

/* "#1  TEXT" */
static bool take_frame(struct slice line, uint64_t *level, struct slice *text)
{
	if (!slice_take(&line, "#") || !slice_u64(slice_take_digits(&line), level) || !slice_take(&line, " "))
		return false;
	*text = slice_ltrim(line);
	return text->n > 0;
}

static void push_level(struct gdb *g, struct slice line, uint64_t level, struct slice text, uint64_t number)
{
	if (level != g->next)
		frames_push_lost(&g->frames, g->sink, number, line);
	g->next = level + 1;
	push_frame(g, text);
}

/* It begins a stack. */
static void take_held(struct gdb *g)
{
	struct slice line = {g->held.data, g->held.len}, text;
	uint64_t level;
	if (!g->held_number)
		return;
	if (take_frame(line, &level, &text))
		push_level(g, line, level, text, g->held_number);
	g->held_number = 0;
	g->is_selected = false;
}

static void drop_held(struct gdb *g)
{
	sink_info(g->sink, "a frame that gdb selected, which is no stack", g->held_number, g->held.data, g->held.len);
	g->held_number = 0;
	g->is_selected = false;
}

static void gdb_emit(struct gdb *g)
{
	if (g->held_number && g->is_selected)
		drop_held(g);
	take_held(g);
	if (g->frames.n)
		frames_emit_reversed_of(&g->frames, g->sink, 1, g->task);
	g->next = 0;
}

static void hold(struct gdb *g, struct slice line, uint64_t level, uint64_t number)
{
	g->held.len = 0;
	buf_add(&g->held, line.s, line.n);
	g->held_level = level;
	g->held_number = number;
}

/* A number that does not rise begins a stack. */
static void take_level(struct gdb *g, struct slice line, uint64_t level, struct slice text, uint64_t number)
{
	if (g->held_number && (level <= g->held_level || (g->is_selected && level > g->held_level + 1)))
		gdb_emit(g);
	take_held(g);
	if (level < g->next)
		gdb_emit(g);
	if (g->frames.n)
		push_level(g, line, level, text, number);
	else
		hold(g, line, level, number);
}

/* "#x  read (fd=3)" within a stack: the number was spoilt, the rest is a frame. */
static bool take_odd_frame(const struct gdb *g, struct slice line, struct slice *text)
{
	if (!(g->frames.n || g->held_number || g->heading) || !slice_take(&line, "#"))
		return false;
	*text = slice_trim(slice_from(line, slice_before(line, ' ').n));
	return slice_has(*text, " (");
}

static bool is_thread(struct slice line)
{
	return slice_take(&line, "Thread ") && slice_take_digits(&line).n && slice_starts(line, " (");
}

/* The system's number, if the heading has one before the thread's name; else *digits stays. */
static void take_system_number(struct slice heading, struct slice *digits)
{
	static const char *const words[] = {"LWP ", "process "};
	size_t quote = slice_find_byte(heading, '"');
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t at = slice_find(heading, words[i]);
		if (at >= quote)
			continue;
		heading = slice_from(heading, at + strlen(words[i]));
		*digits = slice_take_digits(&heading);
		return;
	}
}

/*
 * 'Thread 2 (Thread 0x7f3c1b7fe640 (LWP 4242) "name"):', 'Thread 2 (LWP 4242):', 'Thread 2 (process 4242):': the
 * system's number, or gdb's own if there is none.
 */
static uint32_t task_of(const struct gdb *g, struct slice line)
{
	struct slice rest = slice_from(line, strlen("Thread ")), digits = slice_take_digits(&rest);
	size_t quote = slice_find_byte(rest, '"'), end = slice_find_last(rest, '"');
	take_system_number(rest, &digits);
	int64_t number = slice_id(digits);
	if (number < 0)
		return 0;
	uint32_t comm = quote < end ? sink_sym(g->sink, rest.s + quote + 1, end - quote - 1) : 0;
	return profile_task(g->sink->profile, comm, -1, number);
}

static void end_thread(struct gdb *g)
{
	if (g->heading)
		report_add_weight(&g->sink->profile->report, NOTE_WARN, NO_FRAMES, NULL, g->heading, 1);
	g->heading = 0;
}

/* What gdb writes below a stack that is not whole. */
static void end_early(struct gdb *g, struct slice line, uint64_t number)
{
	bool has_more = slice_is(line, "(More stack frames follow...)");
	if (!has_more && !slice_starts(line, "Backtrace stopped: "))
		return;
	take_held(g);
	if (!g->frames.n)
		return;
	if (has_more)
		frames_push_elided(&g->frames, g->sink, "a stack without its root: gdb was asked for fewer frames");
	else
		sink_warn(g->sink, "a stack that gdb could not follow to its root", number, line.s, line.n);
}

/* Is it said before the selected frame, with other lines between? */
static bool is_before_selected(struct slice line)
{
	return slice_starts(line, "[Switching to thread ") || slice_starts(line, "Program terminated with signal ");
}

/* "44	abort();" */
static bool is_source(struct slice line)
{
	return slice_take_digits(&line).n && slice_starts(line, "\t");
}

/* Lines that are no frames. */
static void take_other(struct gdb *g, struct slice line, uint64_t number)
{
	if (is_before_selected(line)) {
		gdb_emit(g);
		g->is_selected = true;
	} else if (is_source(line) && g->held_number) {
		drop_held(g);
	} else {
		end_early(g, line, number);
	}
}

/* "(gdb) (gdb) #0  TEXT" -> "#0  TEXT" */
static bool take_prompts(struct slice *line)
{
	bool has_prompt = false;
	while (slice_take(line, "(gdb)")) {
		*line = slice_ltrim(*line);
		has_prompt = true;
	}
	return has_prompt;
}

static void gdb_line(struct gdb *g, struct slice line, uint64_t number)
{
	struct slice text;
	uint64_t level;
	bool has_prompt = take_prompts(&line);
	if (has_prompt)
		gdb_emit(g);
	if (take_frame(line, &level, &text)) {
		g->is_selected |= has_prompt && level > 0;
		take_level(g, line, level, text, number);
		g->heading = 0;
	} else if (take_odd_frame(g, line, &text)) {
		sink_warn(g->sink, "a frame whose number is none (expected '#N FUNCTION'; a new stack begins with #0)",
		          number, line.s, line.n);
		take_held(g);
		g->heading = 0;
		g->next++;
		push_frame(g, text);
	} else if (!line.n) {
		gdb_emit(g);
	} else if (is_thread(line)) {
		gdb_emit(g);
		end_thread(g);
		g->heading = number;
		g->task = task_of(g, line);
		g->is_selected = false;
	} else {
		take_other(g, line, number);
	}
}

static void gdb_end(struct gdb *g, bool is_whole)
{
	if (is_whole) {
		gdb_emit(g);
		end_thread(g);
	}
	frames_deinit(&g->frames);
	buf_deinit(&g->held);
}

LINE_FORMAT(gdb)

static bool is_mine(struct slice line)
{
	struct slice text;
	uint64_t level;
	take_prompts(&line);
	if (is_thread(line))
		return true;
	if (!take_frame(line, &level, &text))
		return false;
	struct slice rest = text;
	if (slice_is_address(slice_take_word(&rest))) {
		if (!slice_take(&rest, " in "))
			return false;
		text = rest;
	}
	size_t arguments = arguments_start(text);
	return arguments && arguments < text.n;
}

static enum sniff gdb_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_mine, "no line 'Thread N (' or '#N ... FUNCTION (ARGUMENTS)'", why);
}

const struct collapse_format format_gdb = {
	.name = "gdb",
	.help = "backtraces of gdb: gdb -p PID -batch -ex 'thread apply all bt'",
	.tells_open_end = true,
	.sniff = gdb_sniff,
	LINE_FORMAT_FUNCTIONS(gdb),
};
