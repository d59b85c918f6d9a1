/*
 * name_look.h - looks at one name of a directory, without following it and without opening what it names.
 */
#ifndef BASE_NAME_LOOK_H
#define BASE_NAME_LOOK_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

struct name_look {
	struct stat st;
	char target[PATH_MAX]; /* of a symbolic link; else "" */
	bool is_of_proc;       /* it leads to an open file, not to the path in its text */
};

/* Opens a directory for such looks alone. -1: failed, errno set. */
int name_look_open(const char *directory);
/* false: failed, errno set. */
bool name_look(int directory, const char *name, struct name_look *);

#endif
