/*
 * output.h - a file that appears only when it is complete.
 *
 * Data go to a temporary file beside the target and are renamed over it by output_commit(); if anything fails
 * before, output_abandon() takes the temporary file away and the old target is untouched. "-" is standard output,
 * and devices, pipes and the like are written in place. Permissions of an existing target are kept (permissions.h);
 * a symbolic link is followed, unless another user has put it into a directory where everybody may write.
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "err.h"

struct output;

struct output *output_open(const char *path, struct err *err); /* NULL: failed */
/* Could it be opened? Nothing is changed; of a device or a pipe, which opening would disturb, nothing is known. */
bool output_check(const char *path, struct err *err);
/*
 * For a file that another program will write: fails if another user has planted something at this path. Checks no
 * permissions.
 */
bool output_check_place(const char *path, struct err *err);
/* Buffers; a failed write is remembered and reported by output_commit(), so callers may ignore the result. */
bool output_write(struct output *, const void *bytes, size_t n);
/* Writes what buf holds and empties it. */
bool output_flush_buf(struct output *, struct buf *);
bool output_commit(struct output *, struct err *err); /* frees the output either way */
void output_abandon(struct output *);                 /* frees the output */

#endif
