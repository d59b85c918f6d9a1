/*
 * regular.h - opens and reads regular files only, whatever a recording calls a file.
 */
#ifndef BASE_REGULAR_H
#define BASE_REGULAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"

#define HOLLOW "almost all of it is holes" /* in messages */

/*
 * Opens for reading and returns a descriptor, which the caller closes; -1 with err: missing, not permitted, a
 * directory, a device, a pipe, a file of the kernel (/proc, /sys), or one that is almost all holes (errno: EFBIG).
 * It opens none of these. st may be NULL. Links below /proc/PID/root lead to where they lead for that process.
 */
int regular_open(const char *path, struct stat *st, struct err *err);
/* The same for names that no input chooses, such as /proc/kallsyms: it opens files of the kernel, too. */
int regular_open_of_kernel(const char *path, struct err *err);
/* stat() or lstat() of the file that regular_open() would open. */
bool regular_stat(const char *path, bool follows, struct stat *);

/* Reads n bytes at an offset; false: there are fewer, or they cannot be read. */
bool regular_read(int fd, uint64_t offset, void *bytes, size_t n);

/*
 * Appends the whole file to the buffer, but at most `most` bytes; works for files of /proc, too, whose size is
 * unknown. false with err: it cannot be read, or is larger.
 */
bool regular_read_all(int fd, size_t most, struct buf *, struct err *err);

#endif
