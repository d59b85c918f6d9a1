/*
 * decimal.c - reads decimal numbers exactly, as integers of a smaller unit.
 *
 * A time like "1712345678901.123" microseconds has more digits than a double holds, and weights are differences of
 * such times. So the digits are read as an integer; point and exponent only tell where it is cut.
 *
 *	"1.5e3", places 2  ->  digits 15, exponent 3 - 1 + 2 = 4  ->  150000
 */
#include "collapse/text/decimal.h"

#define EXPONENT_MAX 100000
#define POWERS 19 /* 10^18 times any 64-bit number fits into a decimal_whole */

static const uint64_t powers[POWERS] = {
	1,
	10,
	100,
	1000,
	10000,
	100000,
	1000000,
	10000000,
	100000000,
	1000000000,
	10000000000,
	100000000000,
	1000000000000,
	10000000000000,
	100000000000000,
	1000000000000000,
	10000000000000000,
	100000000000000000,
	1000000000000000000,
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Adds one digit. false: it does not fit, rounds the others and counts for the exponent; none may follow. */
static bool add_digit(struct decimal *d, char c, bool is_fraction)
{
	uint64_t digits;
	if (__builtin_mul_overflow(d->digits, 10, &digits) ||
	    __builtin_add_overflow(digits, (uint64_t)(c - '0'), &digits)) {
		d->digits += c >= '5' && d->digits < UINT64_MAX;
		return false;
	}
	d->digits = digits;
	d->exponent -= is_fraction;
	return true;
}

/* "e+12" at s[i]; the exponent must be the whole rest. */
static bool read_exponent(const char *s, size_t n, size_t i, int32_t *exponent)
{
	bool is_negative = i < n && s[i] == '-';
	int32_t e = 0;
	i += i < n && (s[i] == '-' || s[i] == '+');
	if (i == n)
		return false;
	for (; i < n; i++) {
		if (!is_digit(s[i]))
			return false;
		e = e < EXPONENT_MAX ? e * 10 + (s[i] - '0') : e;
	}
	*exponent += is_negative ? -e : e;
	return true;
}

#define PLAIN_DIGITS 18u /* so many always fit */

/* Reads the first digits of s[0..n), at most `most`, which must fit. Returns how many there are. */
static size_t plain_digits(struct decimal *d, const char *s, size_t n, size_t most)
{
	size_t i = 0;
	n = n < most ? n : most;
	for (; i < n && is_digit(s[i]); i++)
		d->digits = d->digits * 10 + (uint64_t)(s[i] - '0');
	return i;
}

bool decimal_read(const char *s, size_t n, struct decimal *d)
{
	size_t i = 0, seen = 0;
	bool is_fraction = false, is_full = false;
	*d = (struct decimal){0};
	if (i < n && (s[i] == '-' || s[i] == '+'))
		d->is_negative = s[i++] == '-';
	seen = plain_digits(d, s + i, n - i, PLAIN_DIGITS);
	i += seen;
	if (i < n && s[i] == '.') {
		size_t more = plain_digits(d, s + i + 1, n - i - 1, PLAIN_DIGITS - seen);
		d->exponent = -(int32_t)more;
		is_fraction = true;
		seen += more;
		i += more + 1;
	}
	for (; i < n; i++) {
		if (is_digit(s[i])) {
			is_full = is_full || !add_digit(d, s[i], is_fraction);
			d->exponent += is_full && !is_fraction;
			seen++;
		} else if (s[i] == '.' && !is_fraction) {
			is_fraction = true;
		} else {
			break;
		}
	}
	if (!seen)
		return false;
	if (i == n)
		return true;
	return (s[i] == 'e' || s[i] == 'E') && read_exponent(s, n, i + 1, &d->exponent);
}

decimal_whole decimal_times(const struct decimal *d, unsigned places)
{
	int64_t e = (int64_t)d->exponent + places;
	uint64_t u = d->digits;
	unsigned last = 0;
	for (; e < 0 && (u || last); e++) {
		last = (unsigned)(u % 10);
		u /= 10;
	}
	decimal_whole v = (decimal_whole)u + (last >= 5);
	if (e > 0 && e < POWERS)
		v *= powers[e];
	else
		for (; e > 0 && v && v < DECIMAL_MOST; e--)
			v *= 10;
	v = v < DECIMAL_MOST ? v : DECIMAL_MOST;
	return d->is_negative ? -v : v;
}

bool decimal_split(decimal_whole v, unsigned places, uint64_t *whole, uint32_t *millionths)
{
	decimal_whole unit = powers[places - 6];
	v = (v + unit / 2) / unit;
	bool fits = v / 1000000 <= UINT64_MAX;
	*whole = fits ? (uint64_t)(v / 1000000) : UINT64_MAX;
	*millionths = fits ? (uint32_t)(v % 1000000) : 0;
	return fits;
}

bool decimal_scaled(const char *s, size_t n, unsigned places, int64_t *v)
{
	struct decimal d;
	if (!decimal_read(s, n, &d))
		return false;
	decimal_whole scaled = decimal_times(&d, places);
	if (scaled > INT64_MAX || scaled < -INT64_MAX)
		return false;
	*v = (int64_t)scaled;
	return true;
}
