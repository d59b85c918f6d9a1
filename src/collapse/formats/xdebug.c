/*
 * xdebug.c - parses function traces of PHP's Xdebug (xdebug.trace_format=1, for computers).
 *
 *	Version: 2.9.6
 *	File format: 4
 *	TRACE START [2024-03-01 10:00:00]
 *	1	0	0	0.000100	390000	{main}	1		/srv/i.php	0	0
 *	2	1	0	0.000250	390100	load	1		/srv/i.php	3	0
 *	2	1	1	0.000400	390100
 *	1	0	1	0.000500	389000
 *				0.000510	320000
 *	TRACE END   [2024-03-01 10:00:00]
 *
 * Fields: level, number of the call, 0 at entry and 1 at exit, time in seconds, memory, and at an entry the
 * function, whether it is the user's own, perhaps the file that it includes, and the file and line of the call. (R
 * and A instead of 0 and 1 mark returned and assigned values.) The time from one entry or exit to the next belongs
 * to the stack in between. Levels and numbers grow from caller to callee, so they tell which calls have no exit:
 * these end where a caller of theirs does, or calls something else. A second series counts calls: one for each
 * function that called no other.
 */
#include "collapse/formats.h"
#include "collapse/text/branch.h"
#include "collapse/text/columns.h"
#include "collapse/text/decimal.h"
#include "collapse/text/lines.h"
#include "collapse/text/time_rest.h"

enum { TIME, CALLS, N_VALUES };
enum xdebug_state { BEFORE_TRACE, IN_TRACE, AFTER_TRACE };

#define NANOSECONDS 9      /* decimal places of a second */
#define TRACE_END "\t\t\t" /* no level, no call, and neither entry nor exit */
#define ONE 1000           /* with the three decimals of a microsecond */

struct call {
	uint64_t level, number;
	uint32_t path;
	uint32_t sym;
	uint32_t site; /* node of profile.sites: where its callers are */
};

struct xdebug {
	struct sink *sink;
	enum xdebug_state state;
	uint32_t series[N_VALUES];
	struct branch branch;
	struct call *calls; /* the active ones, innermost last */
	size_t height, cap_calls;
	decimal_whole time; /* of the last entry or exit: an amount of ns */
	struct time_rest rest;
	bool is_leaf; /* the last line was an entry */
};

static bool is_start(struct slice line)
{
	return slice_starts(line, "TRACE START [");
}

static void add(struct xdebug *x, unsigned series, uint64_t weight)
{
	struct sample s = {.weight = weight, .cpu = NO_CPU, .series = x->series[series]};
	s.site = x->calls[x->height - 1].site;
	s.time = x->time < 0 ? 0 : amount_weight(x->time);
	profile_add(x->sink->profile, x->sink->options->side, x->calls[x->height - 1].path, &s);
}

/* Gives the time since the last entry or exit to the current stack. */
static void pass_time(struct xdebug *x, decimal_whole now, uint64_t number)
{
	uint32_t path = x->height ? x->calls[x->height - 1].path : NO_PATH;
	uint64_t ns = 0;
	if (x->height && now > x->time)
		ns = amount_weight(time_rest_round(&x->rest, path, now - x->time));
	if (ns)
		add(x, TIME, ns);
	else if (x->height && now < x->time)
		sink_warn(x->sink, "time goes back (expected seconds since the start)", number, NULL, 0);
	x->time = now;
}

/* Seconds as an amount of nanoseconds. false: not a number, below zero, or beyond 63 bits. */
static bool read_seconds(struct slice text, decimal_whole *ns)
{
	struct decimal d;
	if (!decimal_read(text.s, text.n, &d) || (d.is_negative && d.digits))
		return false;
	*ns = amount_of(&d, NANOSECONDS);
	return amount_magnitude(*ns) <= INT64_MAX * AMOUNT_ONE;
}

/* Takes a field, which may be empty. */
static struct slice take_field(struct slice *rest)
{
	return slice_take_until(rest, '\t');
}

/* The sites of a new call's callers; `rest` are the fields after its name. */
static uint32_t site_of_call(struct xdebug *x, struct slice rest)
{
	const struct call *caller = x->height ? &x->calls[x->height - 1] : NULL;
	struct slice file, number;
	uint64_t line;
	if (!caller || !x->sink->options->wants_sites)
		return NO_SITE;
	take_field(&rest);
	for (file = number = take_field(&rest); rest.n && !(number.n && slice_is_digits(number));) {
		file = number;
		number = take_field(&rest);
	}
	if (!slice_u64(number, &line) || !line || line > UINT32_MAX || !file.n)
		return caller->site;
	const struct site site = {
		.sym = caller->sym, .file = sink_file(x->sink, file.s, file.n), .line = (uint32_t)line};
	return profile_site_child(x->sink->profile, caller->site, &site);
}

/* The innermost call ends. */
static void pop(struct xdebug *x)
{
	if (x->is_leaf)
		add(x, CALLS, ONE);
	x->is_leaf = false;
	x->height--;
}

static void end_unfinished(struct xdebug *x, uint64_t number)
{
	sink_warn(x->sink, "a call has no exit (its time is that up to the next call or exit outside of it)", number,
	          NULL, 0);
	pop(x);
}

static void enter(struct xdebug *x, struct call call, struct slice name, struct slice rest, uint64_t number)
{
	while (x->height && x->calls[x->height - 1].level >= call.level)
		end_unfinished(x, number);
	call.sym = sink_frame(x->sink, name.s, name.n);
	call.site = site_of_call(x, rest);
	call.path = branch_put(&x->branch, x->sink->profile, x->height, call.sym);
	mem_push(x->calls, x->height, x->cap_calls, call);
	x->is_leaf = true;
}

static void leave(struct xdebug *x, uint64_t call, struct slice line, uint64_t number)
{
	while (x->height && x->calls[x->height - 1].number > call)
		end_unfinished(x, number);
	if (x->height && x->calls[x->height - 1].number == call)
		pop(x);
	else
		sink_skip(x->sink, "exit from a function that was not entered", number, line.s, line.n);
}

static void take_line(struct xdebug *x, struct slice line, uint64_t number)
{
	struct slice rest = line, level = take_field(&rest), id = take_field(&rest), flag = take_field(&rest);
	struct call call = {0};
	if (slice_is(flag, "R") || slice_is(flag, "A"))
		return;
	struct slice seconds = take_field(&rest), name;
	bool is_entry = slice_is(flag, "0");
	decimal_whole time;
	take_field(&rest);
	name = take_field(&rest);
	if (!slice_u64(level, &call.level) || !slice_u64(id, &call.number) || !(is_entry || slice_is(flag, "1")) ||
	    (is_entry && !name.n) || !read_seconds(seconds, &time)) {
		sink_skip(x->sink, "not an entry or exit (expected level, call, 0 or 1, time, memory, separated by tabs)",
		          number, line.s, line.n);
		return;
	}
	pass_time(x, time, number);
	if (is_entry)
		enter(x, call, name, rest, number);
	else
		leave(x, call.number, line, number);
}

/* "\t\t\t0.000510\t320000": functions not left, as after exit(), run until this time. */
static void end_trace(struct xdebug *x, struct slice line, uint64_t number)
{
	decimal_whole time;
	struct slice rest = line, seconds;
	slice_take(&rest, TRACE_END);
	seconds = take_field(&rest);
	if (x->height && read_seconds(seconds, &time))
		pass_time(x, time, number);
	else if (x->height)
		sink_skip(x->sink, "a trace ends without a time (that of functions not left is unknown)", number, line.s,
		          line.n);
	if (x->height && x->is_leaf)
		add(x, CALLS, ONE);
	x->state = AFTER_TRACE;
	x->height = 0;
}

/* A trace without its end is cut off: the time of functions not left is known up to the last line only. */
static void cut_trace(struct xdebug *x)
{
	sink_lacks(x->sink)->is_cut_off = true;
	sink_warn(x->sink, "a trace has no 'TRACE END' (is it cut off?)", 0, NULL, 0);
	x->state = AFTER_TRACE;
	x->height = 0;
}

/* An entry or exit, perhaps a damaged one. */
static bool is_record(struct slice line)
{
	struct slice level = take_field(&line), call = take_field(&line), flag = take_field(&line);
	return level.n && slice_is_digits(level) && call.n && slice_is_digits(call) &&
	       (slice_is(flag, "0") || slice_is(flag, "1"));
}

/* What may be between traces. */
static bool is_heading(struct slice line)
{
	return slice_starts(line, "Version: ") || slice_starts(line, "File format: ") ||
	       slice_starts(line, "TRACE END") || slice_starts(line, TRACE_END);
}

/* A line outside of all traces; an entry or exit begins one. */
static void take_outside(struct xdebug *x, struct slice line, uint64_t number)
{
	if (is_record(line)) {
		sink_warn(x->sink, "a trace has no 'TRACE START' (is its beginning cut off?)", number, NULL, 0);
		x->state = IN_TRACE;
		take_line(x, line, number);
	} else if (line.n && !is_heading(line)) {
		sink_skip(x->sink, "not in a trace (expected 'TRACE START' before it)", number, line.s, line.n);
	}
}

static bool xdebug_feed(void *state, const char *text, size_t len, struct err *err)
{
	(void)err;
	struct xdebug *x = state;
	struct lines lines = lines_of(x->sink, text, len);
	while (lines_next(&lines)) {
		bool begins = slice_starts(lines.line, "TRACE START");
		if (x->state == IN_TRACE && (begins || slice_starts(lines.line, "Version: ")))
			cut_trace(x);
		if (begins) {
			x->state = IN_TRACE;
		} else if (x->state != IN_TRACE) {
			take_outside(x, lines.line, lines.number);
		} else if (slice_starts(lines.line, "TRACE END") || slice_starts(lines.line, TRACE_END)) {
			end_trace(x, lines.line, lines.number);
		} else if (lines.line.n) {
			take_line(x, lines.line, lines.number);
		}
	}
	return true;
}

static void *xdebug_start(struct sink *sink, struct err *err)
{
	static const struct column columns[N_VALUES] = {{"time", "us", false}, {"calls", NULL, false}};
	struct xdebug *x = mem_zalloc(1, sizeof *x);
	x->sink = sink;
	if (columns_declare(sink, columns, N_VALUES, TIME, x->series, err))
		return x;
	free(x);
	return NULL;
}

static bool xdebug_finish(void *state, bool ok, struct err *err)
{
	(void)err;
	struct xdebug *x = state;
	if (ok && x->state == BEFORE_TRACE)
		sink_warn(x->sink, "file ended before 'TRACE START'", 0, NULL, 0);
	if (ok && x->state == IN_TRACE)
		cut_trace(x);
	if (ok)
		time_rest_say(&x->rest, x->sink, x->sink->options->side, x->series[TIME]);
	time_rest_deinit(&x->rest);
	branch_deinit(&x->branch);
	free(x->calls);
	free(x);
	return ok;
}

static enum sniff xdebug_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_start, "no line starts with 'TRACE START ['", why);
}

const struct collapse_format format_xdebug = {
	.name = "xdebug",
	.help = "Xdebug function trace for computers, PHP (--value=time or calls)",
	.sniff = xdebug_sniff,
	.start = xdebug_start,
	.feed = xdebug_feed,
	.finish = xdebug_finish,
	.tells_open_end = true,
	.decimals = 3,
	.has_spans = true,
	.effects = EFFECT_VALUE,
};
