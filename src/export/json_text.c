/*
 * json_text.c - appends JSON to a buffer.
 */
#include "json_text.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

void json_comma(struct buf *out)
{
	size_t n = out->len;
	while (n && out->data[n - 1] == '\n')
		n--;
	if (n && !strchr("{[:,", out->data[n - 1]))
		buf_addc(out, ',');
}

void json_newline(struct buf *out)
{
	json_comma(out);
	buf_addc(out, '\n');
}

void json_key(struct buf *out, const char *key)
{
	json_comma(out);
	buf_addf(out, "\"%s\":", key);
}

void json_string(struct buf *out, const char *text, size_t len, enum utf8_clean_mode mode)
{
	struct buf clean;
	buf_init(&clean);
	utf8_clean(&clean, text, len, mode);
	buf_addc(out, '"');
	for (size_t i = 0; i < clean.len; i++) {
		if (clean.data[i] == '"' || clean.data[i] == '\\')
			buf_addc(out, '\\');
		buf_addc(out, clean.data[i]);
	}
	buf_addc(out, '"');
	buf_deinit(&clean);
}

static void add_escaped(struct buf *out, uint32_t c)
{
	if (c >= 0x10000)
		buf_addf(out, "\\u%04x\\u%04x", 0xD7C0 + (c >> 10), 0xDC00 + (c & 0x3FF));
	else
		buf_addf(out, "\\u%04x", c);
}

/* The number of ASCII characters at the beginning that stand for themselves. */
static size_t count_plain(const char *text, size_t len)
{
	size_t n = 0;
	while (n < len && text[n] >= ' ' && text[n] <= '~' && text[n] != '"' && text[n] != '\\')
		n++;
	return n;
}

/* Adds the first character; returns its length. */
static size_t add_exact(struct buf *out, const char *text, size_t len)
{
	uint32_t c;
	size_t n = utf8_decode(text, len, &c);
	if (c == UTF8_BAD)
		utf8_add(out, 0xFFFD);
	else if (!utf8_is_shown(c))
		add_escaped(out, c);
	else if (c == '"' || c == '\\')
		buf_addf(out, "\\%c", (int)c);
	else
		buf_add(out, text, n);
	return n;
}

void json_exact_string(struct buf *out, const char *text, size_t len)
{
	buf_addc(out, '"');
	for (size_t i = 0; i < len;) {
		size_t n = count_plain(text + i, len - i);
		buf_add(out, text + i, n);
		i += n;
		if (i < len)
			i += add_exact(out, text + i, len - i);
	}
	buf_addc(out, '"');
}

void json_add_text(struct buf *out, const char *key, const char *text, enum utf8_clean_mode mode)
{
	json_key(out, key);
	json_string(out, text, strlen(text), mode);
}

void json_add_count(struct buf *out, const char *key, uint64_t count)
{
	json_key(out, key);
	buf_addu(out, count);
}

void json_add_bool(struct buf *out, const char *key, bool value)
{
	json_key(out, key);
	buf_adds(out, value ? "true" : "false");
}

void json_add_real(struct buf *out, const char *key, double value, int decimals)
{
	json_key(out, key);
	if (isfinite(value))
		buf_addf(out, "%.*f", decimals, value);
	else
		buf_adds(out, "null");
}

void json_add_exact_real(struct buf *out, const char *key, double value)
{
	double read = 0;
	size_t from;
	json_key(out, key);
	from = out->len;
	for (int digits = 15; digits <= 17 && read != value; digits++) {
		out->len = from;
		buf_addf(out, "%.*g", digits, value);
		number_double(out->data + from, out->len - from, &read);
	}
}
