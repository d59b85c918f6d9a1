/*
 * Counts as profiles write them, and as users read them.
 */
#include "tests/tap.h"

#include <locale.h>
#include <math.h>

#include "base/number.h"

static void test_u64(void)
{
	static const struct {
		const char *text;
		bool is_number;
		uint64_t value;
	} cases[] = {
		{"0", true, 0},
		{"7", true, 7},
		{"007", true, 7},
		{"1234567890123456789", true, 1234567890123456789},
		{"18446744073709551615", true, UINT64_MAX},
		{"18446744073709551616", false, 0},
		{"99999999999999999999", false, 0},
		{"184467440737095516150", false, 0},
		{"", false, 0},
		{"-1", false, 0},
		{"+1", false, 0},
		{" 1", false, 0},
		{"1 ", false, 0},
		{"1.0", false, 0},
		{"0x10", false, 0},
		{"1e3", false, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t v = 0;
		bool is_number = number_u64(cases[i].text, strlen(cases[i].text), &v);
		ok(is_number == cases[i].is_number && v == cases[i].value, "'%s' is %s as an integer", cases[i].text,
		   cases[i].is_number ? "read" : "refused");
	}
	uint64_t v = 0;
	ok(number_u64("12345", 3, &v) && v == 123, "only the given bytes are read");
}

static void test_double(void)
{
	static const struct {
		const char *text;
		double value; /* NAN: refused */
	} cases[] = {
		{"12", 12},
		{"1.5", 1.5},
		{".5", 0.5},
		{"5.", 5},
		{"1e3", 1000},
		{"1E+3", 1000},
		{"25e-1", 2.5},
		{"-2", -2},
		{"+2", 2},
		{"-0.25", -0.25},
		{"0.1", 0.1},
		{"0.3", 0.3},
		{"123456789.123456", 123456789.123456},
		{"9007199254740993", 9007199254740993.0},
		{"99999999999999.99", 99999999999999.99},
		{"179769313486231570000000000000000000000", 1.7976931348623157e38},
		{"1e-400", 0},
		{"1.7976931348623157e308", 1.7976931348623157e308},
		{"1e309", NAN},
		{"", NAN},
		{".", NAN},
		{"-", NAN},
		{"-.", NAN},
		{"e5", NAN},
		{"1e", NAN},
		{"1e+", NAN},
		{"1.2.3", NAN},
		{"0x1p3", NAN},
		{"inf", NAN},
		{"nan", NAN},
		{"1,5", NAN},
		{" 1", NAN},
		{"1 ", NAN},
		{"--1", NAN},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double v = -77;
		bool is_number = number_double(cases[i].text, strlen(cases[i].text), &v);
		double expected = cases[i].value;
		/* Bit for bit: a division instead of a table must round in the same way. */
		ok(isnan(expected) ? !is_number && memcmp(&v, &(double){-77}, sizeof v) == 0
		                   : is_number && memcmp(&v, &expected, sizeof v) == 0,
		   "'%s' is %s as a decimal number", cases[i].text, isnan(expected) ? "refused" : "read");
	}
}

static void test_long_double_text(void)
{
	char text[3000];
	double v = 0;
	memset(text, '9', sizeof text);
	ok(!number_double(text, sizeof text, &v), "three thousand digits are beyond every double");
	memset(text, '0', sizeof text);
	text[sizeof text - 1] = '3';
	ok(number_double(text, sizeof text, &v) && v > 2.5 && v < 3.5, "three thousand digits may be a small number");
}

static void test_count(void)
{
	static const struct {
		const char *text;
		bool is_count;
		uint64_t whole;
		uint32_t millionths;
	} cases[] = {
		{"12", true, 12, 0},
		{"12.", true, 12, 0},
		{"12.5", true, 12, 500000},
		{"0.000001", true, 0, 1},
		{"1.23456789", true, 1, 234567},
		{"1.9999999999", true, 1, 999999},
		{"18446744073709551615.25", true, UINT64_MAX, 250000},
		{"18446744073709551616", false, 0, 0},
		{".5", false, 0, 0},
		{"", false, 0, 0},
		{".", false, 0, 0},
		{"1.5x", false, 0, 0},
		{"1..5", false, 0, 0},
		{"1e3", false, 0, 0},
		{"-1", false, 0, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t whole = 0;
		uint32_t millionths = 0;
		bool is_count = number_count(cases[i].text, strlen(cases[i].text), &whole, &millionths);
		ok(is_count == cases[i].is_count && whole == cases[i].whole && millionths == cases[i].millionths,
		   "'%s' is %s as a count", cases[i].text, cases[i].is_count ? "read" : "refused");
	}
}

struct shown {
	uint64_t v;
	unsigned decimals;
	const char *text;
};

static void check_shown(void (*add)(struct buf *, uint64_t, unsigned), const struct shown *cases, size_t n,
                        const char *how)
{
	struct buf b;
	buf_init(&b);
	for (size_t i = 0; i < n; i++) {
		b.len = 0;
		add(&b, cases[i].v, cases[i].decimals);
		is_buf(b, cases[i].text, "%ju with %u decimals is '%s' %s", (uintmax_t)cases[i].v, cases[i].decimals,
		       cases[i].text, how);
	}
	buf_deinit(&b);
}

static void test_fixed(void)
{
	static const struct shown cases[] = {
		{0, 0, "0"},
		{0, 3, "0"},
		{5, 0, "5"},
		{5500, 3, "5.5"},
		{5000, 3, "5"},
		{5, 3, "0.005"},
		{50, 3, "0.05"},
		{123456, 3, "123.456"},
		{1, 25, "0.0000000000000000000000001"},
		{UINT64_MAX, 0, "18446744073709551615"},
		{UINT64_MAX, 6, "18446744073709.551615"},
		{UINT64_MAX, 20, "0.18446744073709551615"},
	};
	check_shown(number_add_fixed, cases, sizeof cases / sizeof *cases, "in fixed point");
}

static void test_commas(void)
{
	static const struct shown cases[] = {
		{0, 0, "0"},
		{999, 0, "999"},
		{1000, 0, "1,000"},
		{12345, 0, "12,345"},
		{123456, 0, "123,456"},
		{1234567, 0, "1,234,567"},
		{1234567890, 3, "1,234,567.89"},
		{UINT64_MAX, 0, "18,446,744,073,709,551,615"},
		{12, 3, "0.012"},
	};
	check_shown(number_add_commas, cases, sizeof cases / sizeof *cases, "with commas");
}

static void test_short(void)
{
	static const struct shown cases[] = {
		{0, 0, "0"},
		{0, 9, "0"},
		{7, 0, "7"},
		{999, 0, "999"},
		{1000, 0, "1 k"},
		{1230, 0, "1.23 k"},
		{1234, 0, "1.23 k"},
		{1235, 0, "1.24 k"},
		{12345, 0, "12.3 k"},
		{999499, 0, "999 k"},
		{999500, 0, "1 M"},
		{1234567890, 0, "1.23 G"},
		{1500000000000, 0, "1.5 T"},
		{2000000000000000, 0, "2 P"},
		{UINT64_MAX, 0, "18.4 E"},
		{5500, 3, "5.5"},
		{1234567, 3, "1.23 k"},
		{123456, 4, "12.3"},
		{1234, 4, "0.123"},
		{123, 4, "0.0123"},
		{12, 4, "0.0012"},
		{12, 5, "0.0001"},
		{1, 5, "<.0001"},
		{1, 30, "<.0001"},
		{9996, 1, "1 k"},
		{99951, 5, "1"},
		{UINT64_MAX, 19, "1.84"},
	};
	check_shown(number_add_short, cases, sizeof cases / sizeof *cases, "in short");
}

static void test_time(void)
{
	static const struct shown cases[] = {
		{0, 9, "0 s"},         {1, 9, "1 ns"},           {999, 9, "999 ns"},    {1000, 9, "1 us"},
		{61349, 9, "61.3 us"}, {926000000, 9, "926 ms"}, {999600000, 9, "1 s"}, {15234567890, 9, "15.2 s"},
		{61000, 3, "61 s"},    {1234, 0, "1230 s"},      {36000, 0, "10 h"},    {123456789, 0, "34300 h"},
		{5, 12, "<1 ns"},
	};
	check_shown(number_add_time, cases, sizeof cases / sizeof *cases, "as time");
}

static void test_short_is_narrow(void)
{
	struct buf b;
	size_t widest = 0;
	buf_init(&b);
	for (unsigned decimals = 0; decimals < 24; decimals++)
		for (uint64_t v = 1, i = 0; i < 400; i++, v = v + v / 9 + 1) {
			b.len = 0;
			number_add_short(&b, v, decimals);
			widest = b.len > widest ? b.len : widest;
		}
	ok(widest <= 6, "no number in short takes more than six columns (%zu)", widest);
	buf_deinit(&b);
}

static void test_percent(void)
{
	static const struct {
		uint64_t part, whole;
		unsigned places;
		const char *text;
	} cases[] = {
		{0, 0, 1, "0.0"},
		{0, 5, 0, "0"},
		{1, 3, 1, "33.3"},
		{2, 3, 1, "66.7"},
		{1, 3, 0, "33"},
		{1, 2, 0, "50"},
		{1, 8, 2, "12.50"},
		{1, 8, 1, "12.5"},
		{1, 16, 1, "6.3"},
		{5, 5, 1, "100.0"},
		{5, 5, 0, "100"},
		{999999, 1000000, 1, "99.9"},
		{999999, 1000000, 0, "99"},
		{UINT64_MAX - 1, UINT64_MAX, 2, "99.99"},
		{UINT64_MAX, UINT64_MAX, 2, "100.00"},
		{UINT64_MAX / 2, UINT64_MAX, 3, "50.000"},
		{3, 2, 1, "150.0"},
		{1, 1000, 2, "0.10"},
		{1, 1000000, 2, "0.00"},
	};
	struct buf b;
	buf_init(&b);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		b.len = 0;
		number_add_percent(&b, cases[i].part, cases[i].whole, cases[i].places);
		is_buf(b, cases[i].text, "%ju of %ju is %s percent", (uintmax_t)cases[i].part, (uintmax_t)cases[i].whole,
		       cases[i].text);
	}
	buf_deinit(&b);
	ok(number_percent(99.996, 2) == 99.99 && number_percent(99.96, 1) == 99.9,
	   "what is less than 100 does not round to it");
	ok(number_percent(100, 2) == 100 && number_percent(99.99, 2) == 99.99 && number_percent(120, 2) == 120,
	   "other shares stay");
	ok(number_percent(-99.996, 2) == -99.99 && number_percent(-100, 2) == -100 && number_percent(-120, 2) == -120,
	   "changes likewise");
}

static void test_short_digits(void)
{
	static const struct {
		const char *text;
		size_t n;
		uint64_t value;
	} cases[] = {
		{"", 0, 0},
		{"x", 0, 0},
		{"/123456", 0, 0},
		{":123456", 0, 0},
		{"\377\377", 0, 0},
		{"5", 1, 5},
		{"0", 1, 0},
		{"42 of", 2, 42},
		{"007.5", 3, 7},
		{"1234567", 7, 1234567},
		{"7654321\n", 7, 7654321},
		{"9999999,", 7, 9999999},
		{"12345678", 8, 0},
		{"123456789", 8, 0},
		{"12\2003", 2, 12},
		{"98\3727", 2, 98},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[16] = "";
		uint64_t v = 77;
		memcpy(text, cases[i].text, strlen(cases[i].text));
		size_t n = number_short(text, &v);
		ok(n == cases[i].n && v == cases[i].value, "case %zu: begins with %zu digits, as a number %ju", i,
		   cases[i].n, (uintmax_t)cases[i].value);
	}
}

int main(void)
{
	setlocale(LC_ALL, "");
	test_u64();
	test_short_digits();
	test_double();
	test_long_double_text();
	test_count();
	test_fixed();
	test_commas();
	test_short();
	test_time();
	test_short_is_narrow();
	test_percent();
	return done_testing();
}
