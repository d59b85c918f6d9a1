/*
 * What is kept of each thread: it stays, and is bounded.
 */
#include "tests/tap.h"

#include "languages/slots.h"

int main(void)
{
	struct slots s = {.size = 12};
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
	for (pid_t tid = 1000; tid < 1000 + (pid_t)THREADS_MOST - 1; tid++)
		slots_of(&s, tid);
	slot = slots_of(&s, 7);
	is_int(slot[11], 5, "many threads have slots");
	slots_of(&s, 999);
	slot = slots_of(&s, 7);
	is_int(slot[11], 0, "too many are forgotten");
	ok(s.n <= THREADS_MOST, "so memory is bounded");
	slots_deinit(&s);
	return done_testing();
}
