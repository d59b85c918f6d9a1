/*
 * number.h - numbers as profiles write them and as people read them, the same in every locale.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "buf.h"
#include "byte_order.h"

/* All of s[0..n) as an unsigned decimal integer; false when empty, not digits, or beyond 64 bits. */
bool number_u64(const char *s, size_t n, uint64_t *v);

/*
 * The number of digits that s begins with, and the value of up to 7; 8: there are more, and *v is 0. 8 bytes are
 * read. Without a loop, whose end the processor would guess wrong for numbers of varying length.
 */
static inline size_t number_short(const char *s, uint64_t *v)
{
	uint64_t word, others;
	memcpy(&word, s, sizeof word);
	word = little64(word);
	others = (word + UINT64_C(0x4646464646464646)) | (word - UINT64_C(0x3030303030303030));
	others &= UINT64_C(0x8080808080808080);
	size_t n = others ? (size_t)__builtin_ctzll(others) / 8 : 8;
	*v = 0;
	if (n == 0 || n == 8)
		return n;
	word = (word - UINT64_C(0x3030303030303030)) << (64 - 8 * n);
	word = word * 2561 >> 8;
	word = (word & UINT64_C(0x00ff00ff00ff00ff)) * 6553601 >> 16;
	*v = (word & UINT64_C(0x0000ffff0000ffff)) * UINT64_C(42949672960001) >> 32;
	return n;
}

/* All of s[0..n) as a finite decimal number ("12", "1.5", ".5", "1e3", "-2"); no hex, no inf, no nan. */
bool number_double(const char *s, size_t n, double *v);

/* "12", "12.", "12.5": *whole = 12, *millionths = 500000 (further digits dropped). False for anything else. */
bool number_count(const char *s, size_t n, uint64_t *whole, uint32_t *millionths);

/* a + b, at most 2^64 - 1. */
static inline uint64_t u64_sum(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* v / 10^decimals, without trailing zeros after the point: (5500, 3) is "5.5". */
void number_add_fixed(struct buf *, uint64_t v, unsigned decimals);
/* The same with thousands separated by commas. */
void number_add_commas(struct buf *, uint64_t v, unsigned decimals);
/* "1.23 G", for narrow places: at most 6 columns. */
void number_add_short(struct buf *, uint64_t v, unsigned decimals);
/* v / 10^scale seconds: "15.2 s", "926 ms", "61.3 us"; hours from 10,000 seconds on. At most 7 columns. */
void number_add_time(struct buf *, uint64_t v, unsigned scale);
/* A moment in ns, as exact as something of this length (ns) needs: "12 ms", but "5.0000123 s" with 40 us. */
void number_add_moment(struct buf *, uint64_t at, uint64_t length);
/* part in percent of whole, with `places` decimals ("12.3"); 0 of 0 is 0. Less than whole never shows as 100. */
void number_add_percent(struct buf *, uint64_t part, uint64_t whole, unsigned places);
/*
 * The same for a percentage that is printed otherwise, or a change of one, which may be negative: below 100, one
 * that rounds to 100 becomes the greatest that does not.
 */
double number_percent(double percent, unsigned places);

#endif
