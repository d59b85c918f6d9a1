/*
 * Hexadecimal digits: which bytes are some, and numbers and bytes made of them.
 */
#include "tests/tap.h"

#include <string.h>

#include "base/hex.h"
#include "base/slice.h"

static void test_digits(void)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	unsigned n = 0, wrong = 0;
	for (int c = 0; c < 256; c++) {
		const char *at = c ? strchr(digits, c) : NULL;
		int value = !at ? -1 : at - digits < 16 ? (int)(at - digits) : (int)(at - digits) - 6;
		n += hex_digit((char)c) >= 0;
		wrong += hex_digit((char)c) != value || is_hex_byte((char)c) != (value >= 0);
	}
	is_int(n, 22, "22 of all bytes are digits");
	is_int(wrong, 0, "and have their value");
	is_int(hex_byte("a7"), 0xa7, "two make a byte");
	is_int(hex_byte("F"), -1, "one does not");
	is_int(hex_byte("7g"), -1, "nor does one and another letter");
}

static void number(const char *text, bool is_number, uint64_t expected)
{
	uint64_t v;
	bool is_good = slice_hex(slice_of(text), &v);
	ok(is_good == is_number && (!is_good || v == expected), "'%s' is %s", text,
	   is_number ? "a number" : "no number");
}

static void percent(const char *text, size_t n, const char *expected)
{
	char plain[32];
	size_t len = 0;
	for (const char *p = text, *end = text + n; p < end && len + 1 < sizeof plain;)
		plain[len++] = hex_take_percent(&p, end);
	plain[len] = '\0';
	is_str(plain, expected, "'%.*s' is decoded", (int)n, text);
}

int main(void)
{
	test_digits();
	number("0", true, 0);
	number("12aB", true, 0x12ab);
	number("ffffffffffffffff", true, UINT64_MAX);
	number("00000000000000001", false, 0);
	number("", false, 0);
	number("12 ", false, 0);
	number("0x1", false, 0);
	percent("a%41b%7a", 8, "aAbz");
	percent("100%", 4, "100%");
	percent("%4", 2, "%4");
	percent("%412", 2, "%4");
	percent("%%41%4g", 7, "%A%4g");
	percent("%\021\022", 3, "%\021\022");
	return done_testing();
}
