/*
 * pprof.c - profile.proto, which Go, gperftools' pprof, and many servers write (as a rule compressed by gzip).
 *
 *	message Profile {
 *		sample_type[] {type, unit}                     what the values of a sample are
 *		sample[]      {location_id[], value[], label}  the leaf first
 *		mapping[]     {id, memory_start, file_offset, filename}
 *		location[]    {id, mapping_id, address, line[] {function_id, line}}
 *		function[]    {id, name, filename}
 *		string_table[]                                 everything above refers to it by number
 *	}
 *
 * Fields come in any order, samples mostly before what they refer to, so the bytes are kept and gone through
 * twice: once for the tables, once for the samples. A location has several lines where calls were inlined into it,
 * the innermost first. Every value is a series; the file says which one to show, or else the last one is. Lists of
 * numbers are packed or not, and mixed in one file. Unknown fields are passed over.
 *
 * A profile may name functions that are of no interest (drop_frames, as those of an allocator in a heap profile): a stack
 * ends before the first of them, seen from the root, but not before it has reached another function. That is what
 * `go tool pprof` does.
 */
#include "collapse/columns.h"
#include "collapse/formats.h"
#include "collapse/idmap.h"
#include "collapse/lines.h"
#include "collapse/pprof_drop.h"

enum wire { VARINT, FIXED64, BYTES, FIXED32 = 5 };

enum {
	P_SAMPLE_TYPE = 1,
	P_SAMPLE,
	P_MAPPING,
	P_LOCATION,
	P_FUNCTION,
	P_STRING,
	P_DROP_FRAMES,
	P_KEEP_FRAMES,
	P_TIME,
	P_DEFAULT_TYPE = 14,
	P_LAST
};

/* One field of a message. */
struct field {
	uint32_t number;
	unsigned wire;
	uint64_t value;     /* of VARINT and the fixed ones */
	struct slice bytes; /* of BYTES */
};

struct function {
	uint64_t name, file; /* strings */
	bool is_dropped;
};

struct mapping {
	uint64_t start, offset, file;
};

/* Frames of a location, the innermost first: symbols in the pool. */
struct location {
	struct slice message; /* until the tables are complete */
	size_t first, n;
	bool is_cut;     /* some of its frames are dropped, and are not among these */
	bool is_dropped; /* all of them are, where a stack may end before them */
};

struct numbers {
	uint64_t *v;
	size_t n, cap;
};

struct pprof {
	struct sink *sink;
	struct buf bytes;
	struct slice *strings;
	size_t n_strings, cap_strings;
	struct slice *types; /* messages */
	size_t n_types, cap_types;
	struct function *functions;
	size_t n_functions, cap_functions;
	struct mapping *mappings;
	size_t n_mappings, cap_mappings;
	struct location *locations;
	size_t n_locations, cap_locations;
	struct idmap function_ids, mapping_ids, location_ids;
	struct frames pool;
	uint64_t default_type, drop_frames, keep_frames;
	unsigned times;
	uint32_t *series;
	struct numbers stack, values; /* location ids of the sample at hand, and its values */
	struct frames frames;
	struct buf text;
};

/* --- the wire --- */

static bool take_varint(struct slice *s, uint64_t *v)
{
	*v = 0;
	for (unsigned shift = 0; s->n && shift < 70; shift += 7) {
		unsigned char c = (unsigned char)*s->s;
		*s = slice_from(*s, 1);
		*v |= shift < 64 ? (uint64_t)(c & 0x7f) << shift : 0;
		if (c < 0x80)
			return true;
	}
	return false;
}

static bool take_fixed(struct slice *s, size_t n, uint64_t *v)
{
	if (s->n < n)
		return false;
	*v = 0;
	for (size_t i = 0; i < n; i++)
		*v |= (uint64_t)(unsigned char)s->s[i] << (8 * i);
	*s = slice_from(*s, n);
	return true;
}

/* The next field of a message; false at its end, and with *is_bad if it is none. */
static bool take_field(struct slice *s, struct field *f, bool *is_bad)
{
	uint64_t key, n;
	if (!s->n)
		return false;
	*is_bad = true;
	if (!take_varint(s, &key) || key >> 3 == 0 || key >> 3 > 0x1fffffff)
		return false;
	f->number = (uint32_t)(key >> 3);
	f->wire = key & 7;
	f->bytes = (struct slice){"", 0};
	if (f->wire == VARINT)
		*is_bad = !take_varint(s, &f->value);
	else if (f->wire == FIXED64 || f->wire == FIXED32)
		*is_bad = !take_fixed(s, f->wire == FIXED64 ? 8 : 4, &f->value);
	else if (f->wire == BYTES && take_varint(s, &n) && n <= s->n) {
		f->bytes = slice_head(*s, n);
		*s = slice_from(*s, n);
		*is_bad = false;
	}
	return !*is_bad;
}

/* Reads the number fields 1 to n of a message into v[1..n]; others are passed over. */
static bool read_numbers(struct slice message, uint64_t *v, uint32_t n)
{
	struct field f;
	bool is_bad = false;
	memset(v, 0, (n + 1) * sizeof *v);
	while (take_field(&message, &f, &is_bad)) {
		if (f.number <= n && f.wire == VARINT)
			v[f.number] = f.value;
	}
	return !is_bad;
}

/* --- the tables --- */

static bool malformed(struct err *err, const char *what)
{
	return fail(err, "malformed pprof profile: %s", what);
}

static bool find_string(const struct pprof *p, uint64_t index, struct slice *s)
{
	if (index >= p->n_strings)
		return false;
	*s = p->strings[index];
	return true;
}

static bool add_id(struct idmap *ids, uint64_t id, size_t index)
{
	return id && index < UINT32_MAX && idmap_add(ids, id, (uint32_t)index);
}

static bool add_function(struct pprof *p, struct slice message, struct err *err)
{
	uint64_t v[5];
	if (!read_numbers(message, v, 4) || !add_id(&p->function_ids, v[1], p->n_functions))
		return malformed(err, "a function without an id of its own (several profiles in one file?)");
	mem_push(p->functions, p->n_functions, p->cap_functions, ((struct function){v[2], v[4], false}));
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

static bool add_location(struct pprof *p, struct slice message, struct err *err)
{
	uint64_t v[2];
	if (!read_numbers(message, v, 1) || !add_id(&p->location_ids, v[1], p->n_locations))
		return malformed(err, "a location without an id of its own (several profiles in one file?)");
	mem_push(p->locations, p->n_locations, p->cap_locations, ((struct location){.message = message}));
	return true;
}

static bool add_to_tables(struct pprof *p, const struct field *f, struct err *err)
{
	if (f->number == P_TIME && f->wire == VARINT)
		p->times++;
	else if (f->number == P_DEFAULT_TYPE && f->wire == VARINT)
		p->default_type = f->value;
	else if (f->number == P_DROP_FRAMES && f->wire == VARINT)
		p->drop_frames = f->value;
	else if (f->number == P_KEEP_FRAMES && f->wire == VARINT)
		p->keep_frames = f->value;
	if (f->wire != BYTES)
		return true;
	if (f->number == P_SAMPLE_TYPE)
		mem_push(p->types, p->n_types, p->cap_types, f->bytes);
	else if (f->number == P_STRING)
		mem_push(p->strings, p->n_strings, p->cap_strings, f->bytes);
	else if (f->number == P_FUNCTION)
		return add_function(p, f->bytes, err);
	else if (f->number == P_MAPPING)
		return add_mapping(p, f->bytes, err);
	else if (f->number == P_LOCATION)
		return add_location(p, f->bytes, err);
	return true;
}

static bool read_tables(struct pprof *p, struct err *err)
{
	struct slice rest = {p->bytes.data, p->bytes.len};
	struct field f;
	bool is_bad = false;
	while (take_field(&rest, &f, &is_bad)) {
		if (!add_to_tables(p, &f, err))
			return false;
	}
	if (is_bad)
		return malformed(err, "it is cut short or damaged");
	if (!p->n_strings || p->strings[0].n)
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

static void set_origin(struct pprof *p, uint32_t sym, struct slice module, struct slice file, uint64_t line)
{
	uint32_t owner = module.n ? sink_sym(p->sink, module.s, module.n) : 0, source = 0;
	if (file.n) {
		p->text.len = 0;
		buf_add(&p->text, file.s, file.n);
		buf_addf(&p->text, ":%llu", (unsigned long long)line);
		source = sink_sym(p->sink, p->text.data, p->text.len);
	}
	struct symbol *symbol = &p->sink->profile->symtab.symbols[sym];
	if (!symbol->module)
		symbol->module = owner;
	if (!symbol->source)
		symbol->source = source;
}

/* Finds out which functions are dropped. */
static void find_dropped(struct pprof *p)
{
	struct slice drop, keep, name;
	struct err err = {""};
	struct pprof_drop *d = NULL;
	if (!find_string(p, p->drop_frames, &drop) || !drop.n || !find_string(p, p->keep_frames, &keep))
		return;
	d = pprof_drop_new(drop, keep, &err);
	if (!d)
		sink_warn(p->sink, "what the profile says to leave out (drop_frames) is no pattern, and nothing is", 0, err.text,
		          strlen(err.text));
	for (size_t i = 0; d && i < p->n_functions; i++)
		p->functions[i].is_dropped = find_string(p, p->functions[i].name, &name) && pprof_drops(d, name);
	pprof_drop_free(d);
}

/* A frame that is dropped takes those with it that were inlined into it, which come before it. */
static void drop_inlined(struct pprof *p, struct location *l, bool is_outermost)
{
	l->is_cut = true;
	if (is_outermost)
		l->is_dropped = true;
	else
		l->first = p->pool.n;
}

/* A frame that was inlined into the one above it is marked as in all formats. */
static bool add_line(struct pprof *p, struct location *l, struct slice message, struct slice module, bool is_inlined,
                     struct err *err)
{
	uint64_t v[3];
	uint32_t index;
	struct slice name, file;
	if (!read_numbers(message, v, 2) || !idmap_find(&p->function_ids, v[1], &index))
		return malformed(err, "a line of a function that is not there");
	if (!find_string(p, p->functions[index].name, &name) || !find_string(p, p->functions[index].file, &file))
		return malformed(err, "a string that is not there");
	p->text.len = 0;
	buf_add(&p->text, name.n ? name.s : "[unknown]", name.n ? name.n : 9);
	if (is_inlined)
		buf_adds(&p->text, "_[i]");
	uint32_t sym = sink_frame(p->sink, p->text.data, p->text.len);
	set_origin(p, sym, module, file, v[2]);
	frames_push(&p->pool, sym);
	if (p->functions[index].is_dropped)
		drop_inlined(p, l, !is_inlined);
	return true;
}

/* Without symbols: "libfoo.so+0x1234", as far as the mapping is known. */
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
	set_origin(p, sym, module, (struct slice){"", 0}, 0);
	frames_push(&p->pool, sym);
}

static bool resolve_location(struct pprof *p, struct location *l, struct err *err)
{
	struct slice rest = l->message, module = {"", 0};
	const struct mapping *mapping = NULL;
	struct field f;
	uint64_t v[4];
	uint32_t index;
	bool is_bad = false;
	if (!read_numbers(rest, v, 3))
		return malformed(err, "a damaged location");
	if (v[2] && idmap_find(&p->mapping_ids, v[2], &index)) {
		mapping = &p->mappings[index];
		if (!find_string(p, mapping->file, &module))
			return malformed(err, "a string that is not there");
		module = base_name(module);
	}
	size_t n_lines = 0, line = 0, first = p->pool.n;
	l->first = first;
	for (struct slice s = rest; take_field(&s, &f, &is_bad);)
		n_lines += f.number == 4 && f.wire == BYTES;
	while (take_field(&rest, &f, &is_bad)) {
		if (f.number == 4 && f.wire == BYTES && !add_line(p, l, f.bytes, module, ++line < n_lines, err))
			return false;
	}
	if (!n_lines)
		add_address(p, mapping, module, v[3]);
	l->first = l->is_dropped ? first : l->first;
	l->n = p->pool.n - l->first;
	return true;
}

/* --- the samples --- */

/* Names and units of the values; which of them comes first. */
static bool declare_types(struct pprof *p, struct err *err)
{
	if (!p->n_types)
		return malformed(err, "no sample types");
	struct column *columns = mem_zalloc(p->n_types, sizeof *columns);
	size_t first = p->n_types - 1;
	bool is_good = true;
	p->series = mem_zalloc(p->n_types, sizeof *p->series);
	for (size_t i = 0; i < p->n_types && is_good; i++) {
		uint64_t v[3];
		struct slice name, unit;
		is_good = read_numbers(p->types[i], v, 2) && find_string(p, v[1], &name) && find_string(p, v[2], &unit);
		if (!is_good)
			break;
		columns[i].name = mem_strndup(name.s, name.n);
		columns[i].unit = slice_is(unit, "count") ? NULL : mem_strndup(unit.s, unit.n);
		if (p->default_type && v[1] == p->default_type)
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

/* A list of numbers, packed into one field or one at a time. */
static bool take_numbers(struct numbers *list, const struct field *f)
{
	struct slice packed = f->bytes;
	uint64_t v;
	if (f->wire == VARINT)
		mem_push(list->v, list->n, list->cap, f->value);
	while (f->wire == BYTES && packed.n) {
		if (!take_varint(&packed, &v))
			return false;
		mem_push(list->v, list->n, list->cap, v);
	}
	return true;
}

/* In place of the ids of the locations come their numbers. */
static bool find_locations(struct pprof *p, struct err *err)
{
	uint32_t index;
	for (size_t i = 0; i < p->stack.n; i++) {
		if (!idmap_find(&p->location_ids, p->stack.v[i], &index))
			return malformed(err, "a sample at a location that is not there");
		p->stack.v[i] = index;
	}
	return true;
}

/* The number of locations, counted from the leaf, that are dropped. */
static size_t count_dropped(const struct pprof *p)
{
	bool is_inside = false;
	for (size_t i = p->stack.n; i-- > 0;) {
		const struct location *l = &p->locations[p->stack.v[i]];
		if (is_inside && l->is_cut)
			return l->is_dropped ? i + 1 : i;
		is_inside |= !l->is_cut;
	}
	return 0;
}

static void push_locations(struct pprof *p)
{
	size_t dropped = p->drop_frames ? count_dropped(p) : 0;
	bool is_cut = dropped > 0;
	for (size_t i = dropped; i < p->stack.n; i++) {
		const struct location *l = &p->locations[p->stack.v[i]];
		is_cut |= l->is_cut && !l->is_dropped;
		for (size_t k = 0; k < l->n; k++)
			frames_push(&p->frames, p->pool.syms[l->first + k]);
	}
	if (is_cut)
		sink_warn(p->sink, "stacks lost frames that the profile asks to drop (drop_frames)", 0,
		          p->strings[p->drop_frames].s, p->strings[p->drop_frames].n);
}

static void add_values(struct pprof *p, uint32_t path)
{
	for (size_t i = 0; i < p->values.n; i++) {
		struct sample s = {.weight = p->values.v[i], .time = NO_TIME, .cpu = NO_CPU, .series = p->series[i]};
		if (s.weight > INT64_MAX)
			sink_warn(p->sink, "negative values are left out (a difference of two profiles?)", 0, NULL, 0);
		else if (s.weight)
			profile_add(p->sink->profile, p->sink->options->side, path, &s);
	}
}

static bool take_sample(struct pprof *p, struct slice message, struct err *err)
{
	struct field f;
	bool is_bad = false;
	p->stack.n = p->values.n = p->frames.n = 0;
	while (take_field(&message, &f, &is_bad)) {
		bool is_good = f.number == 1 ? take_numbers(&p->stack, &f) : f.number != 2 || take_numbers(&p->values, &f);
		if (!is_good)
			return malformed(err, "a damaged sample");
	}
	if (is_bad || p->values.n != p->n_types)
		return malformed(err, "a sample without a value of each type");
	if (!find_locations(p, err))
		return false;
	push_locations(p);
	if (!p->frames.n)
		frames_push(&p->frames, sink_sym(p->sink, EMPTY_STACK, sizeof EMPTY_STACK - 1));
	frames_reverse(&p->frames);
	add_values(p, profile_path(p->sink->profile, p->frames.syms, p->frames.n));
	return true;
}

static bool read_samples(struct pprof *p, struct err *err)
{
	struct slice rest = {p->bytes.data, p->bytes.len};
	struct field f;
	bool is_bad = false;
	find_dropped(p);
	for (size_t i = 0; i < p->n_locations; i++) {
		if (!resolve_location(p, &p->locations[i], err))
			return false;
	}
	while (take_field(&rest, &f, &is_bad)) {
		if (f.number == P_SAMPLE && f.wire == BYTES && !take_sample(p, f.bytes, err))
			return false;
	}
	return true;
}

/* --- the format --- */

static void *pprof_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct pprof *p = mem_zalloc(1, sizeof *p);
	p->sink = sink;
	buf_init(&p->bytes);
	buf_init(&p->text);
	return p;
}

static bool pprof_feed(void *state, const char *text, size_t len, struct err *err)
{
	(void)err;
	struct pprof *p = state;
	buf_add(&p->bytes, text, len);
	return true;
}

static bool pprof_finish(void *state, bool ok, struct err *err)
{
	struct pprof *p = state;
	ok = ok && read_tables(p, err) && declare_types(p, err) && read_samples(p, err);
	buf_deinit(&p->bytes);
	buf_deinit(&p->text);
	free(p->strings);
	free(p->types);
	free(p->functions);
	free(p->mappings);
	free(p->locations);
	idmap_deinit(&p->function_ids);
	idmap_deinit(&p->mapping_ids);
	idmap_deinit(&p->location_ids);
	frames_deinit(&p->pool);
	frames_deinit(&p->frames);
	free(p->series);
	free(p->stack.v);
	free(p->values.v);
	free(p);
	return ok;
}

/*
 * Is every field in the form it has in a profile? Only then may binary data be taken for one. Later versions may
 * know more fields, but not very many.
 */
static bool is_likely_field(const struct field *f)
{
	bool is_message = f->number <= P_STRING || f->number == 11, is_list = f->number == 13;
	if (f->number > P_LAST)
		return f->number < 128;
	return is_list ? f->wire == VARINT || f->wire == BYTES : f->wire == (is_message ? BYTES : VARINT);
}

static enum sniff pprof_sniff(const struct head *head, const char **why)
{
	struct slice rest = {head->text, head->len};
	struct field f;
	bool is_bad = false, has_type = false, has_string = false;
	*why = "not the wire format of profile.proto";
	while (take_field(&rest, &f, &is_bad)) {
		uint64_t v[3];
		if (!is_likely_field(&f) || (f.number == P_SAMPLE_TYPE && !read_numbers(f.bytes, v, 2)))
			return SNIFF_NO;
		if (f.number == P_STRING && !has_string && f.bytes.n)
			return SNIFF_NO;
		has_type = has_type || f.number == P_SAMPLE_TYPE;
		has_string = has_string || f.number == P_STRING;
		if (has_type && has_string)
			return SNIFF_YES;
	}
	/* The head of a long profile may end before the strings. */
	return has_type && !head->is_growing && !head->is_all ? SNIFF_YES : SNIFF_NO;
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
