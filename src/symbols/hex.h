/*
 * hex.h - addresses in text.
 */
#ifndef SYMBOLS_HEX_H
#define SYMBOLS_HEX_H

#include <stdbool.h>
#include <stdint.h>

/* -1: not a hex digit. */
static inline int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Takes up to 16 digits from the start of [*p, end), without 0x; false: there are none. */
static inline bool hex_take(const char **p, const char *end, uint64_t *v)
{
	const char *start = *p;
	*v = 0;
	for (int d; *p < end && *p - start < 16 && (d = hex_digit(**p)) >= 0; (*p)++)
		*v = *v << 4 | (uint64_t)d;
	return *p > start;
}

#endif
