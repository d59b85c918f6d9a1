/*
 * decimal.c - reads decimal numbers exactly, as integers of a smaller unit.
 *
 * A time like "1712345678901.123" microseconds has more digits than a double holds, and weights are differences of
 * such times. So the digits are read as an integer; point and exponent only tell where it is cut.
 *
 *	"1.5e3", places 2  ->  digits 15, exponent 3 - 1 + 2 = 4  ->  150000
 */
#include "collapse/text/decimal.h"

/* digits * 10^exponent; digits beyond 19 are dropped. */
struct decimal {
	uint64_t digits;
	int64_t exponent;
	bool is_negative;
};

#define EXPONENT_MAX 100000

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Adds one digit; a digit that does not fit still counts for the exponent. */
static void add_digit(struct decimal *d, char c, bool is_fraction)
{
	if (d->digits <= (UINT64_MAX - 9) / 10) {
		d->digits = d->digits * 10 + (uint64_t)(c - '0');
		d->exponent -= is_fraction;
	} else {
		d->exponent += !is_fraction;
	}
}

/* "e+12" at s[i]; the exponent must be the whole rest. */
static bool read_exponent(const char *s, size_t n, size_t i, int64_t *exponent)
{
	bool is_negative = i < n && s[i] == '-';
	int64_t e = 0;
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

static bool read_decimal(const char *s, size_t n, struct decimal *d)
{
	size_t i = 0, seen = 0;
	bool is_fraction = false;
	*d = (struct decimal){0};
	if (i < n && (s[i] == '-' || s[i] == '+'))
		d->is_negative = s[i++] == '-';
	for (; i < n; i++) {
		if (is_digit(s[i])) {
			add_digit(d, s[i], is_fraction);
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

bool decimal_scaled(const char *s, size_t n, unsigned places, int64_t *v)
{
	struct decimal d;
	if (!read_decimal(s, n, &d))
		return false;
	int64_t e = d.exponent + (int64_t)places;
	uint64_t u = d.digits;
	unsigned last = 0;
	for (; e < 0 && (u || last); e++) {
		last = (unsigned)(u % 10);
		u /= 10;
	}
	u += last >= 5;
	for (; e > 0 && u; e--) {
		if (u > INT64_MAX / 10)
			return false;
		u *= 10;
	}
	if (u > INT64_MAX)
		return false;
	*v = d.is_negative ? -(int64_t)u : (int64_t)u;
	return true;
}
