/*
 * pattern.c - searches any name for any pattern (up to the first newline; the name follows). The answer must come
 * soon.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/match.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	const char *newline = memchr(text, '\n', size);
	size_t length = newline != NULL ? (size_t)(newline - text) : size;
	char *pattern = mem_strndup(text, length);
	for (int mode = MATCH_REGEX; mode <= MATCH_TEXT; mode++) {
		struct err err;
		struct match *m = match_new(pattern, (enum match_mode)mode, &err);
		if (m == NULL)
			continue;
		if (newline != NULL)
			match_name(m, newline + 1, size - length - 1);
		match_free(m);
	}
	free(pattern);
	return 0;
}
