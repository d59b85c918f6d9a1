/*
 * path_end.h - the end of a path, after all symbolic links.
 */
#ifndef BASE_PATH_END_H
#define BASE_PATH_END_H

#include <stdbool.h>
#include <sys/stat.h>

enum path_end_kind { PATH_END_FREE, PATH_END_FILE, PATH_END_OTHER, PATH_END_DESCRIPTOR };

struct path_end {
	enum path_end_kind kind;
	char *path;     /* owned by the caller */
	struct stat st; /* not for PATH_END_FREE and PATH_END_DESCRIPTOR */
};

/*
 * Finds the end of a path that open(2) would follow, too. false: errno says why, EACCES where another user has
 * planted something. The caller frees the path in any case.
 */
bool path_end_find(struct path_end *, const char *path);
/* `name` in the directory that holds `path`; an absolute name as it is. The caller frees it. */
char *path_beside(const char *path, const char *name);

#endif
