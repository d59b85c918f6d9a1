/*
 * nameless_file.h - a new file that gets its name when it is complete, and vanishes with the process before that.
 */
#ifndef BASE_NAMELESS_FILE_H
#define BASE_NAMELESS_FILE_H

#include <stdbool.h>
#include <sys/types.h>

/* Opens one for writing in the directory. -1: this system, or this file system, has none. */
int nameless_file_open(const char *directory, mode_t mode);
/* Gives it a name in the same file system. false: failed, errno set (EEXIST: the name is taken). */
bool nameless_file_link(int fd, const char *name);

#endif
