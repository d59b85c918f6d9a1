/*
 * What is kept of each thread and function: it stays, and is bounded.
 */
#include "tests/tap.h"

#include "languages/slots.h"

static unsigned n_emptied;

static void empty(void *slot)
{
	n_emptied += *(unsigned char *)slot;
}

static void test_emptied(void)
{
	struct slots s = {.size = 1, .most = 3, .empty = empty};
	for (uint64_t key = 0; key < 3; key++)
		*(unsigned char *)slots_of(&s, UINT64_MAX - key) = 1;
	ok(slots_find(&s, UINT64_MAX) && slots_find(&s, UINT64_MAX - 2), "keys are of 64 bits");
	ok(!slots_find(&s, 1), "what has no slot gets none by a search");
	is_int(n_emptied, 0, "slots own what they have");
	slots_of(&s, 1);
	is_int(n_emptied, 3, "and lose it when all are forgotten");
	ok(!slots_find(&s, UINT64_MAX) && slots_find(&s, 1), "but the new one");
	*(unsigned char *)slots_of(&s, 1) = 1;
	slots_deinit(&s);
	is_int(n_emptied, 4, "and in the end");
}

int main(void)
{
	struct slots s = {.size = 12, .most = THREADS_MOST};
	unsigned char *slot = slots_of(&s, 7);
	unsigned sum = 0;
	for (size_t i = 0; i < 12; i++)
		sum += slot[i];
	is_int(sum, 0, "a new slot is empty");
	slot[11] = 5;
	slots_of(&s, 8);
	slot = slots_of(&s, 7);
	is_int(slot[11], 5, "a thread keeps its slot");
	slots_forget(&s);
	slot = slots_of(&s, 7);
	is_int(slot[11], 0, "unless all are forgotten");
	slot[11] = 5;
	for (unsigned tid = 1000; tid < 1000 + THREADS_MOST - 1; tid++)
		slots_of(&s, tid);
	slot = slots_of(&s, 7);
	is_int(slot[11], 5, "many threads have slots");
	slots_of(&s, 999);
	slot = slots_of(&s, 7);
	is_int(slot[11], 0, "too many are forgotten");
	ok(s.n <= THREADS_MOST, "so memory is bounded");
	slots_deinit(&s);
	test_emptied();
	return done_testing();
}
