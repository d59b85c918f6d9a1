/*
 * file_places.c - where the files of a recording are on this machine.
 */
#include "base/file_places.h"

#include <string.h>

/* The rest of name after OLD, "" or "/..."; NULL: OLD is not its beginning. */
static const char *rest_after(const char *name, const char *old, size_t n)
{
	while (n > 0 && old[n - 1] == '/') /* "/app/" is "/app", and "/" fits every path */
		n--;
	bool is_there = strncmp(name, old, n) == 0 && (name[n] == '/' || name[n] == '\0');
	return is_there ? name + n : NULL;
}

bool file_places_add(const struct file_places *places, const char *name, struct buf *out)
{
	for (const char *const *map = places->maps; map && *map; map++) {
		const char *equals = strchr(*map, '='), *rest = rest_after(name, *map, (size_t)(equals - *map));
		size_t n = strlen(equals + 1);
		if (!rest)
			continue;
		while (*rest && n > 0 && equals[n] == '/')
			n--;
		buf_add(out, equals + 1, n);
		buf_adds(out, rest);
		return true;
	}
	buf_adds(out, places->root ? places->root : "");
	buf_adds(out, name);
	return false;
}

bool file_places_is_map(const char *text)
{
	const char *equals = strchr(text, '=');
	return text[0] == '/' && equals && equals[1] == '/';
}
