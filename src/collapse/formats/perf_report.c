/*
 * perf_report.c - parses folded call chains of perf report --no-children -g folded,0,caller,function,count --stdio.
 *
 *	# Samples: 28  of event 'cpu-clock'
 *	# Event count (approx.): 28028028
 *	#
 *	# Overhead  Command  Shared Object  Symbol
 *	# ........  .......  .............  .......
 *	#
 *	    96.43%  app      app            [.] hot
 *	19 start_thread;work;hot
 *	8 main;hot
 *	     3.57%  app      libc.so.6      [.] read
 *	1 main;read
 *
 *	app;start_thread;work;hot 19
 *	app;main;hot 8
 *	app;main;read 1
 *
 * Each entry has the samples of one leaf, so the sum of its chains is right. Not so with children: a chain then is
 * part of the entry of each of its functions; such a report is refused. Without `count` or `period`, perf prints
 * percent with two digits, and without the 0 it leaves out rare chains: notes say so. With `callee`, the leaf is
 * first, which the symbol of the entry tells. In joined files, each report has its own order.
 */
#include "collapse/formats.h"
#include "collapse/text/decimal.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"

#include "base/buf.h"
#include "model/origin.h"

#define ADVICE "perf report --no-children -g folded,0,caller,function,count --stdio"

enum column { COMMAND, MODULE, SYMBOL, N_COLUMNS };

/* Bytes of an entry, as the dots of the heading tell; to is SIZE_MAX for the last column, 0 for one not there. */
struct part {
	size_t from, to;
};

struct perf_report {
	struct sink *sink;
	uint32_t series;
	bool has_series, has_chains;
	uint64_t promised, read; /* samples of the heading, and in chains; promised 0: unknown */

	struct buf names; /* the heading's names of columns */
	struct part columns[N_COLUMNS];

	bool is_entry, is_empty; /* there is an entry; without a chain until now */
	uint64_t entry_line;
	uint32_t task, root; /* of the entry; root 0: it tells no command */
	struct buf symbol, module;
	bool is_leaf_first; /* as in the last chain that tells */
	struct frames frames;
};

/* ---- headings ---- */

static void end_entry(struct perf_report *p)
{
	if (p->is_entry && p->is_empty)
		sink_skip(p->sink, "an entry without folded chains (make the report with `" ADVICE "`)", p->entry_line,
		          p->symbol.data, p->symbol.len);
	p->is_entry = false;
}

static void end_event(struct perf_report *p)
{
	end_entry(p);
	if (p->has_chains && p->read < p->promised)
		report_add_weight(&p->sink->profile->report, NOTE_WARN,
		                  "samples of the heading are in no chain: make the report with `" ADVICE "`", NULL, 0,
		                  p->promised - p->read);
	p->promised = p->read = 0;
	memset(p->columns, 0, sizeof p->columns);
}

/* "28  of event 'cpu-clock'"; many are "12K" */
static void begin_event(struct perf_report *p, struct slice line)
{
	end_event(p);
	struct slice digits = slice_take_digits(&line);
	size_t open = slice_find_byte(line, '\''), end = slice_find_last(line, '\'');
	if (!slice_starts(line, " ") || !slice_u64(digits, &p->promised))
		p->promised = 0;
	struct slice name =
		open == SIZE_MAX || end <= open ? slice_of("") : slice_from(slice_head(line, end), open + 1);
	p->series = profile_series(p->sink->profile, sink_sym(p->sink, name.s, name.n), 0);
	p->has_series = true;
}

static struct slice part_of(struct slice line, struct part part)
{
	if (part.from >= line.n)
		return slice_head(line, 0);
	return slice_trim(slice_from(slice_head(line, part.to < line.n ? part.to : line.n), part.from));
}

/* "# ........  .......  ......" below the names of the columns */
static void take_columns(struct perf_report *p, struct slice line)
{
	static const char *const names[N_COLUMNS] = {"Command", "Shared Object", "Symbol"};
	for (size_t from = 2; from < line.n;) {
		size_t to = from + slice_before(slice_from(line, from), ' ').n;
		while (to < line.n && line.s[to] == ' ')
			to++;
		const struct part part = {from, to < line.n ? to : SIZE_MAX};
		struct slice name = part_of((struct slice){buf_str(&p->names), p->names.len}, part);
		for (size_t i = 0; i < N_COLUMNS; i++) {
			if (slice_is(name, names[i]))
				p->columns[i] = part;
		}
		from = to;
	}
}

/* A line with which a report begins: one of these is there in each version of perf. */
static bool is_head(struct slice line)
{
	return slice_starts(line, "# To display the perf.data header") || slice_starts(line, "# ========") ||
	       slice_starts(line, "# Total Lost Samples:");
}

static bool comment_line(struct perf_report *p, struct slice line, uint64_t number, struct err *err)
{
	struct slice rest = line;
	if (is_head(line))
		p->is_leaf_first = false;
	if (slice_take(&rest, "# Samples: ")) {
		begin_event(p, rest);
	} else if (slice_starts(line, "# ..")) {
		take_columns(p, line);
	} else if (slice_starts(slice_ltrim(slice_from(line, 1)), "Children ")) {
		return fail(err, "line %ju: with children, a chain is in several entries (make the report with `%s`)",
		            (uintmax_t)number, ADVICE);
	} else {
		p->names.len = 0;
		buf_add(&p->names, line.s, line.n);
	}
	return true;
}

/* ---- entries ---- */

/* "    96.43%  app  app  [.] hot": blanks, and a number of percent */
static bool is_entry(struct slice line)
{
	struct slice word = line;
	if (!slice_starts(line, " "))
		return false;
	word = slice_take_word(&word);
	return slice_ends(word, "%") && is_digit_byte(*word.s) && slice_find_byte(word, '.') != SIZE_MAX;
}

/* "[.] hot" -> "hot" */
static struct slice without_level(struct slice symbol)
{
	bool has_level = symbol.n > 4 && *symbol.s == '[' && symbol.s[2] == ']' && symbol.s[3] == ' ';
	return has_level ? slice_ltrim(slice_from(symbol, 4)) : symbol;
}

/* In a report without headings the symbol is after its level. */
static struct slice symbol_of(const struct perf_report *p, struct slice line)
{
	if (p->columns[SYMBOL].to)
		return without_level(part_of(line, p->columns[SYMBOL]));
	size_t at = slice_find(line, "] ");
	while (at != SIZE_MAX && (at < 2 || line.s[at - 2] != '['))
		at = slice_find(line = slice_from(line, at + 2), "] ");
	return at == SIZE_MAX ? slice_head(line, 0) : slice_trim(slice_from(line, at + 2));
}

static void begin_entry(struct perf_report *p, struct slice line, uint64_t number)
{
	struct profile *profile = p->sink->profile;
	end_entry(p);
	p->is_entry = p->is_empty = true;
	p->entry_line = number;
	struct slice symbol = symbol_of(p, line), module = slice_head(line, 0), comm = module;
	if (p->columns[MODULE].to)
		module = part_of(line, p->columns[MODULE]);
	if (p->columns[COMMAND].to)
		comm = part_of(line, p->columns[COMMAND]);
	p->symbol.len = p->module.len = 0;
	buf_add(&p->symbol, symbol.s, symbol.n);
	buf_add(&p->module, module.s, module.n);
	p->task = p->root = 0;
	if (!comm.n)
		return;
	p->task = profile_task(profile, sink_sym(p->sink, comm.s, comm.n), -1, -1);
	p->root =
		symtab_frame(&profile->symtab, sink_frame(p->sink, comm.s, comm.n), (struct origin){.kind = KIND_PROCESS});
}

/* ---- chains ---- */

/* "19 start_thread;hot", "60.71% start_thread;hot" -> the number, in percent times 100 */
static bool take_weight(struct slice *line, uint64_t *weight, bool *is_percent)
{
	struct slice word = slice_take_word(line);
	int64_t v;
	*is_percent = slice_ends(word, "%");
	if (!word.n || !is_digit_byte(*word.s))
		return false;
	if (!*is_percent)
		return slice_u64(word, weight);
	if (!decimal_scaled(word.s, word.n - 1, 2, &v) || v < 0)
		return false;
	*weight = (uint64_t)v;
	return true;
}

static bool is_chain(struct slice line)
{
	uint64_t weight;
	bool is_percent;
	return !slice_starts(line, " ") && take_weight(&line, &weight, &is_percent) && slice_trim(line).n;
}

/* Which end is the leaf? The symbol of the entry tells, unless both are, or neither. */
static void learn_order(struct perf_report *p, struct slice chain)
{
	struct slice symbol = {buf_str(&p->symbol), p->symbol.len}, first = slice_before(chain, ';');
	size_t at = slice_find_last(chain, ';');
	if (at == SIZE_MAX || !symbol.n)
		return;
	struct slice last = slice_from(chain, at + 1);
	bool is_first = first.n == symbol.n && memcmp(first.s, symbol.s, first.n) == 0;
	bool is_last = last.n == symbol.n && memcmp(last.s, symbol.s, last.n) == 0;
	if (is_first != is_last)
		p->is_leaf_first = is_first;
}

static void push_chain(struct perf_report *p, struct slice chain)
{
	p->frames.n = 0;
	while (chain.n) {
		struct slice name = slice_take_until(&chain, ';');
		frames_push_text(&p->frames, p->sink, name);
	}
	uint32_t *leaf = &p->frames.syms[p->is_leaf_first ? 0 : p->frames.n - 1];
	*leaf = sink_module(p->sink, *leaf, buf_str(&p->module), p->module.len);
	if (!p->is_leaf_first)
		frames_reverse(&p->frames);
	if (p->root)
		frames_push(&p->frames, p->root);
	frames_reverse(&p->frames);
}

static void chain_line(struct perf_report *p, struct slice line, uint64_t number)
{
	struct sample s = {.time = NO_TIME, .cpu = NO_CPU, .task = p->task};
	struct slice chain = line;
	bool is_percent;
	if (!take_weight(&chain, &s.weight, &is_percent) || !(chain = slice_trim(chain)).n) {
		sink_skip(p->sink, "not a chain (expected 'COUNT FRAME;FRAME;FRAME')", number, line.s, line.n);
		return;
	}
	if (is_percent)
		report_add_state(&p->sink->profile->report, NOTE_WARN,
		                 "weights are percent times 100, rounded: counts need `" ADVICE "`");
	if (!p->has_series)
		p->series = profile_series(p->sink->profile, 0, 0);
	p->has_series = true;
	p->is_empty = false;
	p->has_chains = true;
	weight_add(&p->read, s.weight);
	learn_order(p, chain);
	push_chain(p, chain);
	s.series = p->series;
	sink_stack(p->sink, p->frames.syms, p->frames.n, &s);
}

/* ---- lines ---- */

static bool perf_report_line(struct perf_report *p, struct slice line, uint64_t number, struct err *err)
{
	if (slice_starts(line, "#"))
		return comment_line(p, line, number, err);
	if (is_entry(line))
		begin_entry(p, line, number);
	else if (slice_starts(line, "  ") && p->is_entry)
		return fail(err, "line %ju: a graph has percents only (make the report with `%s`)", (uintmax_t)number,
		            ADVICE);
	else if (line.n)
		chain_line(p, line, number);
	return true;
}

static void perf_report_end(struct perf_report *p, bool is_whole)
{
	if (is_whole)
		end_event(p);
	buf_deinit(&p->names);
	buf_deinit(&p->symbol);
	buf_deinit(&p->module);
	frames_deinit(&p->frames);
}

STRICT_LINE_FORMAT(perf_report)

/* "# Samples: 28  of event 'cpu-clock'", or an entry with a chain. */
static enum sniff perf_report_sniff(const struct head *head, const char **why)
{
	const char *p = head->text, *end = head->text + head->len;
	struct slice line;
	bool is_behind_entry = false;
	for (int i = 0; i < SNIFF_LINES && head_line(&p, end, &line.s, &line.n) && !has_zero_byte(line); i++) {
		line = slice_rtrim(line);
		if ((is_behind_entry && is_chain(line)) ||
		    (slice_starts(line, "# Samples: ") && slice_has(line, " of event")))
			return SNIFF_YES;
		is_behind_entry = is_entry(line);
	}
	*why = "no line '# Samples: N  of event'";
	return SNIFF_NO;
}

const struct collapse_format format_perf_report = {
	.name = "perf-report",
	.help = "folded reports: " ADVICE,
	.tells_open_end = true,
	.sniff = perf_report_sniff,
	LINE_FORMAT_FUNCTIONS(perf_report),
};
