/*
 * vtune.c - parses hotspots of Intel VTune, exported as a top-down tree in CSV.
 *
 *	war:Column filter is ON.
 *	Function Stack,CPU Time:Self,Module
 *	Total,0.0,[Unknown]
 *	 main,0.0125,demo
 *	  "std::sort<int*, Cmp>",1.5,demo
 *
 * The number of leading spaces is the depth, the number is the node's self time in seconds. Each node with self
 * time becomes a sample of as many milliseconds: [Unknown]`Total;demo`main 13. They are whole, as in other
 * collapsers, unless that loses a tenth of all times, as of a thousand nodes with 0.0014 s: so samples are added
 * only when all times are known.
 *
 * Reports are large (a line for each call path) and repetitive: most lines have a function and a module that came
 * before. So one vectorised pass finds the commas and the end of a line, the result for the texts before the first
 * and after the second comma is cached (memo.h, in batches of lines), and branch.h makes the path. Lines with
 * quotes elsewhere than around the function, and reports with other columns, are parsed by csv.h, which is slower.
 */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/scan.h"
#include "collapse/formats.h"
#include "collapse/text/branch.h"
#include "collapse/text/csv.h"
#include "collapse/text/lines.h"
#include "collapse/text/memo.h"

#define NO_COLUMN UINT32_MAX

/* The frame of a function in the first module it was met in, mostly the only one. */
struct vtune_frame {
	const char *module; /* text in the symbol table */
	size_t module_len;
	uint32_t sym;
};

struct vtune_time {
	uint32_t path;
	double seconds;
};

struct vtune {
	struct sink *sink;
	uint64_t line;
	bool has_header, is_plain; /* plain: function, time and perhaps module, in this order, and no other column */
	bool no_modules;
	uint32_t time_column, module_column;
	struct csv csv;
	struct buf text; /* scratch for making a frame */
	struct branch branch;
	struct memo texts; /* functions met before; for those met in a second module, function, newline, module */
	struct vtune_frame *frames; /* one for each text */
	size_t n_frames, cap_frames;
	struct vtune_time *times; /* all above 0 */
	size_t n_times, cap_times;
};

/* The parts of a line; pointers into the input. */
struct vtune_line {
	const char *function, *time, *module;
	size_t function_len, time_len, module_len;
	bool has_time, has_module;
};

/* Lines per batch. */
#define ROWS 32

struct vtune_row {
	const char *text, *end; /* after the indentation */
	size_t depth;
	bool is_plain;
	struct vtune_line line; /* parts of a plain line */
	struct memo_ask function;
};

/* Parses the header of the hotspots report. Columns may be in any order, and there may be more than needed. */
static bool header_columns(struct csv *csv, const char *line, size_t len, uint32_t *time, uint32_t *module)
{
	const char *s;
	size_t n;
	*time = *module = NO_COLUMN;
	if (len < 15 || memcmp(line, "Function Stack,", 15) != 0)
		return false;
	csv_line(csv, line, len);
	for (uint32_t i = 0; csv_next(csv, &s, &n); i++) {
		bool is_self_time = n >= 9 && memcmp(s + n - 9, "Time:Self", 9) == 0;
		if ((n == 13 && memcmp(s, "CPU Time:Self", 13) == 0) || (is_self_time && *time == NO_COLUMN))
			*time = i;
		else if (n == 6 && memcmp(s, "Module", 6) == 0)
			*module = i;
	}
	return *time != NO_COLUMN;
}

static size_t trimmed(const char *s, size_t len)
{
	return slice_rtrim((struct slice){s, len}).n;
}

static void take_header(struct vtune *v, const char *line, size_t len)
{
	len = trimmed(line, len);
	if (!header_columns(&v->csv, line, len, &v->time_column, &v->module_column))
		return;
	v->has_header = true;
	size_t commas = 0;
	for (size_t i = 0; i < len; i++)
		commas += line[i] == ',';
	v->is_plain = v->time_column == 1 && (v->module_column == 2 ? commas == 2 : commas == 1);
}

/* "module`function", or the function alone. */
static struct vtune_frame make_frame(struct vtune *v, struct slice function, struct slice module)
{
	if (!module.n)
		return (struct vtune_frame){.module = "", .sym = sink_frame(v->sink, function.s, function.n)};
	v->text.len = 0;
	buf_add(&v->text, module.s, module.n);
	buf_addc(&v->text, '`');
	buf_add(&v->text, function.s, function.n);
	uint32_t sym = sink_frame(v->sink, v->text.data, v->text.len);
	uint32_t owner = sink_sym(v->sink, module.s, module.n);
	sym = sink_module(v->sink, sym, module.s, module.n);
	return (struct vtune_frame){v->sink->profile->symtab.symbols[owner].name, module.n, sym};
}

static const struct vtune_frame *known_frame(struct vtune *v, const struct memo_ask *ask, struct slice function,
                                             struct slice module)
{
	struct memo_hit hit = memo_answer(&v->texts, ask);
	if (hit.is_new)
		mem_push(v->frames, v->n_frames, v->cap_frames, make_frame(v, function, module));
	return &v->frames[hit.index];
}

static uint32_t find_frame(struct vtune *v, const struct vtune_line *l, const struct memo_ask *function)
{
	struct slice name = {l->function, l->function_len}, module = {l->module, v->no_modules ? 0 : l->module_len};
	const struct vtune_frame *f = known_frame(v, function, name, module);
	if (f->module_len == module.n && !memcmp(f->module, module.s, module.n))
		return f->sym;
	v->text.len = 0;
	buf_add(&v->text, name.s, name.n);
	buf_addc(&v->text, '\n');
	buf_add(&v->text, module.s, module.n);
	struct memo_ask both = memo_ask(&v->texts, v->text.data, v->text.len);
	return known_frame(v, &both, name, module)->sym;
}

/*
 * Reads the decimal of a few digits that VTune writes as a quotient of two exact doubles, which is rounded once, as
 * by strtod(). false: another form.
 */
static bool plain_seconds(const char *s, size_t n, double *seconds)
{
	static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
	uint64_t digits = 0;
	size_t places = 0, points = 0;
	if (n > 15)
		return false;
	for (size_t i = 0; i < n; i++) {
		bool is_digit = s[i] >= '0' && s[i] <= '9';
		if (!is_digit && (s[i] != '.' || points++))
			return false;
		places += is_digit && points;
		digits = is_digit ? digits * 10 + (uint64_t)(s[i] - '0') : digits;
	}
	*seconds = (double)digits / powers[places];
	return n > points;
}

static bool vtune_fail(const struct vtune *v, struct err *err, const char *what, const char *text, size_t len)
{
	return fail(err, "line %llu: %s: '%.*s'", (unsigned long long)v->line, what, (int)(len < 200 ? len : 200),
	            text);
}

static bool keep_time(struct vtune *v, const char *time, size_t len, uint32_t path, struct err *err)
{
	double seconds;
	while (len && *time == ' ') {
		time++;
		len--;
	}
	len = trimmed(time, len);
	bool is_number = plain_seconds(time, len, &seconds) || number_double(time, len, &seconds);
	if (!is_number || !(seconds >= 0))
		return vtune_fail(v, err, "invalid `CPU Time:Self` field (expected seconds)", time, len);
	if (seconds >= 0x1p64 / 1000)
		sink_warn(v->sink, TOO_HEAVY, 0, time, len);
	if (seconds > 0)
		mem_push(v->times, v->n_times, v->cap_times, ((struct vtune_time){path, seconds}));
	return true;
}

static bool add_line(struct vtune *v, size_t depth, const struct vtune_line *l, const struct memo_ask *function,
                     struct err *err)
{
	if (depth > v->branch.height)
		return vtune_fail(v, err, "skipped indentation level at line", l->function, l->function_len);
	uint32_t path = branch_put(&v->branch, v->sink->profile, depth, find_frame(v, l, function));
	bool is_nothing = (l->time_len == 3 && memcmp(l->time, "0.0", 3) == 0) || (l->time_len == 1 && *l->time == '0');
	return is_nothing || keep_time(v, l->time, l->time_len, path, err);
}

/* Adds a line of another form. p is after the leading spaces. */
static bool add_odd_line(struct vtune *v, size_t depth, const char *p, const char *end, struct err *err)
{
	struct vtune_line l = {.function = "", .time = "", .module = ""};
	const char *s;
	size_t n, len = trimmed(p, (size_t)(end - p));
	csv_line(&v->csv, p, len);
	for (uint32_t i = 0; csv_next(&v->csv, &s, &n); i++) {
		if (i == 0)
			l.function = s, l.function_len = n;
		else if (i == v->time_column)
			l.time = s, l.time_len = n, l.has_time = true;
		else if (i == v->module_column)
			l.module = s, l.module_len = n, l.has_module = true;
	}
	if (!l.has_time || (!l.has_module && !v->no_modules))
		return vtune_fail(v, err, "unable to parse stack line (expected function, time and module)", p, len);
	struct memo_ask function = memo_ask(&v->texts, l.function, l.function_len);
	return add_line(v, depth, &l, &function, err);
}

/*
 * Finds the first two commas at or after p (NULL: there is none) in the rest of a line, and returns the line's end.
 */
static const char *find_commas(const char *p, const char **first, const char **second)
{
	for (*first = *second = NULL;; p += 32) {
		uint32_t eol = scan_mask(p, '\n'), commas = scan_mask(p, ',') & ((eol & -eol) - 1);
		if (commas && !*first) {
			*first = p + __builtin_ctz(commas);
			commas &= commas - 1;
		}
		if (commas && !*second)
			*second = p + __builtin_ctz(commas);
		if (eol)
			return p + __builtin_ctz(eol);
	}
}

static const char *skip_spaces(const char *p)
{
	uint32_t spaces;
	while ((spaces = scan_mask(p, ' ')) == UINT32_MAX)
		p += 32;
	return p + __builtin_ctz(~spaces);
}

/* Splits a typical line. Returns where the next one begins. */
static const char *split_row(const struct vtune *v, const char *text, struct vtune_row *row)
{
	const char *p = skip_spaces(text), *quote = p, *first, *second;
	bool is_quoted = *p == '"';
	while (is_quoted && *++quote != '"' && *quote != '\n')
		;
	row->end = find_commas(quote, &first, &second);
	row->text = p;
	row->depth = (size_t)(p - text);
	row->is_plain = v->is_plain && first && (second || v->no_modules) && (!is_quoted || first == quote + 1);
	if (!row->is_plain)
		return row->end + 1;
	const char *stop = second ? second : row->end;
	struct vtune_line *l = &row->line;
	l->function = p + is_quoted;
	l->function_len = (size_t)((is_quoted ? quote : first) - l->function);
	l->time = first + 1;
	l->time_len = (size_t)(stop - l->time);
	l->module = second ? second + 1 : stop;
	l->module_len = trimmed(l->module, (size_t)(row->end - l->module));
	row->is_plain = !l->module_len || *l->module != '"';
	row->function = memo_ask(&v->texts, l->function, l->function_len);
	return row->end + 1;
}

static bool take_row(struct vtune *v, const struct vtune_row *row, struct err *err)
{
	if (row->is_plain)
		return add_line(v, row->depth, &row->line, &row->function, err);
	bool is_blank = !trimmed(row->text, (size_t)(row->end - row->text));
	return is_blank || add_odd_line(v, row->depth, row->text, row->end, err);
}

static bool vtune_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct vtune *v = state;
	const char *p = text, *end = text + len;
	v->line = v->sink->line;
	while (p < end && !v->has_header) {
		const char *stop = memchr(p, '\n', (size_t)(end - p) + 1);
		v->line++;
		take_header(v, p, (size_t)(stop - p));
		p = stop + 1;
	}
	while (p < end) {
		struct vtune_row rows[ROWS];
		size_t n = 0;
		for (; n < ROWS && p < end; n++)
			p = split_row(v, p, &rows[n]);
		for (size_t i = 0; i < n; i++) {
			if (rows[i].is_plain)
				memo_fetch(&v->texts, &rows[i].function);
		}
		for (size_t i = 0; i < n; i++) {
			v->line++;
			if (!take_row(v, &rows[i], err))
				return false;
		}
	}
	v->sink->line = v->line;
	return true;
}

/* ---- samples ------------------------------------------------------------------------------------------------- */

/* Would whole milliseconds lose a tenth of all times? Says if they do not, but change the sum by a hundredth. */
static bool is_much_lost(const struct vtune *v)
{
	double lost = 0, change = 0, all = 0;
	for (size_t i = 0; i < v->n_times; i++) {
		double ms = v->times[i].seconds * 1000;
		lost += fabs(ms - round(ms));
		change += round(ms) - ms;
		all += ms;
	}
	if (10 * lost < all && 100 * fabs(change) >= all)
		sink_warn(v->sink, "times are rounded to milliseconds, which changes their sum by a hundredth or more", 0,
		          NULL, 0);
	return 10 * lost >= all;
}

static void add_whole(struct vtune *v, double seconds, struct sample *s)
{
	double ms = round(seconds * 1000);
	s->weight = weight_from(ms);
	if (ms < 1)
		report_add(&v->sink->profile->report, NOTE_WARN, "times below half a millisecond are left out", NULL, 0,
		           NULL, 0);
}

/* A double has no nanoseconds of times from 2^53 ns on: months. */
static void add_parts(double seconds, struct sample *s)
{
	if (seconds * 1e9 >= 0x1p53) {
		s->weight = weight_from(round(seconds * 1000));
		return;
	}
	uint64_t ns = weight_from(round(seconds * 1e9));
	s->weight = ns / 1000000;
	s->millionths = (uint32_t)(ns % 1000000);
}

static void add_samples(struct vtune *v)
{
	bool has_parts = is_much_lost(v);
	for (size_t i = 0; i < v->n_times; i++) {
		struct sample s = {.time = NO_TIME, .cpu = NO_CPU};
		if (has_parts)
			add_parts(v->times[i].seconds, &s);
		else
			add_whole(v, v->times[i].seconds, &s);
		if (s.weight || s.millionths)
			profile_add(v->sink->profile, v->sink->options->side, v->times[i].path, &s);
	}
}

static void *vtune_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct vtune *v = mem_zalloc(1, sizeof *v);
	v->sink = sink;
	v->no_modules = sink->options->no_modules;
	csv_init(&v->csv);
	buf_init(&v->text);
	memo_init(&v->texts);
	profile_series(sink->profile, sink_sym(sink, "CPU Time", 8), sink_sym(sink, "ms", 2));
	return v;
}

static bool vtune_finish(void *state, bool ok, struct err *err)
{
	struct vtune *v = state;
	(void)err;
	if (ok && !v->has_header)
		sink_warn(v->sink, "file ended before header (expected 'Function Stack,CPU Time:Self,Module')", 0, NULL, 0);
	add_samples(v); /* also those before an error */
	csv_deinit(&v->csv);
	buf_deinit(&v->text);
	memo_deinit(&v->texts);
	free(v->frames);
	free(v->times);
	branch_deinit(&v->branch);
	free(v);
	return ok;
}

static bool is_header(struct slice line)
{
	return slice_starts(line, "Function Stack,") && !slice_has(line, "Allocation");
}

static enum sniff vtune_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_header, "no line starts with 'Function Stack,'", why);
}

const struct collapse_format format_vtune = {
	.name = "vtune",
	.help = "Intel VTune hotspots: vtune -R top-down -call-stack-mode all -format csv -csv-delimiter comma",
	.sniff = vtune_sniff,
	.start = vtune_start,
	.feed = vtune_feed,
	.finish = vtune_finish,
	.tells_open_end = true,
	.effects = EFFECT_NO_MODULES,
};
