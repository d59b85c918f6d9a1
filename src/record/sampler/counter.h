/*
 * counter.h - opens counters of the kernel (perf_event_open), with what this kernel and the user's rights allow.
 */
#ifndef RECORD_SAMPLER_COUNTER_H
#define RECORD_SAMPLER_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "record/sampler/abi.h"

/* One event, and what was learnt about it when its first counter was opened. */
struct counter_event {
	char *name; /* as the user wrote it, or the one that replaces it; owned */
	struct abi_attr attr;
	bool is_default;        /* cycles, which cpu-clock replaces where the processor does not count them */
	bool is_tried;          /* a counter was opened: attr is what this kernel takes */
	bool is_probe;          /* has a counter for each function of the plan's allocators */
	bool is_written;        /* its samples are written by the sampler: no counter is opened */
	bool is_of_all;         /* counted in all threads of the machine, whatever the targets are */
	bool needs_kernel;      /* it counts nothing in user space */
	bool is_bell;           /* its samples wake up a reader, and are not recorded */
	bool has_no_stack;      /* its samples have neither a chain nor registers */
	const char *tracepoint; /* "SYSTEM:EVENT", if the name is another one; NULL: it is the name */
	char *filter;           /* of the tracepoint; owned; NULL: none */
	bool lacks_kernel;      /* the user may not sample the kernel */
	uint64_t *ids;          /* of its counters, in the kernel's numbering */
	size_t n_ids, cap_ids;
	uint32_t set; /* of rings, which its counters write to (strays.h) */
};

void counter_event_deinit(struct counter_event *);

/* What is counted: a thread (or all) on one processor. */
struct counter_target {
	pid_t tid; /* -1: all */
	int cpu;
	int cgroup; /* a descriptor of its directory; -1: none */
};

/*
 * Opens a counter. The first call finds out what works: it leaves out what the kernel does not know and what the
 * user may not see, and replaces an event that the processor does not have. Returns a descriptor; -1 with errno.
 */
int counter_open(struct counter_event *, const struct counter_target *);
/* Remembers the counter's id. */
bool counter_learn_id(struct counter_event *, int fd);

/* May the kernel fill in one sample for this event and others of its kind (strays.h)? Not of clocks. */
bool counter_shares_samples(const struct counter_event *);

/* Says why the counter could not be opened, and what helps. Always false. */
bool counter_fail(const struct counter_event *, const struct counter_target *, int error, struct err *);

#endif
