/*
 * file_places.c - where the files of a recording are on this machine.
 */
#include "base/file_places.h"

#include <string.h>

#include "base/below_root.h"

/* The rest of name after OLD, "" or "/..."; NULL: OLD is not its beginning. */
static const char *rest_after(const char *name, const char *old, size_t n)
{
	while (n > 0 && old[n - 1] == '/') /* "/app/" is "/app", and "/" fits every path */
		n--;
	bool is_there = strncmp(name, old, n) == 0 && (name[n] == '/' || name[n] == '\0');
	return is_there ? name + n : NULL;
}

/* Adds a path below a directory. Its ".." lead no further up than there: names come from recordings. */
static void add_below(struct buf *out, const char *path)
{
	size_t top = out->len;
	while (*path) {
		size_t slashes = strspn(path, "/"), n = strcspn(path + slashes, "/");
		bool is_up = n == 2 && memcmp(path + slashes, "..", 2) == 0;
		if (!is_up)
			buf_add(out, path, slashes + n);
		while (is_up && out->len > top && out->data[out->len - 1] != '/')
			out->len--;
		while (is_up && out->len > top && out->data[out->len - 1] == '/')
			out->len--;
		path += slashes + n;
	}
}

bool file_places_add(const struct file_places *places, const char *name, struct buf *out)
{
	for (const char *const *map = places->maps; map && *map; map++) {
		const char *equals = strchr(*map, '='), *rest = rest_after(name, *map, (size_t)(equals - *map));
		size_t n = strlen(equals + 1);
		if (!rest)
			continue;
		if (rest == name) { /* for every path: NEW is a root */
			below_root_add(equals + 1, name, out);
			return true;
		}
		while (*rest && n > 0 && equals[n] == '/')
			n--;
		buf_add(out, equals + 1, n);
		add_below(out, rest);
		return true;
	}
	below_root_add(places->root ? places->root : "", name, out);
	return false;
}

bool file_places_is_map(const char *text)
{
	const char *equals = strchr(text, '=');
	return text[0] == '/' && equals && equals[1] == '/';
}
