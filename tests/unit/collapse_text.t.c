/*
 * Lines of CSV, exact decimals, maps of ids, and mangled names.
 */
#include "base/idmap.h"
#include "collapse/collapse.h"
#include "collapse/text/amount.h"
#include "collapse/text/csv.h"
#include "collapse/text/decimal.h"
#include "tests/tap.h"

static void fields(const char *line, const char *expected, const char *name)
{
	struct csv c;
	struct buf out;
	const char *s;
	size_t n;
	csv_init(&c);
	buf_init(&out);
	csv_line(&c, line, strlen(line));
	while (csv_next(&c, &s, &n)) {
		buf_addc(&out, '<');
		buf_add(&out, s, n);
		buf_addc(&out, '>');
	}
	buf_adds(&out, c.is_unclosed ? "!" : "");
	is_str(buf_str(&out), expected, "%s", name);
	ok(!csv_next(&c, &s, &n), "%s, and nothing after that", name);
	buf_deinit(&out);
	csv_deinit(&c);
}

static void test_csv(void)
{
	fields("a,b,c", "<a><b><c>", "fields are told apart");
	fields("", "<>", "an empty line is one empty field");
	fields(",", "<><>", "a comma alone is between two empty fields");
	fields("a,,", "<a><><>", "a comma at the end has an empty field behind it");
	fields("\"a,b\",c", "<a,b><c>", "a comma within quotes is text");
	fields("1,\"say \"\"hi\"\"\"", "<1><say \"hi\">", "doubled quotes are one quote");
	fields("\"\",\"\"\"\"", "<><\">", "an empty quoted field, and a quote alone");
	fields("  \"a\" x,b", "<a><b>", "blanks around quotes do not count");
	fields("  a ,b", "<  a ><b>", "blanks around plain fields do");
	fields("a\"b\",c", "<a\"b\"><c>", "a quote within a plain field is text");
	fields("\"open,b", "<open,b>!", "a quote that is never closed reaches to the end");
	fields("\"", "<>!", "even if nothing is behind it");
}

static void test_csv_ends(void)
{
	struct csv c;
	const char *s;
	size_t n;
	csv_init(&c);
	csv_line(&c, "a,\"b\"", 2);
	ok(csv_next(&c, &s, &n) && csv_next(&c, &s, &n) && n == 0 && !c.is_unclosed, "text behind a line is not read");
	csv_deinit(&c);
}

/* A line is split completely before its fields are used. */
static void test_csv_keeps_fields(void)
{
	static const char line[] = "\"a \"\"b\"\"\",\"say \"\"something longer than the first buffer\"\"\",\"\"\"\"";
	const char *s[3] = {"", "", ""};
	size_t n[3] = {0};
	struct csv c;
	csv_init(&c);
	csv_line(&c, line, sizeof line - 1);
	for (int i = 0; i < 3; i++)
		csv_next(&c, &s[i], &n[i]);
	ok(n[0] == 5 && memcmp(s[0], "a \"b\"", 5) == 0, "a field with quotes in it is good until the next line");
	ok(n[2] == 1 && *s[2] == '"', "so is the last one");
	csv_deinit(&c);
}

static void number(const char *text, unsigned places, int64_t expected)
{
	int64_t v = -999;
	bool held = decimal_scaled(text, strlen(text), places, &v);
	ok(held && v == expected, "'%s' with %u places is %lld (got %lld)", text, places, (long long)expected,
	   (long long)v);
}

static void no_number(const char *text, unsigned places)
{
	int64_t v;
	ok(!decimal_scaled(text, strlen(text), places, &v), "'%s' with %u places is refused", text, places);
}

static void test_decimals(void)
{
	number("0", 0, 0);
	number("12", 0, 12);
	number("12", 3, 12000);
	number("5.5", 3, 5500);
	number("-5.5", 3, -5500);
	number(".25", 2, 25);
	number("7.", 1, 70);
	number("1712345678901234.567", 3, 1712345678901234567);
	number("0.0005", 3, 1);
	number("0.00049", 3, 0);
	number("-0.5", 0, -1);
	number("2.5", 0, 3);
	number("1.5e3", 0, 1500);
	number("15E-1", 0, 2);
	number("1e-400", 9, 0);
	number("0e999999999", 0, 0);
	number("0.000000000000000000000000000001", 9, 0);
	number("1.00000000000000000000000000009", 3, 1000);
	number("1844674407.3709551609", 9, 1844674407370955161); /* all 20 digits affect the rounding */
	number("1844674407.3709551619", 9, 1844674407370955162); /* one digit more would be too many: it rounds */
	number("9223372036854775807", 0, INT64_MAX);
	no_number("9223372036854775808", 0);
	no_number("9223372036854775807", 1);
	no_number("1e30", 0);
	no_number("", 0);
	no_number("-", 0);
	no_number(".", 0);
	no_number("1.2.3", 0);
	no_number("1e", 0);
	no_number("1e+", 0);
	no_number("1e5x", 0);
	no_number("12x", 0);
	no_number("0x10", 0);
	no_number(" 1", 0);
}

static void split(const char *text, uint64_t whole, uint32_t millionths, bool fits)
{
	struct decimal d;
	uint64_t got = 1;
	uint32_t part = 1;
	bool held = decimal_read(text, strlen(text), &d) && decimal_split(decimal_times(&d, 9), 9, &got, &part) == fits;
	ok(held && got == whole && part == millionths, "'%s' is %llu and %u millionths (got %llu, %u)", text,
	   (unsigned long long)whole, millionths, (unsigned long long)got, part);
}

static void test_splitting(void)
{
	split("0", 0, 0, true);
	split("1.5", 1, 500000, true);
	split("0.0000005", 0, 1, true);
	split("9.9999999", 10, 0, true);
	split("9007199254740993.25", 9007199254740993, 250000, true);
	split("18446744073709551615", UINT64_MAX, 0, true);
	split("18446744073709551615.0", UINT64_MAX, 0, true);
	split("18446744073709551616", UINT64_MAX, 0, false);
	split("184467440737095516190", UINT64_MAX, 0, false); /* no digit follows one that does not fit */
	split("18446744073709551619e-1", 1844674407370955162, 0, true);
	split("1e999999999", UINT64_MAX, 0, false);
}

static void test_amounts(void)
{
	struct decimal since = {.digits = 1700000000000000100}, until = {.digits = 1700000000000000103};
	decimal_whole sum = amount_of(&until, 0) - amount_of(&since, 0);
	ok(sum == 3 * AMOUNT_ONE, "the difference of two long times is exact");
	ok(amount_repaired(5 * AMOUNT_ONE + 1) == 5 * AMOUNT_ONE,
	   "what doubles took from a whole number is given back");
	ok(amount_repaired(AMOUNT_ONE / 2) == AMOUNT_ONE / 2, "a half is a half");
	ok(amount_rounded(-AMOUNT_ONE / 2) == -AMOUNT_ONE, "halves are rounded away from zero");
	amount_add(&sum, DECIMAL_MOST);
	amount_add(&sum, DECIMAL_MOST);
	ok(sum == DECIMAL_MOST && amount_weight(sum) == UINT64_MAX, "sums have an end");
}

static void test_idmap(void)
{
	struct idmap m = {0};
	uint32_t v = 7;
	bool good = true;
	ok(!idmap_find(&m, 1, &v), "an empty map has nothing");
	for (uint32_t i = 0; i < 100000; i++)
		good = good && idmap_add(&m, (uint64_t)i << 20, i);
	ok(good, "a hundred thousand ids are new");
	ok(!idmap_add(&m, 0, 5), "an id is not added twice");
	for (uint32_t i = 0; i < 100000; i++)
		good = good && idmap_find(&m, (uint64_t)i << 20, &v) && v == i;
	ok(good, "and all of them are found again");
	ok(!idmap_find(&m, 1, &v), "an id that was not added is missing");
	idmap_deinit(&m);
}

/* A name whose plain form would be very long stays mangled, which is said once. */
static void test_mangled(void)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct profile p;
	struct sink sink = {.profile = &p};
	struct buf name, out;
	profile_init(&p);
	buf_init(&name);
	buf_init(&out);
	ok(sink_demangle(&sink, "_ZN3foo3barEi", &out), "a mangled name");
	is_str(buf_str(&out), "foo::bar", "in its plain form");
	ok(!sink_demangle(&sink, "_Z?", &out) && !sink_demangle(&sink, "", &out) && !p.report.n, "others are none");
	buf_adds(&name, "_Z1fI1XIiiE");
	for (int i = 1; i < 34; i++)
		buf_addf(&name, "S0_IS%c_S%c_E", digits[i], digits[i]);
	buf_adds(&name, "Evv");
	for (int i = 0; i < 2; i++)
		ok(!sink_demangle(&sink, buf_str(&name), &out), "one that would be far too long stays as it is");
	ok(p.report.n == 1 && strstr(p.report.notes[0].kind, "stays mangled"), "a note says so, once");
	buf_deinit(&name);
	buf_deinit(&out);
	profile_deinit(&p);
}

int main(void)
{
	test_mangled();
	test_csv();
	test_csv_ends();
	test_csv_keeps_fields();
	test_decimals();
	test_splitting();
	test_amounts();
	test_idmap();
	return done_testing();
}
