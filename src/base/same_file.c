/*
 * same_file.c - do two names lead to one file?
 */
#include "base/same_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/output.h"
#include "base/path_end.h"

struct place {
	struct stat st;  /* of the file, or of its directory if it does not exist yet */
	char *free_path; /* owned; its path then, else NULL */
};

static bool find_free(struct place *p, char *path)
{
	char *directory = path_beside(path, ".");
	bool is_there = stat(directory, &p->st) == 0;
	p->free_path = path;
	free(directory);
	return is_there;
}

static bool find(struct place *p, const char *path, int dash)
{
	struct path_end end;
	int fd = strcmp(path, "-") == 0 ? dash : output_descriptor(path);
	*p = (struct place){.free_path = NULL};
	if (fd >= 0)
		return fstat(fd, &p->st) == 0;
	bool is_found = path_end_find(&end, path);
	if (is_found && end.kind == PATH_END_FREE)
		return find_free(p, end.path);
	free(end.path);
	return is_found && stat(path, &p->st) == 0;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool is_same(const struct place *a, const struct place *b)
{
	if (a->st.st_dev != b->st.st_dev || a->st.st_ino != b->st.st_ino || !a->free_path != !b->free_path)
		return false;
	return a->free_path ? strcmp(base_of(a->free_path), base_of(b->free_path)) == 0 : !S_ISCHR(a->st.st_mode);
}

bool same_file(const char *a, int a_dash, const char *b, int b_dash)
{
	struct place x, y = {.free_path = NULL};
	bool is_one = find(&x, a, a_dash) && find(&y, b, b_dash) && is_same(&x, &y);
	free(x.free_path);
	free(y.free_path);
	return is_one;
}
