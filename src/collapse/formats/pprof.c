/*
 * pprof.c - parses profile.proto, which Go, gperftools' pprof and many servers write (usually compressed by gzip).
 *
 *	message Profile {
 *		sample_type[] {type, unit}                     meaning of a sample's values
 *		sample[]      {location_id[], value[], label[]}  the leaf first
 *		mapping[]     {id, memory_start, file_offset, filename}
 *		location[]    {id, mapping_id, address, line[] {function_id, line}}
 *		function[]    {id, name, filename, start_line}
 *		string_table[]                                 all strings above are indices into it
 *	}
 *
 * Fields come in any order, samples mostly before the tables that they refer to. Their bytes are not kept: until
 * all is read, a stack is a list of locations, each list is stored once, and samples of one stack share an entry,
 * as in any profile. Then each location becomes its frames. A location has several lines where calls were inlined
 * into it, the innermost first. Each value is a series; the file says which one to show first, or else it is the
 * last one. Lists of numbers are packed or not, even within one file. Unknown fields are skipped.
 *
 * A profile may name functions of no interest (drop_frames, such as those of an allocator in a heap profile): seen
 * from the root, a stack ends before the first of them, but not before it has reached another function. `go tool
 * pprof` does the same.
 */
#include "base/idmap.h"
#include "collapse/formats.h"
#include "collapse/formats/pprof_drop.h"
#include "collapse/formats/pprof_labels.h"
#include "collapse/formats/pprof_wire.h"
#include "collapse/text/columns.h"
#include "collapse/text/lines.h"

#define LONGEST_FIELD \
	((uint64_t)16 << 20) /* longer ones are refused: a sample of three million frames is shorter */
#define MOST_STRINGS (1u << 27)
#define MOST_TYPES (1u << 16)

#define NO_VALUE "a sample without a value of each type"

struct function {
	uint64_t name, file; /* strings */
	uint64_t start;      /* its first line; 0: unknown */
	bool is_dropped;
};

struct mapping {
	uint64_t start, offset, file;
};

/* Meaning of one value of the samples. */
struct type {
	uint64_t name, unit; /* strings */
};

/* A stack may have this many inlined calls, and as many for each of its locations. */
enum { MOST_INLINED = 1024, MOST_INLINED_EACH = 16 };

/* A source line of a location. */
struct line {
	uint64_t function, line; /* function: its id */
};

/* Frames of a location, innermost first: initially ranges of the lines, later of symbols in the pool. */
struct location {
	uint64_t mapping, address; /* mapping: its id */
	size_t first, n;
	bool is_there;   /* defined, not only used in samples */
	bool is_cut;     /* some of its frames are dropped, and removed from these */
	bool is_dropped; /* all its frames are dropped, if a stack may end before them */
};

struct numbers {
	uint64_t *v;
	size_t n, cap;
};

/* Use of a stack. */
struct use {
	uint32_t n;    /* number of samples */
	uint32_t path; /* path of its frames; NO_PATH: not yet known */
};

struct pprof {
	struct sink *sink;
	struct buf held;     /* beginning of a field that continues in the next piece */
	struct symtab names; /* the strings, each once */
	uint32_t *strings;   /* the string table: indices into names */
	size_t n_strings, cap_strings;
	struct type *types;
	size_t n_types, cap_types;
	struct function *functions;
	size_t n_functions, cap_functions;
	struct mapping *mappings;
	size_t n_mappings, cap_mappings;
	struct location *locations;
	size_t n_locations, cap_locations;
	struct line *lines;
	size_t n_lines, cap_lines;
	struct idmap function_ids, mapping_ids, location_ids;
	struct frames pool;
	uint64_t default_type, drop_frames, keep_frames;
	unsigned times;
	struct profile samples; /* see stack_path(); its series are the values, without names */
	struct use *uses;       /* indexed by path of `samples` */
	size_t n_uses, cap_uses;
	bool has_samples;
	uint32_t *series;
	struct frames stack; /* location numbers of the current sample, and its values */
	struct numbers values;
	struct pprof_labels labels; /* their numbers stand for sets of labels in `samples` */
	struct frames frames;
	struct buf text;
};

/* --- the tables --- */

static bool malformed(struct err *err, const char *what)
{
	return fail(err, "malformed pprof profile: %s", what);
}

static bool find_string(const struct pprof *p, uint64_t index, struct slice *s)
{
	if (index >= p->n_strings)
		return false;
	const struct symbol *name = &p->names.symbols[p->strings[index]];
	*s = (struct slice){name->name, name->len};
	return true;
}

static bool add_id(struct idmap *ids, uint64_t id, size_t index)
{
	return id && index < UINT32_MAX && idmap_add(ids, id, (uint32_t)index);
}

static bool add_function(struct pprof *p, struct slice message, struct err *err)
{
	uint64_t v[6];
	if (!read_numbers(message, v, 5) || !add_id(&p->function_ids, v[1], p->n_functions))
		return malformed(err, "a function without an id of its own (several profiles in one file?)");
	mem_push(p->functions, p->n_functions, p->cap_functions, ((struct function){v[2], v[4], v[5], false}));
	return true;
}

static bool add_mapping(struct pprof *p, struct slice message, struct err *err)
{
	uint64_t v[6];
	if (!read_numbers(message, v, 5) || !add_id(&p->mapping_ids, v[1], p->n_mappings))
		return malformed(err, "a mapping without an id of its own (several profiles in one file?)");
	mem_push(p->mappings, p->n_mappings, p->cap_mappings, ((struct mapping){v[2], v[4], v[5]}));
	return true;
}

/* The number of a location, which may be defined later than its samples. */
static uint32_t location_number(struct pprof *p, uint64_t id)
{
	uint32_t index = (uint32_t)p->n_locations;
	if (idmap_find(&p->location_ids, id, &index))
		return index;
	if (index >= UINT32_MAX - 1)
		mem_exhausted();
	idmap_add(&p->location_ids, id, index);
	mem_push(p->locations, p->n_locations, p->cap_locations, ((struct location){0}));
	return index;
}

/* A damaged line gets function 0, which does not exist. */
static void add_lines(struct pprof *p, struct location *l, struct slice message)
{
	struct field f;
	uint64_t v[3];
	bool is_bad = false;
	l->first = p->n_lines;
	while (take_field(&message, &f, &is_bad)) {
		if (f.number == 4 && f.wire == BYTES)
			mem_push(p->lines, p->n_lines, p->cap_lines,
			         (read_numbers(f.bytes, v, 2) ? (struct line){v[1], v[2]} : (struct line){0, 0}));
	}
	l->n = p->n_lines - l->first;
}

static bool add_location(struct pprof *p, struct slice message, struct err *err)
{
	uint64_t v[4];
	uint32_t index = read_numbers(message, v, 3) && v[1] ? location_number(p, v[1]) : UINT32_MAX;
	if (index == UINT32_MAX || p->locations[index].is_there)
		return malformed(err, "a location without an id of its own (several profiles in one file?)");
	struct location *l = &p->locations[index];
	*l = (struct location){.mapping = v[2], .address = v[3], .is_there = true};
	add_lines(p, l, message);
	return true;
}

static bool add_type(struct pprof *p, struct slice message, struct err *err)
{
	uint64_t v[3];
	if (!read_numbers(message, v, 2))
		return malformed(err, "a damaged sample type");
	if (p->n_types == MOST_TYPES)
		return malformed(err, "more than 65,536 sample types");
	mem_push(p->types, p->n_types, p->cap_types, ((struct type){v[1], v[2]}));
	return true;
}

static bool add_string(struct pprof *p, struct slice text, struct err *err)
{
	if (p->n_strings == MOST_STRINGS)
		return malformed(err, "more than 134,217,728 strings");
	mem_push(p->strings, p->n_strings, p->cap_strings, symtab_intern(&p->names, text.s, text.n));
	return true;
}

/* --- the samples, as locations --- */

static void take_number(struct pprof *p, bool is_location, uint64_t v)
{
	if (is_location)
		frames_push(&p->stack, location_number(p, v));
	else
		mem_push(p->values.v, p->values.n, p->values.cap, v);
}

/* Takes a list of numbers, packed into one field or one at a time. */
static bool take_numbers(struct pprof *p, const struct field *f)
{
	struct slice packed = f->bytes;
	uint64_t v;
	if (f->wire == VARINT)
		take_number(p, f->number == 1, f->value);
	while (f->wire == BYTES && packed.n) {
		if (!take_varint(&packed, &v))
			return false;
		take_number(p, f->number == 1, v);
	}
	return true;
}

/*
 * Stores the stack in `samples` as a single frame whose name is its locations, leaf first. Symbols and paths have
 * equal numbers.
 */
static uint32_t stack_path(struct pprof *p)
{
	struct profile *samples = &p->samples;
	uint32_t sym = symtab_intern(&samples->symtab, p->stack.n ? (const char *)p->stack.syms : "",
	                             p->stack.n * sizeof *p->stack.syms);
	if (sym == samples->n_paths)
		profile_append_unindexed(samples, PATH_ROOT, sym);
	while (p->n_uses <= sym)
		mem_push(p->uses, p->n_uses, p->cap_uses, ((struct use){0, NO_PATH}));
	p->uses[sym].n += p->uses[sym].n < UINT32_MAX;
	return sym;
}

static void add_values(struct pprof *p, uint32_t path)
{
	struct sample s = {.time = NO_TIME, .cpu = NO_CPU, .tags = pprof_labels_end(&p->labels)};
	for (size_t i = 0; i < p->values.n; i++) {
		s.weight = p->values.v[i];
		s.series = (uint32_t)i;
		if (s.weight > INT64_MAX)
			sink_warn(p->sink, "negative values are left out (a difference of two profiles?)", 0, NULL, 0);
		else if (s.weight)
			profile_add(&p->samples, 0, path, &s);
	}
}

/* Does the sample have as many values as the first one? */
static bool has_all_values(struct pprof *p)
{
	if (!p->has_samples) {
		for (size_t i = 0; i < p->values.n && i < MOST_TYPES; i++)
			profile_series(&p->samples, (uint32_t)i, 0);
	}
	p->has_samples = true;
	return p->values.n == p->samples.n_series;
}

static bool take_label(struct pprof *p, const struct field *f)
{
	return f->wire != BYTES || pprof_labels_take(&p->labels, f->bytes);
}

static bool take_sample(struct pprof *p, struct slice message, struct err *err)
{
	struct field f;
	bool is_bad = false;
	p->stack.n = p->values.n = p->labels.n = 0;
	while (take_field(&message, &f, &is_bad)) {
		if (f.number <= 2 ? !take_numbers(p, &f) : f.number == 3 && !take_label(p, &f))
			return malformed(err, "a damaged sample");
	}
	if (is_bad || !has_all_values(p))
		return malformed(err, NO_VALUE);
	add_values(p, stack_path(p));
	return true;
}

/* --- field by field --- */

static void take_setting(struct pprof *p, const struct field *f)
{
	if (f->number == P_TIME)
		p->times++;
	else if (f->number == P_DEFAULT_TYPE)
		p->default_type = f->value;
	else if (f->number == P_DROP_FRAMES)
		p->drop_frames = f->value;
	else if (f->number == P_KEEP_FRAMES)
		p->keep_frames = f->value;
}

static bool take_part(struct pprof *p, const struct field *f, struct err *err)
{
	static bool (*const add[])(struct pprof *, struct slice, struct err *) = {
		[P_SAMPLE_TYPE] = add_type,  [P_SAMPLE] = take_sample,    [P_MAPPING] = add_mapping,
		[P_LOCATION] = add_location, [P_FUNCTION] = add_function, [P_STRING] = add_string,
	};
	if (f->wire == VARINT)
		take_setting(p, f);
	if (f->wire != BYTES || f->number > P_STRING)
		return true;
	return add[f->number](p, f->bytes, err);
}

/* Takes all complete fields from the text. */
static bool take_parts(struct pprof *p, struct slice *rest, struct err *err)
{
	struct slice at = *rest;
	struct field f;
	bool is_bad = false;
	while (take_field(&at, &f, &is_bad)) {
		if (!take_part(p, &f, err))
			return false;
		*rest = at;
	}
	uint64_t size = is_bad ? field_size(*rest) : 0;
	if (is_bad && !size)
		return malformed(err, "it is cut short or damaged");
	return size <= LONGEST_FIELD || malformed(err, "a part of more than 16 MiB");
}

static bool check_tables(struct pprof *p, struct err *err)
{
	if (p->held.len)
		return malformed(err, "it is cut short or damaged");
	if (!p->n_strings || p->names.symbols[p->strings[0]].len)
		return malformed(err, "the string table does not begin with an empty string");
	if (p->times > 1)
		return malformed(err, "several profiles one after the other (open each as a file of its own)");
	return true;
}

/* --- names --- */

static struct slice base_name(struct slice path)
{
	size_t slash = slice_find_last(path, '/');
	return slash == SIZE_MAX ? path : slice_from(path, slash + 1);
}

/* Finds the functions to drop. */
static void find_dropped(struct pprof *p)
{
	struct slice drop, keep, name;
	struct err err = {""};
	struct pprof_drop *d = NULL;
	if (!find_string(p, p->drop_frames, &drop) || !drop.n || !find_string(p, p->keep_frames, &keep))
		return;
	d = pprof_drop_new(drop, keep, &err);
	if (!d)
		sink_warn(p->sink, "drop_frames is not a valid pattern, so no frames are dropped", 0, err.text,
		          strlen(err.text));
	for (size_t i = 0; d && i < p->n_functions; i++)
		p->functions[i].is_dropped = find_string(p, p->functions[i].name, &name) && pprof_drops(d, name);
	if (d && pprof_drop_exceeded(d))
		report_add_times(&p->sink->profile->report, NOTE_WARN,
		                 "a name took too long for drop_frames or keep_frames, which counts as no match", drop.s,
		                 drop.n, pprof_drop_exceeded(d));
	pprof_drop_free(d);
}

/* Drops a frame together with the frames inlined into it, which precede it. */
static void drop_inlined(struct pprof *p, struct location *l, bool is_outermost)
{
	l->is_cut = true;
	if (is_outermost)
		l->is_dropped = true;
	else
		l->first = p->pool.n;
}

/* Marks a frame that was inlined into the one above it. */
static bool add_line(struct pprof *p, struct location *l, const struct line *line, struct slice module,
                     bool is_inlined, struct err *err)
{
	struct slice name, file;
	uint32_t index;
	if (!idmap_find(&p->function_ids, line->function, &index))
		return malformed(err, "a line of an unknown function");
	if (!find_string(p, p->functions[index].name, &name) || !find_string(p, p->functions[index].file, &file))
		return malformed(err, "a string beyond the string table");
	p->text.len = 0;
	buf_add(&p->text, name.n ? name.s : "[unknown]", name.n ? name.n : 9);
	if (is_inlined)
		buf_adds(&p->text, "_[i]");
	uint32_t sym = sink_frame(p->sink, p->text.data, p->text.len);
	uint64_t start = p->functions[index].start ? p->functions[index].start : line->line;
	sym = sink_origin(p->sink, sym, module.s, module.n, file.s, file.n, start);
	frames_push(&p->pool, sym);
	if (p->functions[index].is_dropped)
		drop_inlined(p, l, !is_inlined);
	return true;
}

/* Without symbols: "libfoo.so+0x1234", if the mapping is known. */
static void add_address(struct pprof *p, const struct mapping *mapping, struct slice module, uint64_t address)
{
	p->text.len = 0;
	if (mapping && module.n) {
		buf_add(&p->text, module.s, module.n);
		unsigned long long offset = address - mapping->start + mapping->offset;
		buf_addf(&p->text, "+0x%llx", offset);
	} else {
		buf_addf(&p->text, "0x%llx", (unsigned long long)address);
	}
	uint32_t sym = sink_frame(p->sink, p->text.data, p->text.len);
	frames_push(&p->pool, sink_module(p->sink, sym, module.s, module.n));
}

static bool resolve_location(struct pprof *p, struct location *l, struct err *err)
{
	struct slice module = {"", 0};
	const struct mapping *mapping = NULL;
	uint32_t index;
	if (l->mapping && idmap_find(&p->mapping_ids, l->mapping, &index)) {
		mapping = &p->mappings[index];
		if (!find_string(p, mapping->file, &module))
			return malformed(err, "a string beyond the string table");
		module = base_name(module);
	}
	const struct line *lines = l->n ? &p->lines[l->first] : NULL;
	size_t first = p->pool.n, n = l->n;
	l->first = first;
	for (size_t i = 0; i < n; i++) {
		if (!add_line(p, l, &lines[i], module, i + 1 < n, err))
			return false;
	}
	if (!n)
		add_address(p, mapping, module, l->address);
	l->first = l->is_dropped ? first : l->first;
	l->n = p->pool.n - l->first;
	return true;
}

static bool resolve_locations(struct pprof *p, struct err *err)
{
	find_dropped(p);
	for (size_t i = 0; i < p->n_locations; i++) {
		if (!p->locations[i].is_there)
			return malformed(err, "a sample at an unknown location");
		if (!resolve_location(p, &p->locations[i], err))
			return false;
	}
	return true;
}

static void resolve_labels(struct pprof *p)
{
	struct pprof_strings strings = {&p->names, p->strings, p->n_strings};
	pprof_labels_resolve(&p->labels, &strings, &p->sink->profile->tags);
	pprof_labels_report(&p->labels, &p->sink->profile->report);
}

/* --- the samples, as frames --- */

/* Declares names and units of the values, and which one comes first. */
static bool declare_types(struct pprof *p, struct err *err)
{
	if (!p->n_types)
		return malformed(err, "no sample types");
	if (p->has_samples && p->samples.n_series != p->n_types)
		return malformed(err, NO_VALUE);
	struct column *columns = mem_zalloc(p->n_types, sizeof *columns);
	size_t first = p->n_types - 1;
	bool is_good = true;
	p->series = mem_zalloc(p->n_types, sizeof *p->series);
	for (size_t i = 0; i < p->n_types && is_good; i++) {
		struct slice name, unit;
		is_good = find_string(p, p->types[i].name, &name) && find_string(p, p->types[i].unit, &unit);
		if (!is_good)
			break;
		columns[i].name = mem_strndup(name.s, name.n);
		columns[i].unit = slice_is(unit, "count") ? NULL : mem_strndup(unit.s, unit.n);
		if (p->default_type && p->types[i].name == p->default_type)
			first = i;
	}
	is_good = is_good ? columns_declare(p->sink, columns, p->n_types, first, p->series, err)
	                  : malformed(err, "a damaged sample type");
	for (size_t i = 0; i < p->n_types; i++) {
		free((char *)(uintptr_t)columns[i].name);
		free((char *)(uintptr_t)columns[i].unit);
	}
	free(columns);
	return is_good;
}

/* Number of locations to drop, counted from the leaf. */
static size_t count_dropped(const struct pprof *p)
{
	bool is_inside = false;
	for (size_t i = p->stack.n; i-- > 0;) {
		const struct location *l = &p->locations[p->stack.syms[i]];
		if (is_inside && l->is_cut)
			return l->is_dropped ? i + 1 : i;
		is_inside |= !l->is_cut;
	}
	return 0;
}

static void say_dropped(struct pprof *p, uint32_t samples)
{
	struct slice pattern = {"", 0};
	find_string(p, p->drop_frames, &pattern);
	report_add_times(&p->sink->profile->report, NOTE_WARN,
	                 "stacks lost frames that the profile asks to drop (drop_frames)", pattern.s, pattern.n,
	                 samples);
}

/*
 * Would the stack have far more inlined calls than functions? Locations are written once and used in any number of
 * samples, so a small file could ask for any number of frames.
 */
static bool is_swollen(const struct pprof *p)
{
	size_t n = 0;
	for (size_t i = 0; i < p->stack.n; i++)
		n += p->locations[p->stack.syms[i]].n;
	return n > MOST_INLINED + p->stack.n * MOST_INLINED_EACH;
}

/* Replaces the stack's locations by the functions that hold them, without the calls inlined there. */
static void push_functions(struct pprof *p, size_t from)
{
	report_add(&p->sink->profile->report, NOTE_WARN, "stacks with too many inlined calls, which are left out", NULL,
	           0, NULL, 0);
	for (size_t i = from; i < p->stack.n; i++) {
		const struct location *l = &p->locations[p->stack.syms[i]];
		if (l->n)
			frames_push(&p->frames, p->pool.syms[l->first + l->n - 1]);
	}
}

/* Replaces the stack's locations by its frames, leaf first. Returns whether some were dropped. */
static bool push_locations(struct pprof *p)
{
	size_t dropped = p->drop_frames ? count_dropped(p) : 0;
	bool is_cut = dropped > 0;
	p->frames.n = 0;
	if (is_swollen(p)) {
		push_functions(p, dropped);
		return is_cut;
	}
	for (size_t i = dropped; i < p->stack.n; i++) {
		const struct location *l = &p->locations[p->stack.syms[i]];
		is_cut |= l->is_cut && !l->is_dropped;
		for (size_t k = 0; k < l->n; k++)
			frames_push(&p->frames, p->pool.syms[l->first + k]);
	}
	return is_cut;
}

static void take_stack(struct pprof *p, const struct symbol *stack)
{
	p->stack.n = 0;
	for (uint32_t at = 0, number; at < stack->len; at += (uint32_t)sizeof number) {
		memcpy(&number, stack->name + at, sizeof number);
		frames_push(&p->stack, number);
	}
}

/* The path of a stack once all tables are read. */
static uint32_t frame_path(struct pprof *p, uint32_t path)
{
	struct use *use = &p->uses[path];
	if (use->path != NO_PATH)
		return use->path;
	take_stack(p, &p->samples.symtab.symbols[path]);
	if (push_locations(p))
		say_dropped(p, use->n);
	if (!p->frames.n)
		frames_push(&p->frames, sink_sym(p->sink, EMPTY_STACK, sizeof EMPTY_STACK - 1));
	frames_reverse(&p->frames);
	use->path = profile_path(p->sink->profile, p->frames.syms, p->frames.n);
	return use->path;
}

/* Samples with equal locations already share an entry; the profile merges those with equal frames. */
static void emit_samples(struct pprof *p)
{
	const struct sample_log *log = &p->samples.log[0];
	struct profile *into = p->sink->profile;
	resolve_labels(p);
	for (size_t i = 0; i < log->n; i++) {
		struct sample s = {
			.weight = log->weight[i],
			.time = NO_TIME,
			.cpu = NO_CPU,
			.series = p->series[log_series(log, i)],
			.tags = pprof_labels_number(&p->labels, log_tags(log, i)),
		};
		uint32_t path = frame_path(p, log->path[i]);
		if (log_count(log, i) == 1)
			profile_add(into, p->sink->options->side, path, &s);
		else
			profile_add_entry(into, p->sink->options->side, path, &s, log_count(log, i),
			                  log->spread ? log->spread[i] : (struct spread){0});
	}
	report_merge(&into->report, &p->samples.report, NULL, 0);
}

/* --- the format --- */

static void *pprof_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct pprof *p = mem_zalloc(1, sizeof *p);
	p->sink = sink;
	buf_init(&p->held);
	buf_init(&p->text);
	symtab_init(&p->names);
	profile_init(&p->samples);
	pprof_labels_init(&p->labels, sink->options);
	p->samples.join = sink->profile->join;
	p->samples.most_ordered = sink->profile->most_ordered;
	return p;
}

static bool pprof_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct pprof *p = state;
	struct slice rest = {text, len};
	bool was_held = p->held.len > 0;
	if (was_held) {
		buf_add(&p->held, text, len);
		rest = (struct slice){p->held.data, p->held.len};
	}
	if (!take_parts(p, &rest, err))
		return false;
	if (was_held)
		memmove(p->held.data, rest.s, rest.n);
	else
		buf_add(&p->held, rest.s, rest.n);
	p->held.len = rest.n;
	return true;
}

static void pprof_free(struct pprof *p)
{
	buf_deinit(&p->held);
	buf_deinit(&p->text);
	symtab_deinit(&p->names);
	profile_deinit(&p->samples);
	free(p->strings);
	free(p->types);
	free(p->functions);
	free(p->mappings);
	free(p->locations);
	free(p->lines);
	free(p->uses);
	pprof_labels_deinit(&p->labels);
	idmap_deinit(&p->function_ids);
	idmap_deinit(&p->mapping_ids);
	idmap_deinit(&p->location_ids);
	frames_deinit(&p->pool);
	frames_deinit(&p->frames);
	frames_deinit(&p->stack);
	free(p->series);
	free(p->values.v);
	free(p);
}

static bool pprof_finish(void *state, bool ok, struct err *err)
{
	struct pprof *p = state;
	ok = ok && check_tables(p, err) && declare_types(p, err) && resolve_locations(p, err);
	if (ok)
		emit_samples(p);
	pprof_free(p);
	return ok;
}

const struct collapse_format format_pprof = {
	.name = "pprof",
	.help = "profile.proto of pprof: Go, gperftools, ... (--value=TYPE)",
	.sniff = pprof_sniff,
	.start = pprof_start,
	.feed = pprof_feed,
	.finish = pprof_finish,
	.is_text_stream = true,
	.effects = EFFECT_VALUE,
};
