/*
 * progress.h - how far a long computation is, and a way for the waiting thread to cancel it.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Empty when zeroed. */
struct progress {
	atomic_bool cancel;             /* set by the waiting thread */
	atomic_uint_fast64_t done, all; /* steps; all is 0 while unknown */
};

/* Counts `steps` as done. false: the caller should stop. p may be NULL: no thread waits. */
static inline bool progress_step(struct progress *p, uint64_t steps)
{
	if (!p)
		return true;
	if (steps > 0)
		atomic_fetch_add_explicit(&p->done, steps, memory_order_relaxed);
	return !atomic_load_explicit(&p->cancel, memory_order_relaxed);
}

static inline double progress_share(const struct progress *p) /* 0..1 */
{
	uint64_t done = atomic_load(&p->done), all = atomic_load(&p->all);
	return all ? (done < all ? (double)done / (double)all : 1) : 0;
}

#endif
