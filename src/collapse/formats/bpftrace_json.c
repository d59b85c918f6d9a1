/*
 * bpftrace_json.c - parses the maps keyed by stacks that bpftrace -f json prints.
 *
 *	{"type": "attached_probes", "data": {"probes": 1}}
 *	{"type": "map", "data": {"@": {"\n    vfs_read+5\n    ksys_read+3\n,sh": 7}}}
 *
 *	sh;ksys_read+3;vfs_read+5 7
 *
 * Each line is a document. A key is what the text form prints between its brackets, but for blanks after commas.
 * So each entry becomes text again, which bpftrace.c reads.
 */
#include "base/json.h"
#include "collapse/formats.h"
#include "collapse/formats/bpftrace.h"
#include "collapse/text/lines.h"

#include "base/buf.h"

#define NO_COUNTS "not a map of counts (expected numbers of stacks)"

struct bpftrace_json {
	struct sink *sink;
	void *maps; /* state of the text format */
	struct json json;
	uint64_t line;
	bool is_open, is_bad; /* the line has begun; it is not JSON, which was said */
	bool is_type;         /* the next string is the type */
	bool is_data;         /* the open object of depth 2 holds maps, */
	bool is_map;          /* whose values are counts */
	bool is_lost;         /* or what was lost */
	struct buf name, key, text;
};

/* Appends a key as in text: a blank after each comma, outside of frames. */
static void add_key(struct buf *out, struct slice key)
{
	bool is_frame = false;
	for (size_t i = 0; i < key.n; i++) {
		if (!i || key.s[i - 1] == '\n')
			is_frame = is_blank_byte(key.s[i]) && key.s[i] != '\n';
		buf_addc(out, key.s[i]);
		if (key.s[i] == ',' && !is_frame)
			buf_addc(out, ' ');
	}
}

static void take_count(struct bpftrace_json *b, struct err *err)
{
	uint64_t line = b->sink->line;
	struct buf *text = &b->text;
	text->len = 0;
	buf_add(text, b->name.data, b->name.len);
	buf_addc(text, '[');
	add_key(text, (struct slice){buf_str(&b->key), b->key.len});
	buf_adds(text, "]: ");
	buf_add(text, b->json.text, b->json.len);
	buf_adds(text, "\n");
	b->sink->line = b->line - 1;
	buf_reserve(text, 64); /* readable, as feed() demands */
	format_bpftrace.feed(b->maps, text->data, text->len - 1, err);
	b->sink->line = line;
}

static void skip(struct bpftrace_json *b)
{
	sink_skip(b->sink, NO_COUNTS, b->line, b->name.data, b->name.len);
}

static bool is_name(struct bpftrace_json *b, const char *name)
{
	return slice_is((struct slice){buf_str(&b->name), b->name.len}, name);
}

/* {"type": "lost_events", "data": {"events": 123}} */
static bool take_lost(struct bpftrace_json *b)
{
	uint64_t lost;
	if (!b->is_lost || !b->is_data || b->json.depth != 2 || !is_name(b, "events"))
		return false;
	if (slice_u64((struct slice){b->json.text, b->json.len}, &lost))
		bpftrace_lost(b->sink, lost, b->line);
	return true;
}

static void skip_data(struct bpftrace_json *b)
{
	sink_skip(b->sink, ODD_MEMBER, b->line, "data", 4);
}

/* A value where a count should be, or a map of counts, or all maps. */
static void skip_in_map(struct bpftrace_json *b, enum json_token t)
{
	if (!b->is_data || !b->is_map)
		return;
	if (b->json.depth > 1)
		skip(b);
	else if (t != JSON_NULL)
		skip_data(b);
}

static void key_token(struct bpftrace_json *b)
{
	struct slice key = {b->json.text, b->json.len};
	b->is_type = b->json.depth == 1 && slice_is(key, "type");
	if (b->json.depth == 1)
		b->is_data = slice_is(key, "data");
	struct buf *out = b->json.depth == 2 ? &b->name : &b->key;
	out->len = 0;
	buf_add(out, key.s, key.n);
}

static void take_type(struct bpftrace_json *b, struct slice type)
{
	b->is_map = slice_is(type, "map");
	b->is_lost = slice_is(type, "lost_events");
}

/* Opens {"@": {...}}, {"@": {"wprog": [...]}} and the like; what holds no counts of stacks is left. */
static void open_token(struct bpftrace_json *b, enum json_token t)
{
	bool is_named = b->is_data && slice_starts((struct slice){buf_str(&b->name), b->name.len}, "@");
	if (b->json.depth == 2 && t == JSON_ARRAY && b->is_data && b->is_map) {
		skip_data(b);
		json_leave(&b->json);
		return;
	}
	if (b->json.depth <= 2 || (b->json.depth == 3 && is_named && b->is_map))
		return;
	if (is_named)
		skip(b);
	json_leave(&b->json);
}

/* false: the line ends, or is bad. */
static bool take_token(struct bpftrace_json *b, struct err *err)
{
	enum json_token t = json_next(&b->json);
	switch (t) {
	case JSON_KEY:
		key_token(b);
		return true;
	case JSON_STRING:
		if (b->is_type)
			take_type(b, (struct slice){b->json.text, b->json.len});
		skip_in_map(b, t);
		return true;
	case JSON_OBJECT:
	case JSON_ARRAY:
		open_token(b, t);
		return true;
	case JSON_NUMBER:
		if (b->is_data && b->is_map && b->json.depth == 3)
			take_count(b, err);
		else if (!take_lost(b))
			skip_in_map(b, t);
		return true;
	case JSON_ERROR:
		b->is_bad = true;
		sink_skip(b->sink, "not a line of JSON", b->line, NULL, 0);
		return false;
	case JSON_END:
		if (json_is_cut(&b->json))
			sink_warn(b->sink, "the line ends early: its last stacks are missing", b->line, NULL, 0);
		return false;
	case JSON_MORE:
		return false;
	case JSON_OBJECT_END:
	case JSON_ARRAY_END:
		return true;
	default:
		skip_in_map(b, t);
		return true;
	}
}

static void close_line(struct bpftrace_json *b)
{
	if (b->is_open)
		json_deinit(&b->json);
	b->is_open = b->is_bad = b->is_type = b->is_data = b->is_map = b->is_lost = false;
	b->name.len = 0;
}

static void read_tokens(struct bpftrace_json *b, struct slice part, bool is_last, struct err *err)
{
	json_feed(&b->json, part.s, part.n, is_last);
	while (!b->is_bad && take_token(b, err))
		;
}

static void take_part(struct bpftrace_json *b, struct slice part, struct err *err)
{
	while (!b->is_open && part.n && (*part.s == ' ' || *part.s == '\t' || *part.s == '\r'))
		part = slice_from(part, 1);
	if (!b->is_open && !part.n)
		return;
	if (!b->is_open)
		json_init(&b->json);
	b->is_open = true;
	if (!b->is_bad)
		read_tokens(b, part, false, err);
}

static void end_line(struct bpftrace_json *b, struct err *err)
{
	if (b->is_open && !b->is_bad)
		read_tokens(b, slice_of(""), true, err);
	close_line(b);
	b->line++;
}

static bool bpftrace_json_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct bpftrace_json *b = state;
	struct slice rest = {text, len};
	for (size_t eol; (eol = slice_find_byte(rest, '\n')) != SIZE_MAX; rest = slice_from(rest, eol + 1)) {
		take_part(b, slice_head(rest, eol), err);
		end_line(b, err);
	}
	if (rest.n)
		take_part(b, rest, err);
	return true;
}

static void *bpftrace_json_start(struct sink *sink, struct err *err)
{
	struct bpftrace_json *b = mem_zalloc(1, sizeof *b);
	b->sink = sink;
	b->line = 1;
	b->maps = format_bpftrace.start(sink, err);
	return b;
}

static bool bpftrace_json_finish(void *state, bool ok, struct err *err)
{
	struct bpftrace_json *b = state;
	if (ok)
		end_line(b, err);
	close_line(b);
	ok = format_bpftrace.finish(b->maps, ok, err);
	buf_deinit(&b->name);
	buf_deinit(&b->key);
	buf_deinit(&b->text);
	free(b);
	return ok;
}

/* Does the text begin like this, but for blanks? */
static bool begins(struct slice text, const char *what)
{
	for (size_t i = 0; *what; i++) {
		if (i == text.n || (text.s[i] != *what && !is_blank_byte(text.s[i])))
			return false;
		what += text.s[i] == *what;
	}
	return true;
}

/* The first lines tell what bpftrace attached, and what the script prints. */
static bool is_mine(struct slice line)
{
	return begins(line, "{\"type\":\"attached_probes\",\"data\":{") || begins(line, "{\"type\":\"lost_events\",") ||
	       begins(line, "{\"type\":\"map\",\"data\":{\"@") || begins(line, "{\"type\":\"hist\",\"data\":{\"@") ||
	       begins(line, "{\"type\":\"stats\",\"data\":{\"@");
}

static enum sniff bpftrace_json_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_mine, "no line '{\"type\": \"map\", \"data\": {\"@...'", why);
}

const struct collapse_format format_bpftrace_json = {
	.name = "bpftrace-json",
	.help = "maps of bpftrace as JSON: bpftrace -f json -e 'profile:hz:99 { @[kstack, ustack, comm] = count(); }'",
	.sniff = bpftrace_json_sniff,
	.start = bpftrace_json_start,
	.feed = bpftrace_json_feed,
	.finish = bpftrace_json_finish,
	.is_text_stream = true,
};
