/*
 * json.c - a pull parser for JSON that is fed in pieces.
 *
 * Traces may be one object of hundreds of megabytes, so no document is built. A piece may end anywhere:
 *
 *	{"traceEvents":[{"name":"Lay | out","ts":12 | 3.5}, ...
 *	                             ^              ^ cuts
 *
 * Structure needs no look-ahead: `state` says what may come next, and one bit per container whether it is an
 * object. A piece can only cut strings and words (numbers and literals); their beginning goes to `raw` and the next
 * piece continues it. A token within one piece is not copied unless it has escapes to decode.
 *
 * Objects of a list mostly have the same keys in the same order. So the key at each place of an object is compared
 * with the one that was there in the object before, 16 bytes at once with its quotes and colon.
 */
#include "base/json.h"

#include <stdio.h>
#include <string.h>

#include "base/hex.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/scan.h"
#include "base/utf8.h"

enum { WANT_VALUE, WANT_KEY, WANT_COLON, WANT_COMMA, WANT_NOTHING, BROKEN };
enum { NOT_PARTIAL, PARTIAL_STRING, PARTIAL_WORD };

void json_init(struct json *j)
{
	*j = (struct json){.line = 1, .state = WANT_VALUE};
	buf_init(&j->raw);
	buf_init(&j->decoded);
}

void json_deinit(struct json *j)
{
	buf_deinit(&j->raw);
	buf_deinit(&j->decoded);
	free(j->kinds);
	j->kinds = NULL;
}

void json_feed(struct json *j, const char *text, size_t len, bool is_last)
{
	j->p = text;
	j->end = text + len;
	j->is_last = is_last;
}

void json_leave(struct json *j)
{
	j->leave = j->depth;
}

bool json_is_cut(const struct json *j)
{
	return j->depth > 0 || j->state != WANT_NOTHING;
}

static enum json_token json_broken(struct json *j, const char *what)
{
	j->state = BROKEN;
	fail(&j->err, "line %llu: %s", (unsigned long long)j->line, what);
	return JSON_ERROR;
}

static enum json_token unexpected(struct json *j, char c)
{
	static const char *const wanted[] = {
		"a value", "a key or '}'", "':'", "',' or a closing bracket", "nothing after the end of the document",
		"nothing"};
	char what[80];
	snprintf(what, sizeof what,
	         c > ' ' && c < 127 ? "unexpected '%c' (expected %s)" : "unexpected byte %d (expected %s)", c,
	         wanted[j->state]);
	return json_broken(j, what);
}

static bool in_object(const struct json *j)
{
	uint32_t top = j->depth - 1;
	return j->depth && (j->kinds[top / 64] >> (top % 64) & 1);
}

/* A value is complete; the container around it decides what comes next. */
static enum json_token after_value(struct json *j, enum json_token t)
{
	j->state = j->depth ? WANT_COMMA : WANT_NOTHING;
	return t;
}

static enum json_token open_container(struct json *j, bool is_object)
{
	if (j->depth >= JSON_DEPTH_MAX)
		return json_broken(j, "containers are nested too deeply");
	if (j->depth / 64 >= j->cap_kinds)
		j->kinds = mem_grow(j->kinds, &j->cap_kinds, j->depth / 64 + 1, sizeof *j->kinds);
	uint64_t bit = (uint64_t)1 << (j->depth % 64), *word = &j->kinds[j->depth / 64];
	*word = is_object ? *word | bit : *word & ~bit;
	j->depth++;
	j->n_keys[j->depth % JSON_LEVELS] = 0;
	j->state = is_object ? WANT_KEY : WANT_VALUE;
	return is_object ? JSON_OBJECT : JSON_ARRAY;
}

/* A closing bracket may follow a value, an opening bracket, and (leniently) a comma. */
static enum json_token close_container(struct json *j, char c)
{
	bool is_object = in_object(j);
	bool is_right = j->depth && is_object == (c == '}');
	if (!is_right || (is_object && j->state == WANT_VALUE) || j->state == WANT_COLON)
		return unexpected(j, c);
	j->depth--;
	return after_value(j, is_object ? JSON_OBJECT_END : JSON_ARRAY_END);
}

/* Four hex digits at p; UTF8_BAD if they are not hex digits. */
static uint32_t hex4(const char *p, const char *end)
{
	int high = end - p < 4 ? -1 : hex_byte(p), low = high < 0 ? -1 : hex_byte(p + 2);
	return low < 0 ? UTF8_BAD : (uint32_t)high << 8 | (uint32_t)low;
}

/* Decodes a \u escape whose digits begin at p; an unpaired surrogate becomes three bytes that are no UTF-8. */
static const char *decode_unicode(struct buf *out, const char *p, const char *end)
{
	uint32_t cp = hex4(p, end);
	if (cp == UTF8_BAD) {
		buf_addc(out, 'u');
		return p;
	}
	p += 4;
	bool is_high = cp >= 0xd800 && cp < 0xdc00;
	if (is_high && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
		uint32_t low = hex4(p + 2, end);
		if (low >= 0xdc00 && low < 0xe000) {
			cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
			p += 6;
		}
	}
	utf8_add(out, cp);
	return p;
}

static void decode(struct buf *out, const char *p, size_t len)
{
	static const char plain[] = "bfnrt", meant[] = "\b\f\n\r\t";
	const char *end = p + len;
	out->len = 0;
	while (p < end) {
		const char *slash = memchr(p, '\\', (size_t)(end - p));
		const char *stop = slash ? slash : end;
		buf_add(out, p, (size_t)(stop - p));
		p = stop + 2;
		if (p > end)
			return;
		const char *known = strchr(plain, p[-1]);
		if (p[-1] == 'u')
			p = decode_unicode(out, p, end);
		else
			buf_addc(out, p[-1] && known ? meant[known - plain] : p[-1]);
	}
}

/* Completes the token with s[0..n) and what earlier pieces held of it. */
static void set_text(struct json *j, const char *s, size_t n)
{
	if (j->partial != NOT_PARTIAL) {
		buf_add(&j->raw, s, n);
		s = j->raw.data;
		n = j->raw.len;
	}
	j->partial = NOT_PARTIAL;
	j->text = s;
	j->len = n;
	if (!j->has_escape)
		return;
	decode(&j->decoded, s, n);
	j->text = j->decoded.data;
	j->len = j->decoded.len;
}

/* The piece ends within a token: keeps s[0..n) for the next one. */
static enum json_token keep_partial(struct json *j, unsigned kind, const char *s, size_t n)
{
	if (j->partial == NOT_PARTIAL)
		j->raw.len = 0;
	j->partial = kind;
	if (j->raw.len + n > JSON_TOKEN_MAX)
		return json_broken(j, "a string or number is too long");
	buf_add(&j->raw, s, n);
	j->p = j->end;
	return JSON_MORE;
}

/* The first byte from p on that is no plain letter of a string, or a place short of the end. */
static const char *skip_letters(const char *p, const char *end)
{
	for (; end - p >= 32; p += 32) {
		uint32_t mask = scan_mask(p, '"') | scan_mask(p, '\\') | scan_mask(p, '\n');
		if (mask)
			return p + __builtin_ctz(mask);
	}
	return p;
}

/* p is after the opening quote, or at the start of a piece that continues the string. */
static enum json_token read_string(struct json *j)
{
	const char *start = j->p, *p = start;
	if (j->partial == NOT_PARTIAL)
		j->is_escaped = j->has_escape = false;
	if (!j->is_escaped)
		p = skip_letters(p, j->end);
	for (; p < j->end; p++) {
		if (*p > '\\' && !j->is_escaped) /* most letters */
			continue;
		if (j->is_escaped) {
			j->is_escaped = false;
		} else if (*p == '\\') {
			j->is_escaped = j->has_escape = true;
		} else if (*p == '"') {
			break;
		}
		j->line += *p == '\n';
	}
	if (p == j->end)
		return keep_partial(j, PARTIAL_STRING, start, (size_t)(p - start));
	j->p = p + 1;
	set_text(j, start, (size_t)(p - start));
	if (j->state != WANT_KEY)
		return after_value(j, JSON_STRING);
	j->state = WANT_COLON;
	return JSON_KEY;
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' ||
	       c == '.';
}

static bool text_is(const struct json *j, const char *word)
{
	return j->len == strlen(word) && memcmp(j->text, word, j->len) == 0;
}

/* Reads a number or a literal. The caller checks the form of a number. */
static enum json_token read_word(struct json *j)
{
	const char *start = j->p, *p = start;
	while (p < j->end && is_word(*p))
		p++;
	if (p == j->end && !j->is_last)
		return keep_partial(j, PARTIAL_WORD, start, (size_t)(p - start));
	j->p = p;
	j->has_escape = false;
	set_text(j, start, (size_t)(p - start));
	if (j->len && *j->text >= '0' && *j->text <= '9') /* most words are numbers */
		return after_value(j, JSON_NUMBER);
	if (text_is(j, "true"))
		return after_value(j, JSON_TRUE);
	if (text_is(j, "false"))
		return after_value(j, JSON_FALSE);
	if (text_is(j, "null") || text_is(j, "NaN") || text_is(j, "Infinity") || text_is(j, "-Infinity"))
		return after_value(j, JSON_NULL);
	if (j->len && *j->text == '-')
		return after_value(j, JSON_NUMBER);
	return json_broken(j, "unknown word (expected a value)");
}

static enum json_token read_value(struct json *j, char c)
{
	if (c == '{' || c == '[') {
		j->p++;
		return open_container(j, c == '{');
	}
	if (c == '"') {
		j->p++;
		return read_string(j);
	}
	return is_word(c) ? read_word(j) : unexpected(j, c);
}

static bool is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static void skip_space(struct json *j)
{
	const char *p = j->p;
	for (; p < j->end && is_space(*p); p++)
		j->line += *p == '\n';
	j->p = p;
}

static uint64_t load(const char *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof v);
	return v;
}

/* Does the key at j->p, at its quote, equal the one expected there? Then it is read, with its colon. */
static bool take_expected(struct json *j, const struct json_key *key)
{
	const char *p = j->p;
	if (!key->n || j->end - p < (ptrdiff_t)sizeof key->text ||
	    (((load(p) ^ key->text[0]) & key->mask[0]) | ((load(p + 8) ^ key->text[1]) & key->mask[1])))
		return false;
	j->text = p + 1;
	j->len = key->n - 3;
	j->has_escape = false;
	j->state = WANT_VALUE;
	j->p = p + key->n;
	return true;
}

/* Expects the key that was read from its quote at p on the next time, if it is short and a colon follows. */
static void expect_again(const struct json *j, const char *p, struct json_key *key)
{
	size_t n = (size_t)(j->p - p) + 1;
	key->n = 0;
	if (n > sizeof key->text || j->end - p < (ptrdiff_t)sizeof key->text || *j->p != ':' || j->has_escape ||
	    memchr(p, '\n', n)) /* whose line would not be counted */
		return;
	*key = (struct json_key){.text = {load(p), load(p + 8)}, .n = (uint32_t)n};
	memset(key->mask, 0xff, n);
}

/* j->p is at the quote. */
static enum json_token read_key(struct json *j)
{
	const char *p = j->p;
	unsigned level = j->depth % JSON_LEVELS;
	struct json_key *key = &j->keys[level][j->n_keys[level]++ % JSON_KEYS];
	if (take_expected(j, key))
		return JSON_KEY;
	j->p++;
	enum json_token t = read_string(j);
	if (t == JSON_KEY)
		expect_again(j, p, key);
	return t;
}

/* Skips commas and colons up to the next token. */
static enum json_token read_token(struct json *j)
{
	for (;; j->p++) {
		skip_space(j);
		if (j->p == j->end)
			return j->is_last ? JSON_END : JSON_MORE;
		char c = *j->p;
		if (c == '}' || c == ']') {
			enum json_token t = close_container(j, c);
			j->p += t != JSON_ERROR;
			return t;
		}
		if (j->state == WANT_COMMA && c == ',')
			j->state = in_object(j) ? WANT_KEY : WANT_VALUE;
		else if (j->state == WANT_COLON && c == ':')
			j->state = WANT_VALUE;
		else if (j->state == WANT_VALUE)
			return read_value(j, c);
		else if (j->state != WANT_KEY || c != '"')
			return unexpected(j, c);
		else
			break;
	}
	return read_key(j);
}

/* The input has ended: this may complete a word, but not a string. */
static enum json_token at_end(struct json *j)
{
	if (j->partial == PARTIAL_WORD)
		return read_word(j);
	j->partial = NOT_PARTIAL;
	return JSON_END;
}

static enum json_token next_raw(struct json *j)
{
	if (j->state == BROKEN)
		return JSON_ERROR;
	if (j->p == j->end)
		return j->is_last ? at_end(j) : JSON_MORE;
	if (j->partial == PARTIAL_STRING)
		return read_string(j);
	return j->partial == PARTIAL_WORD ? read_word(j) : read_token(j);
}

enum json_token json_next(struct json *j)
{
	for (;;) {
		enum json_token t = next_raw(j);
		if (!j->leave || t <= JSON_MORE)
			return t;
		if (j->depth < j->leave)
			j->leave = 0;
	}
}

size_t json_short_numbers(struct json *j, uint32_t *v, size_t most)
{
	const char *p = j->p;
	size_t n = 0;
	bool is_list = j->depth && !in_object(j) && !j->leave && j->partial == NOT_PARTIAL;
	bool is_after = j->state == WANT_COMMA && p < j->end && *p == ',';
	if (!is_list || (!is_after && j->state != WANT_VALUE))
		return 0;
	for (p += is_after; n < most && j->end - p >= 8; p++) {
		uint64_t value;
		size_t digits = number_short(p, &value);
		if (digits == 0 || digits == 8 || (p[digits] != ',' && p[digits] != ']'))
			break;
		v[n++] = (uint32_t)value;
		p += digits;
		if (*p == ',')
			continue;
		j->p = p;
		j->state = WANT_COMMA;
		return n;
	}
	j->p = p;
	j->state = WANT_VALUE;
	return n;
}

/* ---- without a parser ---------------------------------------------------------------------------------------- */

static struct slice without_space(struct slice text)
{
	while (text.n && is_space(*text.s))
		text = slice_from(text, 1);
	return text;
}

bool json_begins(struct slice text)
{
	text = without_space(text);
	if (!slice_take(&text, "{"))
		return false;
	text = without_space(text);
	return slice_starts(text, "}") || (slice_take(&text, "\"") && text.n && (unsigned char)*text.s >= ' ');
}

bool json_is_name(struct slice key, const char *name)
{
	size_t i = 0;
	for (; *name; name++, i++) {
		bool is_upper = *name >= 'A' && *name <= 'Z';
		bool is_snake = is_upper && i < key.n && key.s[i] == '_';
		i += is_snake;
		if (i >= key.n || key.s[i] != (is_snake ? (char)(*name | 32) : *name))
			return false;
	}
	return i == key.n;
}

bool json_is_odd_member(const struct json_member *members, size_t n, unsigned place, struct slice key,
                        enum json_token t)
{
	if (!(JSON_SET(t) & JSON_SET_VALUES & ~JSON_SET(JSON_NULL)))
		return false;
	for (size_t i = 0; i < n; i++)
		if ((members[i].places & JSON_SET(place)) && !(members[i].wanted & JSON_SET(t)) &&
		    slice_is(key, members[i].key))
			return true;
	return false;
}
