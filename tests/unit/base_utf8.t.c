/*
 * Decoding, widths, and cleaning foreign text for display.
 */
#include "tests/tap.h"

#include "base/utf8.h"

#define BAD "\xEF\xBF\xBD"

static void test_decode(void)
{
	static const struct {
		const char *bytes;
		uint32_t cp;
		size_t length;
		const char *what;
	} cases[] = {
		{"A", 'A', 1, "an ASCII letter"},
		{"\x7F", 0x7F, 1, "DEL"},
		{"\xC2\x80", 0x80, 2, "the first of two bytes"},
		{"\xDF\xBF", 0x7FF, 2, "the last of two bytes"},
		{"\xE0\xA0\x80", 0x800, 3, "the first of three bytes"},
		{"\xED\x9F\xBF", 0xD7FF, 3, "the last before the surrogates"},
		{"\xEE\x80\x80", 0xE000, 3, "the first after the surrogates"},
		{"\xEF\xBF\xBF", 0xFFFF, 3, "the last of three bytes"},
		{"\xF0\x90\x80\x80", 0x10000, 4, "the first of four bytes"},
		{"\xF4\x8F\xBF\xBF", 0x10FFFF, 4, "the last of all"},
		{"\x80", UTF8_BAD, 1, "a continuation alone"},
		{"\xC0\x80", UTF8_BAD, 1, "an overlong NUL"},
		{"\xC1\xBF", UTF8_BAD, 1, "an overlong DEL"},
		{"\xE0\x9F\xBF", UTF8_BAD, 1, "an overlong three bytes"},
		{"\xF0\x8F\xBF\xBF", UTF8_BAD, 1, "an overlong four bytes"},
		{"\xED\xA0\x80", UTF8_BAD, 1, "a surrogate"},
		{"\xF4\x90\x80\x80", UTF8_BAD, 1, "a character above U+10FFFF"},
		{"\xF5\x80\x80\x80", UTF8_BAD, 1, "a byte that starts nothing"},
		{"\xFF", UTF8_BAD, 1, "the byte FF"},
		{"\xE2\x82", UTF8_BAD, 2, "a character cut after two of three bytes"},
		{"\xE2\x82z", UTF8_BAD, 2, "a character broken off by a letter"},
		{"\xF0\x9F\x94", UTF8_BAD, 3, "a character cut after three of four bytes"},
		{"\xC3", UTF8_BAD, 1, "a character cut after one of two bytes"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t cp = 0;
		size_t length = utf8_decode(cases[i].bytes, strlen(cases[i].bytes), &cp);
		ok(cp == cases[i].cp && length == cases[i].length, "%s is %s", cases[i].what,
		   cases[i].cp == UTF8_BAD ? "found to be bad" : "decoded");
		is_int(utf8_is_valid(cases[i].bytes, strlen(cases[i].bytes)), cases[i].cp != UTF8_BAD, "and said to be %s",
		       cases[i].cp == UTF8_BAD ? "invalid" : "valid");
	}
}

static void test_round_trip(void)
{
	size_t wrong = 0;
	for (uint32_t cp = 0; cp < 0x110000; cp++) {
		char bytes[4];
		uint32_t back;
		if (cp == 0xD800)
			cp = 0xE000;
		size_t n = utf8_encode(bytes, cp);
		wrong += utf8_decode(bytes, n, &back) != n || back != cp;
	}
	is_int(wrong, 0, "every character survives encoding and decoding");
}

static void test_valid(void)
{
	ok(utf8_is_valid("", 0), "nothing is valid");
	ok(utf8_is_valid("a plain name, longer than eight bytes", 37), "plain text is valid");
	ok(utf8_is_valid("0123456\xC3\xA9zyxwvuts", 17), "a character across a word boundary is valid");
	ok(!utf8_is_valid("0123456789abcdef\xC3", 17), "a cut character at the end is found");
	ok(!utf8_is_valid("0123456\x80zyxwvuts", 16), "a bad byte in the middle is found");
}

static void test_width(void)
{
	static const struct {
		uint32_t cp;
		int width;
		const char *what;
	} cases[] = {
		{'a', 1, "a letter"},
		{0xE9, 1, "a Latin letter"},
		{0x301, 0, "a combining accent"},
		{0x3B1, 1, "a Greek letter"},
		{0x4E2D, 2, "a Han character"},
		{0xAC00, 2, "a Hangul syllable"},
		{0x1161, 0, "a Hangul vowel"},
		{0xFF21, 2, "a fullwidth letter"},
		{0x1F525, 2, "an emoji"},
		{0xFFFD, 1, "the replacement character"},
		{0x2588, 1, "a block"},
		{0x20000, 2, "a rare Han character"},
		{0x5D0, 1, "a Hebrew letter"},
		{0x4DC0, 2, "a hexagram"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		is_int(utf8_width(cases[i].cp), cases[i].width, "%s has %d columns", cases[i].what, cases[i].width);
	is_int(utf8_columns("", 0), 0, "nothing has no columns");
	is_int(utf8_columns("plain", 5), 5, "ASCII has a column for each byte");
	is_int(utf8_columns("a\xE4\xB8\xADo\xCC\x81z", 8), 5, "columns are summed up");
}

static void test_fit(void)
{
	const char *text = "a\xE4\xB8\xADo\xCC\x81z"; /* a, two columns, o with accent, z */
	is_int(utf8_fit(text, 8, 0), 0, "nothing fits into no columns");
	is_int(utf8_fit(text, 8, 1), 1, "one letter fits into one column");
	is_int(utf8_fit(text, 8, 2), 1, "half of a wide character does not fit");
	is_int(utf8_fit(text, 8, 3), 4, "a wide character fits into two columns");
	is_int(utf8_fit(text, 8, 4), 7, "an accent stays with its letter");
	is_int(utf8_fit(text, 8, 5), 8, "all of it fits");
	is_int(utf8_fit(text, 8, 500), 8, "room to spare is not used");
	is_int(utf8_cut(text, 8, 8), 8, "what has room is not cut");
	is_int(utf8_cut(text, 8, 4), 4, "a text is cut after a character");
	is_int(utf8_cut(text, 8, 3), 1, "never within one");
	is_int(utf8_cut("\xa4\xa4\xa4\xa4\xa4\xa4\xa4\xa4", 8, 6), 2, "bytes that are none are cut, too");
	is_int(utf8_fit("", 0, 5), 0, "nothing fits everywhere");
}

static void test_clean(void)
{
	static const struct {
		const char *text;
		const char *utf8, *ascii;
		const char *what;
	} cases[] = {
		{"", "", "", "nothing"},
		{"std::vector<int>::push_back", "std::vector<int>::push_back", "std::vector<int>::push_back",
	     "a plain name"},
		{" ~", " ~", " ~", "the first and the last printable"},
		{"a\tb\nc\rd", "a" BAD "b" BAD "c" BAD "d", "a?b?c?d", "tab, newline and return"},
		{"\x1B[31mred", BAD "[31mred", "?[31mred", "an escape sequence"},
		{"x\x7Fy", "x" BAD "y", "x?y", "DEL"},
		{"x\xC2\x9By", "x" BAD "y", "x?y", "a C1 control"},
		{"x\x9By", "x" BAD "y", "x?y", "a raw C1 byte"},
		{"x\xE2\x80\xAEy", "x" BAD "y", "x?y", "a bidi override"},
		{"x\xE2\x81\xA6y", "x" BAD "y", "x?y", "a bidi isolate"},
		{"x\xCD\x8Fy", "x" BAD "y", "x?y", "a combining joiner"},
		{"x\xE1\x85\xA0y", "x" BAD "y", "x?y", "a filler"},
		{"x\xEF\xB8\x81y", "x" BAD "y", "x?y", "a variation selector"},
		{"x\xF3\xA0\x84\x80y", "x" BAD "y", "x?y", "a variation selector beyond the first plane"},
		{"x\xE2\x80\x8Dy", "x" BAD "y", "x?y", "a zero width joiner"},
		{"x\xEF\xBB\xBFy", "x" BAD "y", "x?y", "a byte order mark"},
		{"x\xE2\x80\xA8y", "x" BAD "y", "x?y", "a line separator"},
		{"x\xC2\xADy", "x" BAD "y", "x?y", "a soft hyphen"},
		{"x\xEE\x80\x80y", "x" BAD "y", "x?y", "a private character"},
		{"x\xEF\xBF\xBEy", "x" BAD "y", "x?y", "a non-character"},
		{"x\xCD\xB8y", "x" BAD "y", "x?y", "an unassigned character"},
		{"x\xF3\xA0\x80\x81y", "x" BAD "y", "x?y", "a tag character"},
		{"x\xED\xA0\x80y", "x" BAD BAD BAD "y", "x???y", "an encoded surrogate"},
		{"x\xE2\x82", "x" BAD, "x?", "a cut character"},
		{"\xE4\xB8\xAD\xC3\xA9", "\xE4\xB8\xAD\xC3\xA9", "??", "Han and accented letters"},
		{"\xF0\x9F\x94\xA5!", "\xF0\x9F\x94\xA5!", "?!", "an emoji"},
		{"e\xCC\x81", "e\xCC\x81", "e?", "an accent on a letter"},
		{"\xCC\x81z", BAD "z", "?z", "an accent on nothing"},
		{"\x01\xCC\x81z", BAD BAD "z", "??z", "an accent on a control"},
		{"z\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81", "z\xCC\x81\xCC\x81\xCC\x81\xCC\x81" BAD BAD,
	     "z??????", "a tower of accents"},
	};
	struct buf b;
	buf_init(&b);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		b.len = 0;
		utf8_clean(&b, cases[i].text, strlen(cases[i].text), UTF8_CLEAN_UTF8);
		is_buf(b, cases[i].utf8, "%s in UTF-8", cases[i].what);
		b.len = 0;
		utf8_clean(&b, cases[i].text, strlen(cases[i].text), UTF8_CLEAN_ASCII);
		is_buf(b, cases[i].ascii, "%s in ASCII", cases[i].what);
	}
	b.len = 0;
	utf8_clean(&b, "a\0b", 3, UTF8_CLEAN_UTF8);
	is_buf(b, "a" BAD "b", "a NUL does not end the text");
	buf_deinit(&b);
}

/* The fast path over eight bytes must see every byte in every position. */
static void test_clean_every_byte(void)
{
	struct buf b;
	size_t wrong = 0;
	buf_init(&b);
	for (size_t place = 0; place < 24; place++)
		for (unsigned byte = 0; byte < 256; byte++) {
			char text[24], expected[24];
			memset(text, 'm', sizeof text);
			text[place] = (char)byte;
			memcpy(expected, text, sizeof text);
			if (byte < 0x20 || byte > 0x7E)
				expected[place] = '?';
			b.len = 0;
			utf8_clean(&b, text, sizeof text, UTF8_CLEAN_ASCII);
			wrong += b.len != sizeof text || memcmp(b.data, expected, sizeof text) != 0;
		}
	is_int(wrong, 0, "every byte is judged alike wherever it stands");
	buf_deinit(&b);
}

/* For any input the result is valid, and cleaning it again changes nothing. */
static void test_clean_is_stable(void)
{
	struct buf once, twice;
	uint32_t state = 12345;
	size_t wrong = 0;
	buf_init(&once);
	buf_init(&twice);
	for (int round = 0; round < 20000; round++) {
		char noise[40];
		for (size_t i = 0; i < sizeof noise; i++) {
			state = state * 1664525 + 1013904223;
			noise[i] = (char)(state >> 24);
			if (state >> 20 & 1)
				noise[i] = (char)(0x80 | (noise[i] & 0x3F));
		}
		once.len = twice.len = 0;
		utf8_clean(&once, noise, sizeof noise, UTF8_CLEAN_UTF8);
		utf8_clean(&twice, once.data, once.len, UTF8_CLEAN_UTF8);
		wrong += !utf8_is_valid(once.data, once.len) || once.len != twice.len ||
		         memcmp(once.data, twice.data, once.len) != 0;
	}
	is_int(wrong, 0, "noise becomes valid text that is clean for good");
	buf_deinit(&once);
	buf_deinit(&twice);
}

int main(void)
{
	test_decode();
	test_round_trip();
	test_valid();
	test_width();
	test_fit();
	test_clean();
	test_clean_every_byte();
	test_clean_is_stable();
	return done_testing();
}
