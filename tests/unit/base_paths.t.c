/* base_paths - files by a pattern: stars, digits, directories, the order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../tap.h"
#include "base/buf.h"
#include "base/paths.h"

static void add(void *list, const char *path)
{
	buf_addf(list, "%s ", path);
}

static void finds(const char *pattern, const char *expected, const char *what)
{
	struct buf list;
	buf_init(&list);
	paths_fitting(pattern, add, &list);
	is_str(buf_str(&list), expected, "%s", what);
	buf_deinit(&list);
}

static const char *const files[] = {"lib/x-gnu/libc.so.6",
                                    "lib/y-gnu/libc.so.6",
                                    "lib/y-gnu/libc.so",
                                    "lib64/libc.so.6",
                                    "lib/aab",
                                    "lib/.aab",
                                    "lib/ab#",
                                    "lib/z-other/libc.so.6"};
static const char *const dirs[] = {"lib", "lib/x-gnu", "lib/y-gnu", "lib/z-other", "lib64"};

static void make_tree(void)
{
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
		mkdir(dirs[i], 0777);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		FILE *f = fopen(files[i], "w");
		if (!f || fclose(f) != 0)
			abort();
	}
}

static void remove_tree(void)
{
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		unlink(files[i]);
	for (size_t i = sizeof dirs / sizeof *dirs; i-- > 0;)
		rmdir(dirs[i]);
}

int main(void)
{
	char dir[] = "/tmp/flametop-paths-XXXXXX", whole[128];
	if (!mkdtemp(dir) || chdir(dir) != 0)
		abort();
	make_tree();
	finds("lib64/libc.so.6", "lib64/libc.so.6 ", "a path without a pattern");
	finds("lib64/libc.so.7", "", "one of a file that is not there");
	finds("lib/*-gnu/libc.so.6", "lib/x-gnu/libc.so.6 lib/y-gnu/libc.so.6 ", "a star in a directory, in order");
	finds("lib*/*/libc.so", "lib/y-gnu/libc.so ", "two stars");
	finds("*/libc.so.#", "lib64/libc.so.6 ", "a star at the beginning, and a digit");
	finds("lib/y-gnu/libc.so*", "lib/y-gnu/libc.so lib/y-gnu/libc.so.6 ",
	      "a star at the end stands for nothing, too");
	finds("lib/*ab", "lib/aab ", "a star goes on where the rest did not fit; names with a dot are left out");
	finds("lib/*b#", "", "the sign for a digit in a name is none");
	finds("none/*", "", "there is no such directory");
	finds("lib/aab/*", "", "a file is no directory");
	snprintf(whole, sizeof whole, "%s/lib6#/*.so.6", dir);
	struct buf list;
	buf_init(&list);
	paths_fitting(whole, add, &list);
	ok(strstr(buf_str(&list), "/lib64/libc.so.6 ") != NULL, "an absolute path");
	buf_deinit(&list);
	remove_tree();
	ok(chdir("/") == 0 && rmdir(dir) == 0, "nothing is left");
	return done_testing();
}
