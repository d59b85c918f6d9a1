/*
 * barred.h - programs that may not be sampled, because they run with another user's rights or may not be read.
 *
 * When a thread begins such a program, the kernel takes its counters away: it tells of the program's beginning and
 * of the thread's end, and of no map between them.
 */
#ifndef RECORD_SAMPLER_BARRED_H
#define RECORD_SAMPLER_BARRED_H

#include <stdint.h>
#include <sys/types.h>

#include "base/idmap.h"
#include "record/sampler/abi.h"

/* Zeroed at first. */
struct barred {
	struct idmap fresh;    /* threads by number; 1: began a program that has no map yet */
	struct idmap programs; /* processes that are barred */
	pid_t first;
	char name[16]; /* of its program; may be empty */
};

void barred_deinit(struct barred *);
/* Call with each record of a thread's counters. */
void barred_take(struct barred *, const struct abi_record *);
/* ptrace may not look at the process. */
void barred_refused(struct barred *, pid_t);
/* Says how many there are, unless there are none. */
void barred_tell(const struct barred *);

#endif
