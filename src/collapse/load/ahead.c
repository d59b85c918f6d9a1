/*
 * ahead.c - fills a short ring of blocks on a reading thread; the calling thread copies them to the feeder.
 */
#include "collapse/load/ahead.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>

#include "base/mem.h"

#define RING 4u

struct block {
	char *bytes;
	size_t len;
};

struct ahead {
	struct input *in;
	struct load_shared *shared;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct block ring[RING];
	unsigned first, n; /* full blocks: ring[first], n of them */
	bool is_over, is_abandoned, failed;
	struct err err;
};

/* Can more be read without blocking? */
static bool has_more(const struct input *in)
{
	struct pollfd p = {.fd = input_descriptor(in), .events = POLLIN};
	return poll(&p, 1, 0) > 0;
}

/* Fills a block, or stops early when the source pauses, so that live profiles show what is there. */
static ssize_t fill_block(struct ahead *a, struct block *b)
{
	b->len = 0;
	while (b->len < BLOCK) {
		ssize_t n = input_read(a->in, b->bytes + b->len, BLOCK - b->len, &a->err);
		if (n < 0)
			return b->len ? (ssize_t)b->len : -1;
		if (n == 0)
			break;
		b->len += (size_t)n;
		if (!has_more(a->in))
			break;
	}
	return (ssize_t)b->len;
}

static void *ahead_main(void *arg)
{
	struct ahead *a = arg;
	unsigned next = 0;
	for (;;) {
		ssize_t n;
		pthread_mutex_lock(&a->lock);
		while (a->n == RING && !a->is_abandoned)
			pthread_cond_wait(&a->changed, &a->lock);
		if (a->is_abandoned)
			break;
		pthread_mutex_unlock(&a->lock);
		n = fill_block(a, &a->ring[next]);
		pthread_mutex_lock(&a->lock);
		if (n <= 0)
			break;
		next = (next + 1) % RING;
		a->n++;
		if (a->err.text[0])
			break;
		pthread_cond_signal(&a->changed);
		pthread_mutex_unlock(&a->lock);
	}
	a->failed = a->err.text[0] != '\0';
	a->is_over = true;
	pthread_cond_signal(&a->changed);
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

/* Copies the next block to the feeder; 0 at the end, -1 on failure. */
static ssize_t ahead_next(struct ahead *a, struct feeder *f, struct err *err)
{
	struct block *b;
	size_t n;
	pthread_mutex_lock(&a->lock);
	while (!a->n && !a->is_over)
		pthread_cond_wait(&a->changed, &a->lock);
	if (!a->n) {
		bool failed = a->failed;
		pthread_mutex_unlock(&a->lock);
		if (failed && err)
			*err = a->err;
		return failed ? -1 : 0;
	}
	b = &a->ring[a->first];
	pthread_mutex_unlock(&a->lock);
	n = b->len;
	memcpy(feeder_room(f, n), b->bytes, n);
	pthread_mutex_lock(&a->lock);
	a->first = (a->first + 1) % RING;
	a->n--;
	pthread_cond_signal(&a->changed);
	pthread_mutex_unlock(&a->lock);
	shared_count(a->shared, input_consumed(a->in));
	return (ssize_t)n;
}

bool ahead_read(struct feeder *f, struct input *in, struct err *err)
{
	struct ahead a = {.in = in, .shared = f->shared};
	pthread_t thread;
	ssize_t n = 0;
	bool ok = true;
	pthread_mutex_init(&a.lock, NULL);
	pthread_cond_init(&a.changed, NULL);
	for (unsigned i = 0; i < RING; i++)
		a.ring[i].bytes = mem_alloc(BLOCK);
	if (pthread_create(&thread, NULL, ahead_main, &a) != 0) {
		ok = feeder_read(f, in, err);
	} else {
		while (ok && !atomic_load(&f->shared->stop) && (n = ahead_next(&a, f, err)) > 0)
			ok = feeder_take(f, (size_t)n, err);
		pthread_mutex_lock(&a.lock);
		a.is_abandoned = true;
		pthread_cond_signal(&a.changed);
		pthread_mutex_unlock(&a.lock);
		pthread_join(thread, NULL);
	}
	for (unsigned i = 0; i < RING; i++)
		free(a.ring[i].bytes);
	pthread_mutex_destroy(&a.lock);
	pthread_cond_destroy(&a.changed);
	return ok && n >= 0;
}
