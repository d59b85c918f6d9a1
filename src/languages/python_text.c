/*
 * python_text.c - reads the texts of CPython.
 *
 *	u64 references, u64 type, s64 length, s64 hash, u32 state: 2 bits, 3 bits of bytes per character, 1 bit compact,
 *	1 bit ASCII; then, in compact ones, the characters
 */
#include "languages/python_text.h"

#include <string.h>

#include "base/utf8.h"

#define CHARACTERS_MOST 4000       /* of a longer name the beginning is taken */
#define LONGEST (INT64_C(1) << 24) /* longer ones are damaged */
#define BAD_SHOWN 0xfffdu          /* for what is no character, and NUL, which would end the text */

struct head {
	uint64_t references, type;
	int64_t length, hash;
	uint32_t state;
};
#define HEAD_SIZE 36u

static size_t encode(uint32_t c, char *to)
{
	bool is_bad = c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000);
	return utf8_encode(to, is_bad ? BAD_SHOWN : c);
}

static uint32_t character(const unsigned char *bytes, size_t i, unsigned width)
{
	uint32_t c = 0;
	memcpy(&c, bytes + i * width, width); /* both machines are the same one */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	c >>= 32 - 8 * width;
#endif
	return c;
}

bool python_text(const struct python_layout *l, struct memory *m, uint64_t address, char *text, size_t size)
{
	unsigned char bytes[CHARACTERS_MOST * 4];
	struct head h;
	size_t at = 0;
	if (!address || !memory_read(m, address, &h, HEAD_SIZE) || h.length < 0 || h.length > LONGEST)
		return false;
	unsigned width = h.state >> 2 & 7;
	bool is_compact = h.state >> 5 & 1, is_ascii = h.state >> 6 & 1;
	if (!is_compact || (width != 1 && width != 2 && width != 4) || (is_ascii && width != 1))
		return false;
	bool is_cut = h.length > CHARACTERS_MOST;
	size_t n = is_cut ? CHARACTERS_MOST : (size_t)h.length, i = 0;
	if (n && !memory_read(m, address + (is_ascii ? l->text_ascii : l->text_other), bytes, n * width))
		return false;
	for (; i < n && at + 5 + sizeof MEMORY_CUT_MARK <= size; i++)
		at += encode(character(bytes, i, width), text + at);
	memory_end_text(text + at, is_cut || i < n);
	return true;
}
