/*
 * callgrind.c - parses the call graphs of Valgrind's callgrind, which Xdebug, pprof and others write as well.
 *
 *	# callgrind format
 *	events: Ir Dr
 *
 *	ob=(1) /bin/app
 *	fl=(1) a.c
 *	fn=(1) main
 *	16 400 20
 *	fi=(2) inl.h
 *	+3 100
 *	cfn=(2) read
 *	calls=3 50
 *	+1 300 7
 *
 *	totals: 800 27
 *
 * A function's line of costs has a position and a number for each event; numbers at the end that are 0 may be left
 * out. Positions are an address, a line or both, and may count from those of the line before ("+3", "-3", "*").
 * "(1) main" gives a name a number by which it is called later. fi= and fe= name the file of inlined code. The line
 * after calls= holds the cost of these calls with all that the callee called; cob=, cfi= and cfn= before it name
 * the callee, whose file is the current one if there is no cfi=. A file may have several parts, of different
 * threads.
 *
 * That is no list of stacks: call_paths.c estimates them.
 */
#include "collapse/formats/call_graph.h"

#include <string.h>

#include "base/idmap.h"
#include "collapse/formats.h"
#include "collapse/text/columns.h"
#include "collapse/text/line_format.h"
#include "collapse/text/part.h"

#define MOST_POSITIONS 3u /* instr bb line */
#define NO_COLUMN UINT32_MAX
#define NO_FUNCTION_NAME "[no function]"

enum names { FILES, FUNCTIONS, MODULES, N_NAMES };

struct callgrind {
	struct sink *sink;
	struct call_graph graph;
	uint32_t series[MOST_EVENTS], event_names[MOST_EVENTS];
	uint32_t short_names[MOST_EVENTS], long_names[MOST_EVENTS];
	size_t n_long_names;
	uint64_t factors[MOST_EVENTS], totals[MOST_EVENTS];
	struct number_sums own[MOST_EVENTS]; /* of the lines of costs */
	uint32_t events[MOST_EVENTS];        /* of the part, by column: number of the event; NO_COLUMN: unknown */
	size_t n_columns;
	uint64_t numbers[MOST_EVENTS]; /* of the line of costs that is being read, by event */
	bool has_cost;                 /* one of them is not 0 */
	uint64_t position[MOST_POSITIONS];
	unsigned n_positions, line_position;         /* line_position: n_positions if lines are unknown */
	struct idmap names[N_NAMES];                 /* symbols by number */
	uint32_t module, file, here;                 /* of the function; here: file of its inlined code */
	uint32_t function;                           /* NO_FUNCTION: none yet */
	uint32_t callee_module, callee_file, callee; /* symbols; 0: not named */
	bool is_call;                                /* the next line has the cost of a call */
	bool is_ours;                                /* flametop's own */
	bool ends_with_totals, has_totals;           /* by its creator; and so it does */
	bool ends_with_summary, has_summary;         /* Xdebug's does, but for the costs of {main} */
	bool awaits_main;                            /* and these are missing so far */
	uint32_t program;                            /* symbol of its name */
	int64_t pid;
	uint32_t task;
};

static bool callgrind_fail(struct err *err, uint64_t number, const char *what)
{
	return fail(err, "line %llu: %s", (unsigned long long)number, what);
}

/* ---- the head ------------------------------------------------------------------------------------------------ */

/* Offset of the parenthesis that the one at the end closes. */
static size_t find_opening(struct slice name)
{
	size_t at = name.n, depth = 0;
	while (at--) {
		depth += name.s[at] == ')';
		depth -= name.s[at] == '(';
		if (!depth)
			return at;
	}
	return SIZE_MAX;
}

/* "Time_(10ns)" is Time in ns, ten at a time; "x(kB)" is x in kB, "x(count)" samples; "Ir" counts Ir. */
static struct slice take_unit(struct slice name, struct slice *unit, uint64_t *factor)
{
	size_t open = slice_ends(name, ")") ? find_opening(name) : SIZE_MAX;
	*unit = (struct slice){"", 0};
	*factor = 1;
	if (open == SIZE_MAX || open == 0)
		return name;
	*unit = slice_from(slice_head(name, name.n - 1), open + 1);
	struct slice digits = slice_take_digits(unit);
	if (digits.n && !slice_u64(digits, factor))
		*factor = 0; /* none */
	name = slice_head(name, open);
	while (name.n > 1 && name.s[name.n - 1] == '_')
		name.n--;
	return name;
}

/* The name of a unit of time here; NULL: it is none. */
static const char *time_unit(struct slice unit)
{
	char name[16];
	if (unit.n >= sizeof name)
		return NULL;
	memcpy(name, unit.s, unit.n);
	name[unit.n] = '\0';
	return profile_time_unit(name);
}

/* "Time_(-5ns)", "Time_(1.5ns)": not a whole number and a unit of time, though meant as one. */
static bool is_odd_unit(struct slice name, struct slice unit)
{
	bool is_time = slice_ends(unit, "ns") || slice_ends(unit, "us") || slice_ends(unit, "ms");
	return is_time && !time_unit(unit) && (slice_starts(name, "Time") || is_digit_byte(unit.s[-1]));
}

/* What a column counts; NULL: samples. Without a unit, events are counted, and "count" says no more than that. */
static const char *unit_of_column(struct callgrind *c, struct slice word, struct slice unit, const char *event)
{
	const char *time = time_unit(unit);
	if (!unit.n)
		return event;
	if (time || slice_is(unit, "count") || is_odd_unit(word, unit))
		return time;
	return c->sink->profile->symtab.symbols[sink_sym(c->sink, unit.s, unit.n)].name;
}

/*
 * "event: CPU_time_ns : CPU time(ns)": what flametop calls an event whose name has blanks. Others use such names to
 * explain theirs.
 */
static void take_long_name(struct callgrind *c, struct slice text)
{
	struct slice word = slice_take_word(&text);
	text = slice_ltrim(text);
	if (!c->is_ours || c->n_long_names == MOST_EVENTS || !slice_take(&text, ":") || !(text = slice_ltrim(text)).n)
		return;
	c->short_names[c->n_long_names] = sink_sym(c->sink, word.s, word.n);
	c->long_names[c->n_long_names++] = sink_sym(c->sink, text.s, text.n);
}

static struct slice long_name(const struct callgrind *c, uint32_t sym, struct slice name)
{
	for (size_t i = 0; i < c->n_long_names; i++) {
		const struct symbol *s = &c->sink->profile->symtab.symbols[c->long_names[i]];
		if (c->short_names[i] == sym)
			return (struct slice){s->name, s->len};
	}
	return name;
}

static bool declare(struct callgrind *c, struct slice words, uint64_t number, struct err *err)
{
	struct column columns[MOST_EVENTS];
	struct slice word, unit;
	size_t n = 0;
	while ((word = slice_take_word(&words)).n) {
		if (n == MOST_EVENTS)
			return callgrind_fail(err, number, "more than 64 events");
		c->event_names[n] = sink_sym(c->sink, word.s, word.n);
		word = long_name(c, c->event_names[n], word);
		struct slice name = take_unit(word, &unit, &c->factors[n]);
		uint32_t sym = sink_sym(c->sink, name.s, name.n);
		if (!c->factors[n] || is_odd_unit(word, unit))
			sink_warn(
				c->sink,
				"a unit that is no number of a time (expected one like 'Time_(10ns)'), so costs count as they are",
				number, word.s, word.n);
		c->factors[n] += !c->factors[n];
		const char *event = c->sink->profile->symtab.symbols[sym].name;
		columns[n] = (struct column){event, unit_of_column(c, word, unit, event), false};
		c->events[n] = (uint32_t)n;
		n++;
	}
	if (!n)
		return callgrind_fail(err, number, "no events (expected 'events: NAME ...')");
	c->graph.n_events = c->n_columns = n;
	return columns_declare(c->sink, columns, n, 0, c->series, err);
}

/* The events of a later part, which may come in another order. */
static void take_events_again(struct callgrind *c, struct slice words, uint64_t number)
{
	struct slice word;
	for (c->n_columns = 0; c->n_columns < MOST_EVENTS && (word = slice_take_word(&words)).n; c->n_columns++) {
		uint32_t sym = sink_sym(c->sink, word.s, word.n), i = 0;
		while (i < c->graph.n_events && c->event_names[i] != sym)
			i++;
		c->events[c->n_columns] = i < c->graph.n_events ? i : NO_COLUMN;
		if (i == c->graph.n_events)
			sink_warn(c->sink, "an event that the first part lacks is left out", number, word.s, word.n);
	}
}

static void take_positions(struct callgrind *c, struct slice words)
{
	struct slice word;
	unsigned n = 0, line = MOST_POSITIONS;
	for (; n < MOST_POSITIONS && (word = slice_take_word(&words)).n; n++)
		line = slice_is(word, "line") ? n : line;
	c->n_positions = n;
	c->line_position = line < n ? line : n;
}

static void take_totals(struct callgrind *c, struct slice words)
{
	c->has_totals = true;
	for (size_t i = 0; i < c->n_columns; i++) {
		struct slice word = slice_take_word(&words);
		uint64_t v;
		if (c->events[i] != NO_COLUMN && slice_u64(word, &v))
			weight_add(&c->totals[c->events[i]], v);
	}
}

/* A thread has its number only with --separate-threads=yes. */
static void take_thread(struct callgrind *c, struct slice text)
{
	int64_t tid = slice_id(text);
	if (tid >= 0)
		c->task = profile_task(c->sink->profile, c->program, c->pid, tid);
}

static void take_program(struct callgrind *c, struct slice text)
{
	struct slice word = slice_take_word(&text);
	size_t slash = slice_find_last(word, '/');
	if (slash != SIZE_MAX && slash + 1 < word.n)
		word = slice_from(word, slash + 1);
	c->program = sink_frame(c->sink, word.s, word.n);
}

/* A part begins with its version, or with its events. */
static void begin_part(struct callgrind *c)
{
	c->function = NO_FUNCTION;
	c->task = 0;
	c->module = c->file = c->here = 0;
	c->n_positions = 1;
	c->line_position = 0;
}

static void take_creator(struct callgrind *c, struct slice text)
{
	c->is_ours = slice_starts(text, "flametop");
	c->ends_with_totals = slice_starts(text, "callgrind-") || c->is_ours;
	c->ends_with_summary = slice_starts(text, "xdebug ");
}

static bool take_heading(struct callgrind *c, struct slice key, struct slice value, uint64_t number,
                         struct err *err)
{
	if (slice_is(key, "events") && !c->graph.n_events)
		return declare(c, value, number, err);
	if (slice_is(key, "events"))
		take_events_again(c, value, number);
	else if (slice_is(key, "event"))
		take_long_name(c, value);
	else if (slice_is(key, "positions"))
		take_positions(c, value);
	else if (slice_is(key, "totals"))
		take_totals(c, value);
	else if (slice_is(key, "summary") && c->ends_with_summary)
		c->has_summary = c->awaits_main = true;
	else if (slice_is(key, "version") || slice_is(key, "part"))
		begin_part(c);
	else if (slice_is(key, "creator"))
		take_creator(c, value);
	else if (slice_is(key, "pid"))
		c->pid = slice_id(value);
	else if (slice_is(key, "cmd"))
		take_program(c, value);
	else if (slice_is(key, "thread"))
		take_thread(c, value);
	return true;
}

/* ---- names --------------------------------------------------------------------------------------------------- */

/* "(12) main", "(12)" or "main", as a symbol. 0: unknown. */
static uint32_t name_of(struct callgrind *c, enum names kind, struct slice text, uint64_t number)
{
	struct slice rest = text, digits;
	uint64_t id;
	uint32_t sym = 0;
	bool has_id = slice_take(&rest, "(") && (digits = slice_take_digits(&rest)).n && slice_take(&rest, ")") &&
	              slice_u64(digits, &id);
	struct slice name = has_id ? slice_ltrim(rest) : text;
	if (name.n && !slice_is(name, "???"))
		sym = kind == FUNCTIONS ? sink_frame(c->sink, name.s, name.n) : sink_file(c->sink, name.s, name.n);
	else if (name.n && kind == FUNCTIONS)
		sym = sink_frame(c->sink, "[unknown]", 9);
	if (has_id && !name.n && !idmap_find(&c->names[kind], id, &sym))
		sink_warn(c->sink, "a name's number that was not given before", number, text.s, text.n);
	if (!has_id || !name.n || idmap_add(&c->names[kind], id, sym))
		return sym;
	idmap_slot(&c->names[kind], id)->value = sym; /* another part of the file */
	return sym;
}

static void begin_function(struct callgrind *c, uint32_t name)
{
	if (!name)
		name = sink_frame(c->sink, "[unknown]", 9);
	const struct function_key key = {name, c->file, c->module, c->task};
	c->function = call_graph_function(&c->graph, &key);
	c->graph.functions[c->function].is_recorded = true;
	c->here = c->file;
}

/* "fn=(1) main". false: none of these. */
static bool take_name(struct callgrind *c, struct slice key, struct slice value, uint64_t number)
{
	if (slice_is(key, "fn"))
		begin_function(c, name_of(c, FUNCTIONS, value, number));
	else if (slice_is(key, "cfn"))
		c->callee = name_of(c, FUNCTIONS, value, number);
	else if (slice_is(key, "fl"))
		c->file = c->here = name_of(c, FILES, value, number);
	else if (slice_is(key, "fi") || slice_is(key, "fe"))
		c->here = name_of(c, FILES, value, number);
	else if (slice_is(key, "cfi") || slice_is(key, "cfl"))
		c->callee_file = name_of(c, FILES, value, number);
	else if (slice_is(key, "ob"))
		c->module = name_of(c, MODULES, value, number);
	else if (slice_is(key, "cob"))
		c->callee_module = name_of(c, MODULES, value, number);
	else if (slice_is(key, "jfi"))
		name_of(c, FILES, value, number);
	else if (slice_is(key, "jfn"))
		name_of(c, FUNCTIONS, value, number);
	else if (slice_is(key, "calls"))
		c->is_call = true;
	else
		return slice_is(key, "jump") || slice_is(key, "jcnd") || slice_is(key, "rcalls");
	return true;
}

/* ---- costs --------------------------------------------------------------------------------------------------- */

static bool take_number(struct slice *rest, uint64_t *v)
{
	struct slice word = slice_take_word(rest);
	if (!slice_starts(word, "0x"))
		return slice_u64(word, v);
	*v = 0;
	for (size_t i = 2; i < word.n; i++) {
		int d = hex_digit(word.s[i]);
		if (d < 0 || *v >> 60)
			return false;
		*v = *v << 4 | (uint64_t)d;
	}
	return word.n > 2;
}

static bool take_position(struct slice *rest, uint64_t *position)
{
	uint64_t v;
	*rest = slice_ltrim(*rest);
	if (slice_take(rest, "*"))
		return !rest->n || is_blank_byte(*rest->s);
	bool is_up = slice_take(rest, "+"), is_down = !is_up && slice_take(rest, "-");
	if (!take_number(rest, &v))
		return false;
	*position = is_up ? *position + v : is_down ? *position - v : v;
	return true;
}

/* Reads the numbers of a line. false: one is none. */
static bool take_numbers(struct callgrind *c, struct slice rest)
{
	uint64_t v;
	c->has_cost = false;
	memset(c->numbers, 0, c->graph.n_events * sizeof *c->numbers);
	for (size_t i = 0; i < c->n_columns && (rest = slice_ltrim(rest)).n; i++) {
		if (!take_number(&rest, &v))
			return false;
		if (c->events[i] == NO_COLUMN)
			continue;
		weight_add(&c->numbers[c->events[i]], v);
		c->has_cost |= v > 0;
	}
	return true;
}

static bool take_call(struct callgrind *c, struct slice rest)
{
	const struct function_key key = {c->callee, c->callee_file ? c->callee_file : c->here,
	                                 c->callee_module ? c->callee_module : c->module, c->task};
	if (!take_numbers(c, rest))
		return false;
	uint32_t callee = call_graph_function(&c->graph, &key);
	uint32_t call = call_graph_call(&c->graph, c->function, callee);
	call_graph_add(&c->graph, &c->graph.through, call, c->numbers);
	return true;
}

static bool take_self(struct callgrind *c, struct slice rest)
{
	uint64_t line = c->line_position < c->n_positions ? c->position[c->line_position] : 0;
	if (!take_numbers(c, rest))
		return false;
	call_graph_add(&c->graph, &c->graph.self, c->function, c->numbers);
	for (size_t i = 0; i < c->graph.n_events; i++)
		number_sums_add(&c->own[i], c->numbers[i]);
	if (c->has_cost && c->sink->options->wants_sites && line <= UINT32_MAX) {
		uint32_t number = call_graph_line(&c->graph, c->function, c->here, (uint32_t)line);
		call_graph_add(&c->graph, &c->graph.at, number, c->numbers);
	}
	return true;
}

static void take_costs(struct callgrind *c, struct slice line, uint64_t number)
{
	struct slice rest = line;
	bool is_good = true, is_call = c->is_call;
	for (unsigned i = 0; i < c->n_positions && is_good; i++)
		is_good = take_position(&rest, &c->position[i]);
	if (c->function == NO_FUNCTION)
		begin_function(c, sink_frame(c->sink, NO_FUNCTION_NAME, strlen(NO_FUNCTION_NAME)));
	if (is_call && !c->callee)
		sink_skip(c->sink, "calls of no function (expected 'cfn=NAME' before them)", number, line.s, line.n);
	else if (!is_good || !(is_call ? take_call(c, rest) : take_self(c, rest)))
		sink_skip(c->sink, "not a line of costs (expected a position and a number for each event)", number, line.s,
		          line.n);
	if (is_call)
		c->callee = c->callee_file = c->callee_module = 0;
	c->is_call = c->awaits_main = false;
}

static bool callgrind_line(struct callgrind *c, struct slice line, uint64_t number, struct err *err)
{
	if (line.n && *line.s == '#')
		part_add(c->sink, slice_from(line, 1));
	if (!line.n || *line.s == '#')
		return true;
	bool is_costs = is_digit_byte(*line.s) || *line.s == '+' || *line.s == '-' || *line.s == '*';
	if (is_costs && !c->graph.n_events)
		return callgrind_fail(err, number, "costs before their names (expected 'events: NAME ...')");
	if (is_costs) {
		take_costs(c, line, number);
		return true;
	}
	size_t n = 0;
	while (n < line.n && is_word_byte(line.s[n]))
		n++;
	struct slice key = slice_head(line, n), rest = slice_from(line, n);
	if (slice_take(&rest, ":"))
		return take_heading(c, key, slice_ltrim(rest), number, err);
	if (!c->graph.n_events)
		return callgrind_fail(err, number, "names before the events (expected 'events: NAME ...')");
	if (!slice_take(&rest, "=") || !take_name(c, key, rest, number))
		sink_skip(c->sink, "not of callgrind's format (expected 'fn=NAME', 'calls=COUNT LINE' or costs)", number,
		          line.s, line.n);
	return true;
}

/* ---- the end ------------------------------------------------------------------------------------------------- */

static void say_cut(struct callgrind *c, const char *how)
{
	sink_lacks(c->sink)->is_cut_off = true;
	sink_warn(c->sink, how, 0, NULL, 0);
}

static void check_totals(struct callgrind *c)
{
	uint64_t sums[MOST_EVENTS] = {0};
	struct buf text;
	if ((c->ends_with_totals && !c->has_totals) || (c->ends_with_summary && !c->has_summary))
		say_cut(c, "the file has no totals (is it cut off?)");
	else if (c->is_call || c->callee || c->awaits_main)
		say_cut(c, "the file ends within a function (is it cut off?)");
	buf_init(&text);
	costs_sum(&c->graph.self, sums);
	for (size_t i = 0; c->has_totals && i < c->graph.n_events; i++) {
		text.len = 0;
		buf_addf(&text, "%llu, not %llu", (unsigned long long)sums[i], (unsigned long long)c->totals[i]);
		/* A writer of signed numbers cuts each alone. */
		bool is_cut = c->totals[i] == INT64_MAX && sums[i] > c->totals[i];
		if (sums[i] != c->totals[i] && !is_cut)
			sink_warn(c->sink, "the costs of all functions do not add up to the totals", 0, text.data, text.len);
	}
	buf_deinit(&text);
}

static void callgrind_end(struct callgrind *c, bool is_whole)
{
	if (is_whole && c->graph.n_functions) {
		check_totals(c);
		call_graph_unite(&c->graph);
		for (size_t i = 0; i < c->graph.n_events; i++)
			profile_count_numbers(c->sink->profile, c->series[i], c->sink->options->side, &c->own[i]);
		call_graph_emit(&c->graph, c->sink, c->series, c->factors);
	}
	call_graph_deinit(&c->graph);
	for (unsigned i = 0; i < N_NAMES; i++)
		idmap_deinit(&c->names[i]);
}

static bool callgrind_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct callgrind *c = state;
	struct lines lines = lines_of(c->sink, text, len);
	bool ok = true;
	while (ok && lines_next(&lines))
		ok = callgrind_line(c, lines.line, lines.number, err);
	return ok;
}

static void *callgrind_start(struct sink *sink, struct err *err)
{
	struct callgrind *c = mem_zalloc(1, sizeof *c);
	(void)err;
	c->sink = sink;
	c->pid = -1;
	begin_part(c);
	return c;
}

static bool callgrind_finish(void *state, bool ok, struct err *err)
{
	(void)err;
	callgrind_end(state, ok);
	free(state);
	return ok;
}

/* ---- detection ----------------------------------------------------------------------------------------------- */

/* "version: 1", "fl=a.c", "16 400", "+1 20": may this line be in the file? */
static bool is_possible(struct slice line)
{
	size_t n = 0;
	if (!line.n || *line.s == '#')
		return true;
	while (n < line.n && is_word_byte(line.s[n]))
		n++;
	return n && n < line.n && line.s[n] == ':';
}

static enum sniff callgrind_sniff(const struct head *head, const char **why)
{
	const char *p = head->text, *end = head->text + head->len;
	struct slice line;
	bool has_events = false;
	*why = "does not begin with '# callgrind format' or have a heading 'events:'";
	for (int i = 0; i < SNIFF_LINES && head_line(&p, end, &line.s, &line.n) && !has_zero_byte(line); i++) {
		line = slice_rtrim(line);
		if (i == 0 && slice_is(line, "# callgrind format"))
			return SNIFF_YES;
		/* cachegrind's files have the same lines, but no calls */
		if (i == 0 && (slice_starts(line, "desc:") || slice_starts(line, "cmd:")))
			return SNIFF_NO;
		if (has_events && slice_starts(line, "fn="))
			return SNIFF_YES;
		bool is_name = slice_starts(line, "fl=") || slice_starts(line, "ob=");
		if (!is_possible(line) && !(has_events && is_name))
			return SNIFF_NO;
		has_events |= slice_starts(line, "events:");
	}
	return SNIFF_NO;
}

const struct collapse_format format_callgrind = {
	.name = "callgrind",
	.help = "call graph of callgrind: valgrind --tool=callgrind, pprof -callgrind (--value=EVENT)",
	.sniff = callgrind_sniff,
	.start = callgrind_start,
	.feed = callgrind_feed,
	.finish = callgrind_finish,
	.tells_open_end = true,
	.effects = EFFECT_VALUE,
};
