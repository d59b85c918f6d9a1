/*
 * output.h - a file that appears only when it is complete.
 *
 * Data go to a temporary file next to the target; output_commit() renames it over the target. On any earlier
 * failure output_abandon() removes it and leaves the old target untouched. "-" is standard output; it, devices and
 * pipes are written in place. An existing target keeps its permissions (permissions.h); a symbolic link is
 * followed, unless another user put it into a directory that everyone may write to.
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "err.h"

struct output;

struct output *output_open(const char *path, struct err *err); /* NULL: failed */
/*
 * The descriptor that "-", /dev/stdout or /dev/fd/3 means; -1: none that may be written to. Opening such a name
 * anew would lose the position.
 */
int output_descriptor(const char *path);
/* Would output_open() succeed? Changes nothing. Devices and pipes, which opening would disturb, always pass. */
bool output_check(const char *path, struct err *err);
/*
 * For a file that another program will write: fails if another user has planted something at this path. Checks no
 * permissions of its own.
 */
bool output_check_place(const char *path, struct err *err);
/* Buffers. output_commit() reports a failed write, so callers may ignore the result. */
bool output_write(struct output *, const void *bytes, size_t n);
/* Writes what buf holds and empties it. */
bool output_flush_buf(struct output *, struct buf *);
/* The bytes written so far, for a thread that watches. */
const atomic_uint_fast64_t *output_bytes(const struct output *);
bool output_commit(struct output *, struct err *err); /* frees the output either way */
void output_abandon(struct output *);                 /* frees the output */

#endif
