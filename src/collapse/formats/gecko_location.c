/*
 * gecko_location.c - takes apart the location of a frame in raw profiles of Firefox.
 */
#include "collapse/formats/gecko_location.h"

/* Removes ":12" from the end. false: there is none. */
static bool take_last_number(struct slice *text, uint64_t *v)
{
	size_t colon = slice_find_last(*text, ':');
	if (colon == SIZE_MAX || !slice_u64(slice_from(*text, colon + 1), v))
		return false;
	*text = slice_head(*text, colon);
	return true;
}

bool gecko_take_place(struct slice *text, uint64_t *line)
{
	uint64_t last, before;
	if (!take_last_number(text, &last))
		return false;
	*line = take_last_number(text, &before) ? before : last;
	return text->n > 0;
}

struct slice gecko_without_source(struct slice text)
{
	size_t open = slice_ends(text, "]") ? slice_find_last(text, '[') : SIZE_MAX;
	if (open == SIZE_MAX || open == 0 || open + 2 >= text.n)
		return text;
	return slice_is_digits((struct slice){text.s + open + 1, text.n - open - 2}) ? slice_head(text, open) : text;
}
