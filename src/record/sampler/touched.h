/*
 * touched.h - memory that processes have, and that no page in a sample explains.
 *
 * A fault counts one page. The kernel may map more at it: a huge page, or the pages around that a file has; and
 * with MAP_POPULATE it maps pages without any. How large a process has been tells.
 */
#ifndef RECORD_SAMPLER_TOUCHED_H
#define RECORD_SAMPLER_TOUCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/idmap.h"
#include "record/sampler/counters.h"

struct touched_process;

/* Zeroed at first: nothing is compared. */
struct touched {
	const struct counters *counters; /* NULL: nothing is compared */
	uint32_t event;                  /* of pages: its place in events */
	uint64_t own;                    /* bytes that the sampler has taken before, at most */
	struct touched_process *v;
	size_t n, cap;
	struct idmap by_pid;
};

/* The counters are open. Compares nothing unless they count the pages of --memory. */
void touched_begin(struct touched *, const struct counters *);
void touched_deinit(struct touched *);
/* A process that runs already: what it takes from now on counts. */
void touched_add(struct touched *, pid_t);
/* Call with samples as they come, before counters_weigh(). */
void touched_take(struct touched *, const struct abi_record *sample);
/* Call now and then, since a process that ends takes its size along. */
void touched_look(struct touched *);
/* Says what is missing, if that is much. has_ended: a command, which was waited for. lost: samples. */
void touched_tell(struct touched *, bool has_ended, uint64_t lost);

#endif
