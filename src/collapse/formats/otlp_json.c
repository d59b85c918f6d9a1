/*
 * otlp_json.c - turns an OpenTelemetry profile as JSON into the same message as protocol buffers.
 *
 *	{"resourceProfiles": [{"scopeProfiles": [{"profiles": [{"samples": [{"stackIndex": 1, "values": ["5"]}]}]}]}],
 *	 "dictionary": {"stringTable": ["", "main"], ...}}
 *
 * A table has the fields of each kind of message. Their names may also be those of the protocol's definition
 * (stack_index); numbers of 64 bits are strings or numbers.
 */
#include "collapse/formats/otlp_json.h"

#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/wire.h"

#define LENGTH_BYTES 5u /* of a number that is written when its message ends */
#define MOST_DEPTH 64u  /* of messages that the table knows */

enum message {
	NONE,
	DATA,
	RESOURCE_PROFILES,
	RESOURCE,
	SCOPE_PROFILES,
	PROFILE,
	VALUE_TYPE,
	SAMPLE,
	DICTIONARY,
	MAPPING,
	LOCATION,
	LINE,
	FUNCTION,
	STACK,
	ATTRIBUTE,
	KEY_VALUE,
	ANY_VALUE,
	/* what is no message */
	NUMBER,
	FIXED,
	BOOL,
	TEXT
};

static const struct json_field {
	unsigned char in, number, is; /* enum message */
	const char *name;
	enum { ONE, LIST, EITHER } form; /* it changed between versions of the definition: EITHER */
} fields[] = {
	{DATA, 1, RESOURCE_PROFILES, "resourceProfiles", LIST},
	{DATA, 2, DICTIONARY, "dictionary", ONE},
	{RESOURCE_PROFILES, 1, RESOURCE, "resource", ONE},
	{RESOURCE_PROFILES, 2, SCOPE_PROFILES, "scopeProfiles", LIST},
	{RESOURCE, 1, KEY_VALUE, "attributes", LIST},
	{SCOPE_PROFILES, 2, PROFILE, "profiles", LIST},
	{PROFILE, 1, VALUE_TYPE, "sampleType", EITHER},
	{PROFILE, 2, SAMPLE, "samples", LIST},
	{PROFILE, 2, SAMPLE, "sample", LIST},
	{PROFILE, 3, FIXED, "timeUnixNano", ONE},
	{PROFILE, 4, NUMBER, "durationNano", ONE},
	{PROFILE, 5, VALUE_TYPE, "periodType", ONE},
	{PROFILE, 6, NUMBER, "period", ONE},
	{VALUE_TYPE, 1, NUMBER, "typeStrindex", ONE},
	{VALUE_TYPE, 2, NUMBER, "unitStrindex", ONE},
	{SAMPLE, 1, NUMBER, "stackIndex", ONE},
	{SAMPLE, 2, NUMBER, "attributeIndices", LIST},
	{SAMPLE, 3, NUMBER, "linkIndex", ONE},
	{SAMPLE, 4, NUMBER, "values", LIST},
	{SAMPLE, 5, FIXED, "timestampsUnixNano", LIST},
	{DICTIONARY, 1, MAPPING, "mappingTable", LIST},
	{DICTIONARY, 2, LOCATION, "locationTable", LIST},
	{DICTIONARY, 3, FUNCTION, "functionTable", LIST},
	{DICTIONARY, 5, TEXT, "stringTable", LIST},
	{DICTIONARY, 6, ATTRIBUTE, "attributeTable", LIST},
	{DICTIONARY, 7, STACK, "stackTable", LIST},
	{MAPPING, 1, NUMBER, "memoryStart", ONE},
	{MAPPING, 2, NUMBER, "memoryLimit", ONE},
	{MAPPING, 3, NUMBER, "fileOffset", ONE},
	{MAPPING, 4, NUMBER, "filenameStrindex", ONE},
	{LOCATION, 1, NUMBER, "mappingIndex", ONE},
	{LOCATION, 2, NUMBER, "address", ONE},
	{LOCATION, 3, LINE, "lines", LIST},
	{LOCATION, 3, LINE, "line", LIST},
	{LOCATION, 4, NUMBER, "attributeIndices", LIST},
	{LINE, 1, NUMBER, "functionIndex", ONE},
	{LINE, 2, NUMBER, "line", ONE},
	{LINE, 3, NUMBER, "column", ONE},
	{FUNCTION, 1, NUMBER, "nameStrindex", ONE},
	{FUNCTION, 2, NUMBER, "systemNameStrindex", ONE},
	{FUNCTION, 3, NUMBER, "filenameStrindex", ONE},
	{FUNCTION, 4, NUMBER, "startLine", ONE},
	{STACK, 1, NUMBER, "locationIndices", LIST},
	{ATTRIBUTE, 1, NUMBER, "keyStrindex", ONE},
	{ATTRIBUTE, 2, ANY_VALUE, "value", ONE},
	{ATTRIBUTE, 3, NUMBER, "unitStrindex", ONE},
	{KEY_VALUE, 1, TEXT, "key", ONE},
	{KEY_VALUE, 2, ANY_VALUE, "value", ONE},
	{ANY_VALUE, 1, TEXT, "stringValue", ONE},
	{ANY_VALUE, 2, BOOL, "boolValue", ONE},
	{ANY_VALUE, 3, NUMBER, "intValue", ONE},
};

/* An open container. */
struct level {
	const struct json_field *of; /* an array: of these; NULL: a message */
	unsigned char in;            /* of a message: which */
	size_t start;                /* of the bytes of the message, after its length; 0: it has none */
};

struct transcoder {
	struct buf *out;
	struct json json;
	struct level levels[MOST_DEPTH];
	size_t n;
	const struct json_field *field; /* of the last key; NULL: unknown */
	struct json_odd odd;
};

static bool is_stopped(const atomic_bool *stop)
{
	return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

size_t otlp_json_length(const char *text, size_t n, const atomic_bool *stop)
{
	size_t depth = 0;
	bool is_text = false;
	for (size_t i = 0; i < n && !is_stopped(stop); i++) {
		char c = text[i];
		if (is_text && c == '\\')
			i++;
		else if (c == '"')
			is_text = !is_text;
		else if (!is_text && (c == '{' || c == '['))
			depth++;
		else if (!is_text && (c == '}' || c == ']') && (depth == 0 || --depth == 0))
			return i + 1;
	}
	return n;
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

/* Returns where the bytes of the message begin. */
static size_t open_message(struct buf *out, const struct json_field *f)
{
	wire_add_key(out, f->number, WIRE_BYTES);
	memset(buf_reserve(out, LENGTH_BYTES), 0, LENGTH_BYTES);
	out->len += LENGTH_BYTES;
	return out->len;
}

static void close_message(struct buf *out, size_t start)
{
	uint64_t n = out->len - start;
	for (size_t i = 0; i < LENGTH_BYTES; i++, n >>= 7)
		out->data[start - LENGTH_BYTES + i] = (char)((n & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

static const struct json_field *find_field(unsigned in, struct slice key)
{
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (fields[i].in == in && json_is_name(key, fields[i].name))
			return &fields[i];
	return NULL;
}

/* "-5": its bits; false: it is no integer of 64 bits. */
static bool read_integer(const struct json *j, uint64_t *v)
{
	bool is_negative = j->len && *j->text == '-';
	*v = 0;
	for (size_t i = is_negative; i < j->len; i++) {
		unsigned digit = (unsigned char)j->text[i] - (unsigned)'0';
		if (digit > 9 || *v > (UINT64_MAX - digit) / 10)
			return false;
		*v = *v * 10 + digit;
	}
	if (is_negative && *v > UINT64_C(1) << 63)
		return false;
	*v = is_negative ? 0 - *v : *v;
	return j->len > is_negative;
}

/* A packed list has one key for all its numbers. */
static void add_number(struct transcoder *t, const struct json_field *f, uint64_t v)
{
	bool is_packed = t->levels[t->n - 1].of;
	if (!is_packed)
		wire_add_key(t->out, f->number, f->is == FIXED ? WIRE_FIXED64 : WIRE_VARINT);
	if (f->is == FIXED)
		wire_add_fixed64(t->out, v);
	else
		wire_add_varint(t->out, v);
}

/* What the elements of a list of these have to be. */
static unsigned wanted(const struct json_field *f)
{
	if (f->is == TEXT)
		return JSON_SET(JSON_STRING);
	if (f->is < NUMBER)
		return JSON_SET(JSON_OBJECT);
	return JSON_SET(JSON_NUMBER) | JSON_SET(JSON_STRING);
}

/* Is it an element of the wrong kind? An empty message or text, or 0, takes its place. */
static bool take_odd(struct transcoder *t, enum json_token token)
{
	const struct json_field *list = t->n ? t->levels[t->n - 1].of : NULL;
	uint64_t line = t->json.line;
	if (!list || !json_is_odd(&t->json, token, wanted(list)))
		return false;
	json_odd_add(&t->odd, (struct json_odd){.n = 1, .line = line});
	if (list->is < NUMBER || list->is == TEXT)
		wire_add_bytes(t->out, list->number, "", 0);
	else
		add_number(t, list, 0);
	return true;
}

/* Is it a value where a list of them has to be? */
static bool is_single(const struct transcoder *t, const struct json_field *f)
{
	return f->form == LIST && !t->levels[t->n - 1].of;
}

static bool take_value(struct transcoder *t, const struct json_field *f, enum json_token token, struct err *err)
{
	uint64_t v;
	if (token == JSON_NULL)
		return true;
	if (f->is == TEXT && token == JSON_STRING && !is_single(t, f)) {
		wire_add_bytes(t->out, f->number, t->json.text, t->json.len);
		return true;
	}
	bool is_flag = token == JSON_TRUE || token == JSON_FALSE;
	if (f->is < NUMBER || f->is == TEXT || (f->is == BOOL) != is_flag || is_single(t, f))
		return fail(err, "\"%s\" is of another kind", f->name);
	if (is_flag)
		v = token == JSON_TRUE;
	else if (!read_integer(&t->json, &v))
		return fail(err, "\"%s\" is not an integer", f->name);
	add_number(t, f, v);
	return true;
}

static bool push(struct transcoder *t, struct level level, struct err *err)
{
	if (t->n == MOST_DEPTH)
		return fail(err, "too many levels");
	t->levels[t->n++] = level;
	return true;
}

/* An object or an array begins. */
static bool open_container(struct transcoder *t, const struct json_field *f, enum json_token token, struct err *err)
{
	struct level *top = t->n ? &t->levels[t->n - 1] : NULL;
	if (!top)
		return token == JSON_OBJECT ? push(t, (struct level){.in = DATA}, err) : fail(err, "not an object");
	if (!f) {
		json_leave(&t->json);
		return true;
	}
	if (token == JSON_ARRAY && !top->of && f->form != ONE)
		return push(t, (struct level){f, 0, f->is == NUMBER || f->is == FIXED ? open_message(t->out, f) : 0}, err);
	if (token == JSON_ARRAY || f->is >= NUMBER || is_single(t, f))
		return fail(err, "\"%s\" is of another kind", f->name);
	return push(t, (struct level){NULL, f->is, open_message(t->out, f)}, err);
}

static void close_container(struct transcoder *t)
{
	struct level *top = &t->levels[--t->n];
	if (top->start)
		close_message(t->out, top->start);
}

static bool take_token(struct transcoder *t, enum json_token token, struct err *err)
{
	const struct json_field *f = t->n && t->levels[t->n - 1].of ? t->levels[t->n - 1].of : t->field;
	if (take_odd(t, token))
		return true;
	switch (token) {
	case JSON_KEY:
		t->field = find_field(t->levels[t->n - 1].in, (struct slice){t->json.text, t->json.len});
		return true;
	case JSON_OBJECT:
	case JSON_ARRAY:
		return open_container(t, f, token, err);
	case JSON_OBJECT_END:
	case JSON_ARRAY_END:
		close_container(t);
		return true;
	default:
		return !f || t->n == 0 || take_value(t, f, token, err);
	}
}

bool otlp_json_add(struct buf *out, const char *text, size_t n, const atomic_bool *stop, struct json_odd *odd,
                   struct err *err)
{
	struct transcoder *t = mem_zalloc(1, sizeof *t);
	enum json_token token = JSON_MORE;
	bool is_good = true;
	t->out = out;
	json_init(&t->json);
	json_feed(&t->json, text, n, true);
	while (is_good && (token = json_next(&t->json)) > JSON_MORE)
		is_good = is_stopped(stop) ? fail(err, "reading was stopped") : take_token(t, token, err);
	if (is_good && token == JSON_ERROR)
		is_good = fail(err, "%s", t->json.err.text);
	else if (is_good && json_is_cut(&t->json))
		is_good = fail(err, "it is cut short");
	*odd = t->odd;
	json_deinit(&t->json);
	free(t);
	return is_good;
}
