/*
 * counters.h - all counters of a recording, and the rings that they write to: one for each processor, or several.
 */
#ifndef RECORD_SAMPLER_COUNTERS_H
#define RECORD_SAMPLER_COUNTERS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/idmap.h"
#include "record/sampler/allocator_calls.h"
#include "record/sampler/allocators.h"
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
	bool peeks;         /* by ptrace: the counter is never opened */
	bool off_cpu;       /* context switches, too, with stacks */
	bool languages;     /* stacks of interpreters are read at each sample, which wakes a reader up */
	bool switches_wake; /* with off_cpu: switches do so, too */
	unsigned io;        /* system calls that do I/O, of these kinds (perfdata/io_calls.h), in place of events */
	bool wakers;        /* who wakes up threads, with stacks by frame pointers */
	const struct allocators *allocators; /* memory: what they hand out, and pages touched; NULL: other events */
	bool has_idle;                       /* the processors' idle time, too */
};

#define COUNTERS_FREQUENCY 997u /* a prime: sampling does not run in step with the program's timers */
#define COUNTERS_PEEK_ID 1u     /* of the event of samples by ptrace */
#define COUNTERS_DUMP_MOST 65528u
#define COUNTERS_LANGUAGE_ID (UINT64_C(1) << 62) /* of the event of their records; the kernel counts from 1 */

struct counters {
	struct counter_event *events;
	size_t n_events, cap_events;
	struct number_list cpus;
	int *fds; /* all */
	size_t n_fds, cap_fds;
	uint32_t *event_of; /* likewise: its place in events */
	size_t n_event_of, cap_event_of;
	size_t n_of_targets; /* the first of them; those after count all threads */
	struct idmap uses;   /* by the id of a counter: what its samples are for, if it is anything special */
	const struct allocators *allocators;
	struct allocator_calls calls;
	uint64_t n_calls;         /* of allocators */
	uint64_t n_impossible;    /* calls for more bytes than there are addresses: left out */
	struct abi_attr recorded; /* with them: how samples are when they come */
	struct number_list
		*bell_fds;      /* by place in rings: they only wake up who reads stacks of languages; part of fds */
	bool has_bells;     /* only bells wake up readers */
	bool lacks_probes;  /* allocations cannot be probed: only pages are counted */
	bool lacks_births;  /* or not in threads and processes that begin while they are counted */
	struct ring *rings; /* one of each processor, in the order of cpus; then the next set of them */
	size_t n_rings;
	struct idmap owners; /* by the id of a counter: its event's place in events */
	struct {
		uint64_t own, shared; /* of the last sample that others may have filled in, and of all other records */
	} * times;                /* by place in rings */
	struct {
		uint64_t n, n_with_callers, n_mended; /* the latter: times */
		bool has_clock_ahead;
	} strays; /* samples that were filled in for another recorder */
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
/* Opens the counters of what is counted in all threads, after those of the targets. */
bool counters_open_rest(struct counters *, struct err *);
/*
 * The thread that a sample of a wake-up wakes; -1: it is another sample. The record has the layout of
 * RECORDS_SAMPLE_TYPE.
 */
pid_t counters_woken(const struct counters *, const struct abi_record *);
/* Has the sample a stack? Is it one that only wakes up a reader? Of a wake-up? Several threads may ask. */
bool counters_have_stack(const struct counters *, uint64_t id);
bool counters_are_waking(const struct counters *, uint64_t id);
bool counters_are_bell(const struct counters *, uint64_t id);
/* Lets the bells of the ring in this place wake up its reader, or not. */
void counters_let_ring(const struct counters *, size_t place, bool on);
/* The processor of the ring in this place. */
int counters_cpu(const struct counters *, size_t place);
/* All is open: from now on, the events are as counters_weigh() leaves their samples. */
void counters_settle(struct counters *);
/*
 * Makes the sample one of bytes, if its event is about memory. false: it does not count, as those
 * of bells, and of calls that an allocator makes to another.
 */
bool counters_weigh(struct counters *, struct abi_record *);
/*
 * Lowers the frequency to what the kernel allows now: it may have been lowered since, and counters that take more
 * samples pause. Threads that inherited their counters keep the old one.
 */
void counters_lower_frequency(struct counters *);
/* The event of context switches, which has counters; NULL: there is none. */
const struct counter_event *counters_switches(const struct counters *);
/* Has any counter been opened? */
bool counters_are_open(const struct counters *);

/* Have all targets and their children ended? */
bool counters_have_ended(const struct counters *);
void counters_disable(const struct counters *);
/* Samples of bells, or of all others, that found no room; 0: none, or the kernel does not count them. */
uint64_t counters_lost(const struct counters *, bool of_bells);

/* Is user space alone sampled, because the user has no right to more? */
bool counters_lack_kernel(const struct counters *);

#endif
