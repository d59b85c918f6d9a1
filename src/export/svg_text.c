/*
 * svg_text.c - numbers and text as XML.
 *
 * Text from a profile or the command line first passes utf8_clean(): a control character, an invalid sequence or
 * U+FFFE in an XML file ends the document for a browser, even as a reference. The rest needs five escapes, valid in
 * content and attributes, which also defuse "]]>".
 *
 * A drawing has four numbers for each frame, so they are written without printf: scaled to an integer, rounded as
 * printf does (the exact value decides, ties go to even), and written digit by digit. This also avoids the locale.
 */
#include "svg.h"

#include <assert.h>
#include <string.h>

#include "base/hex.h"
#include "base/utf8.h"

static const char *escape_of(char c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '\'':
		return "&apos;";
	case '"':
		return "&quot;";
	default:
		return NULL;
	}
}

void svg_add_escaped(struct buf *out, const char *s, size_t n)
{
	size_t plain = 0;
	if (n == 0)
		return; /* s may be NULL then */
	for (size_t i = 0; i < n; i++) {
		const char *escape = escape_of(s[i]);
		if (!escape)
			continue;
		buf_add(out, s + plain, i - plain);
		buf_adds(out, escape);
		plain = i + 1;
	}
	buf_add(out, s + plain, n - plain);
}

void svg_add_text(struct buf *out, const char *s, size_t n)
{
	struct buf clean;
	buf_init(&clean);
	utf8_clean(&clean, s, n, UTF8_CLEAN_UTF8);
	svg_add_escaped(out, clean.data, clean.len);
	buf_deinit(&clean);
}

void svg_add_comment(struct buf *out, const char *s)
{
	size_t from = out->len;
	struct buf text;
	buf_init(&text);
	svg_add_text(&text, s, strlen(s));
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '-' && out->len > from && out->data[out->len - 1] == '-')
			buf_addc(out, ' ');
		buf_addc(out, text.data[i]);
	}
	if (out->len > from && out->data[out->len - 1] == '-')
		buf_addc(out, ' ');
	buf_deinit(&text);
}

static void add_js_unit(struct buf *out, uint32_t unit)
{
	static const char hex[] = "0123456789abcdef";
	buf_adds(out, "\\u");
	for (unsigned shift = 16; shift; shift -= 4)
		buf_addc(out, hex[unit >> (shift - 4) & 15]);
}

void svg_add_js_string(struct buf *out, const char *s)
{
	struct buf clean;
	uint32_t cp;
	buf_init(&clean);
	utf8_clean(&clean, s, strlen(s), UTF8_CLEAN_UTF8);
	buf_addc(out, '\'');
	for (size_t i = 0; i < clean.len; i += utf8_decode(clean.data + i, clean.len - i, &cp)) {
		utf8_decode(clean.data + i, clean.len - i, &cp);
		if (cp == '\'' || cp == '\\')
			buf_addc(out, '\\');
		if (cp == '<' || cp == '>' || cp == 0x7F || (cp > 0x7F && cp < 0x10000)) {
			add_js_unit(out, cp);
		} else if (cp < 0x80) {
			buf_addc(out, (char)cp);
		} else {
			add_js_unit(out, 0xD800 + ((cp - 0x10000) >> 10));
			add_js_unit(out, 0xDC00 + ((cp - 0x10000) & 0x3FF));
		}
	}
	buf_addc(out, '\'');
	buf_deinit(&clean);
}

void svg_add_as_ascii(struct buf *out, const char *s, size_t n)
{
	uint32_t cp;
	for (size_t i = 0, step; i < n; i += step) {
		step = 1;
		if (!((unsigned char)s[i] & 0x80)) {
			buf_addc(out, s[i]);
			continue;
		}
		step = utf8_decode(s + i, n - i, &cp);
		buf_adds(out, "&#");
		buf_addu(out, cp);
		buf_addc(out, ';');
	}
}

/* v * scale rounded to the nearest integer; repeats a product close to a tie in higher precision. */
static uint64_t scaled(double v, double scale)
{
	double product = v * scale;
	uint64_t whole = (uint64_t)product;
	double rest = product - (double)whole;
	long double exact;
	if (rest < 0.499999)
		return whole;
	if (rest > 0.500001)
		return whole + 1;
	exact = (long double)v * (long double)scale - (long double)whole;
	if (exact < 0.5L)
		return whole;
	return exact > 0.5L ? whole + 1 : whole + (whole & 1);
}

static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
							"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
							"8081828384858687888990919293949596979899";

/* Always copies 20 bytes, for which there is room: a fixed size takes only a few instructions. */
char *svg_put_uint(char *p, uint64_t v)
{
	char digits[20 + 20] = {0};
	size_t at = 20;
	for (; v >= 100; v /= 100)
		memcpy(digits + (at -= 2), pairs + v % 100 * 2, 2);
	if (v >= 10)
		memcpy(digits + (at -= 2), pairs + v * 2, 2);
	else
		digits[--at] = (char)('0' + v);
	memcpy(p, digits + at, 20);
	return p + (20 - at);
}

/* n / 10^places. */
static char *put_places(char *p, uint64_t n, unsigned places)
{
	uint64_t rest;
	switch (places) { /* common cases, without a division by a variable */
	case 2:
		p = svg_put_uint(p, n / 100);
		*p = '.';
		memcpy(p + 1, pairs + n % 100 * 2, 2);
		return p + 3;
	case 4:
		p = svg_put_uint(p, n / 10000);
		*p = '.';
		memcpy(p + 1, pairs + n / 100 % 100 * 2, 2);
		memcpy(p + 3, pairs + n % 100 * 2, 2);
		return p + 5;
	default:
		rest = n % 1000000;
		p = svg_put_uint(p, n / 1000000);
		*p = '.';
		for (unsigned i = 6; i > 0; i--, rest /= 10)
			p[i] = (char)('0' + rest % 10);
		return p + 7;
	}
}

char *svg_put_fixed(char *p, double v, unsigned places)
{
	static const double scales[] = {[0] = 1, [2] = 1e2, [4] = 1e4, [6] = 1e6};
	assert(places <= 6 && places % 2 == 0);
	if (v < 0)
		*p++ = '-';
	v = v < 0 ? -v : v;
	if (v >= 1e9) { /* no one reads its decimals, and beyond 10^18 the number itself */
		p = svg_put_uint(p, (uint64_t)(v < 1e18 ? v : 1e18));
		return places ? (char *)memcpy(p, ".000000", 7) + places + 1 : p;
	}
	return places ? put_places(p, scaled(v, scales[places]), places) : svg_put_uint(p, scaled(v, 1));
}

void svg_add_fixed(struct buf *out, double v, unsigned places)
{
	char *p = buf_reserve(out, SVG_NUMBER);
	out->len += (size_t)(svg_put_fixed(p, v, places) - p);
}

void svg_add_decimal(struct buf *out, double v, unsigned places)
{
	if (v == (double)(int32_t)v) {
		svg_add_fixed(out, v, 0);
		return;
	}
	svg_add_fixed(out, v, places);
	while (out->data[out->len - 1] == '0')
		out->len--;
	if (out->data[out->len - 1] == '.')
		out->len--;
}

void svg_add_pixels(struct buf *out, double v)
{
	svg_add_decimal(out, v, 2);
}

char *svg_put_rgb(char *p, struct rgb c)
{
	memcpy(p, "rgb(", 4);
	p = svg_put_uint(p + 4, c.r);
	*p++ = ',';
	p = svg_put_uint(p, c.g);
	*p++ = ',';
	p = svg_put_uint(p, c.b);
	*p++ = ')';
	return p;
}

void svg_add_rgb(struct buf *out, struct rgb c)
{
	char *p = buf_reserve(out, SVG_NUMBER);
	out->len += (size_t)(svg_put_rgb(p, c) - p);
}

bool svg_parse_color(const char *s, struct rgb *color)
{
	uint8_t part[3];
	if (s[0] != '#' || strlen(s) != 7)
		return false;
	for (size_t i = 0; i < 3; i++) {
		int byte = hex_byte(s + 1 + 2 * i);
		if (byte < 0)
			return false;
		part[i] = (uint8_t)byte;
	}
	*color = (struct rgb){part[0], part[1], part[2]};
	return true;
}
