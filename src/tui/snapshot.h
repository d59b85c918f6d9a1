/*
 * snapshot.h - copies a profile that is coming in, and frees the copies, in the background.
 *
 * A copy waits for the piece being read, and takes time in proportion to the memory to copy and to free: for a
 * large profile, longer than a user waits for a key.
 */
#ifndef TUI_SNAPSHOT_H
#define TUI_SNAPSHOT_H

#include <stdbool.h>

#include "lib/cells.h"

struct snapshot;

/*
 * Begins a copy; writes a byte to wake_fd when it is done. The loader must stay until snapshot_end(). NULL: no
 * thread.
 */
struct snapshot *snapshot_start(struct loader *, int wake_fd);
bool snapshot_is_done(const struct snapshot *);
/*
 * Waits for the copy, and frees the snapshot. The caller owns the profile; NULL: nothing has arrived yet. NULL
 * gives NULL.
 */
struct profile *snapshot_end(struct snapshot *);

/* Frees a profile on the heap later. NULL does nothing. */
void snapshot_free_later(struct profile *);

#endif
