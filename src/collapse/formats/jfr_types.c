/*
 * jfr_types.c - the types of a Flight Recorder chunk.
 *
 * Metadata are a table of strings, and a tree of elements with attributes, as XML would have it:
 *
 *	start duration id  N string*N  element
 *	element: name  N (key value)*N  N element*N        names, keys and values are numbers of strings
 *
 * A type that contains itself has no size; one may also be asked to repeat another a million times. So nesting and
 * the number of fields are limited, and types beyond that cannot be read. A file may have many small chunks, so all
 * types together have at most one field for each byte of the metadata, and those of one type.
 */
#include "collapse/formats/jfr_types.h"

#include <stdlib.h>

#define DEEPEST 8             /* types within types */
#define MOST_FIELDS 4096      /* of a type, including those of its fields */
#define MOST_STEPS (1u << 20) /* of all types */

enum element { TAG_OTHER, TAG_CLASS, TAG_FIELD, TAG_ANNOTATION };

struct jfr_element {
	uint64_t left; /* elements in it that are to come */
	enum element tag;
};

void jfr_types_deinit(struct jfr_types *t)
{
	free(t->v);
	idmap_deinit(&t->ids);
	free(t->fields);
	free(t->steps);
	free(t->strings);
	free(t->open);
}

/* --- the metadata --- */

static struct slice string_at(const struct jfr_types *t, uint64_t i)
{
	return i < t->n_strings ? t->strings[i] : (struct slice){"", 0};
}

static enum element tag_of(struct slice name, enum element around)
{
	if (slice_is(name, "class") && around == TAG_OTHER)
		return TAG_CLASS;
	if (slice_is(name, "field") && around == TAG_CLASS)
		return TAG_FIELD;
	return slice_is(name, "annotation") && around == TAG_FIELD ? TAG_ANNOTATION : TAG_OTHER;
}

static enum jfr_table table_of(struct slice type)
{
	static const char *const names[N_TABLES] = {
		[STRINGS] = "java.lang.String",        [SYMBOLS] = "jdk.types.Symbol",
		[CLASSES] = "java.lang.Class",         [METHODS] = "jdk.types.Method",
		[THREADS] = "java.lang.Thread",        [STACKS] = "jdk.types.StackTrace",
		[FRAME_TYPES] = "jdk.types.FrameType", [STATES] = "jdk.types.ThreadState",
		[OLD_OBJECTS] = "jdk.types.OldObject",
	};
	for (enum jfr_table i = TABLE_NONE + 1; i < N_TABLES; i++)
		if (slice_is(type, names[i]))
			return i;
	return TABLE_NONE;
}

static void set_span(struct jfr_field *f, struct slice unit)
{
	static const char *const units[] = {
		[SPAN_TICKS] = "TICKS",     [SPAN_NS] = "NANOSECONDS", [SPAN_US] = "MICROSECONDS",
		[SPAN_MS] = "MILLISECONDS", [SPAN_S] = "SECONDS",
	};
	for (enum jfr_span i = SPAN_TICKS; i <= SPAN_S; i++)
		if (slice_is(unit, units[i]))
			f->span = i;
}

static void take_class_attribute(struct jfr_types *t, struct slice key, struct slice value)
{
	struct jfr_type *type = &t->v[t->n - 1];
	uint64_t id;
	if (slice_is(key, "name")) {
		type->name = value;
		type->table = table_of(value);
	} else if (slice_is(key, "id") && slice_u64(value, &id)) {
		idmap_add(&t->ids, id, (uint32_t)(t->n - 1));
	}
}

static void take_field_attribute(struct jfr_types *t, struct slice key, struct slice value)
{
	struct jfr_field *f = &t->fields[t->n_fields - 1];
	if (slice_is(key, "name"))
		f->name = value;
	else if (slice_is(key, "class") && !slice_u64(value, &f->type))
		f->type = UINT64_MAX;
	else if (slice_is(key, "constantPool"))
		f->is_pooled = slice_is(value, "true");
	else if (slice_is(key, "dimension"))
		f->is_list = !slice_is(value, "0");
}

static void begin_element(struct jfr_types *t, enum element tag)
{
	if (tag == TAG_CLASS) {
		mem_push(t->v, t->n, t->cap, ((struct jfr_type){.name = {"", 0}, .first = t->n_fields}));
	} else if (tag == TAG_FIELD) {
		mem_push(t->fields, t->n_fields, t->cap_fields, ((struct jfr_field){.name = {"", 0}, .type = UINT64_MAX}));
		t->v[t->n - 1].n++;
	}
}

/* Takes an element up to those in it. */
static bool take_element(struct jfr_types *t, struct jfr_bytes *b)
{
	enum element around = t->n_open ? t->open[t->n_open - 1].tag : TAG_OTHER;
	enum element tag = tag_of(string_at(t, jfr_number(b)), around);
	begin_element(t, tag);
	for (uint64_t n = jfr_number(b); n-- && !b->is_bad;) {
		struct slice key = string_at(t, jfr_number(b)), value = string_at(t, jfr_number(b));
		if (tag == TAG_CLASS)
			take_class_attribute(t, key, value);
		else if (tag == TAG_FIELD)
			take_field_attribute(t, key, value);
		else if (tag == TAG_ANNOTATION && slice_is(key, "value"))
			set_span(&t->fields[t->n_fields - 1], value);
	}
	struct jfr_element e = {jfr_number(b), tag};
	mem_push(t->open, t->n_open, t->cap_open, e);
	return !b->is_bad && t->n < UINT32_MAX;
}

static bool take_elements(struct jfr_types *t, struct jfr_bytes *b)
{
	t->n_open = 0;
	do {
		if (!take_element(t, b))
			return false;
		while (t->n_open && !t->open[t->n_open - 1].left)
			t->n_open--;
		if (t->n_open)
			t->open[t->n_open - 1].left--;
	} while (t->n_open);
	return true;
}

bool jfr_types_read(struct jfr_types *t, struct jfr_bytes b)
{
	t->n = t->n_fields = t->n_steps = t->n_strings = 0;
	t->credit_left = MOST_FIELDS + (size_t)(b.end - b.at);
	idmap_deinit(&t->ids);
	for (int i = 0; i < 3; i++)
		jfr_number(&b);
	for (uint64_t n = jfr_number(&b); n-- && !b.is_bad;)
		mem_push(t->strings, t->n_strings, t->cap_strings, jfr_text(&b).bytes);
	if (b.is_bad || !take_elements(t, &b))
		return false;
	return true;
}

/* --- steps --- */

static enum jfr_slot slot_of(struct slice field)
{
	static const struct {
		const char *name;
		enum jfr_slot slot;
	} names[] = {
		{"startTime", SLOT_START},
		{"duration", SLOT_DURATION},
		{"eventThread", SLOT_THREAD},
		{"sampledThread", SLOT_THREAD},
		{"stackTrace", SLOT_STACK},
		{"state", SLOT_STATE},
		{"objectClass", SLOT_OBJECT},
		{"monitorClass", SLOT_OBJECT},
		{"parkedClass", SLOT_OBJECT},
		{"address", SLOT_ADDRESS},
		{"weight", SLOT_WEIGHT},
		{"size", SLOT_SIZE},
		{"allocationSize", SLOT_ALLOCATION},
		{"tlabSize", SLOT_TLAB},
		{"samples", SLOT_SAMPLES},
		{"samplingPeriod", SLOT_PERIOD},
		{"lostSamples", SLOT_LOST},
		{"name", SLOT_NAME},
		{"type", SLOT_TYPE},
		{"method", SLOT_METHOD},
		{"lineNumber", SLOT_LINE},
		{"string", SLOT_STRING},
		{"description", SLOT_DESCRIPTION},
		{"truncated", SLOT_TRUNCATED},
		{"frames", SLOT_FRAMES},
		{"osName", SLOT_OS_NAME},
		{"osThreadId", SLOT_OS_ID},
		{"javaName", SLOT_JAVA_NAME},
		{"virtual", SLOT_VIRTUAL},
		{"object", SLOT_OLD_OBJECT},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (slice_is(field, names[i].name))
			return names[i].slot;
	return SLOT_NONE;
}

static bool is_basic(struct slice type, enum jfr_step_kind *kind)
{
	static const struct {
		const char *name;
		enum jfr_step_kind kind;
	} basic[] = {
		{"int", STEP_NUMBER},   {"long", STEP_NUMBER},   {"short", STEP_NUMBER},
		{"char", STEP_NUMBER},  {"byte", STEP_BYTE},     {"boolean", STEP_BYTE},
		{"float", STEP_FIXED4}, {"double", STEP_FIXED8}, {"java.lang.String", STEP_TEXT},
	};
	for (size_t i = 0; i < sizeof basic / sizeof *basic; i++) {
		if (slice_is(type, basic[i].name)) {
			*kind = basic[i].kind;
			return true;
		}
	}
	return false;
}

static void push_step(struct jfr_types *t, enum jfr_step_kind kind, enum jfr_slot slot)
{
	mem_push(t->steps, t->n_steps, t->cap_steps, ((struct jfr_step){kind, slot, 0, true}));
}

static bool add_fields(struct jfr_types *t, struct jfr_type *of, const struct jfr_type *type, unsigned depth);

/* Adds the steps for a value of the type that belongs to `of`. */
static bool add_value(struct jfr_types *t, struct jfr_type *of, const struct jfr_field *f, enum jfr_slot slot,
                      unsigned depth)
{
	enum jfr_step_kind kind;
	uint32_t index;
	if (!idmap_find(&t->ids, f->type, &index))
		return false;
	if (f->is_pooled) {
		push_step(t, STEP_NUMBER, slot);
		if (t->v[index].table == STRINGS)
			of->pooled_texts |= 1u << slot;
		return true;
	}
	if (is_basic(t->v[index].name, &kind)) {
		push_step(t, kind, slot);
		if (kind == STEP_TEXT)
			of->texts |= 1u << slot;
		return true;
	}
	return depth < DEEPEST && add_fields(t, of, &t->v[index], depth + 1);
}

/* Only fields of the type itself have slots, not those of its fields. */
static bool add_field(struct jfr_types *t, struct jfr_type *of, const struct jfr_field *f, unsigned depth)
{
	enum jfr_slot slot = depth ? SLOT_NONE : slot_of(f->name);
	if (jfr_has(of, slot))
		slot = SLOT_NONE; /* the first one counts */
	of->has |= 1u << slot;
	if (slot == SLOT_FRAMES && f->is_list && !f->is_pooled) {
		of->items = f->type;
		of->has_items = true;
	}
	if (slot == SLOT_DURATION || slot == SLOT_PERIOD)
		of->period = f->span;
	if (!f->is_list)
		return add_value(t, of, f, slot, depth);
	size_t list = t->n_steps;
	push_step(t, STEP_LIST, slot);
	if (!add_value(t, of, f, SLOT_NONE, depth))
		return false;
	t->steps[list].n = (uint32_t)(t->n_steps - list - 1);
	for (size_t i = list + 1; i < t->n_steps; i++)
		t->steps[list].is_plain &= t->steps[i].kind == STEP_NUMBER;
	return true;
}

static bool add_fields(struct jfr_types *t, struct jfr_type *of, const struct jfr_type *type, unsigned depth)
{
	for (size_t i = 0; i < type->n; i++) {
		if (!t->credit)
			return false;
		t->credit--;
		if (!add_field(t, of, &t->fields[type->first + i], depth))
			return false;
	}
	return true;
}

static void make_steps(struct jfr_types *t, struct jfr_type *type)
{
	enum jfr_step_kind kind;
	bool is_good = true;
	type->step = t->n_steps;
	if (t->n_steps >= MOST_STEPS)
		t->credit_left = 0;
	size_t given = t->credit_left < MOST_FIELDS ? t->credit_left : MOST_FIELDS;
	t->credit = given;
	if (is_basic(type->name, &kind))
		push_step(t, kind, SLOT_NONE);
	else
		is_good = add_fields(t, type, type, 0);
	t->credit_left -= given - t->credit;
	type->n_steps = t->n_steps - type->step;
	type->state = is_good ? STEPS_KNOWN : STEPS_NEVER;
}

struct jfr_type *jfr_type(struct jfr_types *t, uint64_t id)
{
	uint32_t index;
	if (!idmap_find(&t->ids, id, &index))
		return NULL;
	struct jfr_type *type = &t->v[index];
	if (type->state == STEPS_UNKNOWN)
		make_steps(t, type);
	return type->state == STEPS_KNOWN ? type : NULL;
}

/* --- values --- */

static void take_steps(const struct jfr_step *step, const struct jfr_step *end, struct jfr_bytes *b,
                       const unsigned char *base, uint64_t *v);

/* Skips a list: its items have no fields of interest. Lists within lists are at most as deep as types. */
static void take_list(const struct jfr_step *list, struct jfr_bytes *b, const unsigned char *base, uint64_t *v)
{
	uint64_t n = jfr_number(b);
	if (!list->n)
		return;
	if (list->is_plain) {
		while (n-- && !b->is_bad)
			for (uint32_t i = 0; i < list->n && !b->is_bad; i++)
				jfr_number(b);
		return;
	}
	while (n-- && !b->is_bad)
		take_steps(list + 1, list + 1 + list->n, b, base, v);
}

static void take_steps(const struct jfr_step *step, const struct jfr_step *end, struct jfr_bytes *b,
                       const unsigned char *base, uint64_t *v)
{
	for (; step < end && !b->is_bad; step++) {
		uint64_t value = (uint64_t)(b->at - base);
		if (step->kind == STEP_NUMBER)
			value = jfr_number(b);
		else if (step->kind == STEP_BYTE)
			value = jfr_byte(b);
		else if (step->kind == STEP_FIXED4 || step->kind == STEP_FIXED8)
			jfr_skip(b, step->kind == STEP_FIXED4 ? 4 : 8);
		else if (step->kind == STEP_TEXT)
			jfr_text(b);
		else
			take_list(step, b, base, v);
		v[step->slot] = value;
		if (step->kind == STEP_LIST)
			step += step->n;
	}
}

void jfr_read(const struct jfr_types *t, const struct jfr_type *type, struct jfr_bytes *b,
              const unsigned char *base, uint64_t v[N_SLOTS])
{
	const struct jfr_step *step = t->steps + type->step;
	if (type->n_steps)
		take_steps(step, step + type->n_steps, b, base, v);
}
