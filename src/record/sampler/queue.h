/*
 * queue.h - hands runs of bytes from one thread to another, in their order; neither waits for the other.
 */
#ifndef RECORD_SAMPLER_QUEUE_H
#define RECORD_SAMPLER_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is said of a run. */
struct queue_head {
	uint32_t n; /* bytes that follow */
	int32_t tid;
	uint64_t time;
};

struct queue {
	unsigned char *bytes;
	size_t size;          /* a power of two */
	uint64_t first, last; /* bytes ever taken and put; each is changed by one thread */
};

void queue_init(struct queue *, size_t size); /* a power of two; its pages are there at once */
void queue_deinit(struct queue *);

/* For the thread that puts: is there room for n bytes and their head? */
bool queue_has_room(const struct queue *, size_t n);
/* false: there is no room. */
bool queue_put(struct queue *, const struct queue_head *, const void *bytes);

/* For the thread that takes: the head of the next run. false: there is none. */
bool queue_peek(const struct queue *, struct queue_head *);
/* Copies its bytes (NULL: not), and goes on to the one after. */
void queue_take(struct queue *, void *bytes);

#endif
