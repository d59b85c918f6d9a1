/*
 * number.c - numbers as profiles write them and as people read them.
 *
 * Weights are integers with a fixed number of decimals. Only number_double() uses floating point, and nothing
 * depends on the locale, where the decimal point may be a comma.
 */
#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include "base/mem.h"

__extension__ typedef unsigned __int128 u128;

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t count_digits(const char *s, size_t n)
{
	size_t i = 0;
	while (i < n && is_digit(s[i]))
		i++;
	return i;
}

bool number_u64(const char *s, size_t n, uint64_t *v)
{
	uint64_t value = 0;
	if (n == 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!is_digit(s[i]))
			return false;
		/* Up to 19 digits always fit. */
		if (i < 19)
			value = value * 10 + (uint64_t)(s[i] - '0');
		else if (__builtin_mul_overflow(value, 10, &value) ||
		         __builtin_add_overflow(value, (uint64_t)(s[i] - '0'), &value))
			return false;
	}
	*v = value;
	return true;
}

/* [sign] digits [. digits] [e [sign] digits], with a digit before or after the point. */
static bool is_decimal(const char *s, size_t n)
{
	size_t at = n > 0 && (s[0] == '-' || s[0] == '+');
	size_t whole = count_digits(s + at, n - at), fraction = 0;
	at += whole;
	if (at < n && s[at] == '.') {
		at++;
		fraction = count_digits(s + at, n - at);
		at += fraction;
	}
	if (whole + fraction == 0)
		return false;
	if (at == n)
		return true;
	if (s[at] != 'e' && s[at] != 'E')
		return false;
	at++;
	at += at < n && (s[at] == '-' || s[at] == '+');
	return at < n && at + count_digits(s + at, n - at) == n;
}

/* strtod() in the C locale, for text that is_decimal() accepted. */
static double convert(const char *s, size_t n)
{
	char brief[64];
	char *text = n < sizeof brief ? memcpy(brief, s, n) : mem_strndup(s, n);
	text[n] = '\0';
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (plain == (locale_t)0)
		mem_exhausted(); /* newlocale("C") fails only without memory */
	locale_t before = uselocale(plain);
	double v = strtod(text, NULL);
	uselocale(before);
	freelocale(plain);
	if (text != brief)
		free(text);
	return v;
}

bool number_double(const char *s, size_t n, double *v)
{
	static const double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
	                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
	uint64_t digits = 0;
	size_t decimals = 0, at = 0;
	bool has_point = false;
	/* Nearly all numbers are short and plain. Both operands are exact, so one division rounds correctly. */
	for (; n <= 16 && at < n && (is_digit(s[at]) || (s[at] == '.' && !has_point)); at++) {
		if (s[at] == '.') {
			has_point = true;
			continue;
		}
		digits = digits * 10 + (uint64_t)(s[at] - '0');
		decimals += has_point;
	}
	if (at == n && n > has_point && digits <= (uint64_t)1 << 53) {
		*v = (double)digits / powers[decimals];
		return true;
	}
	if (!is_decimal(s, n))
		return false;
	double value = convert(s, n);
	if (!isfinite(value))
		return false;
	*v = value;
	return true;
}

bool number_count(const char *s, size_t n, uint64_t *whole, uint32_t *millionths)
{
	size_t point = count_digits(s, n);
	uint32_t fraction = 0;
	if (point < n && (s[point] != '.' || point + 1 + count_digits(s + point + 1, n - point - 1) != n))
		return false;
	if (!number_u64(s, point, whole))
		return false;
	for (size_t i = point + 1; i < point + 7; i++)
		fraction = fraction * 10 + (i < n ? (uint32_t)(s[i] - '0') : 0);
	*millionths = fraction;
	return true;
}

/* Writes the digits of v at the end of text; *first is where they begin. Returns their number. */
static size_t write_digits(char text[static 20], uint64_t v, char **first)
{
	size_t at = 20;
	do {
		text[--at] = (char)('0' + v % 10);
		v /= 10;
	} while (v > 0);
	*first = text + at;
	return 20 - at;
}

static void add_fraction(struct buf *b, const char *digits, size_t n, size_t zeros)
{
	while (n > 0 && digits[n - 1] == '0')
		n--;
	if (n == 0)
		return;
	buf_addc(b, '.');
	buf_pad(b, '0', zeros);
	buf_add(b, digits, n);
}

static void add_number(struct buf *b, uint64_t v, unsigned decimals, bool with_commas)
{
	char text[20], *digits;
	size_t n = write_digits(text, v, &digits);
	size_t whole = n > decimals ? n - decimals : 0;
	if (whole == 0)
		buf_addc(b, '0');
	if (!with_commas)
		buf_add(b, digits, whole);
	for (size_t i = 0; with_commas && i < whole; i++) {
		if (i > 0 && (whole - i) % 3 == 0)
			buf_addc(b, ',');
		buf_addc(b, digits[i]);
	}
	add_fraction(b, digits + whole, n - whole, n < decimals ? decimals - n : 0);
}

void number_add_fixed(struct buf *b, uint64_t v, unsigned decimals)
{
	add_number(b, v, decimals, false);
}

void number_add_commas(struct buf *b, uint64_t v, unsigned decimals)
{
	add_number(b, v, decimals, true);
}

static uint64_t divide_rounded(uint64_t v, uint64_t by)
{
	return v / by + (v % by >= by - v % by);
}

static uint64_t power_of_10(unsigned n)
{
	uint64_t p = 1;
	while (n-- > 0)
		p *= 10;
	return p;
}

/* Rounds v to three digits and lowers *scale by the digits dropped: v / 10^*scale keeps its value. */
static uint64_t round_to_three_digits(uint64_t v, int *scale)
{
	unsigned excess = 0;
	for (uint64_t rest = v; rest >= 1000; rest /= 10)
		excess++;
	*scale -= (int)excess;
	v = divide_rounded(v, power_of_10(excess));
	if (v < 1000)
		return v;
	*scale -= 1;
	return 100;
}

/*
 * Each group of three powers of ten has a letter; the rest of the scale, never negative, places the point among the
 * three digits.
 */
void number_add_short(struct buf *b, uint64_t v, unsigned decimals)
{
	static const char letters[] = " kMGTPE";
	const int places_max = 4; /* "0.1234" is six columns */
	int scale = decimals < 1000 ? (int)decimals : 1000;
	uint64_t m = round_to_three_digits(v, &scale);
	int power = (m >= 100 ? 2 : m >= 10 ? 1 : 0) - scale;
	int group = power >= 3 ? power / 3 : 0;
	int places = scale + 3 * group, excess = places - places_max;
	if (excess > 0) {
		m = excess > 3 ? 0 : divide_rounded(m, power_of_10((unsigned)excess));
		places = places_max;
	}
	if (m == 0 && v > 0) {
		buf_adds(b, "<.0001");
		return;
	}
	number_add_fixed(b, m, (unsigned)places);
	if (group > 0) {
		buf_addc(b, ' ');
		buf_addc(b, letters[group]);
	}
}

static void add_three_digits(struct buf *b, uint64_t m, int places, const char *unit)
{
	for (; places < 0; places++)
		m *= 10;
	number_add_fixed(b, m, (unsigned)places);
	buf_adds(b, unit);
}

void number_add_time(struct buf *b, uint64_t v, unsigned scale)
{
	static const char *const units[] = {" s", " ms", " us", " ns"};
	int places = scale < 1000 ? (int)scale : 1000, group = 0;
	uint64_t m = round_to_three_digits(v, &places);
	int power = (m >= 100 ? 2 : m >= 10 ? 1 : 0) - places; /* power of ten of the first digit */
	if (power >= 4) {
		places = (int)scale + 2;
		m = round_to_three_digits(v / 36, &places);
		add_three_digits(b, m, places, " h");
		return;
	}
	while (m > 0 && power < 0 && group < 3) {
		power += 3;
		places -= 3;
		group++;
	}
	if (m > 0 && power < 0)
		buf_adds(b, "<1 ns");
	else
		add_three_digits(b, m, m ? places : 0, units[group]);
}

void number_add_moment(struct buf *b, uint64_t at, uint64_t length)
{
	uint64_t unit = 1000000000;
	unsigned places = 0;
	if (length > at / 20) {
		number_add_time(b, at, 9);
		return;
	}
	for (; places < 9 && unit > length / 20; places++)
		unit /= 10;
	unit = unit ? unit : 1;
	number_add_fixed(b, at / unit + (at % unit >= (unit + 1) / 2), places);
	buf_adds(b, " s");
}

double number_percent(double percent, unsigned places)
{
	double unit = (double)power_of_10(places), size = fabs(percent);
	return size < 100 && size * unit >= 100 * unit - 0.5 ? copysign(100 - 1 / unit, percent) : percent;
}

void number_add_percent(struct buf *b, uint64_t part, uint64_t whole, unsigned places)
{
	unsigned shown = places < 9 ? places : 9;
	uint64_t unit = power_of_10(shown);
	u128 all = (u128)100 * unit, share = 0;
	if (whole > 0)
		share = ((u128)part * all + whole / 2) / whole;
	if (part < whole && share >= all)
		share = all - 1;
	/* part may exceed whole, by up to 2^64: the quotient, 2^64 * 100, fits. */
	u128 rest = share % unit, percent = share / unit;
	if (percent > UINT64_MAX)
		percent = UINT64_MAX;
	buf_addu(b, (uint64_t)percent);
	if (shown == 0)
		return;
	char text[20], *digits;
	size_t n = write_digits(text, (uint64_t)rest, &digits);
	buf_addc(b, '.');
	buf_pad(b, '0', shown - n);
	buf_add(b, digits, n);
}
