/*
 * firefox_profile.c - makes samples of the tables of a profile of Firefox.
 *
 *	samples.stack [2,1]   stackTable.frame [0,1,1]   frameTable.func [0,1]   funcTable.name [0,1]
 *	                      stackTable.prefix [null,0,0]                       strings ["main","read"]
 *
 * Stack 2 is frame 1 on stack 0. A path is made for each stack that a sample has, once. Parents come before their
 * children in a good file; in any other one, a chain that leads nowhere or into itself makes its samples skipped.
 */
#include "collapse/formats/firefox_profile.h"

#include "collapse/text/columns.h"
#include "collapse/text/time_rest.h"
#include "model/idle.h"

#define NS_IN_MS_DIGITS 6
#define MILLION 1000000u

#define UNKNOWN_STRING ((size_t)1 << (8 * sizeof(size_t) - 1)) /* in the end of a string */

enum which { SAMPLES, TIME, BYTES, CPU, CPU_CYCLES, JS_ALLOCATED, ALLOCATED, FREED, N_SERIES };

/* ---- numbers ------------------------------------------------------------------------------------------------- */

uint32_t firefox_number(struct slice text)
{
	uint64_t v = 0;
	if (slice_is(text, "-1"))
		return NO_NUMBER;
	for (size_t i = 0; i < text.n; i++) {
		if (!is_digit_byte(text.s[i]) || i > 9)
			return BAD_NUMBER;
		v = v * 10 + (uint64_t)(text.s[i] - '0');
	}
	return v < FIREFOX_LOST ? (uint32_t)v : BAD_NUMBER;
}

struct firefox_weight firefox_weight(struct slice text)
{
	struct firefox_weight w = {.is_negative = slice_take(&text, "-")};
	struct decimal d;
	size_t point = slice_find_byte(text, '.');
	if (slice_u64(text, &w.whole))
		return w;
	w.is_rounded = point != SIZE_MAX && text.n - point - 1 > NS_IN_MS_DIGITS;
	w.is_bad = !decimal_read(text.s, text.n, &d) || d.is_negative;
	if (w.is_bad)
		return w;
	decimal_whole v = decimal_times(&d, AMOUNT_PLACES);
	w.is_cut = !decimal_split(v / MILLION, AMOUNT_PLACES - 6, &w.whole, &w.millionths);
	w.rest = w.is_cut ? 0 : (uint32_t)(v % MILLION) & 0xfffff;
	return w;
}

int64_t firefox_time(struct slice text)
{
	int64_t v;
	return decimal_scaled(text.s, text.n, NS_IN_MS_DIGITS, &v) ? v : UNKNOWN_TIME;
}

struct firefox_weight firefox_cpu(struct sink *sink, struct slice text, uint64_t line)
{
	struct firefox_weight w = firefox_weight(text);
	if (!w.is_bad && !(w.is_negative && firefox_is_weight(&w)))
		return w;
	sink_warn(sink, "a threadCPUDelta that is no number from 0 on counts as 0", line, text.s, text.n);
	return (struct firefox_weight){0};
}

bool firefox_is_weight(const struct firefox_weight *w)
{
	return w->whole || w->millionths || w->rest;
}

int64_t firefox_id(struct slice text)
{
	uint64_t v;
	return slice_u64(slice_take_digits(&text), &v) && v <= INT64_MAX ? (int64_t)v : -1;
}

void firefox_cpu_unit(struct firefox_profile *p, struct slice unit)
{
	p->cpu_factor = slice_is(unit, "ns") ? 1 : slice_is(unit, "\302\265s") || slice_is(unit, "us") ? 1000 : 0;
}

void firefox_push_string(struct firefox_strings *s, struct slice text)
{
	buf_add(&s->text, text.s, text.n);
	mem_push(s->ends, s->n, s->cap, s->text.len);
}

void firefox_push_unknown(struct firefox_strings *s)
{
	mem_push(s->ends, s->n, s->cap, s->text.len | UNKNOWN_STRING);
}

bool firefox_string(const struct firefox_tables *t, uint32_t i, struct slice *text)
{
	const struct firefox_strings *s = t->strings.n || !t->others ? &t->strings : &t->others->strings;
	if (i >= s->n)
		return false;
	size_t from = i ? s->ends[i - 1] & ~UNKNOWN_STRING : 0;
	*text = (struct slice){s->text.len ? s->text.data + from : "", s->ends[i] - from};
	if (s->ends[i] & UNKNOWN_STRING)
		*text = slice_of("[unknown]");
	return true;
}

bool firefox_numbered(const struct firefox_tables *t, uint32_t i, struct numbered *n)
{
	n->number = i;
	return firefox_string(t, i, &n->text);
}

struct long_names *firefox_long_names(struct firefox_profile *p, const struct firefox_tables *t)
{
	bool is_shared = t == &p->shared || (!t->strings.n && t->others);
	return is_shared ? &p->shared_names : &p->own_names;
}

struct numbered firefox_library(const struct firefox_profile *p, uint32_t sym)
{
	const struct symbol *s = &p->sink->profile->symtab.symbols[sym];
	return (struct numbered){(uint64_t)sym + UINT32_MAX, {s->name, s->len}};
}

/* ---- the whole profile --------------------------------------------------------------------------------------- */

void firefox_profile_init(struct firefox_profile *p, struct sink *sink)
{
	*p = (struct firefox_profile){.sink = sink, .start = UNKNOWN_TIME, .cpu_factor = 1};
}

void firefox_profile_deinit(struct firefox_profile *p)
{
	firefox_data_deinit(&p->data);
	for (size_t i = 0; i < p->n_threads; i++) {
		firefox_take(p, &p->threads[i]);
		firefox_data_deinit(&p->data);
	}
	firefox_tables_deinit(&p->shared);
	long_names_deinit(&p->shared_names);
	free(p->threads);
	free(p->libs);
	firefox_paths_deinit(p);
}

/* ---- from stacks to paths ------------------------------------------------------------------------------------ */

uint32_t firefox_address(struct firefox_profile *p, struct long_names *names, struct slice name,
                         const struct numbered *lib)
{
	static const struct numbered no_file = {0, {"", 0}};
	uint32_t sym;
	p->saw_addresses = true;
	if (p->sink->options->addrs)
		sym = sink_frame(p->sink, name.s, name.n);
	else if (lib->text.n)
		sym = long_names_frame(names, p->sink, lib, FORM_BRACKETS);
	else
		return sink_unknown(p->sink);
	return long_names_origin(names, p->sink, sym, lib, &no_file, 0);
}

static bool has_samples(const struct firefox_data *d)
{
	size_t n = 0;
	for (size_t i = 0; i < N_FIREFOX_LOGS; i++)
		n += d->logs[i].stack.n;
	return n > 0;
}

/* The data of the thread are there. Without samples, the tables are not gone through. */
static void settle(struct firefox_profile *p, struct firefox_thread *thread, struct firefox_tables *tables)
{
	tables->others = tables == &p->shared ? NULL : &p->shared;
	if (has_samples(&p->data))
		firefox_number_stacks(p, thread, tables);
	thread->is_settled = true;
	long_names_deinit(&p->own_names);
	idmap_deinit(&p->long_frames);
	firefox_tables_deinit(&p->data.tables);
}

void firefox_settle(struct firefox_profile *p, struct firefox_thread *thread)
{
	const struct firefox_tables *t = &p->data.tables;
	firefox_take(p, thread);
	bool has_names = t->columns[FUNC_NAME].n || t->columns[FRAME_LOCATION].n;
	if (t->columns[STACK_FRAME].n && has_names && t->strings.n)
		settle(p, thread, &p->data.tables);
	firefox_put(p, thread);
}

/* ---- from logs to samples ------------------------------------------------------------------------------------ */

struct emission {
	struct firefox_profile *profile;
	uint32_t series[N_SERIES];
	struct {
		uint64_t idle, all;
	} sums[N_SERIES];
	int64_t zero;                     /* the earliest time, if it is negative */
	struct time_rest rests[N_SERIES]; /* of those that are times */
};

/* The series of the samples of a log. */
static enum which which_of(size_t kind, const struct firefox_log *log)
{
	static const enum which of[] = {[UNIT_SAMPLES] = SAMPLES, [UNIT_MS] = TIME, [UNIT_BYTES] = BYTES};
	return kind == LOG_JS ? JS_ALLOCATED : kind == LOG_NATIVE ? ALLOCATED : of[log->unit];
}

static bool has_frees(const struct firefox_log *log)
{
	for (size_t i = 0; i < log->n_weights; i++)
		if (log->weight[i].is_negative)
			return true;
	return false;
}

/* Which columns do the logs of the thread need, whose data are there? */
static void find_columns(const struct firefox_profile *p, struct column columns[N_SERIES])
{
	for (size_t k = 0; k < N_FIREFOX_LOGS; k++) {
		const struct firefox_log *log = &p->data.logs[k];
		columns[which_of(k, log)].is_absent &= !log->stack.n;
		columns[FREED].is_absent &= k != LOG_NATIVE || !has_frees(log);
		columns[p->cpu_factor ? CPU : CPU_CYCLES].is_absent &= !firefox_has_cpu(log);
	}
}

/* What flametop says of the numbers. Those of a time or of bytes are in the units of the format. */
static void name_column(const struct firefox_profile *p, struct column columns[N_SERIES])
{
	const struct symbol *symbols = p->sink->profile->symtab.symbols;
	const char *unit = p->unit ? symbols[p->unit].name : "samples";
	enum which which = profile_time_scale(unit) >= 0 ? TIME : strcmp(unit, "bytes") == 0 ? BYTES : SAMPLES;
	if (p->event)
		columns[which].name = symbols[p->event].name;
	if (which == SAMPLES && strcmp(unit, "samples") != 0)
		columns[which].unit = unit;
}

static bool declare(struct emission *e, struct err *err)
{
	struct column columns[N_SERIES] = {
		[SAMPLES] = {"samples", NULL, true},
		[TIME] = {"time", "ns", true},
		[BYTES] = {"bytes", "bytes", true},
		[CPU] = {"cpu", "ns", true},
		[CPU_CYCLES] = {"cpu-cycles", "cycles", true},
		[JS_ALLOCATED] = {"js-allocations", "bytes", true},
		[ALLOCATED] = {"native-allocations", "bytes", true},
		[FREED] = {"native-frees", "bytes", true},
	};
	struct firefox_profile *p = e->profile;
	size_t first = 0;
	name_column(p, columns);
	for (size_t i = 0; i < p->n_threads; i++) {
		firefox_take(p, &p->threads[i]);
		find_columns(p, columns);
		firefox_put(p, &p->threads[i]);
	}
	while (first + 1 < N_SERIES && columns[first].is_absent)
		first++;
	if (columns[first].is_absent)
		sink_warn(p->sink, "no samples in it", 0, NULL, 0);
	first = columns[first].is_absent ? SAMPLES : first;
	if (!columns_declare(p->sink, columns, N_SERIES, first, e->series, err))
		return false;
	columns_overlap(p->sink, e->series, N_SERIES);
	if (e->series[TIME] != UINT32_MAX)
		profile_note_grain(p->sink->profile, e->series[TIME], p->sink->options->side, NS_IN_MS_DIGITS);
	if (e->series[CPU] != UINT32_MAX)
		p->sink->profile->series[e->series[CPU]].is_sampled = true;
	return true;
}

/* Turns distances into times. */
static void add_up(struct firefox_log *log)
{
	int64_t now = 0;
	for (size_t i = 0; i < log->n_times; i++) {
		if (log->time[i] == UNKNOWN_TIME)
			continue;
		if (__builtin_add_overflow(now, log->time[i], &now)) {
			log->n_times = i; /* the rest has none */
			return;
		}
		log->time[i] = now;
	}
}

/* Moves the times of a process to the clock of the first one. */
static void shift(struct firefox_profile *p, const struct firefox_thread *t, struct firefox_log *log)
{
	int64_t by = 0;
	if (t->start == UNKNOWN_TIME || p->start == UNKNOWN_TIME || __builtin_sub_overflow(t->start, p->start, &by))
		return;
	for (size_t i = 0; by && i < log->n_times; i++)
		if (log->time[i] != UNKNOWN_TIME && __builtin_add_overflow(log->time[i], by, &log->time[i]))
			log->time[i] = UNKNOWN_TIME;
}

static void place_times_of(struct emission *e, const struct firefox_thread *t, struct firefox_log *log)
{
	if (log->has_deltas)
		add_up(log);
	shift(e->profile, t, log);
	for (size_t i = 0; i < log->n_times; i++)
		if (log->time[i] != UNKNOWN_TIME && log->time[i] < e->zero)
			e->zero = log->time[i];
}

static void place_times(struct emission *e)
{
	struct firefox_profile *p = e->profile;
	for (size_t i = 0; i < p->n_threads; i++) {
		firefox_take(p, &p->threads[i]);
		for (size_t k = 0; k < N_FIREFOX_LOGS; k++)
			place_times_of(e, &p->threads[i], &p->data.logs[k]);
		firefox_put(p, &p->threads[i]);
	}
}

/* "GeckoMain (Web Content)" */
static uint32_t task_of(struct firefox_profile *p, const struct firefox_thread *t)
{
	const struct symbol *symbols = p->sink->profile->symtab.symbols;
	uint32_t comm = t->name ? t->name : t->process;
	struct buf text;
	if (t->name && t->process && t->name != t->process) {
		buf_init(&text);
		buf_add(&text, symbols[t->name].name, symbols[t->name].len);
		buf_adds(&text, " (");
		sink_add_shared(p->sink, &text, symbols[t->process].name, symbols[t->process].len);
		buf_addc(&text, ')');
		comm = sink_frame(p->sink, text.data, text.len);
		buf_deinit(&text);
	}
	return comm || t->pid >= 0 || t->tid >= 0 ? profile_task(p->sink->profile, comm, t->pid, t->tid) : 0;
}

static void round_up(struct firefox_weight *w)
{
	w->millionths += w->rest >= MILLION / 2;
	w->whole += w->millionths == MILLION;
	w->millionths %= MILLION;
	w->rest = 0;
}

/* Of a count that is no time. */
static void settle_parts(struct firefox_profile *p, struct firefox_weight *w)
{
	round_up(w);
	if (w->is_rounded)
		profile_note_foreign_count(p->sink->profile);
}

/* In the unit of the log's series; of times, `rest` is what they have of the next nanosecond. */
static struct firefox_weight weight_of(struct firefox_profile *p, const struct firefox_log *log, size_t i)
{
	struct firefox_weight w = {.whole = 1};
	uint64_t ns;
	if (log->n_weights)
		w = i < log->n_weights ? log->weight[i] : (struct firefox_weight){.is_bad = true};
	if (log->unit == UNIT_MS) {
		w.is_cut |= __builtin_mul_overflow(w.whole, UINT64_C(1000000), &ns) ||
		            __builtin_add_overflow(ns, w.millionths, &ns);
		ns = w.is_cut ? UINT64_MAX : ns;
		w.rest = w.is_cut ? 0 : w.rest;
		w.whole = ns;
		w.millionths = 0;
	}
	if (log->unit != UNIT_MS)
		settle_parts(p, &w);
	if (w.is_cut)
		sink_warn(p->sink, TOO_HEAVY, 0, NULL, 0);
	return w;
}

/* Adds one sample to a path, or counts it as idle without one. rest: what a time has more, an amount. */
static void add(struct emission *e, enum which which, uint32_t path, struct sample *s, decimal_whole rest)
{
	struct sink *sink = e->profile->sink;
	if (path == NO_NUMBER && e->profile->keeps_empty)
		path = PATH_ROOT;
	if (path == NO_NUMBER && sink->options->idle == IDLE_ALWAYS)
		path = profile_child(sink->profile, PATH_ROOT, sink_sym(sink, EMPTY_STACK, sizeof EMPTY_STACK - 1));
	if ((which == TIME || which == CPU) && s->weight < UINT64_MAX)
		s->weight = amount_weight(
			time_rest_round(&e->rests[which], path == NO_NUMBER ? PATH_ROOT : path, s->weight * AMOUNT_ONE + rest));
	s->series = e->series[which];
	weight_add(&e->sums[which].all, s->weight);
	if (!s->weight && !s->millionths)
		return;
	if (path == NO_NUMBER)
		weight_add(&e->sums[which].idle, s->weight);
	else
		profile_add(sink->profile, sink->options->side, path, s);
}

static void emit_cpu(struct emission *e, const struct firefox_log *log, size_t i, uint32_t path, struct sample *s)
{
	uint64_t factor = e->profile->cpu_factor;
	struct firefox_weight w = i < log->n_cpu ? log->cpu[i] : (struct firefox_weight){0};
	if (!firefox_is_weight(&w))
		return;
	if (!factor)
		settle_parts(e->profile, &w);
	decimal_whole ns = (w.whole * AMOUNT_ONE + w.millionths * (AMOUNT_ONE / MILLION) + w.rest) * (int64_t)factor;
	s->weight = factor ? amount_weight(ns) : w.whole;
	s->millionths = factor ? 0 : w.millionths;
	if (s->weight == UINT64_MAX)
		sink_warn(e->profile->sink, TOO_HEAVY, 0, NULL, 0);
	add(e, factor ? CPU : CPU_CYCLES, path, s, ns % AMOUNT_ONE);
}

static void emit_log(struct emission *e, size_t kind, const struct firefox_log *log, uint32_t task)
{
	struct sink *sink = e->profile->sink;
	for (size_t i = 0; i < log->stack.n; i++) {
		uint32_t path = firefox_path(e->profile, log->stack.v[i]);
		struct firefox_weight w = weight_of(e->profile, log, i);
		struct sample s = {.weight = w.whole, .millionths = w.millionths, .cpu = NO_CPU, .task = task};
		bool is_free = kind == LOG_NATIVE && w.is_negative;
		s.time =
			i < log->n_times && log->time[i] != UNKNOWN_TIME ? (uint64_t)log->time[i] - (uint64_t)e->zero : NO_TIME;
		s.site = log->site ? log->site[i] : NO_SITE;
		if (path == FIREFOX_BROKEN) {
			sink_skip(sink, "sample of an unknown stack or frame", 0, NULL, 0);
			continue;
		}
		if (w.is_bad)
			sink_skip(sink, "sample without a weight", 0, NULL, 0);
		else if (w.is_negative && !is_free && firefox_is_weight(&w))
			sink_skip(sink, "sample of negative weight (of a comparison?)", 0, NULL, 0);
		else if (firefox_is_weight(&w))
			add(e, is_free ? FREED : which_of(kind, log), path, &s, w.rest * (AMOUNT_ONE / MILLION));
		emit_cpu(e, log, i, path, &s);
	}
}

/* Settles the threads that are not: those that lack tables, and all of a file whose meta comes last. */
static void settle_rest(struct firefox_profile *p)
{
	for (size_t i = 0; i < p->n_threads; i++) {
		struct firefox_thread *t = &p->threads[i];
		if (t->is_settled)
			continue;
		firefox_take(p, t);
		settle(p, t, p->data.tables.columns[STACK_FRAME].n ? &p->data.tables : &p->shared);
		firefox_put(p, t);
	}
}

static void emit_thread(struct emission *e, struct firefox_thread *t)
{
	struct firefox_profile *p = e->profile;
	uint32_t task = task_of(p, t);
	firefox_take(p, t);
	for (size_t i = 0; i < N_FIREFOX_LOGS; i++) {
		struct firefox_log *log = &p->data.logs[i];
		if (log->n_weights && log->n_weights != log->stack.n)
			sink_warn(p->sink, "not as many weights as samples (samples without one are left out)", 0, NULL, 0);
		emit_log(e, i, log, task);
	}
	firefox_data_deinit(&p->data);
}

bool firefox_emit(struct firefox_profile *p, struct err *err)
{
	struct emission e = {.profile = p};
	firefox_end_thread(p);
	bool ok = declare(&e, err);
	place_times(&e);
	if (ok)
		settle_rest(p);
	if (ok)
		firefox_make_paths(p);
	for (size_t i = 0; ok && i < p->n_threads; i++)
		emit_thread(&e, &p->threads[i]);
	for (size_t i = 0; ok && i < N_SERIES; i++)
		if (e.series[i] != UINT32_MAX)
			idle_add(p->sink->profile, p->sink->options->side, e.series[i], e.sums[i].idle, e.sums[i].all,
			         "have no stack");
	for (size_t i = 0; i < N_SERIES; i++) {
		if (ok && e.series[i] != UINT32_MAX)
			time_rest_say(&e.rests[i], p->sink, p->sink->options->side, e.series[i]);
		time_rest_deinit(&e.rests[i]);
	}
	if (ok && p->saw_addresses)
		sink_warn(p->sink, p->no_symbols, 0, NULL, 0);
	return ok;
}
