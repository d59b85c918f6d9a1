/*
 * perf_srcline.c - the source lines that perf script -F +srcline prints below frames.
 */
#include "collapse/perf/perf_srcline.h"

bool perf_srcline(struct slice text, struct slice *place)
{
	size_t colon, plus;
	text = slice_trim(text);
	if (slice_ends(text, " (inlined)"))
		text = slice_rtrim(slice_head(text, text.n - 10));
	if (slice_ends(text, ")") && slice_rfind(text, " (discriminator ") != SIZE_MAX)
		text = slice_rtrim(slice_head(text, slice_rfind(text, " (discriminator ")));
	*place = text;
	colon = slice_find_last(text, ':');
	plus = slice_find_last(text, '+');
	if (colon != SIZE_MAX && colon && colon + 1 < text.n && slice_is_digits(slice_from(text, colon + 1)) &&
	    !slice_starts(text, "??"))
		return true;
	*place = slice_head(text, 0);
	return slice_starts(text, "??") || slice_starts(text, ":") || slice_ends(text, "]") || slice_ends(text, ":?") ||
	       (plus != SIZE_MAX && plus + 1 < text.n && slice_is_digits(slice_from(text, plus + 1)));
}
