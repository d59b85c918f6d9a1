/*
 * counters.h - all counters of a recording, and the rings that they write to: one for each processor.
 */
#ifndef RECORD_SAMPLER_COUNTERS_H
#define RECORD_SAMPLER_COUNTERS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "record/sampler/counter.h"
#include "record/sampler/ring.h"
#include "record/sampler/targets.h"

/* How samples are taken. */
struct counters_plan {
	const char *events; /* names with commas; NULL: cycles, or cpu-clock without them */
	uint64_t frequency; /* samples per second of each event; 0: COUNTERS_FREQUENCY, or each hit of a tracepoint */
	uint32_t dump;      /* bytes of the stack to copy for DWARF; 0: chains by frame pointers */
	bool waits;         /* counting begins with the exec of the target */
	bool inherits;      /* threads and children of the target are counted, too */
	bool has_idle;      /* the processors' idle time, too */
};

#define COUNTERS_FREQUENCY 997u /* a prime: sampling does not run in step with the program's timers */
#define COUNTERS_DUMP_MOST 65528u

struct counters {
	struct counter_event *events;
	size_t n_events, cap_events;
	struct number_list cpus;
	int *fds; /* all */
	size_t n_fds, cap_fds;
	struct ring *rings; /* by place in cpus */
	struct pollfd
		*polls;       /* likewise, and one more for the caller: who owns the ring; fd -1: none, or it has ended */
	int *leaders;     /* likewise, kept when polls forget them; -1: none */
	size_t ring_size; /* bytes */
};

/* false with err: an event does not exist, or its number cannot be looked up. */
bool counters_init(struct counters *, const struct counters_plan *, struct err *);
void counters_deinit(struct counters *);

/*
 * Opens the counters of a thread (tid -1: of all) on all processors. A thread that has ended and processors that
 * went offline are left out. false with err: not permitted, not possible, or too many files.
 */
bool counters_open(struct counters *, pid_t tid, int cgroup, struct err *);
/* Has any counter been opened? */
bool counters_are_open(const struct counters *);

/* Have all targets and their children ended? */
bool counters_have_ended(const struct counters *);
void counters_disable(const struct counters *);
/* Samples that found no room, as the kernel counts them; 0: none, or it does not count. */
uint64_t counters_lost(const struct counters *);

/* Is user space alone sampled, because the user has no right to more? */
bool counters_lack_kernel(const struct counters *);

#endif
