/*
 * vtune.c - hotspots of Intel VTune, exported as a top-down tree in CSV.
 *
 *	war:Column filter is ON.
 *	Function Stack,CPU Time:Self,Module
 *	Total,0.0,[Unknown]
 *	 main,0.0125,demo
 *	  "std::sort<int*, Cmp>",1.5,demo
 *
 * Leading spaces are the depth, the number is the node's own time in seconds. Every node with time of its own is a
 * sample of as many milliseconds: [Unknown]`Total;demo`main 13.
 *
 * Reports are large (a line for each call path) and say little that is new: most lines have a function and a
 * module that were met before. So one vectorised pass finds the commas and the end of a line, the texts before the
 * first and after the second comma are looked up in a cache of finished frames, and branch.h makes the path. Lines
 * with quotes, and reports with other columns, take the slow way through csv.h.
 */
#include <math.h>
#include <string.h>
#if defined __SSE2__ && !defined FLAMETOP_PLAIN
#include <emmintrin.h>
#endif

#include "base/arena.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/number.h"
#include "collapse/branch.h"
#include "collapse/csv.h"
#include "collapse/formats.h"
#include "collapse/lines.h"

#define NO_COLUMN UINT32_MAX

/* A frame that was seen: the raw texts it was made of, function and module one after the other. */
struct vtune_frame {
	uint64_t hash;
	const char *text; /* NULL: free slot */
	uint32_t function_len, module_len;
	uint32_t sym;
};

struct vtune {
	struct sink *sink;
	uint64_t line;
	bool has_header, is_plain; /* plain: function, time and perhaps module, in this order and nothing else */
	bool no_modules;
	uint32_t time_column, module_column;
	struct csv csv;
	struct buf text; /* a frame in the making */
	struct branch branch;
	struct vtune_frame *frames;
	size_t n_frames, cap_frames; /* capacity: a power of two */
	struct arena texts;
};

/* The parts of a line; pointers into the input. */
struct vtune_line {
	const char *function, *time, *module;
	size_t function_len, time_len, module_len;
	bool has_time, has_module;
};

/* The header of the hotspots report. Its columns may be in another order or more than needed. */
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

static void frames_grow(struct vtune *v)
{
	size_t cap = v->cap_frames ? v->cap_frames * 2 : 1024;
	struct vtune_frame *frames = mem_zalloc(cap, sizeof *frames);
	for (size_t i = 0; i < v->cap_frames; i++) {
		size_t at = v->frames[i].hash & (cap - 1);
		if (!v->frames[i].text)
			continue;
		while (frames[at].text)
			at = (at + 1) & (cap - 1);
		frames[at] = v->frames[i];
	}
	free(v->frames);
	v->frames = frames;
	v->cap_frames = cap;
}

/* "module`function", or the function alone. */
static uint32_t make_frame(struct vtune *v, const char *function, size_t function_len, const char *module,
                           size_t module_len)
{
	if (!module_len)
		return sink_frame(v->sink, function, function_len);
	v->text.len = 0;
	buf_add(&v->text, module, module_len);
	buf_addc(&v->text, '`');
	buf_add(&v->text, function, function_len);
	uint32_t sym = sink_frame(v->sink, v->text.data, v->text.len);
	uint32_t owner = sink_sym(v->sink, module, module_len);
	struct symbol *symbol = &v->sink->profile->symtab.symbols[sym];
	if (!symbol->module)
		symbol->module = owner;
	return sym;
}

static uint32_t cached_frame(struct vtune *v, const struct vtune_line *l)
{
	size_t module_len = v->no_modules ? 0 : l->module_len;
	uint64_t hash = hash_mix(hash_bytes(l->function, l->function_len) ^ 0x9e3779b97f4a7c15u,
	                         hash_bytes(l->module, module_len) ^ 0xd1b54a32d192ed03u);
	if (v->n_frames * 2 >= v->cap_frames)
		frames_grow(v);
	struct vtune_frame *f = &v->frames[hash & (v->cap_frames - 1)];
	while (f->text) {
		if (f->hash == hash && f->function_len == l->function_len && f->module_len == module_len &&
		    memcmp(f->text, l->function, l->function_len) == 0 &&
		    memcmp(f->text + l->function_len, l->module, module_len) == 0)
			return f->sym;
		if (++f == v->frames + v->cap_frames)
			f = v->frames;
	}
	char *text = arena_alloc(&v->texts, l->function_len + module_len + 1);
	memcpy(text, l->function, l->function_len);
	memcpy(text + l->function_len, l->module, module_len);
	*f = (struct vtune_frame){
		.hash = hash, .text = text, .function_len = (uint32_t)l->function_len, .module_len = (uint32_t)module_len};
	f->sym = make_frame(v, l->function, l->function_len, l->module, module_len);
	v->n_frames++;
	return f->sym;
}

/*
 * What VTune writes is a decimal of a few digits; as a quotient of two exact doubles it is rounded once, as
 * strtod() would do. false: something else.
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

static bool add_weight(struct vtune *v, const char *time, size_t len, uint32_t path, struct err *err)
{
	double seconds;
	while (len && *time == ' ') {
		time++;
		len--;
	}
	len = trimmed(time, len);
	if (!plain_seconds(time, len, &seconds) && !number_double(time, len, &seconds))
		return vtune_fail(v, err, "invalid `CPU Time:Self` field (expected seconds)", time, len);
	double ms = round(seconds * 1000);
	if (ms < 1)
		return true;
	struct sample sample = {.time = NO_TIME, .cpu = NO_CPU};
	sample.weight = ms < 0x1p63 ? (uint64_t)ms : (uint64_t)1 << 63;
	profile_add(v->sink->profile, v->sink->options->side, path, &sample);
	return true;
}

static bool add_line(struct vtune *v, size_t depth, const struct vtune_line *l, struct err *err)
{
	if (depth > v->branch.height)
		return vtune_fail(v, err, "skipped indentation level at line", l->function, l->function_len);
	uint32_t path = branch_put(&v->branch, v->sink->profile, depth, cached_frame(v, l));
	bool is_nothing = (l->time_len == 3 && memcmp(l->time, "0.0", 3) == 0) || (l->time_len == 1 && *l->time == '0');
	return is_nothing || add_weight(v, l->time, l->time_len, path, err);
}

/* A line that is not as most lines are. p is behind the leading spaces. */
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
	return add_line(v, depth, &l, err);
}

#if defined __SSE2__ && !defined FLAMETOP_PLAIN
/* One bit for each of the 16 bytes at p that equals a or b. */
static inline unsigned find16(const char *p, char a, char b)
{
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
	__m128i hit = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8(a)), _mm_cmpeq_epi8(x, _mm_set1_epi8(b)));
	return (unsigned)_mm_movemask_epi8(hit);
}
#else
static inline unsigned find16(const char *p, char a, char b)
{
	unsigned bits = 0;
	for (unsigned i = 0; i < 16; i++)
		bits |= (unsigned)(p[i] == a || p[i] == b) << i;
	return bits;
}
#endif

/* The first a or b at or after p; there is one. Up to 15 bytes after it are read. */
static inline const char *find_either(const char *p, char a, char b)
{
	unsigned bits;
	while (!(bits = find16(p, a, b)))
		p += 16;
	return p + __builtin_ctz(bits);
}

static inline const char *skip_spaces(const char *p)
{
	unsigned bits;
	while ((bits = find16(p, ' ', ' ')) == 0xffff)
		p += 16;
	return p + __builtin_ctz(~bits);
}

/* Takes a line and returns where the next one begins; NULL: fatal. There is a newline behind the last line. */
static const char *take_line(struct vtune *v, const char *line, struct err *err)
{
	const char *p = skip_spaces(line);
	size_t depth = (size_t)(p - line);
	if (!v->is_plain || *p == '"' || *p == '\n' || *p == '\r') {
		const char *end = find_either(p, '\n', '\n');
		bool is_blank = !trimmed(p, (size_t)(end - p));
		return is_blank || add_odd_line(v, depth, p, end, err) ? end + 1 : NULL;
	}
	struct vtune_line l = {.function = p};
	const char *comma = find_either(p, ',', '\n');
	l.function_len = (size_t)(comma - p);
	l.time = comma + (*comma == ',');
	l.module = find_either(l.time, ',', '\n');
	l.time_len = (size_t)(l.module - l.time);
	const char *end = *l.module == ',' ? find_either(++l.module, '\n', '\n') : l.module;
	l.module_len = trimmed(l.module, (size_t)(end - l.module));
	bool is_whole = *comma == ',' && (l.module > l.time + l.time_len || v->no_modules);
	if (!is_whole || (l.module_len && *l.module == '"'))
		return add_odd_line(v, depth, p, end, err) ? end + 1 : NULL;
	return add_line(v, depth, &l, err) ? end + 1 : NULL;
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
		v->line++;
		p = take_line(v, p, err);
		if (!p)
			return false;
	}
	return true;
}

static void *vtune_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct vtune *v = mem_zalloc(1, sizeof *v);
	v->sink = sink;
	v->no_modules = sink->options->no_modules;
	csv_init(&v->csv);
	buf_init(&v->text);
	arena_init(&v->texts);
	profile_series(sink->profile, sink_sym(sink, "CPU Time", 8), sink_sym(sink, "ms", 2));
	return v;
}

static bool vtune_finish(void *state, bool ok, struct err *err)
{
	struct vtune *v = state;
	(void)err;
	if (ok && !v->has_header)
		sink_warn(v->sink, "file ended before header (expected 'Function Stack,CPU Time:Self,Module')", 0, NULL, 0);
	csv_deinit(&v->csv);
	buf_deinit(&v->text);
	arena_deinit(&v->texts);
	free(v->frames);
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
};
