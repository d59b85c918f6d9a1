/*
 * v8log.c - parses what `node --prof-process --preprocess LOG` makes of the log of node --prof.
 *
 *	{"code":[
 *	  {"name":"/usr/bin/node","type":"SHARED_LIB"},
 *	  {"name":"node::Start(int, char**)","type":"CPP"},
 *	  {"name":"run /tmp/a.js:2:14","type":"JS","kind":"Opt","func":136,"tm":144929,"source":{...}}],
 *	 "functions":[...],
 *	 "ticks":[{"tm":2656,"vm":0,"s":[2,1, 2,40000]},...],
 *	 "scripts":[...]}
 *
 * A stack `s` is a row of pairs, the leaf first: the number of JavaScript code or -1, and what is at the same
 * address in C++: a number of code as well, or the address. Beside JavaScript the second is wrong, so it counts
 * only at the leaf, where it is the native function that the stack calls. Each compilation of a function has a
 * number of its own.
 *
 * A tick lasts from the one before it; tm is in microseconds. The table of code is large, and few of its entries
 * are in a stack, so names become symbols when they are first needed.
 */
#include "collapse/formats.h"
#include "collapse/text/decimal.h"
#include "collapse/text/frames.h"
#include "collapse/text/json_doc.h"
#include "collapse/text/tidy.h"
#include "collapse/text/v8_profile.h"

#define COLLECTOR "(garbage collector)" /* as V8's other profiles call it */
#define PROGRAM "(program)"
#define STATE_COLLECTOR 1 /* of the virtual machine */
#define NO_CODE_NUMBER UINT64_MAX
#define BAD_CODE_NUMBER (UINT64_MAX - 1)

enum place { TOP = 1, CODES, CODE, TICKS, TICK, STACK };

static const struct json_rule rules[] = {
	{JSON_OUTSIDE, NULL, '{', TOP},
	{TOP, "code", '[', CODES},
	{CODES, NULL, '{', CODE},
	{TOP, "ticks", '[', TICKS},
	{TICKS, NULL, '{', TICK},
	{TICK, "s", JSON_NUMBERS, STACK},
	{TICK, "tm", JSON_NUMBER_MEMBER, 0},
	{TICK, "vm", JSON_NUMBER_MEMBER, 0},
	{CODE, "type", JSON_STRING_MEMBER, 0},
	{CODE, "name", JSON_STRING_MEMBER, 0},
};

enum code_type { CODE_OTHER, CODE_CPP, CODE_JS, CODE_LIBRARY };

struct code {
	size_t name, len; /* in v8log.names */
	uint32_t sym;     /* 0: not made yet */
	uint32_t type;
};

struct v8log {
	struct sink *sink;
	struct json_doc doc;
	uint32_t *codes; /* place in `said` + 1; 0: the input says nothing of it */
	size_t n_codes, cap_codes;
	struct code *said;
	size_t n_said, cap_said;
	struct buf names;
	uint64_t *stack; /* of the tick being read */
	size_t n_stack, cap_stack;
	int64_t time, last;
	uint64_t state;
	struct frames frames;
	struct buf name, file, scratch;
	uint32_t series;
};

static void *v8log_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct v8log *v = mem_zalloc(1, sizeof *v);
	v->sink = sink;
	v->series = profile_series(sink->profile, sink_sym(sink, "time", 4), sink_sym(sink, "us", 2));
	json_doc_init(&v->doc, rules, sizeof rules / sizeof *rules);
	return v;
}

/* ---- names --------------------------------------------------------------------------------------------------- */

static void set(struct buf *to, struct slice text)
{
	to->len = 0;
	buf_add(to, text.s, text.n);
}

/* Does a path or URL begin here? Both may have blanks, and so may the function before them ("get x"). */
static bool is_file(struct slice text)
{
	size_t blank = slice_find_byte(text, ' '); /* no colon is sought behind it: names may have many blanks */
	size_t colon = slice_find_byte(blank == SIZE_MAX ? text : slice_head(text, blank), ':');
	return slice_starts(text, "/") ||
	       (colon != SIZE_MAX && colon + 1 < text.n && colon > 0 && !is_digit_byte(text.s[colon + 1]));
}

/* Cuts ":12" off the end. SIZE_MAX: there is none. */
static size_t cut_number(struct slice *text)
{
	uint64_t number;
	size_t colon = slice_find_last(*text, ':');
	if (colon == SIZE_MAX || !slice_u64(slice_from(*text, colon + 1), &number) || number > INT32_MAX)
		return SIZE_MAX;
	*text = slice_head(*text, colon);
	return (size_t)number;
}

/* "run /tmp/a.js:2:14" */
static uint32_t script_frame(struct v8log *v, struct slice text)
{
	size_t at = slice_find_byte(text, ' '), last = slice_find_last(text, ' ');
	while (at != SIZE_MAX && at < last && !is_file(slice_from(text, at + 1)))
		at += 1 + slice_find_byte(slice_from(text, at + 1), ' ');
	if (at == SIZE_MAX)
		return sink_frame(v->sink, text.s, text.n);
	struct slice file = slice_from(text, at + 1), without = file;
	size_t column = cut_number(&without), line = cut_number(&without);
	bool has_line = column != SIZE_MAX && line != SIZE_MAX && line > 0;
	set(&v->name, slice_head(text, at));
	set(&v->file, has_line ? without : file);
	return v8_frame(v->sink, &v->scratch, &v->name, &v->file, has_line ? (int64_t)line - 1 : -1);
}

/* "[libc.so.6]" */
static uint32_t library_frame(struct v8log *v, struct slice path)
{
	size_t slash = slice_find_last(path, '/');
	struct slice base = slash == SIZE_MAX ? path : slice_from(path, slash + 1);
	v->name.len = 0;
	buf_addc(&v->name, '[');
	buf_add(&v->name, base.s, base.n);
	buf_addc(&v->name, ']');
	return sink_module(v->sink, sink_frame(v->sink, v->name.data, v->name.len), path.s, path.n);
}

static uint32_t code_frame(struct v8log *v, struct code *c)
{
	struct slice name = {v->names.data + c->name, c->len};
	if (c->sym || !name.n)
		return c->sym ? c->sym : (c->sym = sink_unknown(v->sink));
	if (c->type == CODE_JS)
		c->sym = script_frame(v, name);
	else if (c->type == CODE_LIBRARY)
		c->sym = library_frame(v, name);
	else
		c->sym = sink_frame(v->sink, name.s, c->type == CODE_CPP ? tidy_signature(name.s, name.n) : name.n);
	return c->sym;
}

/* ---- ticks --------------------------------------------------------------------------------------------------- */

static void push_code(struct v8log *v, uint64_t number)
{
	uint32_t said = number < v->n_codes ? v->codes[number] : 0;
	frames_push(&v->frames, said ? code_frame(v, &v->said[said - 1]) : sink_unknown(v->sink));
}

static void push_stack(struct v8log *v)
{
	v->frames.n = 0;
	if (v->state == STATE_COLLECTOR)
		frames_push(&v->frames, sink_sym(v->sink, COLLECTOR, sizeof COLLECTOR - 1));
	for (size_t i = 0; i < v->n_stack; i += 2) {
		if (v->stack[i] != NO_CODE_NUMBER)
			push_code(v, v->stack[i]);
		else if (i == 0 && v->n_stack > 1)
			push_code(v, v->stack[1]);
	}
	if (!v->frames.n)
		frames_push(&v->frames, sink_sym(v->sink, PROGRAM, sizeof PROGRAM - 1));
	frames_reverse(&v->frames);
}

static void end_tick(struct v8log *v)
{
	struct sample s = {.time = NO_TIME, .cpu = NO_CPU, .series = v->series};
	if (v->time < 0 || v->time < v->last) {
		sink_skip(v->sink, "a tick without a time, or before the last one", v->doc.json.line, NULL, 0);
		return;
	}
	s.weight = (uint64_t)(v->time - v->last);
	if (v->last < INT64_MAX / 1000)
		s.time = (uint64_t)v->last * 1000;
	v->last = v->time;
	push_stack(v);
	if (s.weight)
		sink_stack(v->sink, v->frames.syms, v->frames.n, &s);
}

static void begin(struct v8log *v)
{
	if (v->doc.place == CODE) {
		mem_push(v->codes, v->n_codes, v->cap_codes, 0);
	} else if (v->doc.place == TICK) {
		v->n_stack = 0;
		v->time = -1;
		v->state = 0;
	}
}

static void take_number(struct v8log *v, struct slice key, struct slice text)
{
	uint64_t number;
	if (v->doc.place == STACK)
		mem_push(v->stack, v->n_stack, v->cap_stack, slice_u64(text, &number) ? number : NO_CODE_NUMBER);
	else if (v->doc.place == TICK && slice_is(key, "vm"))
		v->state = slice_u64(text, &number) ? number : 0;
	else if (v->doc.place == TICK && slice_is(key, "tm") && !decimal_scaled(text.s, text.n, 0, &v->time))
		v->time = -1;
}

/* What follows keeps its place. */
static void take_odd(struct v8log *v)
{
	json_doc_skip(&v->doc, v->sink);
	if (v->doc.place == CODES)
		mem_push(v->codes, v->n_codes, v->cap_codes, 0);
	else if (v->doc.place == STACK)
		mem_push(v->stack, v->n_stack, v->cap_stack, BAD_CODE_NUMBER);
}

static uint32_t type_of(struct slice text)
{
	return slice_is(text, "JS")           ? CODE_JS
	       : slice_is(text, "CPP")        ? CODE_CPP
	       : slice_is(text, "SHARED_LIB") ? CODE_LIBRARY
	                                      : CODE_OTHER;
}

/* The code that is being read, of which the input says something. */
static struct code *code_said(struct v8log *v)
{
	uint32_t *said = &v->codes[v->n_codes - 1];
	if (!*said) {
		mem_push(v->said, v->n_said, v->cap_said, ((struct code){.name = v->names.len}));
		*said = (uint32_t)v->n_said;
	}
	return &v->said[*said - 1];
}

static void take_string(struct v8log *v, struct slice key, struct slice text)
{
	if (v->doc.place != CODE || !(slice_is(key, "type") || slice_is(key, "name")))
		return;
	struct code *c = code_said(v);
	if (slice_is(key, "type")) {
		c->type = type_of(text);
	} else if (slice_is(key, "name")) {
		c->name = v->names.len;
		c->len = text.n;
		buf_add(&v->names, text.s, text.n);
	}
}

static bool v8log_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct v8log *v = state;
	enum json_token t;
	json_doc_feed(&v->doc, text, len);
	while ((t = json_doc_next(&v->doc)) > JSON_MORE) {
		if (t == JSON_NUMBER)
			take_number(v, v->doc.key, v->doc.text);
		else if (t == JSON_STRING)
			take_string(v, v->doc.key, v->doc.text);
		else if (t == JSON_OBJECT)
			begin(v);
		else if (t == JSON_OBJECT_END && v->doc.place == TICK)
			end_tick(v);
		else if (t == JSON_ODD)
			take_odd(v);
	}
	return t != JSON_ERROR || fail(err, "%s", v->doc.json.err.text);
}

static bool v8log_finish(void *state, bool ok, struct err *err)
{
	struct v8log *v = state;
	ok = json_doc_end(&v->doc, v->sink, ok, err);
	json_doc_deinit(&v->doc);
	frames_deinit(&v->frames);
	free(v->codes);
	free(v->said);
	free(v->stack);
	buf_deinit(&v->names);
	buf_deinit(&v->name);
	buf_deinit(&v->file);
	buf_deinit(&v->scratch);
	free(v);
	return ok;
}

/* The table of code comes first, and is larger than what a sniffer sees. */
static bool has_code(struct json_doc *doc)
{
	enum json_token t;
	while ((t = json_doc_next(doc)) > JSON_MORE) {
		if (t == JSON_STRING && doc->place == CODE && slice_is(doc->key, "type"))
			return type_of(doc->text) != CODE_OTHER || slice_is(doc->text, "CODE");
	}
	return false;
}

static enum sniff v8log_sniff(const struct head *head, const char **why)
{
	struct slice text = slice_ltrim((struct slice){head->text, head->len});
	struct json_doc doc;
	*why = "not a JSON object with a list of \"code\" that has a \"type\"";
	if (!slice_starts(text, "{") || !slice_has(text, "\"code\""))
		return SNIFF_NO;
	json_doc_init(&doc, rules, sizeof rules / sizeof *rules);
	json_doc_feed(&doc, text.s, text.n);
	bool is_mine = has_code(&doc);
	json_doc_deinit(&doc);
	return is_mine ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_v8log = {
	.name = "v8log",
	.help = "log of node --prof, by node --prof-process --preprocess",
	.sniff = v8log_sniff,
	.start = v8log_start,
	.feed = v8log_feed,
	.finish = v8log_finish,
	.is_text_stream = true,
	.has_spans = true,
};
