/*
 * base_scan.t.c - finding bytes in text: each function against one that looks at a byte at a time, over all bytes and
 * over texts by chance. base_scan_plain.t.c does it with plain C.
 */
#include "base/scan.h"

#include "base/hex.h"
#include "tests/tap.h"

enum { TEXT = 96, ROUNDS = 20000 };

static uint64_t state = 7;

static unsigned by_chance(unsigned n)
{
	state = state * UINT64_C(6364136223846793005) + 1;
	return (unsigned)(state >> 33) % n;
}

/* Few different bytes, so that they repeat; with their neighbours, which carries would reach. */
static void fill(char *text, size_t n)
{
	static const unsigned char bytes[] = {0,   1,   2,   0x7f, 0x80, 0x81, 0xff, 0xfe, '/', '0',  '9',  ':',  '@',
	                                      'A', 'F', 'G', '`',  'a',  'f',  'g',  ';',  ' ', '\n', 0xb0, 0xe1, 0xc6};
	bool is_any = by_chance(2);
	for (size_t i = 0; i < n; i++)
		text[i] = (char)(is_any ? by_chance(256) : bytes[by_chance(sizeof bytes)]);
}

static uint32_t each(const char *p, unsigned n, const char *bytes, size_t n_bytes)
{
	uint32_t mask = 0;
	for (unsigned i = 0; i < n; i++)
		mask |= (uint32_t)(memchr(bytes, p[i], n_bytes) != NULL) << i;
	return mask;
}

static bool are_masks_right(const char *p)
{
	const char five[] = {p[by_chance(32)], p[by_chance(32)], p[by_chance(32)], 'a', '|'};
	uint32_t hex = 0;
	for (unsigned i = 0; i < 16; i++)
		hex |= (uint32_t)(hex_digit(p[i]) >= 0) << i;
	return scan_mask(p, five[0]) == each(p, 32, five, 1) &&
	       scan_mask_any(p, five[0], five[1], five[2], five[3], five[4]) == each(p, 32, five, sizeof five) &&
	       scan_mask_hex(p) == hex;
}

static bool is_difference_right(const char *a, const char *b)
{
	uint32_t mask = 0;
	for (unsigned i = 0; i < 32; i++)
		mask |= (uint32_t)(a[i] != b[i]) << i;
	return scan_difference(a, b) == mask;
}

static void test_masks(void)
{
	char text[TEXT], other[TEXT];
	bool masks = true, differences = true;
	for (int i = 0; i < ROUNDS; i++) {
		fill(text, sizeof text);
		memcpy(other, text, sizeof text);
		for (unsigned k = by_chance(4); k; k--)
			other[by_chance(TEXT)] ^= (char)(1 << by_chance(8));
		masks = masks && are_masks_right(text + by_chance(32));
		differences = differences && is_difference_right(text, other);
	}
	ok(masks, "one byte, one of five, hexadecimal digits");
	ok(differences, "where two texts differ");
}

/* Alone, among bytes that are none. */
static void test_all_bytes(void)
{
	bool good = true;
	for (int c = 0; c < 256; c++) {
		for (unsigned at = 0; at < 16; at++) {
			char text[32];
			memset(text, '!', sizeof text);
			text[at] = (char)c;
			good = good && scan_mask_hex(text) == (uint32_t)(hex_digit((char)c) >= 0) << at;
			good = good && (c == '!' || scan_mask(text, (char)c) == UINT32_C(1) << at);
		}
	}
	ok(good, "every byte at every place");
}

static void test_count(void)
{
	enum { N = 40000 };
	static char text[N];
	bool good = true;
	fill(text, N);
	for (int i = 0; i < 200; i++) {
		size_t n = by_chance(i & 1 ? 100 : N), expected = 0;
		const char *from = text + by_chance((unsigned)(N - n));
		for (size_t k = 0; k < n; k++)
			expected += from[k] == text[0];
		good = good && scan_count(from, n, text[0]) == expected;
	}
	memset(text, 'x', N);
	ok(good && scan_count(text, N, 'x') == N, "how often a byte occurs");
}

static void test_searches(void)
{
	char text[300];
	bool good = true;
	for (unsigned at = 0; at < 200; at++) {
		memset(text, 'a', sizeof text);
		text[at] = text[at + 1] = ';';
		good = good && scan_to(text, ';') == text + at && scan_to64(text, ';') == text + at;
		good =
			good && scan_to_pair(text, text + 210, ';') == text + at && scan_to_pair(text, text + at, ';') == NULL;
		char other[sizeof text];
		memset(other, 'a', sizeof other);
		good = good && scan_common(text, other, 201) == at && scan_common(text, other, at) == at;
	}
	ok(good, "the first one, the first pair, the common prefix");
}

int main(void)
{
	test_masks();
	test_all_bytes();
	test_count();
	test_searches();
	return done_testing();
}
