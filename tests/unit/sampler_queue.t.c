/*
 * The queue between two threads: runs keep their order and bytes, and a full queue refuses.
 */
#include "tests/tap.h"

#include <pthread.h>
#include <sched.h>

#include "record/sampler/queue.h"

#define RUNS 200000u

static void *put_all(void *arg)
{
	struct queue *q = arg;
	unsigned char bytes[64];
	for (uint32_t i = 0; i < RUNS; i++) {
		memset(bytes, (int)(i & 255), sizeof bytes);
		while (!queue_put(q, &(struct queue_head){i % 61, (int32_t)i, i}, bytes))
			sched_yield();
	}
	return NULL;
}

static bool take(struct queue *q, uint32_t i)
{
	unsigned char bytes[64] = {0};
	struct queue_head head;
	while (!queue_peek(q, &head))
		sched_yield();
	queue_take(q, bytes);
	bool is_good = head.time == i && head.tid == (int32_t)i && head.n == i % 61;
	for (uint32_t k = 0; k < head.n && k < 64; k++)
		is_good &= bytes[k] == (i & 255);
	return is_good;
}

int main(void)
{
	struct queue q;
	struct queue_head head;
	pthread_t writer;
	unsigned bad = 0;
	queue_init(&q, 256);
	ok(!queue_peek(&q, &head), "a new queue is empty");
	ok(queue_put(&q, &(struct queue_head){3, 1, 2}, "abc") && queue_peek(&q, &head) && head.n == 3,
	   "a run goes in");
	ok(!queue_has_room(&q, 230) && !queue_put(&q, &(struct queue_head){230, 1, 2}, (char[230]){0}),
	   "but not too much");
	queue_take(&q, NULL);
	ok(!queue_peek(&q, &head) && queue_has_room(&q, 230), "a run that is taken gives its room back");
	pthread_create(&writer, NULL, put_all, &q);
	for (uint32_t i = 0; i < RUNS; i++)
		bad += !take(&q, i);
	pthread_join(writer, NULL);
	is_int(bad, 0, "runs come in their order, with their bytes, while others are put");
	queue_deinit(&q);
	return done_testing();
}
