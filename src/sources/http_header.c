/*
 * http_header.c - headers of HTTP and gRPC, lines of a name and a value.
 */
#include "sources/http_header.h"

#include <string.h>
#include <strings.h>

bool http_begins(struct slice text, const char *word)
{
	size_t n = strlen(word);
	return n <= text.n && strncasecmp(text.s, word, n) == 0;
}

bool http_is_word(struct slice text, const char *word)
{
	return text.n == strlen(word) && http_begins(text, word);
}

bool http_header_find(struct slice lines, const char *name, struct slice *value)
{
	while (lines.n) {
		struct slice line = slice_take_until(&lines, '\n');
		if (!http_begins(line, name) || !slice_starts(slice_from(line, strlen(name)), ":"))
			continue;
		*value = slice_trim(slice_from(line, strlen(name) + 1));
		return true;
	}
	return false;
}
