/*
 * otlp.c - parses profiles of OpenTelemetry (OTLP, v1development), which its eBPF profiler, async-profiler and
 * collectors write, as protocol buffers or JSON (otlp_json.c turns the latter into the former).
 *
 *	message ProfilesData {
 *		1 resource_profiles[] {
 *			1 resource { 1 attribute[] }
 *			2 scope_profiles[] {
 *				2 profile[] {
 *					1 sample_type { 1 type, 2 unit }
 *					2 sample[] { 1 stack, 2 attribute[], 4 value[], 5 time[] }
 *				}
 *			}
 *		}
 *		2 dictionary { tables of strings, functions, locations, stacks, attributes (otlp_tables.c) }
 *	}
 *
 * The tables may come after the samples, so the input is kept until its end. A profile has one type of values,
 * which becomes a series. A sample has values, times or both: a time without a value counts as one. Attributes of
 * the sample or of its resource name the process and the thread.
 */
#include "collapse/formats/otlp.h"
#include "collapse/formats.h"
#include "collapse/formats/otlp_json.h"
#include "collapse/text/columns.h"
#include "collapse/text/json_doc.h"

#define MOST_TYPES 64u

/* Names of a series, as strings of the input. */
struct type {
	struct slice name, unit;
	uint64_t hash;
};

struct owner {
	struct slice thread, process;
	int64_t pid, tid;
};

struct otlp {
	struct sink *sink;
	struct buf all;
	struct otlp_dictionary d;
	struct type types[MOST_TYPES];
	size_t n_types;
	struct idmap type_ids; /* by the numbers of both strings */
	uint32_t series[MOST_TYPES];
	uint32_t type; /* of the current profile */
	uint64_t *values, *times;
	size_t n_values, cap_values, n_times, cap_times;
};

static bool malformed(struct err *err, const char *what)
{
	return fail(err, "malformed OpenTelemetry profile: %s", what);
}

/* ---- types --------------------------------------------------------------------------------------------------- */

static bool is_same_type(const struct type *a, const struct type *b)
{
	return a->hash == b->hash && a->name.n == b->name.n && a->unit.n == b->unit.n &&
	       memcmp(a->name.s, b->name.s, a->name.n) == 0 && memcmp(a->unit.s, b->unit.s, a->unit.n) == 0;
}

/* Number of a type, added if it is new; MOST_TYPES: there are too many. */
static uint32_t add_type(struct otlp *o, uint64_t name, uint64_t unit)
{
	struct type type = {otlp_string(&o->d, name), otlp_string(&o->d, unit), 0};
	uint32_t i = 0;
	type.hash = hash_keys(hash_bytes(type.name.s, type.name.n), hash_bytes(type.unit.s, type.unit.n));
	while (i < o->n_types && !is_same_type(&o->types[i], &type))
		i++;
	if (i == o->n_types && i < MOST_TYPES)
		o->types[o->n_types++] = type;
	return i;
}

/* That of the values of a profile. Very many may have one with a long name, so it is known by its strings, too. */
static uint32_t type_of(struct otlp *o, struct slice profile)
{
	struct wire_field f;
	bool is_bad = false;
	uint64_t v[3] = {0};
	uint32_t type;
	while (wire_take_field(&profile, &f, &is_bad) && f.number != 2) {
		if (f.number == 1 && f.wire == WIRE_BYTES)
			wire_read_numbers(f.bytes, v, 2);
	}
	bool is_odd = v[1] > UINT32_MAX || v[2] > UINT32_MAX;
	if (!is_odd && idmap_find(&o->type_ids, v[1] << 32 | v[2], &type))
		return type;
	type = add_type(o, v[1], v[2]);
	if (!is_odd && type < MOST_TYPES)
		idmap_add(&o->type_ids, v[1] << 32 | v[2], type);
	return type;
}

static bool declare(struct otlp *o, struct err *err)
{
	struct column columns[MOST_TYPES];
	for (size_t i = 0; i < o->n_types; i++) {
		const struct type *t = &o->types[i];
		columns[i] = (struct column){mem_strndup(t->name.s, t->name.n), NULL, false};
		if (t->unit.n && !slice_is(t->unit, "count"))
			columns[i].unit = mem_strndup(t->unit.s, t->unit.n);
	}
	bool is_good = columns_declare(o->sink, columns, o->n_types, 0, o->series, err);
	for (size_t i = 0; i < o->n_types; i++) {
		free((char *)(uintptr_t)columns[i].name);
		free((char *)(uintptr_t)columns[i].unit);
	}
	return is_good;
}

/* ---- samples ------------------------------------------------------------------------------------------------- */

static void set_owner(struct owner *owner, const struct otlp_attribute *a)
{
	if (slice_is(a->key, "thread.name"))
		owner->thread = a->text;
	else if (slice_is(a->key, "thread.id") && a->has_number)
		owner->tid = a->number;
	else if (slice_is(a->key, "process.pid") && a->has_number)
		owner->pid = a->number;
	else if (slice_is(a->key, "process.executable.name"))
		owner->process = a->text;
}

static uint32_t task_of(struct otlp *o, const struct owner *owner)
{
	struct slice name = owner->thread.n ? owner->thread : owner->process;
	if (!name.n && owner->pid < 0 && owner->tid < 0)
		return 0;
	return profile_task(o->sink->profile, name.n ? sink_frame(o->sink, name.s, name.n) : 0,
	                    owner->pid < 0 ? -1 : owner->pid, owner->tid < 0 ? -1 : owner->tid);
}

static bool take_owner(struct otlp *o, struct slice packed, const struct wire_field *f, struct owner *owner)
{
	struct otlp_attribute a;
	uint64_t v = f->value;
	if (f->wire == WIRE_VARINT && otlp_attribute(&o->d, v, &a))
		set_owner(owner, &a);
	while (f->wire == WIRE_BYTES && packed.n) {
		if (!wire_take_varint(&packed, &v))
			return false;
		if (otlp_attribute(&o->d, v, &a))
			set_owner(owner, &a);
	}
	return true;
}

/* false: the input has too many. */
static bool push_number(struct otlp *o, bool is_time, uint64_t v)
{
	if (!profile_count_value(o->sink->profile))
		return false;
	if (is_time)
		mem_push(o->times, o->n_times, o->cap_times, v);
	else
		mem_push(o->values, o->n_values, o->cap_values, v);
	return true;
}

/* Takes values, or times of eight bytes, packed into one field or one at a time. */
static bool take_numbers(struct otlp *o, const struct wire_field *f)
{
	struct slice packed = f->bytes;
	bool is_time = f->number == 5;
	uint64_t v;
	if (f->wire != WIRE_BYTES)
		return push_number(o, is_time, f->value);
	while (f->wire == WIRE_BYTES && packed.n && !sink_is_stopped(o->sink)) {
		if (is_time ? !wire_take_fixed(&packed, 8, &v) : !wire_take_varint(&packed, &v))
			return false;
		if (!push_number(o, is_time, v))
			return false;
	}
	return true;
}

static void add(struct otlp *o, struct otlp_stack stack, struct sample *s, uint64_t weight)
{
	s->weight = weight;
	if (weight > INT64_MAX)
		sink_warn(o->sink, "negative values are left out", 0, NULL, 0);
	else if (weight)
		profile_add(o->sink->profile, o->sink->options->side, stack.path, s);
}

static void add_sample(struct otlp *o, uint64_t stack_index, const struct owner *owner)
{
	struct otlp_stack stack = otlp_stack(&o->d, stack_index);
	struct sample s = {.time = NO_TIME, .cpu = NO_CPU, .series = o->series[o->type], .site = stack.site};
	s.task = task_of(o, owner);
	bool has_pairs = o->n_values == o->n_times;
	if (!o->n_values && !o->n_times)
		sink_skip(o->sink, "sample without values", 0, NULL, 0);
	if (o->n_values && o->n_times && !has_pairs)
		sink_warn(o->sink, "as many times as values were expected: the times are left out", 0, NULL, 0);
	for (size_t i = 0; i < o->n_values && !sink_is_stopped(o->sink); i++) {
		s.time = has_pairs ? o->times[i] : NO_TIME;
		add(o, stack, &s, o->values[i]);
	}
	for (size_t i = 0; i < o->n_times && !o->n_values && !sink_is_stopped(o->sink); i++) {
		s.time = o->times[i];
		add(o, stack, &s, 1);
	}
}

static bool take_sample(struct otlp *o, struct slice message, struct owner owner)
{
	struct wire_field f;
	bool is_bad = false, is_good = profile_count_value(o->sink->profile);
	uint64_t stack = 0;
	o->n_values = o->n_times = 0;
	while (is_good && wire_take_field(&message, &f, &is_bad)) {
		if (f.number == 1 && f.wire == WIRE_VARINT)
			stack = f.value;
		else if (f.number == 2)
			is_good = take_owner(o, f.bytes, &f, &owner);
		else if (f.number == 4 || f.number == 5)
			is_good = take_numbers(o, &f);
	}
	if (is_good && !is_bad)
		add_sample(o, stack, &owner);
	return is_good && !is_bad;
}

/* ---- messages ------------------------------------------------------------------------------------------------ */

typedef bool take_profile(struct otlp *, struct slice profile, const struct owner *);

static bool note_type(struct otlp *o, struct slice profile, const struct owner *owner)
{
	(void)owner;
	return type_of(o, profile) < MOST_TYPES;
}

static bool take_samples(struct otlp *o, struct slice profile, const struct owner *owner)
{
	struct wire_field f;
	bool is_bad = false, is_good = true;
	o->type = type_of(o, profile);
	while (is_good && !sink_is_stopped(o->sink) && wire_take_field(&profile, &f, &is_bad)) {
		if (f.number == 2 && f.wire == WIRE_BYTES)
			is_good = take_sample(o, f.bytes, *owner);
	}
	return is_good && !is_bad;
}

static void take_resource(struct slice resource, struct owner *owner)
{
	struct wire_field f;
	bool is_bad = false;
	struct otlp_attribute a;
	while (wire_take_field(&resource, &f, &is_bad)) {
		if (f.number == 1 && f.wire == WIRE_BYTES && otlp_key_value(f.bytes, &a))
			set_owner(owner, &a);
	}
}

static bool each_of_scope(struct otlp *o, struct slice scope, const struct owner *owner, take_profile *take)
{
	struct wire_field f;
	bool is_bad = false, is_good = true;
	while (is_good && !sink_is_stopped(o->sink) && wire_take_field(&scope, &f, &is_bad)) {
		if (f.number == 2 && f.wire == WIRE_BYTES)
			is_good = take(o, f.bytes, owner);
	}
	return is_good && !is_bad;
}

static bool each_of_resource(struct otlp *o, struct slice resource, take_profile *take)
{
	struct wire_field f;
	bool is_bad = false, is_good = true;
	struct owner owner = {.pid = -1, .tid = -1};
	while (is_good && wire_take_field(&resource, &f, &is_bad)) {
		if (f.number == 1 && f.wire == WIRE_BYTES)
			take_resource(f.bytes, &owner);
		else if (f.number == 2 && f.wire == WIRE_BYTES)
			is_good = each_of_scope(o, f.bytes, &owner, take);
	}
	return is_good && !is_bad;
}

/* Calls take() for each profile. */
static bool each_profile(struct otlp *o, take_profile *take)
{
	struct slice rest = {o->all.data, o->all.len};
	struct wire_field f;
	bool is_bad = false, is_good = true;
	while (is_good && wire_take_field(&rest, &f, &is_bad)) {
		if (f.number == 1 && f.wire == WIRE_BYTES)
			is_good = each_of_resource(o, f.bytes, take);
	}
	return is_good && !is_bad;
}

static bool take_dictionaries(struct otlp *o)
{
	struct slice rest = {o->all.data, o->all.len};
	struct wire_field f;
	bool is_bad = false, is_good = true;
	while (is_good && wire_take_field(&rest, &f, &is_bad)) {
		if (f.number == 2 && f.wire == WIRE_BYTES)
			is_good = otlp_add_dictionary(&o->d, f.bytes);
	}
	return is_good && !is_bad;
}

static bool take_all(struct otlp *o, struct err *err)
{
	const struct otlp_table *strings = &o->d.tables[OTLP_STRINGS];
	if (!take_dictionaries(o))
		return malformed(err, "it is cut short or damaged");
	if (!strings->n || otlp_message(strings, 0).n)
		return malformed(err, "no dictionary of strings (written by another draft of the protocol?)");
	otlp_begin_stacks(&o->d);
	if (!each_profile(o, note_type))
		return malformed(err, "it is damaged, or has more than 64 types of values");
	if (!o->n_types)
		return true;
	if (!declare(o, err))
		return false;
	return each_profile(o, take_samples) || malformed(err, "a damaged sample");
}

/* What belongs to one document. */
static void drop_document(struct otlp *o)
{
	otlp_deinit(&o->d);
	memset(&o->d, 0, sizeof o->d);
	o->d.sink = o->sink;
	buf_init(&o->d.text);
	idmap_deinit(&o->type_ids);
	o->n_types = 0;
	o->all.len = 0;
}

/* Counts lines from one place of a text to a later one. */
struct line_count {
	const char *at;
	uint64_t line; /* of this place */
};

static uint64_t count_lines(struct line_count *c, const char *end)
{
	for (; c->at < end; c->at++)
		c->line += *c->at == '\n';
	return c->line;
}

/* Each document has a dictionary of its own. */
static bool take_documents(struct otlp *o, struct err *err)
{
	struct buf text = o->all;
	struct slice rest = slice_ltrim((struct slice){text.data, text.len});
	struct line_count lines = {text.data, 1};
	struct err why = {""};
	bool ok = true;
	buf_init(&o->all);
	while (ok && json_begins(rest)) {
		size_t n = otlp_json_length(rest.s, rest.n, o->sink->stop);
		drop_document(o);
		struct json_odd odd;
		ok = otlp_json_add(&o->all, rest.s, n, o->sink->stop, &odd, &why) ? take_all(o, err)
		                                                                  : malformed(err, why.text);
		if (odd.n)
			odd.line += count_lines(&lines, rest.s) - 1;
		json_odd_say(&odd, o->sink);
		rest = slice_ltrim(slice_from(rest, n));
	}
	if (ok && rest.n) {
		sink_lacks(o->sink)->is_cut_off = true;
		sink_warn(o->sink, "no JSON document begins here (what came before is read)", count_lines(&lines, rest.s),
		          NULL, 0);
	}
	buf_deinit(&text);
	return ok;
}

static void *otlp_start(struct sink *sink, struct err *err)
{
	struct otlp *o = mem_zalloc(1, sizeof *o);
	(void)err;
	o->sink = o->d.sink = sink;
	buf_init(&o->all);
	buf_init(&o->d.text);
	return o;
}

static bool otlp_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct otlp *o = state;
	(void)err;
	buf_add(&o->all, text, len);
	return true;
}

static bool otlp_finish(void *state, bool ok, struct err *err)
{
	struct otlp *o = state;
	ok = ok && (json_begins((struct slice){o->all.data, o->all.len}) ? take_documents(o, err) : take_all(o, err));
	otlp_deinit(&o->d);
	idmap_deinit(&o->type_ids);
	buf_deinit(&o->all);
	free(o->values);
	free(o->times);
	free(o);
	return ok;
}

/* ---- detection ----------------------------------------------------------------------------------------------- */

/*
 * Finds the first field `number` of a message of which only the beginning may be there; fields before it have lower
 * numbers than `most`. *inside becomes its bytes, all of them if is_whole, else as far as they are there.
 */
static bool find_inside(struct slice message, uint32_t number, uint32_t most, bool is_whole, struct slice *inside)
{
	struct wire_field f;
	bool is_bad = false;
	uint64_t key, n;
	for (struct slice at = message; at.n; at = message) {
		if (wire_take_field(&message, &f, &is_bad)) {
			*inside = f.bytes;
		} else {
			if (is_whole || !wire_take_varint(&at, &key) || (key & 7) != WIRE_BYTES || !wire_take_varint(&at, &n))
				return false;
			f.number = key >> 3 <= most ? (uint32_t)(key >> 3) : most + 1;
			f.wire = WIRE_BYTES;
			*inside = at;
			message = slice_from(at, at.n);
		}
		if (f.number == number && f.wire == WIRE_BYTES)
			return true;
		if (f.number > most)
			return false;
	}
	return false;
}

/* Two numbers: a type and its unit. Only complete ones count. */
static bool is_type(struct slice message)
{
	struct wire_field f;
	bool is_bad = false;
	unsigned n = 0;
	while (wire_take_field(&message, &f, &is_bad)) {
		if (f.number > 2 || f.wire != WIRE_VARINT)
			return false;
		n++;
	}
	return !is_bad && n > 0;
}

static enum sniff sniff_json(const struct head *head, const char **why)
{
	static const char *const keys[] = {"resourceProfiles", NULL};
	*why = "JSON without \"resourceProfiles\"";
	return json_head_has(head, keys) ? SNIFF_YES : SNIFF_NO;
}

static enum sniff otlp_sniff(const struct head *head, const char **why)
{
	struct slice text = {head->text, head->len}, inside;
	*why = "not the wire format of OpenTelemetry's profiles";
	if (json_begins(text))
		return sniff_json(head, why);
	if (!text.n || (*text.s != 0x0a && *text.s != 0x12))
		return SNIFF_NO;
	/* a profile with its type of values, or a dictionary whose first string is empty */
	if (find_inside(text, 1, 2, false, &inside) && find_inside(inside, 2, 3, false, &inside) &&
	    find_inside(inside, 2, 3, false, &inside) && find_inside(inside, 1, 16, true, &inside) && is_type(inside))
		return SNIFF_YES;
	if (*text.s == 0x12 && find_inside(text, 2, 2, false, &inside) &&
	    find_inside(inside, OTLP_STRINGS, OTLP_STACKS, true, &inside) && !inside.n)
		return SNIFF_YES;
	return SNIFF_NO;
}

const struct collapse_format format_otlp = {
	.name = "otlp",
	.help = "profiles of OpenTelemetry, as protocol buffers or JSON (--value=TYPE)",
	.sniff = otlp_sniff,
	.start = otlp_start,
	.feed = otlp_feed,
	.finish = otlp_finish,
	.is_text_stream = true,
	.effects = EFFECT_VALUE,
};
