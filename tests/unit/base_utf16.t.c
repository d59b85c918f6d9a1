/* UTF-16 to UTF-8: pairs, halves of pairs, both byte orders, any pieces. */
#include "base/utf16.h"

#include <string.h>

#include "base/buf.h"
#include "tap.h"

/* Converts it in pieces of `piece` bytes, into rooms of `room`. */
static const char *convert(struct buf *out, struct utf16 *u, const char *bytes, size_t n, size_t piece, size_t room)
{
	const unsigned char *in = (const unsigned char *)bytes, *end = in + n;
	out->len = 0;
	for (;;) {
		size_t held = (size_t)(end - in) < piece ? (size_t)(end - in) : piece, left = held;
		size_t made = utf16_to_utf8(u, &in, &left, buf_reserve(out, room), room);
		out->len += made;
		if (!made && in == end)
			return buf_str(out);
	}
}

static void test_text(const char *bytes, size_t n, const char *expected, const char *what)
{
	bool is_good = true;
	struct buf out;
	buf_init(&out);
	for (unsigned order = 0; order < 2; order++)
		for (size_t piece = 1; piece < 9; piece++)
			for (size_t room = 1; room < 9; room++) {
				struct utf16 u = {.is_big = order};
				char swapped[64];
				for (size_t i = 0; i < n; i++)
					swapped[i] = bytes[order ? i ^ 1 : i];
				is_good &= strcmp(convert(&out, &u, swapped, n, piece, room), expected) == 0 && !utf16_is_cut(&u);
			}
	ok(is_good, "%s", what);
	is_str(buf_str(&out), expected, "%s, in pieces of any size", what);
	buf_deinit(&out);
}

static void test_cut(void)
{
	struct buf out;
	struct utf16 u = {.is_big = false};
	buf_init(&out);
	is_str(convert(&out, &u, "a\0b", 3, 9, 9), "a", "half of a unit is not written");
	ok(utf16_is_cut(&u), "and the text is cut");
	u = (struct utf16){.is_big = false};
	is_str(convert(&out, &u, "a\0\x3d\xd8", 4, 9, 9), "a", "nor is half of a pair");
	ok(utf16_is_cut(&u), "and the text is cut");
	u = (struct utf16){.is_big = false};
	is_str(convert(&out, &u, "", 0, 9, 9), "", "no text");
	ok(!utf16_is_cut(&u), "is whole");
	buf_deinit(&out);
}

int main(void)
{
#define TEXT(s) s, sizeof(s) - 1
	test_text(TEXT("\xff\xfe"
	               "a\0;\0\xe9\0\x22\x6f\n\0"),
	          "a;\xc3\xa9\xe6\xbc\xa2\n", "a mark, and letters of one to three bytes");
	test_text(TEXT("a\0\xff\xfe"
	               "b\0"),
	          "a\xef\xbb\xbf"
	          "b",
	          "the mark elsewhere is a character");
	test_text(TEXT("\x3d\xd8\x25\xdd"
	               "b\0"),
	          "\xf0\x9f\x94\xa5"
	          "b",
	          "a pair");
	test_text(TEXT("\x3d\xd8"
	               "b\0\x25\xdd"
	               "c\0"),
	          "\xef\xbf\xbd"
	          "b\xef\xbf\xbd"
	          "c",
	          "halves of pairs that stand alone");
	test_text(TEXT("\x3d\xd8\x3d\xd8\x25\xdd"), "\xef\xbf\xbd\xf0\x9f\x94\xa5", "a half before a pair");
	test_cut();
	return done_testing();
}
