/*
 * python_lines.c - finds the line of an instruction in the tables of CPython.
 *
 *	3.6-3.9  co_lnotab     pairs {u8 bytes, s8 lines}: advance by both
 *	3.10     co_linetable  pairs {u8 bytes, s8 lines}: these bytes are that many lines further; -128: no line
 *	3.11+    co_linetable  entries that begin with 1kkkklll: l + 1 words of 2 bytes, of the kind
 *	           15  no line
 *	           14  lines as a signed varint, then three more varints (columns)
 *	           13  lines as a signed varint
 *	           10, 11, 12  lines + 0, 1, 2, then two bytes (columns)
 *	           0-9  the same line, then one byte (columns)
 *
 * A varint has 6 bits in each byte, the lowest first; bit 6 says that more follow. A signed one has its sign in the
 * lowest bit.
 */
#include "languages/python_lines.h"

#include <stdbool.h>

#define NO_LINE (-128)
enum { ENTRY_COLUMNS_1 = 10, ENTRY_LINE = 13, ENTRY_LONG = 14, ENTRY_NONE = 15 };

static uint32_t as_line(int64_t line)
{
	return line > 0 && line <= INT32_MAX ? (uint32_t)line : 0;
}

/* Up to 3.9: the last pair that begins at the offset or before. */
static uint32_t line_of_steps(const struct python_lines *t, int64_t offset)
{
	int64_t at = 0, line = t->first;
	for (size_t i = 0; i + 1 < t->n; i += 2) {
		at += t->bytes[i];
		if (at > offset)
			break;
		line += (signed char)t->bytes[i + 1];
	}
	return as_line(line);
}

/* 3.10: the pair whose range holds the offset. */
static uint32_t line_of_ranges(const struct python_lines *t, int64_t offset)
{
	int64_t end = 0, line = t->first;
	for (size_t i = 0; i + 1 < t->n; i += 2) {
		signed char lines = (signed char)t->bytes[i + 1];
		end += t->bytes[i];
		line += lines == NO_LINE ? 0 : lines;
		if (offset < end)
			return lines == NO_LINE ? 0 : as_line(line);
	}
	return 0;
}

struct cursor {
	const unsigned char *p, *end;
};

static uint32_t varint(struct cursor *c)
{
	uint32_t value = 0;
	unsigned shift = 0;
	bool goes_on = true;
	while (goes_on && c->p < c->end) {
		unsigned char byte = *c->p++;
		value |= shift < 32 ? (uint32_t)(byte & 63) << shift : 0;
		shift += 6;
		goes_on = byte & 64;
	}
	return value;
}

static int64_t signed_varint(struct cursor *c)
{
	uint32_t v = varint(c);
	return v & 1 ? -(int64_t)(v >> 1) : (int64_t)(v >> 1);
}

static void skip(struct cursor *c, size_t n)
{
	c->p += n < (size_t)(c->end - c->p) ? n : (size_t)(c->end - c->p);
}

/* Takes the rest of an entry, and returns how many lines it advances. */
static int64_t lines_of_entry(struct cursor *c, unsigned kind)
{
	int64_t lines;
	if (kind == ENTRY_NONE)
		return 0;
	if (kind < ENTRY_LINE) {
		skip(c, kind < ENTRY_COLUMNS_1 ? 1 : 2);
		return kind < ENTRY_COLUMNS_1 ? 0 : (int64_t)kind - ENTRY_COLUMNS_1;
	}
	lines = signed_varint(c);
	for (int i = 0; kind == ENTRY_LONG && i < 3; i++)
		varint(c);
	return lines;
}

static uint32_t line_of_entries(const struct python_lines *t, int64_t offset)
{
	struct cursor c = {t->bytes, t->bytes + t->n};
	int64_t end = 0, line = t->first;
	while (c.p < c.end) {
		unsigned char head = *c.p++;
		unsigned kind = head >> 3 & 15;
		line += lines_of_entry(&c, kind);
		end += (int64_t)((head & 7) + 1) * 2;
		if (offset < end)
			return kind == ENTRY_NONE ? 0 : as_line(line);
	}
	return 0;
}

uint32_t python_line(const struct python_lines *t, int64_t offset)
{
	if (offset < 0)
		return t->first;
	if (t->minor < 10)
		return line_of_steps(t, offset);
	return t->minor == 10 ? line_of_ranges(t, offset) : line_of_entries(t, offset);
}
