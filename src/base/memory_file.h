/*
 * memory_file.h - a file without a name that stays in memory where the system has such files.
 */
#ifndef BASE_MEMORY_FILE_H
#define BASE_MEMORY_FILE_H

/* Opens an empty one for reading and writing; `name` is for listings of open files. -1: failed, errno set. */
int memory_file_open(const char *name);

#endif
