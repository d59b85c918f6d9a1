/*
 * peek.h - looks at running threads by ptrace(2), where the kernel counts no events for us.
 *
 * A thread stands still for some ten microseconds while its registers and its stack are copied. That is only done a
 * few times a second, since a program that is stopped again and again gets slower.
 */
#ifndef RECORD_SAMPLER_PEEK_H
#define RECORD_SAMPLER_PEEK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "record/sampler/barred.h"
#include "record/sampler/errand.h"
#include "record/sampler/running.h"

#define PEEK_FREQUENCY 49u /* looks per second */
#define PEEK_MOST 199u

struct peek;

/* dump: bytes of the stack to copy. id: of the event that the samples are of. is_quiet: nothing is said. */
struct peek *peek_new(uint32_t dump, uint64_t id, bool is_quiet);
void peek_free(struct peek *); /* NULL is fine */

/* The target is a command that has not begun: all its time counts. Its end is not waited for here. */
void peek_from_start(struct peek *, pid_t child);
/* May this process be looked at? false: err says why not. */
bool peek_check(pid_t, struct err *err);
/* Looks at the threads of this process and of all its descendants; or, with a tid, at this thread alone. */
void peek_add(struct peek *, pid_t pid, pid_t tid);
struct records_sample;
/* What others do at samples. What they append comes before the sample. */
struct peek_hooks {
	/* Before threads of a process are stopped: its maps are not those of its last sample, or it has had none. */
	void (*mapped)(void *arg, pid_t, struct buf *out);
	/* All that read() needs. */
	void *(*reader)(void *arg);
	/* Reads more of a thread while it stands still; on another thread than the others. */
	void (*read)(void *reader, const struct records_sample *, struct buf *out);
	/*
	 * The process holds back its memory, and is not read again. That thread may come back at any time, also in or
	 * before read(): its reader is left to it.
	 */
	void (*held)(void *arg, pid_t, struct buf *out);
	void *arg;
};
void peek_hook(struct peek *, const struct peek_hooks *);
/* Neither this process nor that of the viewer is looked at, nor what they have started. 0: there is no viewer. */
void peek_leave_out(struct peek *, pid_t viewer);
/* Programs that it may not look at. */
const struct barred *peek_barred(const struct peek *);
/* Which sample it becomes: of this event, at this time (ns). */
struct peek_place {
	uint64_t id, time;
};
/*
 * Appends a sample of a thread that sleeps, without disturbing it. The kernel tells where it is and where its stack
 * is, but no other register, so callers are found as far as they do without a frame pointer. dump 0: only the
 * innermost function. Nothing is appended if the user may not debug the process. false: it holds back its memory.
 */
bool peek_add_sleeper(struct errands *, pid_t pid, pid_t tid, uint32_t dump, const struct peek_place *,
                      struct buf *out);
/*
 * Seconds until the next look. There is one at a random moment of each interval of 1 / frequency, so that no loop
 * of a program keeps step.
 */
double peek_pause(struct peek *, uint64_t frequency);
/*
 * Appends a sample of each thread that runs now; its weight is the CPU time since the last one of the thread, in
 * ns. A thread that was woken and has not got a processor yet has no sample, and its time counts for the next one.
 * And records of what is new: processes, maps, names. false: all targets have ended.
 */
bool peek_take(struct peek *, struct running *, struct buf *out);

#endif
