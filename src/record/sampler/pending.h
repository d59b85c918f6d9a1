/*
 * pending.h - samples of one processor that wait for their stacks, and of which of them these can still be read.
 *
 * A thread has one stack, the present one. It is that of its last sample, and of those of the same moment, which
 * two events can have; the stacks of all others are gone.
 */
#ifndef RECORD_SAMPLER_PENDING_H
#define RECORD_SAMPLER_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"

struct pending {
	int32_t pid, tid;
	uint64_t time; /* ns */
	uint64_t at;   /* where its record is in the ring */
};

/* In the order of time. Zeroed is empty. */
struct pending_list {
	struct pending *v;
	size_t n, cap;
	struct idmap last; /* thread -> place of its last sample; of threads that have none here, any number */
};

void pending_add(struct pending_list *, const struct pending *);
void pending_clear(struct pending_list *);
void pending_deinit(struct pending_list *);

enum pending_choice {
	PENDING_READ,
	PENDING_SAME, /* what was read for the sample right before it is of this one, too */
	PENDING_GONE,
};
/* All samples that wait must be in the list. */
enum pending_choice pending_choose(const struct pending_list *, size_t i);
/* Is the sample the last one of its thread, of the same moment as this other one? */
bool pending_is_last(const struct pending_list *, size_t i, const struct pending *other);

#endif
