/*
 * plain_xml.c - takes plainly written XML apart without a parser.
 *
 * A byte is looked up in a table that says where it may stand. No tag goes on beyond a newline, and one follows the
 * piece: so scans within a tag need no bound.
 */
#include "collapse/text/plain_xml.h"

#include <string.h>

enum { START = 1, NAME = 2, VALUE = 4, TEXT = 8 };

#define IN_TEXT (VALUE | TEXT)
#define IN_NAME (NAME | IN_TEXT)
#define FIRST (START | IN_NAME)

/* Where each byte may stand: at the beginning of a name, in a name, in a value, in text. */
static const unsigned char kinds[256] = {
	['\t'] = TEXT,    ['\n'] = TEXT,   [' '] = IN_TEXT,  ['!'] = IN_TEXT, ['"'] = TEXT,    ['#'] = IN_TEXT,
	['$'] = IN_TEXT,  ['%'] = IN_TEXT, ['\''] = IN_TEXT, ['('] = IN_TEXT, [')'] = IN_TEXT, ['*'] = IN_TEXT,
	['+'] = IN_TEXT,  [','] = IN_TEXT, ['-'] = IN_NAME,  ['.'] = IN_NAME, ['/'] = IN_TEXT, ['0'] = IN_NAME,
	['1'] = IN_NAME,  ['2'] = IN_NAME, ['3'] = IN_NAME,  ['4'] = IN_NAME, ['5'] = IN_NAME, ['6'] = IN_NAME,
	['7'] = IN_NAME,  ['8'] = IN_NAME, ['9'] = IN_NAME,  [':'] = IN_TEXT, [';'] = IN_TEXT, ['='] = IN_TEXT,
	['>'] = VALUE,    ['?'] = IN_TEXT, ['@'] = IN_TEXT,  ['A'] = FIRST,   ['B'] = FIRST,   ['C'] = FIRST,
	['D'] = FIRST,    ['E'] = FIRST,   ['F'] = FIRST,    ['G'] = FIRST,   ['H'] = FIRST,   ['I'] = FIRST,
	['J'] = FIRST,    ['K'] = FIRST,   ['L'] = FIRST,    ['M'] = FIRST,   ['N'] = FIRST,   ['O'] = FIRST,
	['P'] = FIRST,    ['Q'] = FIRST,   ['R'] = FIRST,    ['S'] = FIRST,   ['T'] = FIRST,   ['U'] = FIRST,
	['V'] = FIRST,    ['W'] = FIRST,   ['X'] = FIRST,    ['Y'] = FIRST,   ['Z'] = FIRST,   ['['] = IN_TEXT,
	['\\'] = IN_TEXT, [']'] = VALUE,   ['^'] = IN_TEXT,  ['_'] = FIRST,   ['`'] = IN_TEXT, ['a'] = FIRST,
	['b'] = FIRST,    ['c'] = FIRST,   ['d'] = FIRST,    ['e'] = FIRST,   ['f'] = FIRST,   ['g'] = FIRST,
	['h'] = FIRST,    ['i'] = FIRST,   ['j'] = FIRST,    ['k'] = FIRST,   ['l'] = FIRST,   ['m'] = FIRST,
	['n'] = FIRST,    ['o'] = FIRST,   ['p'] = FIRST,    ['q'] = FIRST,   ['r'] = FIRST,   ['s'] = FIRST,
	['t'] = FIRST,    ['u'] = FIRST,   ['v'] = FIRST,    ['w'] = FIRST,   ['x'] = FIRST,   ['y'] = FIRST,
	['z'] = FIRST,    ['{'] = IN_TEXT, ['|'] = IN_TEXT,  ['}'] = IN_TEXT, ['~'] = IN_TEXT,
};

static inline bool may_be(char c, unsigned kind)
{
	return kinds[(unsigned char)c] & kind;
}

void plain_xml_begin(struct plain_xml *x, const char *text, size_t len)
{
	x->p = x->even = x->token = text;
	x->end = text + len;
	x->depth = 0;
}

/* The name at p, and the place after it. */
static const char *take_name(const char *p, struct slice *name)
{
	const char *begin = p;
	if (!may_be(*p, START))
		return NULL;
	while (may_be(*p, NAME))
		p++;
	*name = (struct slice){begin, (size_t)(p - begin)};
	return p;
}

/* "&lt;" and its like at p; the place after it, NULL: another one. */
static const char *take_reference(const char *p, char *c)
{
	static const struct {
		const char *text;
		char meant;
	} known[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strncmp(p, known[i].text, strlen(known[i].text)) == 0) {
			*c = known[i].meant;
			return p + strlen(known[i].text);
		}
	return NULL;
}

/* A value from `begin` on, in which p is the first reference. */
static const char *decode_value(struct plain_xml *x, const char *begin, const char *p, struct slice *value)
{
	char *out = x->decoded + x->n_decoded, *end = x->decoded + PLAIN_DECODED - 1;
	size_t n = (size_t)(p - begin);
	*value = (struct slice){out, n};
	if (n >= (size_t)(end - out))
		return NULL;
	memcpy(out, begin, n);
	for (out += n; *p != '"'; out++) {
		if (out == end || (*p != '&' && !may_be(*p, VALUE)))
			return NULL;
		if (*p == '&')
			p = take_reference(p, out);
		else
			*out = *p++;
		if (!p)
			return NULL;
	}
	*out = '"';
	value->n = (size_t)(out - value->s);
	x->n_decoded = (size_t)(out + 1 - x->decoded);
	return p + 1;
}

static const char *take_value(struct plain_xml *x, const char *p, struct slice *value)
{
	const char *begin = p;
	while (may_be(*p, VALUE))
		p++;
	if (*p == '&')
		return decode_value(x, begin, p, value);
	*value = (struct slice){begin, (size_t)(p - begin)};
	return *p == '"' ? p + 1 : NULL;
}

static bool is_repeated(const struct plain_xml *x, struct slice name)
{
	for (size_t i = 0; i < x->n_attributes; i++) {
		struct slice other = x->attributes[i].name;
		if (other.n == name.n && memcmp(other.s, name.s, name.n) == 0)
			return true;
	}
	return false;
}

/* Takes attributes from p on; the place after them, NULL: one of them is not plain. */
static const char *take_attributes(struct plain_xml *x, const char *p)
{
	x->n_attributes = x->n_decoded = 0;
	while (*p == ' ') {
		struct plain_attribute *a = &x->attributes[x->n_attributes];
		if (x->n_attributes == PLAIN_ATTRIBUTES || !(p = take_name(p + 1, &a->name)) || p[0] != '=' ||
		    p[1] != '"' || is_repeated(x, a->name) || !(p = take_value(x, p + 2, &a->value)))
			return NULL;
		x->n_attributes++;
	}
	return p;
}

static enum plain_token took(struct plain_xml *x, enum plain_token t, const char *after)
{
	x->token = x->p;
	x->p = after;
	if (x->depth == 0)
		x->even = after;
	return t;
}

static enum plain_token take_begin(struct plain_xml *x)
{
	const char *p = take_name(x->p + 1, &x->name);
	if (!p || !(p = take_attributes(x, p)))
		return PLAIN_NONE;
	if (p[0] == '/' && p[1] == '>')
		return took(x, PLAIN_EMPTY, p + 2);
	if (*p != '>' || x->depth == PLAIN_DEPTH)
		return PLAIN_NONE;
	x->open[x->depth++] = x->name;
	return took(x, PLAIN_BEGIN, p + 1);
}

static enum plain_token take_end(struct plain_xml *x)
{
	struct slice name = x->depth ? x->open[x->depth - 1] : (struct slice){"", 0};
	const char *p = x->p + 2;
	if (!x->depth || (size_t)(x->end - p) <= name.n || memcmp(p, name.s, name.n) != 0 || p[name.n] != '>')
		return PLAIN_NONE;
	x->name = name;
	x->depth--;
	return took(x, PLAIN_END, p + name.n + 1);
}

static enum plain_token take_text(struct plain_xml *x)
{
	const char *p = x->p;
	while (p < x->end && may_be(*p, TEXT))
		p++;
	if (p == x->p || (p < x->end && *p != '<'))
		return PLAIN_NONE;
	x->text = (struct slice){x->p, (size_t)(p - x->p)};
	return took(x, PLAIN_TEXT, p);
}

enum plain_token plain_xml_next(struct plain_xml *x)
{
	if (x->p == x->end)
		return PLAIN_NONE;
	if (*x->p != '<')
		return take_text(x);
	return x->p[1] == '/' ? take_end(x) : take_begin(x);
}

bool plain_xml_take_number(struct plain_xml *x, const char *begin, uint64_t *value)
{
	const char *p = x->p;
	size_t n = strlen(begin), digits = 0;
	uint64_t v = 0;
	if ((size_t)(x->end - p) < n + 24 || memcmp(p, begin, n) != 0)
		return false;
	for (p += n; digits < 18 && is_digit_byte(p[digits]); digits++)
		v = v * 10 + (uint64_t)(p[digits] - '0');
	x->text = (struct slice){p, digits};
	p += digits;
	if (!digits || memcmp(p, "\"/>", 3) != 0)
		return false;
	*value = v;
	took(x, PLAIN_EMPTY, p + 3);
	return true;
}
