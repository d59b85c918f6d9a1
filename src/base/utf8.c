/*
 * utf8.c - decoding, display width, and the one function that makes foreign text safe to show.
 *
 * Names in a profile come from symbol tables, command lines and scripts, and may hold anything: escape sequences
 * that drive the terminal, overrides that reorder code, endless marks that climb out of their cell. Only characters
 * of known width that stay in their cell pass; every other one becomes a visible replacement, so none disappears.
 *
 * Nearly all names are plain ASCII; these are checked eight bytes at a time.
 */
#include "base/utf8.h"

#include <langinfo.h>
#include <string.h>

#include "base/utf8_class.h"

#define REPEAT(byte) ((uint64_t)0x0101010101010101u * (byte))
#define HIGH_BITS REPEAT(0x80)
#define REPLACEMENT "\xEF\xBF\xBD"

/* More marks than any script puts on a letter; ncurses keeps five characters in a cell. */
#define MARKS_MAX 4

static uint64_t load8(const char *s)
{
	uint64_t word;
	memcpy(&word, s, sizeof word);
	return word;
}

static bool is_printable(unsigned char c)
{
	return c >= 0x20 && c < 0x7F;
}

/* Number of printable ASCII bytes at the start of s. */
static size_t printable_prefix(const char *s, size_t n)
{
	size_t i = 0;
	for (; n - i >= 8; i += 8) {
		uint64_t word = load8(s + i);
		/* A borrow or carry starts only at a byte that ends the run anyway. */
		if (((word | (word - REPEAT(0x20)) | (word + REPEAT(0x01))) & HIGH_BITS) != 0)
			break;
	}
	while (i < n && is_printable((unsigned char)s[i]))
		i++;
	return i;
}

/* Length of a sequence with this first byte, and the bounds of its second byte; 0: not a first byte. */
static size_t sequence_length(unsigned char first, unsigned char *low, unsigned char *high)
{
	*low = 0x80;
	*high = 0xBF;
	if (first < 0x80)
		return 1;
	if (first < 0xC2)
		return 0;
	if (first < 0xE0)
		return 2;
	if (first < 0xF0) {
		*low = first == 0xE0 ? 0xA0 : 0x80;  /* overlong */
		*high = first == 0xED ? 0x9F : 0xBF; /* surrogates */
		return 3;
	}
	if (first > 0xF4)
		return 0;
	*low = first == 0xF0 ? 0x90 : 0x80;  /* overlong */
	*high = first == 0xF4 ? 0x8F : 0xBF; /* above U+10FFFF */
	return 4;
}

size_t utf8_decode(const char *s, size_t n, uint32_t *cp)
{
	const unsigned char *p = (const unsigned char *)s;
	unsigned char low, high;
	size_t length = sequence_length(p[0], &low, &high);
	*cp = UTF8_BAD;
	if (length <= 1) {
		if (length == 1)
			*cp = p[0];
		return 1;
	}
	uint32_t value = p[0] & (0x7Fu >> length);
	for (size_t i = 1; i < length; i++) {
		/* Skips the valid bytes so far as one: a truncated character becomes one replacement. */
		if (i >= n || p[i] < low || p[i] > high)
			return i;
		value = value << 6 | (p[i] & 0x3Fu);
		low = 0x80;
		high = 0xBF;
	}
	*cp = value;
	return length;
}

size_t utf8_encode(char out[4], uint32_t cp)
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	size_t length = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	for (size_t i = length - 1; i > 0; i--) {
		out[i] = (char)(0x80 | (cp & 0x3F));
		cp >>= 6;
	}
	out[0] = (char)((0xF00u >> length & 0xFF) | cp);
	return length;
}

void utf8_add(struct buf *out, uint32_t cp)
{
	char bytes[4];
	size_t n = utf8_encode(bytes, cp);
	buf_add(out, bytes, n);
}

bool utf8_is_valid(const char *s, size_t n)
{
	uint32_t cp;
	for (size_t i = 0; i < n;) {
		if (n - i >= 8 && (load8(s + i) & HIGH_BITS) == 0) {
			i += 8;
			continue;
		}
		i += utf8_decode(s + i, n - i, &cp);
		if (cp == UTF8_BAD)
			return false;
	}
	return true;
}

static enum utf8_class class_of(uint32_t cp)
{
	size_t low = 0, high = utf8_n_runs;
	if (cp > 0x10FFFF)
		return UTF8_UNSAFE;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (utf8_runs[middle] >> 2 <= cp)
			low = middle;
		else
			high = middle;
	}
	return (enum utf8_class)(utf8_runs[low] & 3);
}

bool utf8_is_shown(uint32_t cp)
{
	return cp != UTF8_BAD && class_of(cp) != UTF8_UNSAFE;
}

int utf8_width(uint32_t cp)
{
	if (cp < 0x300)
		return 1;
	enum utf8_class class = class_of(cp);
	return class == UTF8_WIDE ? 2 : class == UTF8_MARK ? 0 : 1;
}

size_t utf8_cut(const char *s, size_t n, size_t most)
{
	size_t at = most;
	if (n <= most)
		return n;
	while (at > 0 && most - at < 4 && ((unsigned char)s[at] & 0xc0) == 0x80)
		at--;
	return at;
}

size_t utf8_columns(const char *s, size_t n)
{
	size_t columns = 0;
	uint32_t cp;
	for (size_t i = 0; i < n;) {
		size_t plain = printable_prefix(s + i, n - i);
		columns += plain;
		i += plain;
		if (i == n)
			break;
		i += utf8_decode(s + i, n - i, &cp);
		columns += (size_t)utf8_width(cp);
	}
	return columns;
}

size_t utf8_fit(const char *s, size_t n, size_t columns)
{
	size_t used = 0, i = 0, length;
	uint32_t cp;
	for (; i < n; i += length) {
		length = utf8_decode(s + i, n - i, &cp);
		used += (size_t)utf8_width(cp);
		if (used > columns)
			break;
	}
	return i;
}

void utf8_clean(struct buf *out, const char *s, size_t n, enum utf8_clean_mode mode)
{
	/* A mark needs a character below it: at the start it would attach to the text before. */
	unsigned marks = MARKS_MAX;
	uint32_t cp;
	for (size_t i = 0; i < n;) {
		size_t length = printable_prefix(s + i, n - i);
		if (length > 0) {
			buf_add(out, s + i, length);
			i += length;
			marks = 0;
			continue;
		}
		length = utf8_decode(s + i, n - i, &cp);
		enum utf8_class class = class_of(cp);
		marks = class == UTF8_MARK ? marks + 1 : class == UTF8_UNSAFE ? MARKS_MAX : 0;
		if (mode == UTF8_CLEAN_ASCII)
			buf_addc(out, '?');
		else if (class == UTF8_UNSAFE || marks > MARKS_MAX)
			buf_add(out, REPLACEMENT, sizeof REPLACEMENT - 1);
		else
			buf_add(out, s + i, length);
		i += length;
	}
}

enum utf8_clean_mode utf8_locale_mode(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? UTF8_CLEAN_UTF8 : UTF8_CLEAN_ASCII;
}
