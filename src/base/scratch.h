/*
 * scratch.h - files without a name: the system frees the data with the last descriptor, however the program ends.
 */
#ifndef BASE_SCRATCH_H
#define BASE_SCRATCH_H

#include <stdbool.h>

#include "buf.h"
#include "err.h"

/*
 * Opens one in TMPDIR, else in /var/tmp (recordings are large, and /tmp is often memory), else in /tmp. -1: failed.
 */
int scratch_open(struct err *err);
/* Appends a path by which other programs can open the file while we run. */
void scratch_add_path(struct buf *out, int fd);
/* Appends the name that the file behind fd had, for messages. false: it is none of ours, or that is not known. */
bool scratch_add_name(struct buf *out, int fd);

#endif
