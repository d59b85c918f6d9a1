/*
 * hex.h - hexadecimal digits in text.
 */
#ifndef BASE_HEX_H
#define BASE_HEX_H

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

/* The byte that two digits stand for; -1: they are none. Reads the second one only if the first is a digit. */
static inline int hex_byte(const char *s)
{
	int high = hex_digit(s[0]), low = high < 0 ? -1 : hex_digit(s[1]);
	return low < 0 ? -1 : high << 4 | low;
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

/* Takes one byte of an address from the start of [*p, end), which has one: "%41" is 'A', a lone '%' itself. */
static inline char hex_take_percent(const char **p, const char *end)
{
	int byte = **p == '%' && end - *p >= 3 ? hex_byte(*p + 1) : -1;
	char c = byte < 0 ? **p : (char)byte;
	*p += byte < 0 ? 1 : 3;
	return c;
}

/* The same of an address within an address, which may be escaped more than once: "%2541" is 'A', too. */
static inline char hex_take_percents(const char **p, const char *end)
{
	const char *digits = *p + 1;
	char c = *(*p)++;
	if (c != '%')
		return c;
	while (end - digits >= 4 && digits[0] == '2' && digits[1] == '5')
		digits += 2;
	int byte = end - digits >= 2 ? hex_byte(digits) : -1;
	if (byte < 0)
		return c;
	*p = digits + 2;
	return (char)byte;
}

#endif
