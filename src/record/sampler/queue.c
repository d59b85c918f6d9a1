/*
 * queue.c - a ring of bytes with one writer and one reader.
 *
 * Each end has a count of all bytes that ever passed it, which only its thread changes. The bytes are written
 * before the count that makes them visible, and read before the count that gives their room back (acquire and
 * release).
 */
#include "record/sampler/queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void queue_init(struct queue *q, size_t size)
{
	*q = (struct queue){.bytes = mem_alloc(size), .size = size};
	memset(q->bytes, 0, size);
}

void queue_deinit(struct queue *q)
{
	free(q->bytes);
	*q = (struct queue){0};
}

static size_t padded(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

static void copy_in(struct queue *q, uint64_t at, const void *bytes, size_t n)
{
	size_t from = (size_t)(at & (q->size - 1)), first = q->size - from < n ? q->size - from : n;
	memcpy(q->bytes + from, bytes, first);
	memcpy(q->bytes, (const char *)bytes + first, n - first);
}

static void copy_out(const struct queue *q, uint64_t at, void *bytes, size_t n)
{
	size_t from = (size_t)(at & (q->size - 1)), first = q->size - from < n ? q->size - from : n;
	memcpy(bytes, q->bytes + from, first);
	memcpy((char *)bytes + first, q->bytes, n - first);
}

bool queue_has_room(const struct queue *q, size_t n)
{
	uint64_t first = __atomic_load_n(&q->first, __ATOMIC_ACQUIRE);
	return q->last - first + sizeof(struct queue_head) + padded(n) <= q->size;
}

bool queue_put(struct queue *q, const struct queue_head *head, const void *bytes)
{
	if (!queue_has_room(q, head->n))
		return false;
	copy_in(q, q->last, head, sizeof *head);
	copy_in(q, q->last + sizeof *head, bytes, head->n);
	__atomic_store_n(&q->last, q->last + sizeof *head + padded(head->n), __ATOMIC_RELEASE);
	return true;
}

bool queue_peek(const struct queue *q, struct queue_head *head)
{
	if (__atomic_load_n(&q->last, __ATOMIC_ACQUIRE) == q->first)
		return false;
	copy_out(q, q->first, head, sizeof *head);
	return true;
}

void queue_take(struct queue *q, void *bytes)
{
	struct queue_head head;
	copy_out(q, q->first, &head, sizeof head);
	if (bytes)
		copy_out(q, q->first + sizeof head, bytes, head.n);
	__atomic_store_n(&q->first, q->first + sizeof head + padded(head.n), __ATOMIC_RELEASE);
}
