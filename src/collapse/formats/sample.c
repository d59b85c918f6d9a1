/*
 * sample.c - parses the call graph of macOS's sample(1).
 *
 *	Call graph:
 *	    90 Thread_10021
 *	    + 90 start  (in libdyld.dylib) + 1  [0x7fff737cf3d5]
 *	    +   90 main  (in demo) + 41  [0x10384b549]
 *	    +     60 -[Engine stepWith:]  (in AppKit) + 20  [0x10384b600]
 *	    +     ! 60 memmove  (in libsystem_platform.dylib) + 9  [0x7fff73000000]
 *	    +     30 kevent  (in libsystem_kernel.dylib) + 10  [0x7fff73906800]
 *
 *	Total number in stack (recursive counted multiple, when >=5):
 *
 *	Thread_10021;libdyld`start;demo`main;AppKit`-[Engine stepWith:];libsystem_platform`memmove 60
 *
 * The tree is printed in depth-first order, two columns per level. A line's count includes its children, so a
 * stack's weight is the remainder after the children: all of it for a leaf, nothing for most others.
 *
 * sample(1) takes every thread each time, waiting ones included, as the name of the top function tells. Stacks that
 * wait in the system are left out as long as they are at most half of all; if they are more, they are what the
 * profile shows. A read() waits for a socket or works on a file, and nothing tells which. It counts as waiting only
 * if threads that certainly wait weigh at least as much, and if all that is then left out is at most half.
 *
 * The result for a function and its module is kept under their text, and branch.h knows the paths: a line costs a
 * pass over its bytes, one hash and one compare. Lines are split in batches, so that the look-ups of their texts
 * overlap in memory.
 */
#include "base/buf.h"
#include "base/scan.h"
#include "collapse/formats.h"
#include "collapse/text/branch.h"
#include "collapse/text/lines.h"
#include "collapse/text/memo.h"
#include "collapse/text/tidy.h"
#include "collapse/text/waiting.h"

enum part { BEFORE_GRAPH, IN_GRAPH, AFTER_GRAPH };

/* Activity of the top function of a stack; the first two are kinds of waiting. */
enum activity { WAITS, READS, WORKS };

/* One line of the current branch. */
struct level {
	uint32_t path;
	enum activity activity;
	uint64_t left; /* its count minus that of its children so far */
};

/* The result for a text "function  (in module)". */
struct known_function {
	uint32_t sym;
	enum activity activity;
};

/* Lines per batch, see memo.h. */
#define ROWS 32

struct row {
	struct slice line; /* without its newline */
	size_t depth;
	uint64_t count;
	struct memo_ask function; /* without a text: not a typical line */
};

struct sample_parser {
	struct sink *sink;
	enum part part;
	struct branch branch;
	struct level *levels; /* of the current branch; depth of them */
	size_t depth, cap_levels;
	struct memo texts;            /* texts of known functions */
	struct known_function *known; /* one for each text */
	size_t n_known, cap_known;
	struct buf name;
	struct waiting waiting;
};

static void *sample_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct sample_parser *p = mem_zalloc(1, sizeof *p);
	p->sink = sink;
	memo_init(&p->texts);
	buf_init(&p->name);
	return p;
}

/* ---- from text to a frame: done once for each text ---- */

/* Calls have twins in which a thread cannot be cancelled: "__select_nocancel". */
static enum activity activity_in(struct slice function)
{
	static const char twin[] = "_nocancel";
	static const char *const names[] = {
		"__psynch_cvwait",
		"__psynch_mutexwait",
		"__psynch_rw_rdlock",
		"__psynch_rw_wrlock",
		"__pselect",
		"__select",
		"__semwait_signal",
		"__sigsuspend",
		"__ulock_wait",
		"__ulock_wait2",
		"__wait4",
		"__workq_kernreturn",
		"kevent",
		"kevent64",
		"kevent_id",
		"kevent_qos",
		"mach_msg_trap",
		"mach_msg2_trap",
		"poll",
		"semaphore_timedwait_signal_trap",
		"semaphore_timedwait_trap",
		"semaphore_wait_signal_trap",
		"semaphore_wait_trap",
	};
	if (slice_ends(function, twin))
		function = slice_head(function, function.n - strlen(twin));
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (slice_is(function, names[i]))
			return WAITS;
	}
	return slice_is(function, "read") || slice_is(function, "__read") ? READS : WORKS;
}

/* "memmove  (in libsystem_platform.dylib)" -> "libsystem_platform"; empty for a thread. */
static struct slice module_name(struct slice text)
{
	size_t in = slice_opening(text); /* "(in My App (beta))" */
	bool is_balanced = in != SIZE_MAX && slice_starts(slice_from(text, in), "(in ");
	if (!is_balanced)
		in = slice_rfind(text, "(in ");
	if (in == SIZE_MAX)
		return (struct slice){text.s, 0};
	struct slice module = slice_from(text, in + strlen("(in "));
	module = is_balanced ? slice_head(module, module.n - 1) : slice_before(module, ')');
	if (slice_ends(module, ".dylib"))
		module.n -= strlen(".dylib");
	return module;
}

static struct known_function learn(struct sample_parser *p, struct slice text)
{
	struct slice module = module_name(text);
	size_t in = module.n ? (size_t)(module.s - text.s) - strlen("(in ") : text.n;
	struct slice function = slice_rtrim(slice_head(text, in));
	function = slice_rtrim(slice_head(function, tidy_signature(function.s, function.n)));
	p->name.len = 0;
	if (module.n && !p->sink->options->no_modules) {
		buf_add(&p->name, module.s, module.n);
		buf_addc(&p->name, '`');
	}
	if (!tidy_rust(&p->name, function.s, function.n))
		buf_add(&p->name, function.s, function.n);
	uint32_t sym = sink_frame(p->sink, buf_str(&p->name), p->name.len);
	return (struct known_function){
		.sym = sink_module(p->sink, sym, module.s, module.n),
		.activity = activity_in(function),
	};
}

static struct known_function find_known(struct sample_parser *p, const struct memo_ask *ask)
{
	struct memo_hit hit = memo_answer(&p->texts, ask);
	if (hit.is_new) {
		struct known_function known = learn(p, (struct slice){ask->text, ask->len});
		mem_push(p->known, p->n_known, p->cap_known, known);
	}
	return p->known[hit.index];
}

/* ---- the tree ---- */

/* Closes the lines at `depth` and deeper: the remainder after their children is their own weight. */
static void close_levels(struct sample_parser *p, size_t depth)
{
	while (p->depth > depth) {
		const struct level *level = &p->levels[--p->depth];
		const struct sample sample = {.weight = level->left, .time = NO_TIME, .cpu = NO_CPU};
		if (level->left && level->activity != WORKS) {
			waiting_add(&p->waiting, p->sink, level->activity, level->path, NO_SITE, level->left);
		} else if (level->left) {
			waiting_work(&p->waiting, level->left);
			profile_add(p->sink->profile, p->sink->options->side, level->path, &sample);
		}
	}
}

static void open_level(struct sample_parser *p, uint64_t count, const struct memo_ask *text)
{
	struct known_function known = find_known(p, text);
	if (p->depth) {
		struct level *above = &p->levels[p->depth - 1];
		if (count > above->left)
			report_add_weight(&p->sink->profile->report, NOTE_WARN, "callees have more samples than their caller",
			                  NULL, 0, count - above->left);
		above->left -= count < above->left ? count : above->left;
	}
	struct level level = {
		.path = branch_put(&p->branch, p->sink->profile, p->depth, known.sym),
		.activity = known.activity,
		.left = count,
	};
	mem_push(p->levels, p->depth, p->cap_levels, level);
}

/* ---- lines ---- */

static bool bad_line(struct err *err, uint64_t number, const char *what, struct slice line)
{
	int n = line.n < 200 ? (int)line.n : 200;
	return fail(err, "line %ju: %s: '%.*s'", (uintmax_t)number, what, n, line.s);
}

/* "(in demo) + 41  [0x10384b549]": the text that names the function ends with the last ')'. */
static struct slice function_text(struct slice rest)
{
	size_t close = slice_find_last(rest, ')');
	return close == SIZE_MAX ? rest : slice_head(rest, close + 1);
}

/* Counts the indentation characters at p. */
static size_t indentation(const char *p)
{
	for (size_t n = 0;; n += 64, p += 64) {
		uint64_t low = scan_mask_any(p, ' ', '+', '|', ':', '!');
		uint64_t others = ~(low | (uint64_t)scan_mask_any(p + 32, ' ', '+', '|', ':', '!') << 32);
		if (others)
			return n + (size_t)__builtin_ctzll(others);
	}
}

static bool graph_line(struct sample_parser *p, struct slice line, uint64_t number, struct err *err)
{
	struct slice rest = line;
	if (!slice_take(&rest, "    "))
		return bad_line(err, number, "a line of the call graph does not start with 4 spaces", line);
	size_t indent = indentation(rest.s);
	if (indent >= rest.n)
		return bad_line(err, number, "nothing but indentation (expected 'COUNT FUNCTION')", line);
	if (indent % 2)
		return bad_line(err, number, "odd number of indentation characters (expected two per level)", line);
	if (indent / 2 > p->depth)
		return bad_line(err, number, "a level of indentation is skipped", line);

	rest = slice_from(rest, indent);
	struct slice digits = slice_take_digits(&rest);
	uint64_t count;
	if (slice_find_byte(rest, ' ') == SIZE_MAX)
		return bad_line(err, number, "not a line of a call graph (expected 'COUNT FUNCTION')", line);
	if (!slice_take(&rest, " ") || !slice_u64(digits, &count))
		return bad_line(err, number, "bad count (expected an integer before the function)", line);
	rest = function_text(rest);
	struct memo_ask ask = memo_ask(&p->texts, rest.s, rest.n);
	close_levels(p, indent / 2);
	open_level(p, count, &ask);
	return true;
}

static bool sample_line(struct sample_parser *p, struct slice line, uint64_t number, struct err *err)
{
	if (p->part != IN_GRAPH) {
		/* a file may contain several reports */
		if (slice_starts(line, "Call graph:"))
			p->part = IN_GRAPH;
		return true;
	}
	if (slice_starts(line, "Total number in stack")) {
		close_levels(p, 0);
		p->part = AFTER_GRAPH;
		return true;
	}
	return !line.n || graph_line(p, line, number, err);
}

/* The end of the rest of a line at p; *close points to its last ')', NULL: there is none. */
static const char *find_end(const char *p, const char **close)
{
	for (*close = NULL;; p += 64) {
		uint64_t eol = scan_mask64(p, '\n'), found = scan_mask64(p, ')') & ((eol & -eol) - 1);
		if (found)
			*close = p + 63 - __builtin_clzll(found);
		if (eol)
			return p + __builtin_ctzll(eol);
	}
}

/* Splits a typical line of a call graph; other lines get no function. Returns its end. */
static const char *split_row(const struct sample_parser *p, const char *line, struct row *row)
{
	*row = (struct row){.line = {line, 0}};
	bool is_graph = p->part == IN_GRAPH && !memcmp(line, "    ", 4);
	size_t indent = is_graph ? indentation(line + 4) : 0;
	const char *digits = is_graph ? line + 4 + indent : line, *at = digits, *close, *end;
	size_t n_short = number_short(digits, &row->count);
	for (at += n_short < 8 ? n_short : 0; n_short == 8 && is_digit_byte(*at) && at - digits < 18; at++)
		row->count = row->count * 10 + (uint64_t)(*at - '0');
	end = find_end(at, &close);
	row->line.n = (size_t)(end - line);
	if (!is_graph || !close || at == digits || *at++ != ' ' || indent % 2)
		return end;
	row->depth = indent / 2;
	row->function = memo_ask(&p->texts, at, (size_t)(close + 1 - at));
	return end;
}

static bool take_row(struct sample_parser *p, const struct row *row, uint64_t number, struct err *err)
{
	if (!row->function.text || p->part != IN_GRAPH || row->depth > p->depth)
		return sample_line(p, slice_rtrim(row->line), number, err);
	close_levels(p, row->depth);
	open_level(p, row->count, &row->function);
	return true;
}

static bool sample_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct sample_parser *p = state;
	const char *end = text + len;
	uint64_t number = p->sink->line;
	while (text < end) {
		struct row rows[ROWS];
		size_t n = 0;
		for (; n < ROWS && text < end; n++)
			text = split_row(p, text, &rows[n]) + 1;
		for (size_t i = 0; i < n; i++)
			memo_fetch(&p->texts, &rows[i].function);
		for (size_t i = 0; i < n; i++) {
			if (!take_row(p, &rows[i], ++number, err))
				return false;
		}
	}
	p->sink->line = number;
	return true;
}

static void settle(struct waiting *w, struct sink *sink)
{
	uint64_t waits = w->of_kind[WAITS], reads = w->of_kind[READS], all = w->all;
	unsigned kinds = 0;
	if (waiting_may_go(sink, waits, all))
		kinds |= 1u << WAITS;
	if (reads <= waits && reads <= all - waits && waiting_may_go(sink, waits + reads, all))
		kinds |= 1u << READS;
	bool has_reads = reads && (kinds & 1u << READS || sink->options->idle == IDLE_NEVER);
	waiting_settle(w, sink, kinds, has_reads ? "wait in the system or read" : "wait in the system");
}

static void sample_preview(const void *state, struct profile *copy)
{
	const struct sample_parser *p = state;
	waiting_preview(&p->waiting, p->sink, copy, settle);
}

static bool sample_finish(void *state, bool ok, struct err *err)
{
	struct sample_parser *p = state;
	if (ok && p->part == BEFORE_GRAPH)
		sink_warn(p->sink, "the file ends before the call graph (expected a line 'Call graph:')", 0, NULL, 0);
	if (ok && p->part == IN_GRAPH)
		ok = fail(err, "the file ends within the call graph (expected a line 'Total number in stack')");
	settle(&p->waiting, p->sink);
	waiting_deinit(&p->waiting);
	branch_deinit(&p->branch);
	free(p->levels);
	free(p->known);
	memo_deinit(&p->texts);
	buf_deinit(&p->name);
	free(p);
	return ok;
}

static enum sniff sample_sniff(const struct head *head, const char **why)
{
	const char *p = head->text, *end = head->text + head->len;
	bool has_start = false;
	struct slice line;
	*why = "no line 'Call graph:'";
	for (int i = 0; i < SNIFF_LINES && head_line(&p, end, &line.s, &line.n); i++) {
		has_start |= slice_starts(line, "Call graph:");
		if (!has_start && slice_starts(line, "Total number in stack"))
			return SNIFF_NO;
		if (has_start)
			return SNIFF_YES;
	}
	return SNIFF_NO;
}

const struct collapse_format format_sample = {
	.name = "sample",
	.help = "sample of macOS: sample PID",
	.sniff = sample_sniff,
	.start = sample_start,
	.feed = sample_feed,
	.finish = sample_finish,
	.preview = sample_preview,
	.tells_open_end = true,
	.effects = EFFECT_IDLE | EFFECT_NO_MODULES,
};
