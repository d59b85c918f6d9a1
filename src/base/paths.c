/*
 * paths.c - files whose paths fit a pattern.
 *
 * The first part with a "*" or "#" is looked up in its directory, and each name that fits takes its place.
 */
#include "base/paths.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

/* A "*" first stands for nothing and, whenever the rest does not fit, for one character more. */
static bool fits(const char *name, const char *pattern, size_t n)
{
	const char *end = pattern + n, *star = NULL, *again = NULL;
	while (*name) {
		if (pattern < end && *pattern == '*') {
			star = ++pattern;
			again = name;
		} else if (pattern < end && (*pattern == '#' ? *name >= '0' && *name <= '9' : *pattern == *name)) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star;
			name = ++again;
		} else {
			return false;
		}
	}
	while (pattern < end && *pattern == '*')
		pattern++;
	return pattern == end;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* The directory is dir[0..n), "" the current one; the part to be looked up is part[0..n_part). */
static void look(const char *dir, size_t n, const char *part, size_t n_part, paths_take *take, void *arg)
{
	struct dirent **entries;
	struct buf path;
	buf_init(&path);
	buf_addf(&path, "%.*s", (int)n, n ? dir : "");
	int found = scandir(n ? buf_str(&path) : ".", &entries, NULL, by_name);
	for (int i = 0; i < found; i++) {
		const char *name = entries[i]->d_name;
		if (*name != '.' && fits(name, part, n_part)) {
			path.len = n;
			buf_addf(&path, "%s%s", name, part + n_part);
			paths_fitting(buf_str(&path), take, arg);
		}
		free(entries[i]);
	}
	if (found >= 0)
		free(entries);
	buf_deinit(&path);
}

void paths_fitting(const char *pattern, paths_take *take, void *arg)
{
	const char *part = pattern + strcspn(pattern, "*#");
	if (!*part) {
		if (access(pattern, F_OK) == 0)
			take(arg, pattern);
		return;
	}
	while (part > pattern && part[-1] != '/')
		part--;
	look(pattern, (size_t)(part - pattern), part, strcspn(part, "/"), take, arg);
}
