/*
 * strace.c - parses system calls with stacks: strace -k, with -f, -T, -r, -t, -tt and -ttt as well.
 *
 *	28815 18:31:01.362932 read(3, "0:games:/"..., 100) = 100 <0.000250>
 *	 > /usr/lib/libc.so.6(read+0x4c) [0xf82ec]
 *	 > /usr/bin/app(main+0x15) [0x119e]
 *	[pid 28814] futex(0x7f31, FUTEX_WAIT_BITSET, 28815 <unfinished ...>
 *	[pid 28814] <... futex resumed>) = 0
 *	 > /usr/lib/libc.so.6() [0x85f16]
 *
 *	main;read;read() 1
 *	[libc.so.6];futex() 1
 *
 * The leaf is the call, with parentheses that tell it from the library's function. Each counts as one; with -T its
 * duration counts, too. A call that another thread interrupts begins at its first line, and its stack follows the
 * second one. A call that does not return, as exit_group() does not, has the stack that follows the end of its
 * thread:
 *
 *	28815 exit_group(0)                   = ?
 *	28815 +++ exited with 0 +++
 *	 > /usr/lib/libc.so.6(_exit+0x1d) [0xcbe0d]
 *
 * Signals, and ends without such a call, are an event of their own. What the program writes to a terminal may lie
 * within the line of its call; any other line that is no frame ends the stack of the call before.
 */
#include "collapse/formats.h"
#include "collapse/text/columns.h"
#include "collapse/text/decimal.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"
#include "collapse/text/memo.h"
#include "collapse/text/time_rest.h"

#include "base/buf.h"
#include "base/idmap.h"
#include "model/origin.h"

#define NS_DIGITS 9 /* durations of calls are seconds */
#define SECOND INT64_C(1000000000)
#define DAY (24 * 3600 * SECOND)
#define MOST_TID 4194304u /* of Linux: larger numbers are seconds since 1970 */

/* Columns. */
enum { CALLS, TIME, SIGNALS, N_COLUMNS };

/* The beginning of a call that another thread interrupts. */
struct start {
	uint64_t time;
	uint64_t line; /* 0: the call is over */
	uint32_t last; /* symbol of the call that does not return; 0: none */
	uint64_t tid;
};

struct strace {
	struct sink *sink;
	uint32_t series[N_COLUMNS];
	struct memo frame_texts;
	uint32_t *frame_syms; /* by number of frame_texts */
	size_t n_frame_syms, cap_frame_syms;
	struct frames frames;
	struct buf name;
	int64_t last, days; /* time of the last line, and what to add to times of day */
	struct idmap begun; /* index into `starts` by thread, of calls that others interrupt */
	struct start *starts;
	size_t n_starts, cap_starts;
	size_t n_unfinished,
		sum_unfinished; /* of the starts that wait for the end of a call, and their indices added up */
	uint64_t n_timed, n_untimed, untimed; /* calls with and without a duration; line of the first without */

	bool is_open;    /* there is a call whose frames may follow */
	bool is_call;    /* and no end of a process, nor a signal */
	bool is_partial; /* its line has no result, which may be on a later one */
	struct sample sample;
	decimal_whole duration; /* an amount of ns; -1: none is told */
	uint64_t line;
	struct time_rest rest;
	uint32_t leaf;
};

/* ---- lines of events ---- */

enum clock { NO_CLOCK, OF_DAY, SINCE_1970, RELATIVE };

struct event {
	bool has_tid;
	uint64_t tid;
	struct slice comm;
	enum clock clock;
	int64_t time; /* ns */
	struct slice text;
};

/* "12:34:56.789": the time of day. */
static bool take_time_of_day(struct slice word, int64_t *time)
{
	uint64_t hours, minutes;
	int64_t seconds;
	if (!slice_u64(slice_take_digits(&word), &hours) || !slice_take(&word, ":") ||
	    !slice_u64(slice_take_digits(&word), &minutes) || !slice_take(&word, ":") || hours > 24 || minutes > 60 ||
	    !word.n || !is_digit_byte(*word.s) || !decimal_scaled(word.s, word.n, 9, &seconds) || seconds > 61 * SECOND)
		return false;
	*time = (int64_t)(hours * 3600 + minutes * 60) * SECOND + seconds;
	return true;
}

/*
 * "1795545061.370438", and "0.000477" of -r, which is padded to a dozen columns. Both may be whole seconds: behind
 * a thread, padded, or larger than one.
 */
static bool take_seconds(struct slice word, bool is_padded, struct event *e)
{
	bool is_whole = slice_find_byte(word, '.') == SIZE_MAX;
	if (!is_digit_byte(*word.s) || !decimal_scaled(word.s, word.n, 9, &e->time) ||
	    (is_whole && (!slice_is_digits(word) || e->time > UINT32_MAX * SECOND)))
		return false;
	e->clock = is_padded && e->time < 1000000 * SECOND ? RELATIVE : SINCE_1970;
	return true;
}

/* "28815 ", "28815<app> ", "[pid 28815] ", "[pid 28815<app>] " */
static bool take_thread(struct slice *line, struct event *e)
{
	struct slice rest = *line;
	bool is_bracketed = slice_take(&rest, "[pid ");
	rest = is_bracketed ? slice_ltrim(rest) : rest;
	if (!slice_u64(slice_take_digits(&rest), &e->tid) || e->tid > MOST_TID) {
		e->tid = 0;
		return false;
	}
	if (slice_take(&rest, "<")) {
		size_t end = slice_find(rest, is_bracketed ? ">]" : "> ");
		if (end == SIZE_MAX)
			return false;
		e->comm = slice_head(rest, end);
		rest = slice_from(rest, end + 1);
	}
	if (!slice_take(&rest, is_bracketed ? "]" : " "))
		return false;
	e->has_tid = true;
	*line = rest;
	return true;
}

/* "18:31:01.314450 (+     0.000123) ", and what -i and -n print in brackets */
static struct slice take_clock(struct slice line, struct event *e)
{
	struct slice rest = slice_ltrim(line), word = slice_take_word(&rest);
	bool is_padded = line.n && *line.s == ' ' && line.n > 1 && line.s[1] == ' ';
	if (word.n && take_time_of_day(word, &e->time))
		e->clock = OF_DAY;
	else if (!word.n || !take_seconds(word, is_padded, e))
		rest = line;
	rest = slice_ltrim(rest);
	if (slice_starts(rest, "(+") && slice_has(rest, ") "))
		rest = slice_ltrim(slice_from(rest, slice_find(rest, ") ") + 2));
	while (slice_starts(rest, "[") && slice_has(rest, "] "))
		rest = slice_ltrim(slice_from(rest, slice_find(rest, "] ") + 2));
	return rest;
}

static struct event event_of(struct slice line)
{
	struct event e = {0};
	take_thread(&line, &e);
	e.text = take_clock(line, &e);
	return e;
}

/* "read(3, ..." -> "read"; empty: no call */
static struct slice call_name(struct slice text)
{
	size_t n = 0;
	while (n < text.n && is_word_byte(text.s[n]))
		n++;
	return slice_head(text, n && n < text.n && text.s[n] == '(' && !is_digit_byte(*text.s) ? n : 0);
}

/* "<... read resumed>" -> "read" */
static struct slice resumed_name(struct slice text)
{
	if (!slice_take(&text, "<... ") || !slice_has(text, " resumed>"))
		return slice_head(text, 0);
	return slice_before(text, ' ');
}

static bool is_unfinished(struct slice text)
{
	return slice_ends(text, "<unfinished ...>");
}

/* "+++ exited with 0 +++", "--- SIGSEGV {si_signo=SIGSEGV, ...} ---" -> "exited", "SIGSEGV" */
static struct slice notice_name(struct slice text)
{
	struct slice line = text;
	if (slice_take(&text, "+++ ") && slice_ends(text, " +++"))
		return slice_starts(text, "killed by ") ? slice_head(text, text.n - 4) : slice_take_word(&text);
	if (slice_take(&text, "--- ") && slice_ends(text, " ---"))
		return slice_take_word(&text);
	return slice_head(line, 0);
}

/* Does it look like a call of which the beginning cannot be read? "12x write(1, ...", "x read(0, "", 1) = 0" */
static bool is_odd_call(struct slice text)
{
	size_t open = slice_find_byte(text, '('), begin = open;
	if (open == SIZE_MAX)
		return false;
	while (begin && is_word_byte(text.s[begin - 1]))
		begin--;
	if (begin == open || is_digit_byte(text.s[begin]))
		return false;
	return is_digit_byte(*text.s) || slice_starts(text, "[pid ") || slice_has(text, ") = ") || is_unfinished(text);
}

static bool is_event(struct slice line)
{
	struct slice text = event_of(line).text;
	return call_name(text).n || resumed_name(text).n || notice_name(text).n;
}

/* ---- frames ---- */

struct stack_frame {
	struct slice module, function;
};

/* " > /usr/bin/app(main+0x15) [0x119e]", " > /usr/bin/app() [0x119e]" */
static bool take_frame(struct slice line, struct stack_frame *frame)
{
	if (!slice_take(&line, " > "))
		return false;
	size_t end = slice_rfind(line, ") [0x");
	size_t open = end == SIZE_MAX ? end : slice_opening(slice_head(line, end + 1));
	if (open == SIZE_MAX) /* brackets in the path that close nothing */
		open = slice_find_byte(line, '(');
	if (end == SIZE_MAX || open == SIZE_MAX || open > end)
		return false;
	if (slice_starts(slice_from(line, open), "(deleted)(") && open + 9 < end)
		open += strlen("(deleted)");
	frame->module = slice_rtrim(slice_head(line, open));
	frame->function = slice_from(slice_head(line, end), open + 1);
	size_t plus = slice_rfind(frame->function, "+0x");
	frame->function = slice_head(frame->function, plus == SIZE_MAX ? frame->function.n : plus);
	return true;
}

/* A function without a name has that of its module: "[libc.so.6]". */
static uint32_t frame_symbol(struct strace *s, const struct stack_frame *frame)
{
	size_t n;
	const char *base = origin_base(frame->module.s, frame->module.n, &n);
	uint32_t sym;
	if (frame->function.n) {
		sym = sink_frame(s->sink, frame->function.s, frame->function.n);
	} else {
		s->name.len = 0;
		buf_addc(&s->name, '[');
		buf_add(&s->name, n ? base : "unknown", n ? n : strlen("unknown"));
		buf_addc(&s->name, ']');
		sym = sink_frame(s->sink, s->name.data, s->name.len);
	}
	return sink_module(s->sink, sym, frame->module.s, frame->module.n);
}

static void frame_line(struct strace *s, struct slice line, uint64_t number)
{
	struct stack_frame frame;
	if (!s->is_open || !take_frame(line, &frame)) {
		sink_skip(s->sink, "not a frame of a call (expected ' > MODULE(FUNCTION+0x1) [0x2]' after it)", number,
		          line.s, line.n);
		return;
	}
	struct memo_hit hit = memo_find(&s->frame_texts, line.s, line.n);
	if (hit.is_new)
		mem_push(s->frame_syms, s->n_frame_syms, s->cap_frame_syms, frame_symbol(s, &frame));
	frames_push(&s->frames, s->frame_syms[hit.index]);
}

/* ---- events ---- */

/* Calls without a duration are told if others have one (-T). */
static void count_duration(struct strace *s)
{
	if (s->duration < 0 && !s->n_untimed++)
		s->untimed = s->line;
	else if (s->duration > 0)
		s->n_timed++;
	s->duration = s->duration < 0 ? 0 : s->duration;
}

static void emit_call(struct strace *s)
{
	struct profile *p = s->sink->profile;
	struct sample sample = s->sample;
	if (!s->is_open)
		return;
	frames_reverse(&s->frames);
	frames_push(&s->frames, s->leaf);
	uint32_t path = profile_path(p, s->frames.syms, s->frames.n);
	count_duration(s);
	sample.weight = 1;
	sample.series = s->series[s->is_call ? CALLS : SIGNALS];
	profile_add(p, s->sink->options->side, path, &sample);
	sample.weight = amount_weight(time_rest_round(&s->rest, path, s->duration));
	sample.series = s->series[TIME];
	if (sample.weight)
		profile_add(p, s->sink->options->side, path, &sample);
	s->frames.n = 0;
	s->is_open = false;
}

/* Adds a day, of which there is room for 292 years. */
static void begin_day(struct strace *s, uint64_t line)
{
	if (s->days < INT64_MAX - 3 * DAY)
		s->days += DAY;
	else
		report_add(&s->sink->profile->report, NOTE_WARN,
		           "midnights after 292 years (expected times that 64 bits of ns hold) are left out", NULL, line,
		           NULL, 0);
}

/* Times that only grow: those of day begin anew at midnight, those of -r count from the line before. */
static uint64_t time_of(struct strace *s, const struct event *e, uint64_t line)
{
	int64_t time = e->time;
	if (e->clock == NO_CLOCK)
		return NO_TIME;
	if (e->clock == RELATIVE && __builtin_add_overflow(s->last, time, &time))
		time = INT64_MAX;
	if (e->clock == OF_DAY) {
		if (time < s->last - s->days - DAY / 2)
			begin_day(s, line);
		time += s->days;
	}
	s->last = time;
	return (uint64_t)time;
}

/* "... = 100 <0.000250>": an amount of ns; -1: none is told, or no time */
static decimal_whole duration_of(struct slice text)
{
	size_t open = slice_rfind(text, " <");
	struct decimal d;
	if (open == SIZE_MAX || !slice_ends(text, ">"))
		return -1;
	struct slice seconds = slice_from(slice_head(text, text.n - 1), open + 2);
	decimal_whole ns = decimal_read(seconds.s, seconds.n, &d) ? amount_of(&d, 9) : -1;
	return ns >= 0 && ns <= INT64_MAX * AMOUNT_ONE ? ns : -1;
}

static struct start *start_of(struct strace *s, uint64_t tid)
{
	struct start none = {.time = NO_TIME};
	uint32_t index;
	if (!idmap_find(&s->begun, tid, &index)) {
		index = (uint32_t)s->n_starts;
		mem_push(s->starts, s->n_starts, s->cap_starts, none);
		idmap_add(&s->begun, tid, index);
	}
	return &s->starts[index];
}

static bool is_awaiting_end(const struct start *start)
{
	return start->line && !start->last;
}

static void set_start(struct strace *s, struct start *start, struct start to)
{
	size_t index = (size_t)(start - s->starts);
	s->n_unfinished -= is_awaiting_end(start);
	s->sum_unfinished -= is_awaiting_end(start) ? index : 0;
	*start = to;
	s->n_unfinished += is_awaiting_end(start);
	s->sum_unfinished += is_awaiting_end(start) ? index : 0;
}

/*
 * Of the threads that strace -f follows, the last one that is left has no number in front: the end of a call that
 * began with one is that thread's.
 */
static void find_thread(const struct strace *s, struct event *e)
{
	const struct start *only = s->n_unfinished == 1 ? &s->starts[s->sum_unfinished] : NULL;
	if (!only || !only->tid)
		return;
	e->tid = only->tid;
	e->has_tid = true;
}

/* A call without its end: its thread was killed, or the trace is cut off. The stack would follow the end. */
static void say_endless(struct strace *s, struct start *start)
{
	if (start->line && start->last)
		sink_skip(s->sink, "a call that does not return (expected '+++ exited with 0 +++' of its thread)",
		          start->line, NULL, 0);
	else if (start->line)
		sink_skip(s->sink, "a call that never ends (expected '<... NAME resumed>' of its thread)", start->line,
		          NULL, 0);
	set_start(s, start, (struct start){.time = NO_TIME});
}

static void begin_call(struct strace *s, uint64_t tid, uint64_t time, uint64_t number)
{
	struct start *start = start_of(s, tid);
	say_endless(s, start);
	set_start(s, start, (struct start){time, number, 0, tid});
}

static uint32_t call_symbol(struct strace *s, struct slice name, bool is_call)
{
	s->name.len = 0;
	buf_add(&s->name, name.s, name.n);
	buf_adds(&s->name, is_call ? "()" : "");
	return sink_frame(s->sink, s->name.data, s->name.len);
}

static void open_call(struct strace *s, const struct event *e, struct slice name, bool is_call, uint64_t time)
{
	s->sample = (struct sample){.time = time, .cpu = NO_CPU};
	if (e->has_tid)
		s->sample.task = profile_task(s->sink->profile, e->comm.n ? sink_sym(s->sink, e->comm.s, e->comm.n) : 0, -1,
		                              (int64_t)e->tid);
	s->leaf = call_symbol(s, name, is_call);
	s->duration = is_call ? duration_of(e->text) : 0;
	s->is_call = is_call;
	s->is_partial = is_call && !slice_has(e->text, " = ");
	s->is_open = true;
}

/* A call that does not return has no stack: the line that tells the end of its thread has it. */
static bool is_endless_call(struct slice text)
{
	return slice_ends(text, " = ?");
}

static void begin_last_call(struct strace *s, const struct event *e, uint64_t time, uint64_t number)
{
	struct start *start = start_of(s, e->tid);
	struct slice resumed = resumed_name(e->text);
	if (resumed.n && start->line)
		time = start->time;
	else
		say_endless(s, start);
	set_start(s, start,
	          (struct start){time, number, call_symbol(s, resumed.n ? resumed : call_name(e->text), true), e->tid});
}

/* A signal, or the end of a thread, which may be that of its last call. */
static void open_notice(struct strace *s, const struct event *e, struct slice notice, uint64_t time)
{
	struct start *start = start_of(s, e->tid);
	bool is_call = start->last && slice_is(notice, "exited");
	open_call(s, e, notice, false, is_call ? start->time : time);
	if (!is_call)
		return;
	s->leaf = start->last;
	s->is_call = true;
	set_start(s, start, (struct start){.time = NO_TIME});
}

/* A line of the program's, or a call that cannot be read. */
static void other_line(struct strace *s, const struct event *e, struct slice line, uint64_t number)
{
	bool is_odd = is_odd_call(e->text);
	if (is_odd)
		sink_skip(s->sink, "not a call (expected '123 12:34:56 NAME(ARGUMENTS) = RESULT')", number, line.s, line.n);
	if (is_odd || !s->is_partial)
		emit_call(s);
	else if (slice_has(e->text, " = "))
		s->duration = duration_of(e->text); /* the end of the call's line, behind the program's output */
}

static void event_line(struct strace *s, struct slice line, uint64_t number)
{
	struct event e = event_of(line);
	uint64_t time = time_of(s, &e, number);
	struct slice call = call_name(e.text), resumed = resumed_name(e.text), notice = notice_name(e.text);
	if (!call.n && !resumed.n && !notice.n) {
		other_line(s, &e, line, number);
		return;
	}
	emit_call(s);
	if (resumed.n && !e.has_tid)
		find_thread(s, &e);
	if (is_unfinished(e.text)) {
		begin_call(s, e.tid, time, number);
	} else if (is_endless_call(e.text) && !notice.n) {
		begin_last_call(s, &e, time, number);
	} else if (resumed.n) {
		struct start *start = start_of(s, e.tid);
		open_call(s, &e, resumed, true, start->time == NO_TIME ? time : start->time);
		set_start(s, start, (struct start){.time = NO_TIME});
	} else if (notice.n) {
		open_notice(s, &e, notice, time);
	} else {
		open_call(s, &e, call, true, time);
	}
	s->line = number;
}

static void strace_line(struct strace *s, struct slice line, uint64_t number)
{
	if (slice_starts(line, " > "))
		frame_line(s, line, number);
	else if (line.n)
		event_line(s, line, number);
}

/* What the calls of the trace lack. */
static void say_gaps(struct strace *s)
{
	for (size_t i = 0; i < s->n_starts; i++)
		say_endless(s, &s->starts[i]);
	if (s->n_timed && s->n_untimed)
		report_add_weight(&s->sink->profile->report, NOTE_WARN,
		                  "calls without a duration (expected '<0.000123>' as of others) are in no time", NULL,
		                  s->untimed, s->n_untimed);
}

static void strace_end(struct strace *s, bool is_whole)
{
	if (is_whole) {
		emit_call(s);
		say_gaps(s);
		time_rest_say(&s->rest, s->sink, s->sink->options->side, s->series[TIME]);
	}
	time_rest_deinit(&s->rest);
	memo_deinit(&s->frame_texts);
	free(s->frame_syms);
	frames_deinit(&s->frames);
	buf_deinit(&s->name);
	idmap_deinit(&s->begun);
	free(s->starts);
}

LINE_FORMAT(strace)

static void *strace_begin(struct sink *sink, struct err *err)
{
	static const struct column columns[] = {
		[CALLS] = {.name = "calls", .unit = "calls"},
		[TIME] = {.name = "time", .unit = "ns"},
		[SIGNALS] = {.name = "signals", .unit = "signals"},
	};
	struct strace *s = strace_start(sink, err);
	memo_init(&s->frame_texts);
	if (columns_declare(sink, columns, N_COLUMNS, CALLS, s->series, err)) {
		profile_note_grain(sink->profile, s->series[TIME], sink->options->side, NS_DIGITS);
		return s;
	}
	strace_finish(s, false, err);
	return NULL;
}

/* A call, and a frame below it. */
static enum sniff strace_sniff(const struct head *head, const char **why)
{
	const char *p = head->text, *end = head->text + head->len;
	struct slice line;
	struct stack_frame frame;
	bool is_behind_call = false;
	for (int i = 0; i < SNIFF_LINES && head_line(&p, end, &line.s, &line.n) && !has_zero_byte(line); i++) {
		line = slice_rtrim(line);
		if (is_behind_call && take_frame(line, &frame))
			return SNIFF_YES;
		is_behind_call = is_event(line);
	}
	*why = "no line ' > MODULE(FUNCTION+0x1) [0x2]' below a system call";
	return SNIFF_NO;
}

const struct collapse_format format_strace = {
	.name = "strace",
	.help = "system calls with stacks: strace -f -k -T -o FILE PROGRAM",
	.tells_open_end = true,
	.sniff = strace_sniff,
	.start = strace_begin,
	.feed = strace_feed,
	.finish = strace_finish,
	.has_spans = true,
	.effects = EFFECT_VALUE,
};
