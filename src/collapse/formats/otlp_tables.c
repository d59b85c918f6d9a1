/*
 * otlp_tables.c - the tables of an OpenTelemetry profile.
 *
 *	mapping    { 1 start, 2 limit, 3 offset, 4 filename }
 *	location   { 1 mapping, 2 address, 3 line[] { 1 function, 2 line }, the innermost first }
 *	function   { 1 name, 3 filename, 4 start_line }
 *	attribute  { 1 key, 2 value { 1 text, 3 number } }
 *	stack      { 1 location[], the leaf first }
 *
 * Names are indices of strings.
 */
#include <stdlib.h>

#include "collapse/formats/otlp.h"
#include "collapse/text/frames.h"

/* More inlined frames of a stack are left out: one location with many lines may be on it many times. */
#define MOST_INLINED 1024u
#define MOST_INLINED_EACH 16u

#define UNKNOWN "[unknown]"

void otlp_deinit(struct otlp_dictionary *d)
{
	for (unsigned i = 0; i < OTLP_N_TABLES; i++)
		free(d->tables[i].v);
	free(d->locations);
	free(d->stacks);
	free(d->frames);
	free(d->stack);
	free(d->syms);
	long_names_deinit(&d->names);
	buf_deinit(&d->text);
}

bool otlp_add_dictionary(struct otlp_dictionary *d, struct slice message)
{
	struct wire_field f;
	struct slice field = message;
	bool is_bad = false;
	uint64_t key;
	while (!sink_is_stopped(d->sink) && wire_take_field(&message, &f, &is_bad)) {
		struct otlp_table *t = f.wire == WIRE_BYTES && f.number < OTLP_N_TABLES ? &d->tables[f.number] : NULL;
		wire_take_varint(&field, &key);
		if (t)
			mem_push(t->v, t->n, t->cap, field.s);
		field = message;
	}
	return !is_bad;
}

struct slice otlp_message(const struct otlp_table *t, size_t index)
{
	struct slice length = {t->v[index], WIRE_VARINT_MAX}; /* it was read before, so it ends in time */
	uint64_t n;
	wire_take_varint(&length, &n);
	return (struct slice){length.s, n};
}

void otlp_begin_stacks(struct otlp_dictionary *d)
{
	d->locations = mem_zalloc(d->tables[OTLP_LOCATIONS].n, sizeof *d->locations);
	d->stacks = mem_zalloc(d->tables[OTLP_STACKS].n, sizeof *d->stacks);
}

/*
 * A small file can refer to a long entry very often: that counts as frames do. Text is only compared, which is much
 * cheaper than to read fields; an attribute has both, and counts when it is read.
 */
static struct slice entry(const struct otlp_dictionary *d, enum otlp_tables table, uint64_t index)
{
	const struct otlp_table *t = &d->tables[table];
	if (!index || index >= t->n)
		return (struct slice){"", 0};
	struct slice message = otlp_message(t, index);
	size_t n = table == OTLP_ATTRIBUTES ? 0 : message.n, text = table == OTLP_STRINGS ? n : 0;
	return profile_walk_table(d->sink->profile, n - text, text) ? message : (struct slice){"", 0};
}

struct slice otlp_string(const struct otlp_dictionary *d, uint64_t index)
{
	return entry(d, OTLP_STRINGS, index);
}

/* ---- attributes ---------------------------------------------------------------------------------------------- */

static bool take_value(struct slice message, struct otlp_attribute *a)
{
	struct wire_field f;
	bool is_bad = false;
	while (wire_take_field(&message, &f, &is_bad)) {
		if (f.number == 1 && f.wire == WIRE_BYTES)
			a->text = f.bytes;
		a->has_number |= f.number == 3 && f.wire == WIRE_VARINT;
		a->number = f.number == 3 && f.wire == WIRE_VARINT ? (int64_t)f.value : a->number;
	}
	return !is_bad;
}

bool otlp_key_value(struct slice message, struct otlp_attribute *a)
{
	struct wire_field f;
	bool is_bad = false, is_good = true;
	*a = (struct otlp_attribute){.key = {"", 0}, .text = {"", 0}};
	while (wire_take_field(&message, &f, &is_bad)) {
		if (f.number == 1 && f.wire == WIRE_BYTES)
			a->key = f.bytes;
		else if (f.number == 2 && f.wire == WIRE_BYTES)
			is_good = is_good && take_value(f.bytes, a);
	}
	return is_good && !is_bad;
}

bool otlp_attribute(const struct otlp_dictionary *d, uint64_t index, struct otlp_attribute *a)
{
	struct slice message = entry(d, OTLP_ATTRIBUTES, index);
	uint64_t v[2];
	bool is_good = otlp_key_value(message, a) && wire_read_numbers(message, v, 1);
	profile_walk_table(d->sink->profile, message.n - a->text.n, a->text.n);
	if (!is_good)
		return false;
	a->key = otlp_string(d, v[1]);
	return a->key.n > 0;
}

/* ---- frames -------------------------------------------------------------------------------------------------- */

/* A string whose symbols are made once, so that a long one counts only as bytes of the input. */
static struct numbered string_at(const struct otlp_dictionary *d, uint64_t index)
{
	const struct otlp_table *t = &d->tables[OTLP_STRINGS];
	bool is_there = index && index < t->n;
	return (struct numbered){index, is_there ? otlp_message(t, index) : (struct slice){"", 0}};
}

static const struct numbered no_string = {0, {"", 0}};

static void add_line(struct otlp_dictionary *d, struct slice message, const struct numbered *module)
{
	uint64_t line[3], function[5] = {0};
	if (!wire_read_numbers(message, line, 2) || !wire_read_numbers(entry(d, OTLP_FUNCTIONS, line[1]), function, 4))
		sink_warn(d->sink, "a damaged function", 0, NULL, 0);
	struct numbered name = string_at(d, function[1]), file = string_at(d, function[3]);
	if (!name.text.n)
		name.text = slice_of(UNKNOWN);
	uint32_t sym = long_names_frame(&d->names, d->sink, &name, FORM_PLAIN);
	uint64_t start = function[4] ? function[4] : line[2];
	sym = long_names_origin(&d->names, d->sink, sym, module, &file, start <= INT32_MAX ? start : 0);
	struct site site = {.sym = sym, .line = line[2] <= INT32_MAX ? (uint32_t)line[2] : 0};
	site.file = file.text.n ? long_names_file(&d->names, d->sink, &file) : 0;
	mem_push(d->frames, d->n_frames, d->cap_frames, site);
}

/* Without symbols: "libfoo.so+0x1234", if the mapping is known. */
static void add_address(struct otlp_dictionary *d, const struct numbered *module, uint64_t address)
{
	d->text.len = 0;
	if (module->text.n)
		sink_add_shared(d->sink, &d->text, module->text.s, module->text.n);
	buf_addf(&d->text, "%s0x%llx", module->text.n ? "+" : "", (unsigned long long)address);
	uint32_t sym = sink_frame(d->sink, d->text.data, d->text.len);
	const struct site site = {.sym = long_names_origin(&d->names, d->sink, sym, module, &no_string, 0)};
	mem_push(d->frames, d->n_frames, d->cap_frames, site);
}

static void resolve(struct otlp_dictionary *d, uint64_t index, struct otlp_location *l)
{
	struct slice message = entry(d, OTLP_LOCATIONS, index);
	uint64_t v[3], mapping[5];
	struct wire_field f;
	bool is_bad = false;
	*l = (struct otlp_location){.first = d->n_frames, .is_known = true};
	if (!wire_read_numbers(message, v, 2) || !wire_read_numbers(entry(d, OTLP_MAPPINGS, v[1]), mapping, 4)) {
		sink_warn(d->sink, "a damaged location", 0, NULL, 0);
		return;
	}
	struct numbered module = string_at(d, mapping[4]);
	module.text = long_names_base(&d->names, &module);
	while (wire_take_field(&message, &f, &is_bad)) {
		if (f.number == 3 && f.wire == WIRE_BYTES)
			add_line(d, f.bytes, &module);
	}
	if (d->n_frames == l->first) /* addresses are those in the file already */
		add_address(d, &module, v[2]);
	l->n = (uint32_t)(d->n_frames - l->first);
}

/* ---- stacks -------------------------------------------------------------------------------------------------- */

static void push_location(struct otlp_dictionary *d, uint64_t index, size_t *inlined)
{
	struct otlp_location *l = index < d->tables[OTLP_LOCATIONS].n ? &d->locations[index] : NULL;
	if (!index || !l) {
		sink_warn(d->sink, "a stack with a location that is not in the table", 0, NULL, 0);
		return;
	}
	if (!l->is_known)
		resolve(d, index, l);
	uint32_t n = l->n;
	if (n > 1 && *inlined + n > MOST_INLINED) {
		sink_warn(d->sink, "too many inlined functions on a stack: the innermost are left out", 0, NULL, 0);
		n = 1;
	}
	*inlined += n > MOST_INLINED_EACH ? n - MOST_INLINED_EACH : 0;
	for (uint32_t i = l->n - n; i < l->n; i++)
		mem_push(d->stack, d->n_stack, d->cap_stack, d->frames[l->first + i]);
}

/* Takes a list of locations, packed into one field or one at a time. */
static bool push_locations(struct otlp_dictionary *d, struct slice message)
{
	struct wire_field f;
	bool is_bad = false;
	size_t inlined = 0;
	uint64_t v;
	while (wire_take_field(&message, &f, &is_bad)) {
		struct slice packed = f.bytes;
		if (f.number == 1 && f.wire == WIRE_VARINT)
			push_location(d, f.value, &inlined);
		while (f.number == 1 && f.wire == WIRE_BYTES && packed.n) {
			if (!wire_take_varint(&packed, &v))
				return false;
			push_location(d, v, &inlined);
		}
	}
	return !is_bad;
}

static uint32_t site_of(struct otlp_dictionary *d)
{
	uint32_t site = NO_SITE;
	for (size_t i = d->n_stack; i-- > 0;)
		if (d->stack[i].line)
			site = profile_site_child(d->sink->profile, site, &d->stack[i]);
	return site;
}

static struct otlp_stack add_stack(struct otlp_dictionary *d)
{
	d->syms = mem_grow(d->syms, &d->cap_syms, d->n_stack + 1, sizeof *d->syms);
	for (size_t i = 0; i < d->n_stack; i++)
		d->syms[i] = d->stack[d->n_stack - 1 - i].sym;
	if (!d->n_stack)
		d->syms[0] = sink_frame(d->sink, EMPTY_STACK, strlen(EMPTY_STACK));
	return (struct otlp_stack){profile_path(d->sink->profile, d->syms, d->n_stack ? d->n_stack : 1),
	                           d->sink->options->wants_sites ? site_of(d) : NO_SITE};
}

struct otlp_stack otlp_stack(struct otlp_dictionary *d, uint64_t index)
{
	bool is_there = index && index < d->tables[OTLP_STACKS].n;
	if (d->sink->profile->bound.is_reached)
		return (struct otlp_stack){profile_lost(d->sink->profile), NO_SITE};
	if (is_there && d->stacks[index].path != PATH_ROOT)
		return d->stacks[index];
	if (index && !is_there)
		sink_warn(d->sink, "a sample with a stack that is not in the table", 0, NULL, 0);
	d->n_stack = 0;
	if (!push_locations(d, entry(d, OTLP_STACKS, index)))
		sink_warn(d->sink, "a damaged stack", 0, NULL, 0);
	struct otlp_stack s = add_stack(d);
	if (is_there)
		d->stacks[index] = s;
	return s;
}
