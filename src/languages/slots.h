/*
 * slots.h - what a language keeps of each thread that it has seen.
 */
#ifndef LANGUAGES_SLOTS_H
#define LANGUAGES_SLOTS_H

#include <stddef.h>
#include <sys/types.h>

#include "base/idmap.h"

#define THREADS_MOST 10000u /* of a process, that are listed or kept */

/* Zeroed but for `size` is empty. */
struct slots {
	size_t size;         /* bytes of a slot */
	struct idmap places; /* number of a thread -> place in v */
	unsigned char *v;
	size_t n, cap;
};

/* The slot of a thread, zeroed when it is new; valid until the next call. Too many threads: all are forgotten. */
void *slots_of(struct slots *, pid_t tid);
void slots_forget(struct slots *);
void slots_deinit(struct slots *);

#endif
