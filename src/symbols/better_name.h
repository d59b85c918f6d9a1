/*
 * better_name.h - chooses between the names of a function.
 */
#ifndef SYMBOLS_BETTER_NAME_H
#define SYMBOLS_BETTER_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define BETTER_NAME_BYTES \
	((size_t)4 << 10) /* that are compared: a table may hold a long name any number of times */

/* How many it begins with; many are as good as more. */
static inline size_t name_underscores(const char *name)
{
	size_t n = 0;
	while (n < 16 && name[n] == '_')
		n++;
	return n;
}

/* Has a fewer underscores in front than b, or as many and is it shorter, or as long and sorted before b? */
static inline bool is_better_name(const char *a, const char *b)
{
	size_t bars_a = name_underscores(a), bars_b = name_underscores(b);
	if (a == b || bars_a != bars_b)
		return bars_a < bars_b;
	size_t len_a = strnlen(a, BETTER_NAME_BYTES), len_b = strnlen(b, BETTER_NAME_BYTES);
	return len_a != len_b ? len_a < len_b : memcmp(a, b, len_a) < 0;
}

#endif
