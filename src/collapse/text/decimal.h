/*
 * decimal.h - reads decimal numbers exactly, as integers of a smaller unit.
 */
#ifndef COLLAPSE_TEXT_DECIMAL_H
#define COLLAPSE_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 decimal_whole;

#define DECIMAL_MOST ((decimal_whole)1 << 120) /* what is beyond, in either direction, is cut to it */

/* digits * 10^exponent. All digits of a number below 2^64 are kept, at least 19 of any other. */
struct decimal {
	uint64_t digits;
	int32_t exponent;
	bool is_negative;
};

/* Reads all of s[0..n) as a decimal number ("12", "-1.5", ".25", "1.5e3"). false: not a number. */
bool decimal_read(const char *s, size_t n, struct decimal *);
/* The number times 10^places, rounded half away from zero. */
decimal_whole decimal_times(const struct decimal *, unsigned places);
/*
 * Splits a number >= 0, which is given in units of 10^-places (6 or more), into its integer part and millionths,
 * with its rest rounded. false: from 2^64 on; it becomes 2^64 - 1.
 */
bool decimal_split(decimal_whole, unsigned places, uint64_t *whole, uint32_t *millionths);

/* Both of the first steps. false: not a number, or beyond 63 bits. */
bool decimal_scaled(const char *s, size_t n, unsigned places, int64_t *v);

#endif
