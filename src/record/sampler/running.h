/*
 * running.h - what was there before the recording: maps and names of processes, the kernel and its modules.
 */
#ifndef RECORD_SAMPLER_RUNNING_H
#define RECORD_SAMPLER_RUNNING_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "record/sampler/abi.h"
#include "record/sampler/allocators.h"
#include "record/words.h"

/* Remembers processes that were described, and build ids. */
struct running;

/* has_data: maps that are not executable are of interest, too. */
struct running *running_new(bool has_data);
void running_free(struct running *);

/*
 * Appends the records of a process, once: the names of its threads and its maps. Later calls do
 * nothing, nor does one for a process that has ended.
 */
void running_add(struct running *, pid_t, struct buf *out);
/* As running_add(), and again whenever the maps of the process have changed: true. */
bool running_update(struct running *, pid_t, struct buf *out);
/* Appends a record of the thread's name unless its hash is *known, which it updates; 0: none is known. */
void running_add_name(pid_t pid, pid_t tid, uint64_t *known, struct buf *out);
/* Puts the build id of its file into an MMAP2 record of the kernel. */
void running_identify(struct running *, struct abi_record *);
/* From now on, files with functions that allocate are remembered, unless they are in `probed`, which is kept. */
void running_probes(struct running *, const struct allocators *probed);
/* The paths of those. Owned by `running`. */
const struct words *running_unprobed(const struct running *);
/* The process was seen to begin, or need not be described: running_add() is to do nothing. */
void running_knows(struct running *, pid_t);

/* Appends the maps of the kernel and its modules, as far as the user may see their addresses. */
void running_add_kernel(struct buf *out);

#endif
