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

/*
 * Opens for reading and returns a descriptor, which the caller closes; -1 with err: missing, not permitted, a
 * directory, a device, or a pipe. It opens none of these. st may be NULL.
 */
int regular_open(const char *path, struct stat *st, struct err *err);

/* Reads n bytes at an offset; false: there are fewer, or they cannot be read. */
bool regular_read(int fd, uint64_t offset, void *bytes, size_t n);

/*
 * Appends the whole file to the buffer, but at most `most` bytes; works for files of /proc, too, whose size is
 * unknown. false with err: it cannot be read, or is larger.
 */
bool regular_read_all(int fd, size_t most, struct buf *, struct err *err);

#endif
