/*
 * name_place.c - names of functions that contain a file and a line.
 */
#include "name_place.h"

#include <string.h>

#include "base/find.h"
#include "base/number.h"
#include "symtab.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static uint32_t line_in(const char *digits, size_t n)
{
	uint64_t line;
	return number_u64(digits, n, &line) && line <= UINT32_MAX ? (uint32_t)line : 0;
}

/* "a.py:12" or "a.js:12:5", which begins at `from` and goes to `end`; paths have no blanks here. */
static bool in_path(const char *name, size_t from, size_t end, struct name_place *p)
{
	size_t n = symbol_path_length(name + from, end - from), at = from + n + 1, digits = at;
	if (n == end - from || memchr(name + from, ' ', n) || !memchr(name + from, '.', n))
		return false;
	while (digits < end && is_digit(name[digits]))
		digits++;
	*p = (struct name_place){name + from, n, line_in(name + at, digits - at), from + n, end - from - n};
	p->line = digits < end ? 0 : p->line; /* with a column: where the function begins, in V8 */
	return true;
}

/* Does the file end here, at a colon? */
static const char *script_end(const char *name, size_t len)
{
	const char *colon = find_bytes(name, len, ".py:", 4);
	return colon ? colon + 3 : NULL;
}

/* "a.py:12:f" or "a.py:f:12" */
static bool in_front(const char *name, size_t len, struct name_place *p)
{
	const char *colon = script_end(name, len);
	size_t n = colon ? (size_t)(colon - name) : 0, i = n + 1, end = len;
	if (!colon || n <= 3)
		return false;
	while (i < len && is_digit(name[i]))
		i++;
	if (i > n + 1 && i < len && name[i] == ':') {
		*p = (struct name_place){name, n, line_in(colon + 1, i - n - 1), n, i - n};
		return true;
	}
	while (end > n && is_digit(name[end - 1]))
		end--;
	if (end == len || end <= n + 2 || name[end - 1] != ':')
		return false;
	*p = (struct name_place){name, n, line_in(name + end, len - end), end - 1, len - end + 1};
	return true;
}

bool name_place(const char *name, size_t len, struct name_place *p)
{
	if (len < 4)
		return false;
	const char *open = name[len - 1] == ')' ? find_bytes(name, len, " (", 2) : NULL;
	if (open)
		return in_path(name, (size_t)(open + 2 - name), len - 1, p);
	if (in_front(name, len, p))
		return true;
	const char *dash = is_digit(name[len - 1]) ? find_last(name, ' ', len) : NULL;
	bool has_dash = dash && dash - name > 2 && memcmp(dash - 2, " - ", 3) == 0;
	return has_dash && in_path(name, (size_t)(dash + 1 - name), len, p);
}
