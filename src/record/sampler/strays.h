/*
 * strays.h - samples that carry the number of another event.
 *
 * The kernel hands one page fault, or one context switch, to each event that counts them in the thread, and fills
 * in their samples once (6.18 does): all get the number of the one that was opened last, be it ours or another
 * recorder's. The ring that a sample comes in tells whose it is, since no two such events share a ring.
 */
#ifndef RECORD_SAMPLER_STRAYS_H
#define RECORD_SAMPLER_STRAYS_H

#include <stdbool.h>
#include <stddef.h>

#include "record/sampler/counters.h"

/* Sees each record of the ring in this place, and gives samples the number of their own event. */
void strays_mend(struct counters *, size_t place, struct abi_record *);
/* Says what the samples lack, if another recorder asked for other things than ours. */
void strays_tell(const struct counters *);

#endif
