/*
 * unprobed.h - says which calls of allocators a recording of memory lacks.
 */
#ifndef RECORD_SAMPLER_UNPROBED_H
#define RECORD_SAMPLER_UNPROBED_H

#include <stdbool.h>

#include "record/sampler/counters.h"
#include "record/words.h"

/* What a recording of memory says that has no calls of allocators, and why. */
#define PAGES_ALONE "memory: pages are counted when they are touched first, since "
#define ONLY_ROOT_PROBES "only root may probe malloc"
#define NO_ALLOCATOR "no allocator of the program is known, or the kernel has no probes"

/*
 * Call it at the end; without --memory it says nothing. files: loaded during the recording, with allocators that
 * are not probed. has_children: threads or processes began, and were not probed. has_viewer: it tells what the
 * recording tells.
 */
void unprobed_tell(const struct counters *, const struct words *files, bool has_children, bool has_viewer);

#endif
