/*
 * snapshot.h - copies of a profile that is coming in, made and thrown away in the background.
 *
 * A copy waits for the piece that is being read, and takes as long as there is memory to copy and to give back:
 * more than a person waits for a key, if the profile is large.
 */
#ifndef TUI_SNAPSHOT_H
#define TUI_SNAPSHOT_H

#include <stdbool.h>

#include "collapse/load/load.h"

struct snapshot;

/*
 * Begins a copy; a byte goes to wake_fd when it is done. The loader must stay until snapshot_end(). NULL: no
 * thread.
 */
struct snapshot *snapshot_start(struct loader *, int wake_fd);
bool snapshot_is_done(const struct snapshot *);
/* Waits for its end, and frees. The copy is the caller's; NULL: nothing has arrived yet. NULL gives NULL. */
struct profile *snapshot_end(struct snapshot *);

/* Frees a profile from the heap, in due course. NULL does nothing. */
void snapshot_free_later(struct profile *);

#endif
