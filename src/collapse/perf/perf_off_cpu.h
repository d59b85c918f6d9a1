/*
 * perf_off_cpu.h - turns context switches into the time that threads spend off the CPU.
 *
 * A thread that leaves the CPU is blocked, or runnable if it was preempted. Until it gets a CPU again, its time
 * goes to the stack with which it left, under one more frame that says why: [blocked] or [runnable]. The unit is
 * nanoseconds, as of cpu-clock, so that both can be added up. Each is a span that begins when the thread leaves.
 */
#ifndef COLLAPSE_PERF_OFF_CPU_H
#define COLLAPSE_PERF_OFF_CPU_H

#include "collapse/collapse.h"
#include "perfdata/hooks.h"
#include "perfdata/perfdata.h"

struct perf_off_cpu;

/* Does the event, each context switch, tell where threads leave the CPU? It is so named in our own recordings. */
bool perf_off_cpu_is_event(const struct perfdata_event *, const struct collapse_options *);
/* Does the recording have switches, and are they to be time? A note names an --off-cpu without switches. */
bool perf_off_cpu_is_in(const struct perfdata *recording, struct sink *);
/* Does --event-filter name these times? "off-cpu" stands for those with approximate stacks, too. */
bool perf_off_cpu_is_named(const struct collapse_options *, bool is_exact);

/*
 * Threads off the CPU for less than `least` nanoseconds are left out; a note says how many. An --event-filter that
 * names neither exact nor approximate times leaves out none: whether they are wanted at all is for the caller.
 */
struct perf_off_cpu *perf_off_cpu_new(struct sink *, uint64_t least);
void perf_off_cpu_free(struct perf_off_cpu *); /* NULL is fine */

/* A thread as the profile has it. */
struct off_cpu_thread {
	int32_t tid;
	uint32_t task;
	uint32_t root; /* symbol of its first frame; NO_SYMBOL: unknown */
};

/* A stack: its path, and the node of profile.sites with its lines. */
struct off_cpu_stack {
	uint32_t path, site;
};

/* The stack of a thread that is about to leave the CPU. */
void perf_off_cpu_leaves(struct perf_off_cpu *, const struct off_cpu_thread *, struct off_cpu_stack, uint64_t time);
/* A stack on the CPU: where exact ones are missing, the last one stands in, and the event is called approximate. */
void perf_off_cpu_runs(struct perf_off_cpu *, const struct off_cpu_thread *, struct off_cpu_stack, uint64_t time);
void perf_off_cpu_switch(struct perf_off_cpu *, const struct off_cpu_thread *, const struct perfdata_switch *);
/* The thread that a sample of sched:sched_waking is about; -1: unknown. */
int32_t perf_off_cpu_woken(const struct perfdata_sample *);
/*
 * A thread is woken up. With --wake-stack the waker's stack follows on the state, from its leaf on; from now on the
 * thread is runnable.
 */
void perf_off_cpu_wakes(struct perf_off_cpu *, int32_t tid, uint32_t waker, uint64_t time);
/* The thread has begun, or ended: what was known of its number no longer holds. */
void perf_off_cpu_begins(struct perf_off_cpu *, int32_t tid);
void perf_off_cpu_ends(struct perf_off_cpu *, int32_t tid);
/* Another program runs in the process. If a thread other than the first began it, that one has the number now. */
void perf_off_cpu_execs(struct perf_off_cpu *, int32_t pid);
/* All records up to this time have come. */
void perf_off_cpu_passed(struct perf_off_cpu *, uint64_t time);
/*
 * Adds the waits of threads that are still off the CPU, up to the last such time, to a copy of the profile: as
 * perf_off_cpu_finish() would.
 */
void perf_off_cpu_preview(const struct perf_off_cpu *, struct profile *copy);
/* The recording has ended: counts the rest. Has any time counted? */
bool perf_off_cpu_finish(struct perf_off_cpu *);

#endif
