/*
 * heaptrack.c - parses recordings of heaptrack: every allocation of a program, and every release.
 *
 *	v 10400 3
 *	X ./app -x
 *	s 5 a.out
 *	s 4 main
 *	s 3 a.c
 *	s 1 g
 *	i 10 1 4 3 9 2 3 5
 *	t 1 0
 *	a 64 1
 *	+ 0
 *	+ 0
 *	- 0
 *	c a
 *
 * Numbers are hexadecimal; 0 stands for none. Strings, places and stacks are numbered from 1 in the order in which
 * they come, kinds of allocations from 0. s: a string with its length (without it before version 3). i: an address,
 * its module, and for each function there its name, file and line, the innermost inlined one first. t: a place and
 * the stack of its callers. a: so many bytes at a stack; "+ 0" allocates them, "- 0" releases them. Other lines are
 * times and sizes of the process.
 *
 * A stack has four values: its allocations, those that the next event releases (temporary), the bytes that are
 * never released (leaked), and the bytes at the moment at which the program had most (peak).
 *
 * In joined files, a version begins the next recording, which has its own tables and its own peak: their values add
 * up.
 *
 * A string, place, stack or kind that repeats the one before is kept once, and a kind has counters from its first
 * event on: lines that say nothing new take no memory, however many there are.
 */
#include "base/numbering.h"
#include "collapse/formats.h"
#include "collapse/text/columns.h"
#include "collapse/text/frames.h"
#include "collapse/text/lines.h"

enum { ALLOCATIONS, TEMPORARY, LEAKED, PEAK, N_VALUES };

#define NO_KIND UINT64_MAX
#define SIZED_STRINGS 3 /* version */
#define LONGEST_STRING ((uint64_t)16 << 20)

__extension__ typedef unsigned __int128 u128;

/* A function at a place in the code. */
struct function {
	uint32_t sym, file; /* file: symbol, or 0 */
	uint32_t line;      /* 0: unknown */
};

/* A stack. */
struct trace {
	uint32_t path, site;
};

/* Allocations of one size at one stack. */
struct kind {
	uint64_t size;
	uint32_t trace;  /* place in `traces` + 1; 0: none */
	uint32_t counts; /* place in `counts` + 1; 0: no event yet */
};

/* The events of a kind. */
struct counts {
	uint64_t count, temporary, peak;
	uint64_t live : 63;
	uint64_t is_changed : 1; /* since the peak */
};

struct heaptrack {
	struct sink *sink;
	uint64_t version; /* of the format */
	uint32_t series[N_VALUES];
	struct buf string; /* being read, */
	uint64_t left;     /* with so many bytes to come */
	/* how strings, places and stacks (number - 1) and kinds are numbered, and those that are kept */
	struct numbering string_numbers, place_numbers, trace_numbers, kind_numbers;
	uint32_t *strings; /* symbols */
	size_t n_strings, cap_strings;
	size_t *places; /* the end of each among the functions, which are those inlined there, the innermost first */
	size_t n_places, cap_places;
	struct function *functions;
	size_t n_functions, cap_functions;
	struct trace *traces;
	size_t n_traces, cap_traces;
	struct kind *kinds;
	size_t n_kinds, cap_kinds;
	uint64_t last_trace; /* number of the stack of the last kind */
	struct counts *counts;
	size_t n_counts, cap_counts;
	uint64_t last; /* kind of the last event, if it was an allocation: its place */
	u128 bytes, peak;
	uint32_t *changed; /* counts whose live blocks changed since the peak: places */
	size_t n_changed, cap_changed;
	struct buf text;
};

/* ---- numbers ------------------------------------------------------------------------------------------------- */

/* Takes a blank and a hexadecimal number. */
static bool take_hex(struct slice *rest, uint64_t *v)
{
	size_t i = 0;
	uint64_t sum = 0;
	while (i < rest->n && rest->s[i] == ' ')
		i++;
	size_t begin = i;
	for (int d; i < rest->n && (d = hex_digit(rest->s[i])) >= 0; i++) {
		if (sum >> 60)
			return false;
		sum = sum << 4 | (uint64_t)d;
	}
	*rest = slice_from(*rest, i);
	*v = sum;
	return i > begin && begin > 0;
}

static bool is_at_end(struct slice rest)
{
	return slice_ltrim(rest).n == 0;
}

/* The symbol of a string; 0: none. */
static uint32_t string_of(struct heaptrack *h, uint64_t number, struct slice line, uint64_t at)
{
	if (number > h->string_numbers.n)
		sink_warn(h->sink, "a string that was not given before", at, line.s, line.n);
	return number && number <= h->string_numbers.n ? h->strings[numbering_place(&h->string_numbers, number - 1)]
	                                               : 0;
}

/* ---- places and stacks --------------------------------------------------------------------------------------- */

/* The frame of a function, or of an address that has none. */
static uint32_t frame_of(struct heaptrack *h, uint32_t name, uint32_t module, uint32_t file)
{
	const struct symbol *symbols = h->sink->profile->symtab.symbols;
	const struct symbol m = symbols[module], f = symbols[file], n = symbols[name];
	size_t slash = slice_find_last((struct slice){m.name, m.len}, '/');
	size_t base = slash == SIZE_MAX ? 0 : slash + 1;
	uint32_t sym;
	h->text.len = 0;
	if (module && base < m.len)
		buf_addf(&h->text, "[%s]", m.name + base);
	if (name)
		sym = sink_frame(h->sink, n.name, n.len);
	else
		sym = sink_frame(h->sink, h->text.len ? h->text.data : "[unknown]", h->text.len ? h->text.len : 9);
	return sink_origin(h->sink, sym, module ? m.name : "", m.len, file ? f.name : "", f.len, 0);
}

/* The first function of a place. */
static size_t place_begin(const struct heaptrack *h, size_t place)
{
	return place ? h->places[place - 1] : 0;
}

/* Are the functions from `first` on those of the last place? */
static bool is_last_place(const struct heaptrack *h, size_t first)
{
	size_t last = h->n_places ? place_begin(h, h->n_places - 1) : 0;
	return h->n_places && h->n_functions - first == first - last &&
	       (first == last ||
	        memcmp(h->functions + first, h->functions + last, (first - last) * sizeof *h->functions) == 0);
}

/* The functions from `first` on are a place. */
static void keep_place(struct heaptrack *h, size_t first)
{
	bool is_repeat = is_last_place(h, first);
	numbering_add(&h->place_numbers, is_repeat);
	if (is_repeat)
		h->n_functions = first;
	else
		mem_push(h->places, h->n_places, h->cap_places, h->n_functions);
}

static bool add_place(struct heaptrack *h, struct slice line, uint64_t at)
{
	struct slice rest = slice_from(line, 1);
	size_t first = h->n_functions;
	uint64_t address, module, name = 0, file = 0, number = 0;
	bool is_good = take_hex(&rest, &address) && take_hex(&rest, &module);
	uint32_t m = is_good ? string_of(h, module, line, at) : 0;
	while (is_good && (h->n_functions == first || !is_at_end(rest))) {
		name = file = number = 0;
		if (!is_at_end(rest))
			is_good = take_hex(&rest, &name);
		if (!is_at_end(rest)) /* else the file is unknown, and no other function follows */
			is_good = is_good && take_hex(&rest, &file) && take_hex(&rest, &number);
		uint32_t f = string_of(h, file, line, at);
		struct function function = {.sym = frame_of(h, string_of(h, name, line, at), m, f), .file = f};
		function.line = number <= UINT32_MAX ? (uint32_t)number : 0;
		mem_push(h->functions, h->n_functions, h->cap_functions, function);
	}
	keep_place(h, first);
	return is_good;
}

static void add_frame(struct heaptrack *h, struct trace *trace, const struct function *f)
{
	struct profile *p = h->sink->profile;
	const struct site site = {.sym = f->sym, .file = f->file, .line = f->line};
	trace->path = profile_child(p, trace->path, f->sym);
	if (h->sink->options->wants_sites && f->line)
		trace->site = profile_site_child(p, trace->site, &site);
}

static void keep_trace(struct heaptrack *h, struct trace trace)
{
	const struct trace *last = h->n_traces ? &h->traces[h->n_traces - 1] : NULL;
	bool is_repeat = last && last->path == trace.path && last->site == trace.site;
	numbering_add(&h->trace_numbers, is_repeat);
	if (!is_repeat)
		mem_push(h->traces, h->n_traces, h->cap_traces, trace);
}

static bool add_trace(struct heaptrack *h, struct slice line)
{
	struct slice rest = slice_from(line, 1);
	uint64_t place, parent;
	struct trace trace = {PATH_ROOT, NO_SITE};
	bool is_good = take_hex(&rest, &place) && take_hex(&rest, &parent) && is_at_end(rest) &&
	               place <= h->place_numbers.n && parent <= h->trace_numbers.n;
	if (is_good && parent)
		trace = h->traces[numbering_place(&h->trace_numbers, parent - 1)];
	if (is_good && place) {
		size_t number = (size_t)numbering_place(&h->place_numbers, place - 1);
		size_t begin = place_begin(h, number), end = h->places[number];
		while (end-- > begin && trace.path != h->sink->profile->bound.lost)
			add_frame(h, &trace, &h->functions[end]);
	}
	keep_trace(h, trace);
	return is_good;
}

/* ---- allocations --------------------------------------------------------------------------------------------- */

static bool add_kind(struct heaptrack *h, struct slice line)
{
	struct slice rest = slice_from(line, 1);
	struct kind kind = {0};
	uint64_t trace = 0;
	bool is_good =
		take_hex(&rest, &kind.size) && take_hex(&rest, &trace) && is_at_end(rest) && trace <= h->trace_numbers.n;
	if (!is_good)
		kind.size = trace = 0;
	bool is_repeat = h->n_kinds && h->kinds[h->n_kinds - 1].size == kind.size && h->last_trace == trace;
	numbering_add(&h->kind_numbers, is_repeat);
	h->last_trace = trace;
	if (trace)
		kind.trace = (uint32_t)numbering_place(&h->trace_numbers, trace - 1) + 1;
	if (!is_repeat)
		mem_push(h->kinds, h->n_kinds, h->cap_kinds, kind);
	return is_good;
}

/* The events of a kind, by its place. */
static struct counts *counts_of(struct heaptrack *h, uint64_t place)
{
	struct kind *k = &h->kinds[place];
	if (!k->counts) {
		mem_push(h->counts, h->n_counts, h->cap_counts, (struct counts){0});
		k->counts = (uint32_t)h->n_counts;
	}
	return &h->counts[k->counts - 1];
}

static void note_change(struct heaptrack *h, struct counts *c)
{
	if (c->is_changed)
		return;
	c->is_changed = true;
	mem_push(h->changed, h->n_changed, h->cap_changed, (uint32_t)(c - h->counts));
}

/* Each change is noted once and forgotten once, so that a new peak at every event costs no more than these. */
static void take_peak(struct heaptrack *h)
{
	h->peak = h->bytes;
	while (h->n_changed) {
		struct counts *c = &h->counts[h->changed[--h->n_changed]];
		c->is_changed = false;
		c->peak = c->live;
	}
}

static bool take_kind(const struct heaptrack *h, struct slice line, uint64_t *place)
{
	struct slice rest = slice_from(line, 1);
	uint64_t number;
	if (!take_hex(&rest, &number) || !is_at_end(rest) || number >= h->kind_numbers.n)
		return false;
	*place = numbering_place(&h->kind_numbers, number);
	return true;
}

static bool allocate(struct heaptrack *h, struct slice line)
{
	uint64_t place;
	if (!take_kind(h, line, &place))
		return false;
	struct counts *c = counts_of(h, place);
	c->count++;
	c->live++;
	h->bytes += h->kinds[place].size;
	h->last = place;
	note_change(h, c);
	if (h->bytes > h->peak)
		take_peak(h);
	return true;
}

static bool release(struct heaptrack *h, struct slice line)
{
	uint64_t place;
	if (!take_kind(h, line, &place) || !h->kinds[place].counts)
		return false;
	struct counts *c = counts_of(h, place);
	if (!c->live)
		return false;
	c->temporary += h->last == place;
	c->live--;
	h->bytes -= h->kinds[place].size;
	h->last = NO_KIND;
	note_change(h, c);
	return true;
}

/* ---- a recording --------------------------------------------------------------------------------------------- */

static void emit(struct heaptrack *h, const struct kind *k)
{
	struct trace t = k->trace ? h->traces[k->trace - 1] : (struct trace){PATH_ROOT, NO_SITE};
	const struct counts *c = &h->counts[k->counts - 1];
	const uint64_t values[N_VALUES] = {c->count, c->temporary, c->live, c->peak};
	if (t.path == PATH_ROOT)
		t.path = profile_child(h->sink->profile, PATH_ROOT, sink_frame(h->sink, EMPTY_STACK, strlen(EMPTY_STACK)));
	for (unsigned i = 0; i < N_VALUES; i++) {
		struct sample s = {.time = NO_TIME, .cpu = NO_CPU, .series = h->series[i], .site = t.site};
		uint64_t each = i == LEAKED || i == PEAK ? k->size : 1;
		if (__builtin_mul_overflow(values[i], each, &s.weight))
			s.weight = UINT64_MAX;
		if (s.weight)
			profile_add(h->sink->profile, h->sink->options->side, t.path, &s);
	}
}

static void emit_all(struct heaptrack *h)
{
	if (h->left)
		sink_warn(h->sink, "the file ends within a string (is it cut off?)", 0, NULL, 0);
	for (size_t i = 0; i < h->n_kinds; i++)
		if (h->kinds[i].counts)
			emit(h, &h->kinds[i]);
}

static void free_tables(struct heaptrack *h)
{
	buf_deinit(&h->string);
	buf_deinit(&h->text);
	free(h->strings);
	free(h->places);
	free(h->functions);
	free(h->traces);
	free(h->kinds);
	free(h->counts);
	free(h->changed);
	numbering_deinit(&h->string_numbers);
	numbering_deinit(&h->place_numbers);
	numbering_deinit(&h->trace_numbers);
	numbering_deinit(&h->kind_numbers);
}

/* Ends the recording before this one, if there is one. */
static void begin_recording(struct heaptrack *h)
{
	struct heaptrack next = {.sink = h->sink, .last = NO_KIND};
	if (!h->version)
		return;
	memcpy(next.series, h->series, sizeof next.series);
	emit_all(h);
	free_tables(h);
	*h = next;
}

/* ---- lines --------------------------------------------------------------------------------------------------- */

static void end_string(struct heaptrack *h)
{
	const char *text = h->string.len ? h->string.data : "";
	uint32_t sym = sink_sym(h->sink, text, h->string.len);
	bool is_repeat = h->n_strings && h->strings[h->n_strings - 1] == sym;
	numbering_add(&h->string_numbers, is_repeat);
	if (!is_repeat)
		mem_push(h->strings, h->n_strings, h->cap_strings, sym);
	h->string.len = 0;
}

/*
 * The length tells where a string ends: it may contain line ends, which are then in the next lines. A length that
 * no name has is damage, and that string ends with its line.
 */
static bool begin_string(struct heaptrack *h, struct slice line)
{
	struct slice rest = slice_from(line, 1);
	bool is_good = h->version < SIZED_STRINGS || (take_hex(&rest, &h->left) && h->left <= LONGEST_STRING);
	rest = slice_from(rest, rest.n > 0); /* a blank */
	if (h->version < SIZED_STRINGS)
		h->left = rest.n;
	size_t n = rest.n < h->left ? rest.n : (size_t)h->left;
	buf_add(&h->string, rest.s, n);
	h->left -= n;
	if (!is_good)
		h->left = 0;
	if (!h->left)
		end_string(h);
	return is_good && n == rest.n;
}

/* Takes what a string has after a line end. */
static void go_on_with_string(struct heaptrack *h, struct slice line)
{
	size_t n = line.n < h->left - 1 ? line.n : (size_t)h->left - 1;
	buf_addc(&h->string, '\n');
	buf_add(&h->string, line.s, n);
	h->left -= n + 1;
	if (!h->left)
		end_string(h);
}

/* "v 10400 3": the program's version, and that of the format. */
static bool take_version(struct slice line, uint64_t *version)
{
	uint64_t program;
	return slice_take(&line, "v") && take_hex(&line, &program) && take_hex(&line, version) && is_at_end(line) &&
	       program >= 0x10000 && *version >= 1;
}

static bool begin_version(struct heaptrack *h, struct slice line)
{
	uint64_t version;
	if (!take_version(line, &version))
		return false;
	begin_recording(h);
	h->version = version;
	return true;
}

static bool take_line(struct heaptrack *h, struct slice line, uint64_t at)
{
	switch (line.n ? *line.s : '#') {
	case '+':
		return allocate(h, line);
	case '-':
		return release(h, line);
	case 'a':
		return add_kind(h, line);
	case 't':
		return add_trace(h, line);
	case 'i':
		return add_place(h, line, at);
	case 's':
		return begin_string(h, line);
	case 'v':
		return begin_version(h, line);
	case '#': /* a comment */
	case 'c': /* time */
	case 'R': /* resident memory */
	case 'X': /* command */
	case 'I': /* pages */
	case 'A': /* attached */
	case 'S': /* suppressed leaks */
		return true;
	default:
		return false;
	}
}

static bool heaptrack_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct heaptrack *h = state;
	uint64_t number = h->sink->line, version;
	(void)err;
	for (const char *end = text + len; text < end;) {
		const char *eol = memchr(text, '\n', (size_t)(end - text));
		struct slice line = {text, (size_t)((eol ? eol : end) - text)};
		text += line.n + 1;
		number++;
		if (h->left && !take_version(line, &version)) /* else the recording was cut off there */
			go_on_with_string(h, line);
		else if (!take_line(h, line, number))
			sink_skip(h->sink, "not a line of heaptrack, or about what was not given before", number, line.s,
			          line.n);
	}
	return true;
}

/* ---- the end ------------------------------------------------------------------------------------------------- */

static bool heaptrack_finish(void *state, bool ok, struct err *err)
{
	struct heaptrack *h = state;
	(void)err;
	if (ok)
		emit_all(h);
	free_tables(h);
	free(h);
	return ok;
}

static void *heaptrack_start(struct sink *sink, struct err *err)
{
	static const struct column columns[N_VALUES] = {
		{"allocations", "allocations", false},
		{"temporary", "allocations", false},
		{"leaked", "bytes", false},
		{"peak", "bytes", false},
	};
	struct heaptrack *h = mem_zalloc(1, sizeof *h);
	h->sink = sink;
	h->last = NO_KIND;
	if (columns_declare(sink, columns, N_VALUES, PEAK, h->series, err)) {
		columns_overlap(sink, h->series, N_VALUES);
		return h;
	}
	free(h);
	return NULL;
}

/* ---- detection ----------------------------------------------------------------------------------------------- */

/* A raw recording has modules (x, m) instead of strings. */
static enum sniff heaptrack_sniff(const struct head *head, const char **why)
{
	const char *p = head->text, *end = head->text + head->len;
	struct slice line;
	uint64_t version;
	*why = "does not begin with heaptrack's version ('v 10400 3')";
	for (int i = 0; i < SNIFF_LINES && head_line(&p, end, &line.s, &line.n); i++) {
		if (i == 0 ? !take_version(slice_rtrim(line), &version)
		           : slice_starts(line, "x ") || slice_starts(line, "m "))
			return SNIFF_NO;
		if (i > 0 && slice_starts(line, "s "))
			return SNIFF_YES;
	}
	return SNIFF_NO;
}

const struct collapse_format format_heaptrack = {
	.name = "heaptrack",
	.help = "heaptrack's allocations (--value=peak, leaked, allocations or temporary)",
	.sniff = heaptrack_sniff,
	.start = heaptrack_start,
	.feed = heaptrack_feed,
	.finish = heaptrack_finish,
	.tells_open_end = true,
	.effects = EFFECT_VALUE,
};
