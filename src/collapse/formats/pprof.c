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
#include "collapse/formats/pprof_tables.h"
#include "collapse/formats/pprof_wire.h"
#include "collapse/text/columns.h"
#include "collapse/text/frames.h"
#include "collapse/text/lines.h"
#include "collapse/text/long_names.h"
#include "collapse/text/part.h"

#define LONGEST_FIELD \
	((uint64_t)16 << 20) /* longer ones are refused: a sample of three million frames is shorter */
#define MOST_TYPES (1u << 16)

#define NO_VALUE "a sample without a value of each type"

struct numbers {
	uint64_t *v;
	size_t n, cap;
};

/* Use of a stack. */
struct use {
	uint32_t n;    /* number of samples */
	uint32_t path; /* path of its frames; NO_PATH: not yet known */
	uint32_t site; /* node of profile.sites */
};

struct pprof {
	struct sink *sink;
	struct buf held; /* beginning of a field that continues in the next piece */
	struct pprof_tables t;
	struct long_names names; /* of the strings */
	struct frames pool;
	struct site *sites; /* of the pool's frames; only if they are wanted */
	size_t n_sites, cap_sites;
	bool has_sites; /* lines are executed ones, and wanted */
	uint64_t default_type, drop_frames, keep_frames;
	struct numbers comments; /* strings */
	unsigned times;
	struct profile samples; /* see stack_path(); its series are the values, without names */
	struct use *uses;       /* indexed by path of `samples` */
	size_t n_uses, cap_uses;
	bool has_samples;
	uint32_t *series;
	uint64_t *meets;     /* by type: bits of the first 64 types that a sample has, too */
	struct frames stack; /* location numbers of the current sample, and its values */
	struct numbers values;
	struct pprof_labels labels; /* their numbers stand for sets of labels in `samples` */
	struct frames frames;
	struct site *stack_sites; /* of the frames of the current stack */
	size_t n_stack_sites, cap_stack_sites;
	struct buf text;
};

/* --- the samples, as locations --- */

static void take_number(struct pprof *p, bool is_location, uint64_t v)
{
	if (is_location)
		frames_push(&p->stack, pprof_location_number(&p->t, v));
	else
		mem_push(p->values.v, p->values.n, p->values.cap, v);
}

/* Takes a list of numbers, packed into one field or one at a time. */
static bool take_numbers(struct pprof *p, const struct wire_field *f)
{
	struct slice packed = f->bytes;
	uint64_t v;
	if (f->wire == WIRE_VARINT)
		take_number(p, f->number == 1, f->value);
	while (f->wire == WIRE_BYTES && packed.n) {
		if (!wire_take_varint(&packed, &v))
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
		mem_push(p->uses, p->n_uses, p->cap_uses, ((struct use){.path = NO_PATH}));
	p->uses[sym].n += p->uses[sym].n < UINT32_MAX;
	return sym;
}

#define N_MEETS 64u

/* Notes which values one sample has at once. */
static void note_values(struct pprof *p)
{
	size_t n = p->values.n < N_MEETS ? p->values.n : N_MEETS;
	uint64_t has = 0;
	for (size_t i = 0; i < n; i++)
		has |= (uint64_t)(p->values.v[i] != 0) << i;
	for (size_t i = 0; i < n; i++)
		if (p->values.v[i])
			p->meets[i] |= has;
}

static void say_overlaps(struct pprof *p)
{
	for (size_t i = 0; i < p->t.n_types && i < N_MEETS; i++)
		for (size_t k = 0; k < i; k++)
			if (p->meets[i] >> k & 1)
				profile_overlap(p->sink->profile, p->series[i], p->series[k]);
}

static void add_values(struct pprof *p, uint32_t path)
{
	struct sample s = {.time = NO_TIME, .cpu = NO_CPU, .tags = pprof_labels_end(&p->labels)};
	note_values(p);
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

static bool take_label(struct pprof *p, const struct wire_field *f)
{
	return f->wire != WIRE_BYTES || pprof_labels_take(&p->labels, f->bytes);
}

static bool take_sample(struct pprof *p, struct slice message, struct err *err)
{
	struct wire_field f;
	bool is_bad = false;
	p->stack.n = p->values.n = p->labels.n = 0;
	while (wire_take_field(&message, &f, &is_bad)) {
		if (f.number <= 2 ? !take_numbers(p, &f) : f.number == 3 && !take_label(p, &f))
			return pprof_malformed(err, "a damaged sample");
	}
	if (is_bad || !has_all_values(p))
		return pprof_malformed(err, NO_VALUE);
	add_values(p, stack_path(p));
	return true;
}

/* --- field by field --- */

static void take_setting(struct pprof *p, const struct wire_field *f)
{
	if (f->number == P_TIME)
		p->times++;
	else if (f->number == P_DEFAULT_TYPE)
		p->default_type = f->value;
	else if (f->number == P_DROP_FRAMES)
		p->drop_frames = f->value;
	else if (f->number == P_KEEP_FRAMES)
		p->keep_frames = f->value;
	else if (f->number == P_COMMENT)
		mem_push(p->comments.v, p->comments.n, p->comments.cap, f->value);
}

static void take_comments(struct pprof *p, struct slice packed)
{
	uint64_t v;
	while (packed.n && wire_take_varint(&packed, &v))
		mem_push(p->comments.v, p->comments.n, p->comments.cap, v);
}

static bool take_part(struct pprof *p, const struct wire_field *f, struct err *err)
{
	static bool (*const add[])(struct pprof_tables *, struct slice, struct err *) = {
		[P_SAMPLE_TYPE] = pprof_add_type,  [P_SAMPLE] = NULL,
		[P_MAPPING] = pprof_add_mapping,   [P_LOCATION] = pprof_add_location,
		[P_FUNCTION] = pprof_add_function, [P_STRING] = pprof_add_string,
	};
	if (f->wire == WIRE_VARINT)
		take_setting(p, f);
	if (f->wire == WIRE_BYTES && f->number == P_COMMENT)
		take_comments(p, f->bytes);
	if (f->wire != WIRE_BYTES || f->number > P_STRING)
		return true;
	return f->number == P_SAMPLE ? take_sample(p, f->bytes, err) : add[f->number](&p->t, f->bytes, err);
}

/* Takes all complete fields from the text. */
static bool take_parts(struct pprof *p, struct slice *rest, struct err *err)
{
	struct slice at = *rest;
	struct wire_field f;
	bool is_bad = false;
	while (wire_take_field(&at, &f, &is_bad)) {
		if (!take_part(p, &f, err))
			return false;
		*rest = at;
	}
	uint64_t size = is_bad ? wire_field_size(*rest) : 0;
	if (is_bad && !size)
		return pprof_malformed(err, "it is cut short or damaged");
	return size <= LONGEST_FIELD || pprof_malformed(err, "a part of more than 16 MiB");
}

static bool check_tables(struct pprof *p, struct err *err)
{
	if (p->held.len)
		return pprof_malformed(err, "it is cut short or damaged");
	if (!p->t.n_strings || p->t.names.symbols[p->t.strings[0]].len)
		return pprof_malformed(err, "the string table does not begin with an empty string");
	if (p->times > 1)
		return pprof_malformed(err, "several profiles one after the other (open each as a file of its own)");
	return true;
}

/* Those of flametop say what the profile lacks. */
static void look_at_comments(struct pprof *p)
{
	struct slice comment;
	for (size_t i = 0; i < p->comments.n; i++)
		if (pprof_find_string(&p->t, p->comments.v[i], &comment) && part_note(p->sink, comment))
			return;
}

/* --- names --- */

/* false: there is none. */
static bool find_numbered(const struct pprof *p, uint64_t index, struct numbered *n)
{
	n->number = index < p->t.n_strings ? p->t.strings[index] : 0;
	return pprof_find_string(&p->t, index, &n->text);
}

static const struct numbered no_string = {0, {"", 0}};

/* Long names are matched once. */
static bool is_dropped(struct idmap *known, struct pprof_drop *d, const struct numbered *name)
{
	uint32_t is_known;
	if (name->text.n < SYMBOL_LONG)
		return pprof_drops(d, name->text);
	if (!idmap_find(known, name->number, &is_known)) {
		is_known = pprof_drops(d, name->text);
		idmap_add(known, name->number, is_known);
	}
	return is_known;
}

/* Finds the functions to drop. */
static void find_dropped(struct pprof *p)
{
	struct slice drop, keep;
	struct numbered name;
	struct idmap known = {0};
	struct err err = {""};
	struct pprof_drop *d = NULL;
	if (!pprof_find_string(&p->t, p->drop_frames, &drop) || !drop.n ||
	    !pprof_find_string(&p->t, p->keep_frames, &keep))
		return;
	d = pprof_drop_new(drop, keep, &err);
	if (!d)
		sink_warn(p->sink, "drop_frames is not a valid pattern, so no frames are dropped", 0, err.text,
		          strlen(err.text));
	for (size_t i = 0; d && i < p->t.n_functions; i++)
		p->t.functions[i].is_dropped =
			find_numbered(p, p->t.functions[i].name, &name) && is_dropped(&known, d, &name);
	idmap_deinit(&known);
	if (d && pprof_drop_exceeded(d))
		report_add_times(&p->sink->profile->report, NOTE_WARN,
		                 "a name took too long for drop_frames or keep_frames, which counts as no match", drop.s,
		                 drop.n, pprof_drop_exceeded(d));
	pprof_drop_free(d);
}

/* Drops a frame together with the frames inlined into it, which precede it. */
static void drop_inlined(struct pprof *p, struct pprof_location *l, bool is_outermost)
{
	l->is_cut = true;
	if (is_outermost)
		l->is_dropped = true;
	else
		l->first = p->pool.n;
}

static void push_frame(struct pprof *p, uint32_t sym, const struct numbered *file, uint64_t line)
{
	frames_push(&p->pool, sym);
	if (!p->has_sites)
		return;
	struct site s = {.sym = sym, .line = line <= INT32_MAX ? (uint32_t)line : 0};
	s.file = s.line && file->text.n ? long_names_file(&p->names, p->sink, file) : 0;
	mem_push(p->sites, p->n_sites, p->cap_sites, s);
}

/* The mapping of a location; NULL: it has none. */
static const struct pprof_mapping *mapping_of(const struct pprof *p, const struct pprof_location *l)
{
	uint32_t index;
	return l->mapping && idmap_find(&p->t.mapping_ids, l->mapping, &index) ? &p->t.mappings[index] : NULL;
}

/* Is it machine code, whose line comes from debug information? */
static bool is_machine_code(const struct pprof *p, const struct pprof_location *l)
{
	const struct pprof_mapping *m = l->address ? mapping_of(p, l) : NULL;
	return m && l->address >= m->start && l->address < m->limit;
}

/* Has a function two lines, or one that is not where it begins? */
static bool has_lines_inside(const struct pprof *p)
{
	uint64_t *first = mem_zalloc(p->t.n_functions + 1, sizeof *first);
	bool is_known = false;
	for (size_t i = 0; i < p->t.n_lines && !is_known; i++) {
		const struct pprof_line *l = &p->t.lines[i];
		uint32_t index;
		if (!l->line || l->line > INT32_MAX || !idmap_find(&p->t.function_ids, l->function, &index))
			continue;
		is_known = (first[index] && first[index] != l->line) ||
		           (p->t.functions[index].start && l->line != p->t.functions[index].start);
		first[index] = l->line;
	}
	free(first);
	return is_known;
}

/*
 * Are the lines those that were executed? Writers for interpreters may put the line where a function begins in
 * their place; they write no addresses.
 */
static bool has_executed_lines(const struct pprof *p)
{
	for (size_t i = 0; i < p->t.n_locations; i++) {
		const struct pprof_location *l = &p->t.locations[i];
		if (l->n && p->t.lines[l->first].line && is_machine_code(p, l))
			return true;
	}
	return has_lines_inside(p);
}

/* Marks a frame that was inlined into the one above it. */
static bool add_line(struct pprof *p, struct pprof_location *l, const struct pprof_line *line,
                     const struct numbered *module, bool is_inlined, struct err *err)
{
	struct numbered name, file;
	uint32_t index;
	if (!idmap_find(&p->t.function_ids, line->function, &index))
		return pprof_malformed(err, "a line of an unknown function");
	if (!find_numbered(p, p->t.functions[index].name, &name) ||
	    !find_numbered(p, p->t.functions[index].file, &file))
		return pprof_malformed(err, "a string beyond the string table");
	if (!name.text.n)
		name.text = slice_of("[unknown]");
	uint32_t sym = long_names_frame(&p->names, p->sink, &name, is_inlined ? FORM_INLINED : FORM_PLAIN);
	uint64_t start = p->t.functions[index].start ? p->t.functions[index].start : line->line;
	sym = long_names_origin(&p->names, p->sink, sym, module, &file, start);
	push_frame(p, sym, &file, line->line);
	if (p->t.functions[index].is_dropped)
		drop_inlined(p, l, !is_inlined);
	return true;
}

/* Without symbols: "libfoo.so+0x1234", if the mapping is known. */
static void add_address(struct pprof *p, const struct pprof_mapping *mapping, const struct numbered *module,
                        uint64_t address)
{
	p->text.len = 0;
	if (mapping && module->text.n) {
		sink_add_shared(p->sink, &p->text, module->text.s, module->text.n);
		unsigned long long offset = address - mapping->start + mapping->offset;
		buf_addf(&p->text, "+0x%llx", offset);
	} else {
		buf_addf(&p->text, "0x%llx", (unsigned long long)address);
	}
	uint32_t sym = sink_frame(p->sink, p->text.data, p->text.len);
	push_frame(p, long_names_origin(&p->names, p->sink, sym, module, &no_string, 0), &no_string, 0);
}

static bool resolve_location(struct pprof *p, struct pprof_location *l, struct err *err)
{
	struct numbered module = no_string;
	const struct pprof_mapping *mapping = mapping_of(p, l);
	if (mapping) {
		if (!find_numbered(p, mapping->file, &module))
			return pprof_malformed(err, "a string beyond the string table");
		module.text = long_names_base(&p->names, &module);
	}
	const struct pprof_line *lines = l->n ? &p->t.lines[l->first] : NULL;
	size_t first = p->pool.n, n = l->n;
	l->first = first;
	for (size_t i = 0; i < n; i++) {
		if (!add_line(p, l, &lines[i], &module, i + 1 < n, err))
			return false;
	}
	if (!n)
		add_address(p, mapping, &module, l->address);
	l->first = l->is_dropped ? first : l->first;
	l->n = p->pool.n - l->first;
	return true;
}

static bool resolve_locations(struct pprof *p, struct err *err)
{
	find_dropped(p);
	p->has_sites = p->sink->options->wants_sites && has_executed_lines(p);
	for (size_t i = 0; i < p->t.n_locations; i++) {
		if (!p->t.locations[i].is_there)
			return pprof_malformed(err, "a sample at an unknown location");
		if (!resolve_location(p, &p->t.locations[i], err))
			return false;
	}
	return true;
}

static void resolve_labels(struct pprof *p)
{
	struct pprof_strings strings = {&p->t.names, p->t.strings, p->t.n_strings};
	pprof_labels_resolve(&p->labels, &strings, &p->sink->profile->tags);
	pprof_labels_report(&p->labels, &p->sink->profile->report);
}

/* --- the samples, as frames --- */

/* Declares names and units of the values, and which one comes first. */
static bool declare_types(struct pprof *p, struct err *err)
{
	if (!p->t.n_types)
		return pprof_malformed(err, "no sample types");
	if (p->has_samples && p->samples.n_series != p->t.n_types)
		return pprof_malformed(err, NO_VALUE);
	struct column *columns = mem_zalloc(p->t.n_types, sizeof *columns);
	size_t first = p->t.n_types - 1;
	bool is_good = true;
	p->series = mem_zalloc(p->t.n_types, sizeof *p->series);
	for (size_t i = 0; i < p->t.n_types && is_good; i++) {
		struct slice name, unit;
		is_good = pprof_find_string(&p->t, p->t.types[i].name, &name) &&
		          pprof_find_string(&p->t, p->t.types[i].unit, &unit);
		if (!is_good)
			break;
		columns[i].name = name.s; /* with a NUL at its end, as all in the table */
		columns[i].unit = slice_is(unit, "count") ? NULL : unit.s;
		if (p->default_type && p->t.types[i].name == p->default_type)
			first = i;
	}
	is_good = is_good ? columns_declare(p->sink, columns, p->t.n_types, first, p->series, err)
	                  : pprof_malformed(err, "a damaged sample type");
	free(columns);
	return is_good;
}

/* Number of locations to drop, counted from the leaf. */
static size_t count_dropped(const struct pprof *p)
{
	bool is_inside = false;
	for (size_t i = p->stack.n; i-- > 0;) {
		const struct pprof_location *l = &p->t.locations[p->stack.syms[i]];
		if (is_inside && l->is_cut)
			return l->is_dropped ? i + 1 : i;
		is_inside |= !l->is_cut;
	}
	return 0;
}

static void say_dropped(struct pprof *p, uint32_t samples)
{
	struct slice pattern = {"", 0};
	pprof_find_string(&p->t, p->drop_frames, &pattern);
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
		n += p->t.locations[p->stack.syms[i]].n;
	return n > MOST_INLINED + p->stack.n * MOST_INLINED_EACH;
}

/* Adds a frame of the pool to the current stack. */
static void use_frame(struct pprof *p, size_t i)
{
	frames_push(&p->frames, p->pool.syms[i]);
	if (p->has_sites)
		mem_push(p->stack_sites, p->n_stack_sites, p->cap_stack_sites, p->sites[i]);
}

/* Replaces the stack's locations by the functions that hold them, without the calls inlined there. */
static void push_functions(struct pprof *p, size_t from)
{
	report_add(&p->sink->profile->report, NOTE_WARN, "stacks with too many inlined calls, which are left out", NULL,
	           0, NULL, 0);
	for (size_t i = from; i < p->stack.n; i++) {
		const struct pprof_location *l = &p->t.locations[p->stack.syms[i]];
		if (l->n)
			use_frame(p, l->first + l->n - 1);
	}
}

/* Replaces the stack's locations by its frames, leaf first. Returns whether some were dropped. */
static bool push_locations(struct pprof *p)
{
	size_t dropped = p->drop_frames ? count_dropped(p) : 0;
	bool is_cut = dropped > 0;
	p->frames.n = p->n_stack_sites = 0;
	if (is_swollen(p)) {
		push_functions(p, dropped);
		return is_cut;
	}
	for (size_t i = dropped; i < p->stack.n; i++) {
		const struct pprof_location *l = &p->t.locations[p->stack.syms[i]];
		is_cut |= l->is_cut && !l->is_dropped;
		for (size_t k = 0; k < l->n; k++)
			use_frame(p, l->first + k);
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
	if (p->n_stack_sites) {
		sites_reverse(p->stack_sites, p->n_stack_sites);
		use->site = profile_sites(p->sink->profile, p->stack_sites, p->n_stack_sites);
	}
	return use->path;
}

/* Samples with equal locations already share an entry; the profile merges those with equal frames. */
static void emit_samples(struct pprof *p)
{
	const struct sample_log *log = &p->samples.log[0];
	struct profile *into = p->sink->profile;
	resolve_labels(p);
	for (size_t i = 0; i < log->n && !into->bound.is_reached; i++) {
		struct sample s = {
			.weight = log->weight[i],
			.time = NO_TIME,
			.cpu = NO_CPU,
			.series = p->series[log_series(log, i)],
			.tags = pprof_labels_number(&p->labels, log_tags(log, i)),
		};
		uint32_t path = frame_path(p, log->path[i]);
		s.site = p->uses[log->path[i]].site;
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
	p->meets = mem_zalloc(N_MEETS, sizeof *p->meets);
	buf_init(&p->held);
	buf_init(&p->text);
	pprof_tables_init(&p->t);
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
	pprof_tables_deinit(&p->t);
	long_names_deinit(&p->names);
	profile_deinit(&p->samples);
	free(p->uses);
	pprof_labels_deinit(&p->labels);
	frames_deinit(&p->pool);
	frames_deinit(&p->frames);
	frames_deinit(&p->stack);
	free(p->series);
	free(p->meets);
	free(p->values.v);
	free(p->comments.v);
	free(p->sites);
	free(p->stack_sites);
	free(p);
}

static bool pprof_finish(void *state, bool ok, struct err *err)
{
	struct pprof *p = state;
	ok = ok && check_tables(p, err) && declare_types(p, err) && resolve_locations(p, err);
	if (ok) {
		look_at_comments(p);
		emit_samples(p);
		say_overlaps(p);
	}
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
