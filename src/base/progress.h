/*
 * progress.h - how far a long computation is, and a way to end it early, for whoever waits for it on another
 * thread.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed it is nowhere yet. */
struct progress {
	atomic_bool cancel;             /* set by whoever waits */
	atomic_uint_fast64_t done, all; /* steps; all is 0 as long as nobody knows */
};

/* So many steps are behind. false: end early. NULL: nobody waits. */
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
