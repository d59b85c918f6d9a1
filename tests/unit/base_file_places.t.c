/* Where files of a recording are: maps and a root, out of which no name leads. */
#include "base/file_places.h"

#include "tests/tap.h"

static void is_at(const struct file_places *places, const char *name, const char *expected)
{
	struct buf path;
	buf_init(&path);
	file_places_add(places, name, &path);
	is_str(buf_str(&path), expected, "%s is at %s", name, expected);
	buf_deinit(&path);
}

int main(void)
{
	static const char *const maps[] = {"/app=/home/me/", NULL};
	const struct file_places none = {.root = NULL}, places = {.root = "/copy", .maps = maps};
	static const char *const map_of_all[] = {"/=/nowhere/", NULL};
	const struct file_places all = {.maps = map_of_all};
	is_at(&none, "/a/../b", "/a/../b");
	is_at(&places, "/usr/lib/x", "/copy/usr/lib/x");
	is_at(&places, "/usr//lib/./x", "/copy/usr/lib/x");
	is_at(&places, "/../../etc/x", "/copy/etc/x");
	is_at(&places, "/usr/lib/../x", "/copy/usr/x");
	is_at(&places, "/usr/../../..", "/copy");
	is_at(&places, "/..x/...", "/copy/..x/...");
	is_at(&places, "/app/bin/x", "/home/me/bin/x");
	is_at(&places, "/app/../../etc/x", "/home/me/etc/x");
	is_at(&places, "/app", "/home/me/");
	is_at(&places, "/apple", "/copy/apple");
	is_at(&all, "/usr/../../x", "/nowhere/x");
	return done_testing();
}
