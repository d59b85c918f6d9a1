/*
 * escape.c - names in text that will be read back.
 */
#include "base/escape.h"

#include <stdint.h>
#include <string.h>

#include "base/find.h"
#include "base/hex.h"
#include "base/number.h"
#include "base/utf8.h"

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The offset of the blank before a number at the end of the name, which would read as a count; SIZE_MAX: none. */
static size_t blank_before_count(const char *name, size_t len)
{
	const char *blank = len && name[len - 1] >= '.' && name[len - 1] <= '9' ? find_last(name, ' ', len) : NULL;
	uint64_t whole;
	uint32_t millionths;
	if (!blank || !number_count(blank + 1, len - (size_t)(blank + 1 - name), &whole, &millionths))
		return SIZE_MAX;
	return (size_t)(blank - name);
}

static bool is_all_blank(const char *name, size_t len)
{
	size_t n = 0;
	while (n < len && (name[n] == ' ' || name[n] == '\t'))
		n++;
	return n == len;
}

bool escape_is_empty_stack(const char *stack, size_t len)
{
	return len == strlen(FOLDED_EMPTY) && memcmp(stack, FOLDED_EMPTY, len) == 0;
}

unsigned escape_needs(const char *name, size_t len)
{
	unsigned needs = 0;
	if (!len)
		return ESCAPE_ALONE;
	if (memchr(name, ';', len))
		needs |= ESCAPE_SEMICOLON;
	if (memchr(name, '\n', len) || memchr(name, '\r', len) || memchr(name, '\0', len))
		needs |= ESCAPE_ANYWHERE;
	if (is_blank(name[0]) || (name[0] == '#' && len > 1 && name[1] == ' '))
		needs |= ESCAPE_FIRST;
	if (name[len - 1] == ' ' || name[len - 1] == '\t')
		needs |= is_all_blank(name, len) ? ESCAPE_BLANK : ESCAPE_LAST;
	if (name[0] == '#' && len == 1)
		needs |= ESCAPE_ALONE;
	if (blank_before_count(name, len) != SIZE_MAX)
		needs |= ESCAPE_COUNT;
	if (escape_is_empty_stack(name, len))
		needs |= ESCAPE_EMPTY;
	return needs;
}

/* The byte that an escape at the start of s[0..n) stands for, -1: no escape. */
static int escaped_byte(const char *s, size_t n)
{
	return n < 4 || s[0] != '\\' || s[1] != 'x' ? -1 : hex_byte(s + 2);
}

static bool is_no_name(const char *text, size_t len)
{
	return len == 2 && text[0] == '\\' && text[1] == 'x';
}

/* Does a byte need an escape within a line of folded stacks? */
static bool is_odd_in_line(const char *name, size_t len, size_t i, size_t count)
{
	char c = name[i];
	if (c == '\n' || c == '\r' || i == count)
		return true;
	if ((i == 0 || i + 1 == len) && is_blank(c))
		return true;
	return i == 0 && ((c == '#' && (len == 1 || name[1] == ' ')) || escape_is_empty_stack(name, len));
}

void escape_add(struct buf *out, const char *name, size_t len, bool whole)
{
	size_t count = whole ? blank_before_count(name, len) : SIZE_MAX, next = 0;
	bool is_shown = true;
	uint32_t cp;
	if (!len)
		buf_adds(out, "\\x");
	for (size_t i = 0; i < len; i++) {
		char c = name[i];
		bool is_odd = c == ';' || c == '\0' || (whole && is_odd_in_line(name, len, i, count));
		if (i == next) {
			next += utf8_decode(name + i, len - i, &cp);
			is_shown = whole || utf8_is_shown(cp);
		}
		if (c == '\\')
			is_odd = is_no_name(name, len) || escaped_byte(name + i, len - i) >= 0;
		if (is_odd || !is_shown)
			buf_addf(out, "\\x%02x", (unsigned)(unsigned char)c);
		else
			buf_addc(out, c);
	}
}

void escape_undo(struct buf *out, const char *text, size_t len)
{
	if (is_no_name(text, len))
		return;
	for (size_t i = 0; i < len;) {
		int byte = escaped_byte(text + i, len - i);
		buf_addc(out, byte < 0 ? text[i] : (char)byte);
		i += byte < 0 ? 1 : 4;
	}
}
