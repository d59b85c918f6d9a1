/*
 * readers.h - threads that read the stacks of interpreters at the very moment of each sample.
 *
 *	processor 0: sample -> the kernel wakes reader 0, which is there, too, and goes first
 *	                    -> the target waits; its stack is read -> queue -> the thread that writes
 *
 * The interrupt that takes a sample lets the target stand where it is. The reader belongs to the same processor,
 * with real-time priority; so the target goes on only when the reader sleeps again, and what was read is of one
 * moment. Nothing in the target is stopped by force, and nothing stays behind if we end.
 */
#ifndef RECORD_SAMPLER_READERS_H
#define RECORD_SAMPLER_READERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "languages/items.h"
#include "record/sampler/counters.h"
#include "record/sampler/interpreters.h"

struct readers;

/*
 * Starts a reader for each ring. From now on they alone wait for the rings' counters, and rings are not drained
 * beyond what was read. The counters wake up at each sample (counters_plan.languages). NULL with err: it is not
 * possible. Else err, if it is not empty, says which processor has no reader, and why.
 */
struct readers *readers_start(struct counters *, struct interpreters *, struct err *);
/*
 * Ends them; what they have read can still be taken. Those that do not end in two seconds are left behind. Returns
 * 0, or a process that holds back its memory; `trouble` gets an item that says so (interpreters_hold()).
 */
pid_t readers_stop(struct readers *, struct buf *trouble);
/*
 * Has a process held up a reader for a second? Then another reader takes its place. Call it now and then. Returns
 * as readers_stop().
 */
pid_t readers_held(struct readers *, struct buf *trouble);
void readers_free(struct readers *); /* NULL is fine */
/*
 * Has the reader of the ring in this place look at its records. Samples wake it up, but other records do not: those
 * of a processor that has no samples would wait for the next one, and come too late.
 */
void readers_call(struct readers *, size_t place);

/* How good they are. */
enum item_how readers_how(const struct readers *);

/*
 * Appends what was read for a sample of the ring in this place, as records that come before that of the sample. The
 * samples of a ring must be asked about in their order.
 */
void readers_take(struct readers *, size_t place, const struct abi_record *sample, uint64_t id, struct buf *out);

#endif
