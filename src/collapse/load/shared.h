/*
 * shared.h - what the threads of a load share with the thread that asked for it: a lock on the profile, and how far
 * it is.
 *
 * The loading thread takes the lock for each piece that it feeds, and leaves it free between two pieces; a snapshot
 * waits for one piece at most. Counters are atomic and need no lock.
 */
#ifndef COLLAPSE_LOAD_SHARED_H
#define COLLAPSE_LOAD_SHARED_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct feeder;

struct load_shared {
	pthread_mutex_t lock; /* of the profile, held while a piece is fed */
	pthread_cond_t no_snapshot_waits;
	unsigned waiting; /* snapshots that want the lock */
	atomic_bool stop;
	atomic_uint_fast64_t bytes, bytes_all, generation, samples, lost; /* as in load_status */
	atomic_uint_fast64_t before;     /* bytes of the inputs that are read already */
	atomic_uint_fast64_t in_profile; /* bytes whose samples a snapshot has: of several threads, the first one's */
	atomic_bool is_live, is_signalled;
	atomic_uint_fast64_t held;   /* samples that a format holds back, and that the last snapshot has all the same */
	const struct feeder *feeder; /* whose format holds some back; under the lock, NULL: none */
	bool has_wish;               /* load_keep(); this and what follows are read and written under the lock */
	uint64_t window, half_life;
	int wake_fd; /* -1: none */
};

void shared_init(struct load_shared *, int wake_fd);
void shared_deinit(struct load_shared *);
/* For a thread that loads: waiting snapshots go first. */
void shared_lock(struct load_shared *);
void shared_unlock(struct load_shared *);
/* For a snapshot: goes before the threads that load. */
void shared_lock_first(struct load_shared *);
void shared_unlock_first(struct load_shared *);
/* So many bytes of the present input were taken, by one thread. */
void shared_count(struct load_shared *, uint64_t bytes);
/* So many more of it by one of several threads, and of these so many for what a snapshot has. */
void shared_count_more(struct load_shared *, uint64_t bytes, uint64_t in_profile);
/* The present input is read: the next one counts on. */
void shared_count_input(struct load_shared *);
/*
 * There is something new: counts a generation, and writes a byte to wake_fd unless one was written since the last
 * look.
 */
void shared_wake(struct load_shared *);

#endif
