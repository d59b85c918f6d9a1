/*
 * shared.c - see shared.h. A plain mutex would not do: the loading thread would take it again before a snapshot
 * wakes up.
 */
#include "collapse/load/shared.h"

#include <time.h>
#include <unistd.h>

void shared_init(struct load_shared *s, int wake_fd)
{
	*s = (struct load_shared){.wake_fd = wake_fd};
	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->wish_lock, NULL);
	pthread_cond_init(&s->no_snapshot_waits, NULL);
}

void shared_deinit(struct load_shared *s)
{
	pthread_mutex_destroy(&s->lock);
	pthread_mutex_destroy(&s->wish_lock);
	pthread_cond_destroy(&s->no_snapshot_waits);
}

void shared_lock(struct load_shared *s)
{
	pthread_mutex_lock(&s->lock);
	while (atomic_load(&s->waiting) && !atomic_load(&s->stop))
		pthread_cond_wait(&s->no_snapshot_waits, &s->lock);
}

void shared_unlock(struct load_shared *s)
{
	pthread_mutex_unlock(&s->lock);
}

/* false: the lock was not free for a moment. */
static bool try_a_moment(struct load_shared *s)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 20 * 1000 * 1000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	return pthread_mutex_timedlock(&s->lock, &until) == 0;
}

bool shared_lock_first(struct load_shared *s)
{
	atomic_fetch_add(&s->waiting, 1);
	while (!try_a_moment(s)) {
		if (!atomic_load(&s->stop))
			continue;
		atomic_fetch_sub(&s->waiting, 1);
		pthread_cond_broadcast(&s->no_snapshot_waits);
		return false;
	}
	return true;
}

void shared_unlock_first(struct load_shared *s)
{
	atomic_fetch_sub(&s->waiting, 1);
	pthread_cond_broadcast(&s->no_snapshot_waits);
	pthread_mutex_unlock(&s->lock);
}

void shared_make_wish(struct load_shared *s, uint64_t window, uint64_t half_life)
{
	pthread_mutex_lock(&s->wish_lock);
	s->wish = (struct load_wish){true, window, half_life};
	pthread_mutex_unlock(&s->wish_lock);
}

struct load_wish shared_wish(struct load_shared *s)
{
	pthread_mutex_lock(&s->wish_lock);
	struct load_wish wish = s->wish;
	pthread_mutex_unlock(&s->wish_lock);
	return wish;
}

void shared_count(struct load_shared *s, uint64_t bytes)
{
	uint64_t sum = atomic_load_explicit(&s->before, memory_order_relaxed) + bytes;
	atomic_store_explicit(&s->bytes, sum, memory_order_relaxed);
	atomic_store_explicit(&s->in_profile, sum, memory_order_relaxed);
}

void shared_count_more(struct load_shared *s, uint64_t bytes, uint64_t in_profile)
{
	atomic_fetch_add_explicit(&s->bytes, bytes, memory_order_relaxed);
	atomic_fetch_add_explicit(&s->in_profile, in_profile, memory_order_relaxed);
}

void shared_count_input(struct load_shared *s)
{
	uint64_t sum = atomic_load_explicit(&s->bytes, memory_order_relaxed);
	atomic_store_explicit(&s->before, sum, memory_order_relaxed);
	atomic_store_explicit(&s->in_profile, sum, memory_order_relaxed);
}

void shared_wake(struct load_shared *s)
{
	atomic_fetch_add(&s->generation, 1);
	/* After a stop, the descriptor may be closed and its number in use for another file. */
	if (s->wake_fd >= 0 && !atomic_load(&s->stop) && !atomic_exchange(&s->is_signalled, true)) {
		ssize_t ignored = write(s->wake_fd, "l", 1);
		(void)ignored;
	}
}
