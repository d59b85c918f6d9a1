/*
 * folded_count.h - parses the count at the end of a line of folded stacks.
 */
#ifndef COLLAPSE_FORMATS_FOLDED_COUNT_H
#define COLLAPSE_FORMATS_FOLDED_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/number.h"

#define ZERO_WRITTEN_OUT 1000000u /* stands for zero millionths in "12.0", "12." */

static inline bool folded_is_zero_written_out(const char *count, size_t n)
{
	const char *point = memchr(count, '.', n);
	return point && strspn(point + 1, "0") >= (size_t)(count + n - point) - 1;
}

/*
 * Cuts the count at the end of text[0..*len) off, with the blanks before it. false: there is none. millionths is
 * above 999,999 if there is a decimal point and all decimals are 0.
 */
static inline bool folded_cut_count(const char *text, size_t *len, uint64_t *whole, uint32_t *millionths)
{
	size_t end = *len, start = end;
	uint64_t v = 0;
	while (start && text[start - 1] >= '0' && text[start - 1] <= '9')
		start--;
	if (start < end && end - start <= 18 && start && text[start - 1] == ' ') { /* the usual case */
		for (size_t i = start; i < end; i++)
			v = v * 10 + (uint64_t)(text[i] - '0');
		*whole = v;
		*millionths = 0;
	} else {
		while (start && ((text[start - 1] >= '0' && text[start - 1] <= '9') || text[start - 1] == '.'))
			start--;
		if (!start || text[start - 1] != ' ' || !number_count(text + start, end - start, whole, millionths))
			return false;
		if (!*millionths && folded_is_zero_written_out(text + start, end - start))
			*millionths = ZERO_WRITTEN_OUT;
	}
	while (start && (text[start - 1] == ' ' || text[start - 1] == '\t'))
		start--;
	*len = start;
	return true;
}

#endif
