/* Characters as XML and HTML write them. */
#include "base/entity.h"

#include "tests/tap.h"

static void is_read(const char *text, uint32_t expected)
{
	uint32_t codes[2] = {0};
	bool is = entity_read(slice_of(text), codes);
	is_int(is ? (long long)codes[0] : 0, (long long)expected, "&%s;", text);
	is_int(codes[1], 0, "&%s; is one code point", text);
}

static void is_pair(const char *text, uint32_t first, uint32_t second)
{
	uint32_t codes[2] = {0};
	ok(entity_read(slice_of(text), codes) && codes[0] == first && codes[1] == second, "&%s; is two", text);
}

int main(void)
{
	is_read("amp", '&');
	is_read("AMP", '&');
	is_read("QUOT", '"');
	is_read("apos", '\'');
	is_read("rbrace", '}');
	is_read("nbsp", 0xa0);
	is_read("times", 0xd7);
	is_read("ouml", 0xf6);
	is_read("Ouml", 0xd6);
	is_read("yuml", 0xff);
	is_read("euro", 0x20ac);
	is_read("ndash", 0x2013);
	is_read("alpha", 0x3b1);
	is_read("ccaron", 0x10d);
	is_read("midast", '*');
	is_read("CounterClockwiseContourIntegral", 0x2233);
	is_read("zwnj", 0x200c);
	is_read("#43", '+');
	is_read("#0043", '+');
	is_read("#x2b", '+');
	is_read("#X2B", '+');
	is_read("#x10FFFF", 0x10ffff);
	is_pair("fjlig", 'f', 'j');
	is_pair("NotEqualTilde", 0x2242, 0x338);
	const char *const none[] = {"",       "#",    "#x", "#0",     "#2b",     "#x110000",
	                            "#xd800", "OUML", "am", "amp lt", "nbsp a1", "a0"};
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		is_read(none[i], 0);
	return done_testing();
}
