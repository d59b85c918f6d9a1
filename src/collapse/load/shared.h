/*
 * shared.h - what a loading thread shares with its owner: a lock on the profile, and its progress.
 *
 * The loading thread takes the lock for each piece that it feeds and releases it between two pieces, so a snapshot
 * waits for one piece at most, which may be long: hence a snapshot gives up when loading has to stop. Counters are
 * atomic and need no lock.
 */
#ifndef COLLAPSE_LOAD_SHARED_H
#define COLLAPSE_LOAD_SHARED_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct feeder;

/* What load_keep() asked for last. */
struct load_wish {
	bool is_there; /* false: it was not called */
	uint64_t window, half_life;
};

struct load_shared {
	pthread_mutex_t lock; /* of the profile, held while a piece is fed */
	pthread_cond_t no_snapshot_waits;
	atomic_uint waiting; /* number of snapshots that wait for the lock */
	atomic_bool stop;
	atomic_uint_fast64_t bytes, bytes_all, generation, samples, lost; /* as in load_status */
	atomic_uint_fast64_t unsure;                                      /* as in load_status */
	atomic_uint_fast64_t before;     /* bytes of the inputs that are read already */
	atomic_uint_fast64_t in_profile; /* bytes whose samples a snapshot has: of several threads, the first one's */
	atomic_bool is_live, is_signalled;
	atomic_uint_fast64_t held;   /* samples that a format holds back but the last snapshot shows */
	const struct feeder *feeder; /* the feeder whose format holds samples back; under the lock, NULL: none */
	pthread_mutex_t wish_lock;   /* of the wish alone: the key that makes it must not wait for a piece */
	struct load_wish wish;
	int wake_fd; /* -1: none */
};

void shared_init(struct load_shared *, int wake_fd);
void shared_deinit(struct load_shared *);
/* For a loading thread: lets waiting snapshots go first. */
void shared_lock(struct load_shared *);
void shared_unlock(struct load_shared *);
/* For a snapshot: goes before the loading threads. false: the lock is not taken, since loading has to stop. */
bool shared_lock_first(struct load_shared *);
void shared_unlock_first(struct load_shared *);
/* The owner's wish, and what the loading threads see of it; neither waits for the lock of the profile. */
void shared_make_wish(struct load_shared *, uint64_t window, uint64_t half_life);
struct load_wish shared_wish(struct load_shared *);
/* Counts bytes taken from the present input, by one thread. */
void shared_count(struct load_shared *, uint64_t bytes);
/* The same by one of several threads; in_profile of them are part of what a snapshot has. */
void shared_count_more(struct load_shared *, uint64_t bytes, uint64_t in_profile);
/* The present input is read: the next one counts on. */
void shared_count_input(struct load_shared *);
/* Announces news: counts a generation, and writes a byte to wake_fd unless one was written since the last look. */
void shared_wake(struct load_shared *);

#endif
