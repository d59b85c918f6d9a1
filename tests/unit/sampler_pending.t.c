/*
 * Which samples get their stacks: those whose threads are still where they were.
 */
#include "tests/tap.h"

#include "record/sampler/pending.h"

static struct pending_list list;

static void add(int32_t tid, uint64_t us)
{
	pending_add(&list, &(struct pending){1, tid, us * 1000, 0});
}

/* R, S or G for each sample. */
static const char *choices(void)
{
	static char text[256];
	size_t n = list.n < 255 ? list.n : 255;
	for (size_t i = 0; i < n; i++)
		text[i] = "RSG"[pending_choose(&list, i)];
	text[n] = '\0';
	pending_clear(&list);
	return text;
}

int main(void)
{
	add(7, 1000);
	is_str(choices(), "R", "the stack of a sample is read");
	add(7, 1000);
	add(7, 2000);
	is_str(choices(), "GR", "that of an earlier one of the thread is gone");
	add(7, 2000);
	add(7, 2050);
	is_str(choices(), "RS", "two samples of one moment have the same stack");
	add(7, 1000);
	add(7, 1060);
	add(7, 1120);
	is_str(choices(), "GRS", "a sample shares no stack with one whose stack is gone");
	add(7, 1000);
	add(8, 1010);
	add(7, 1020);
	is_str(choices(), "RRR", "a stack that was read is shared only with the sample right behind it");
	for (uint64_t i = 0; i < 40; i++)
		add(7, 1000 + 1000 * i);
	is_str(choices(), "GGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGR", "of many samples of a thread one has its stack");
	for (int32_t i = 0; i < 40; i++)
		add(100 + i % 20, 1000 + 1000 * (uint64_t)i);
	is_str(choices(), "GGGGGGGGGGGGGGGGGGGGRRRRRRRRRRRRRRRRRRRR", "of many threads each has one");
	add(7, 1000);
	add(8, 1500);
	add(7, 2000);
	ok(pending_is_last(&list, 2, &(struct pending){7, 7, 2010000, 0}),
	   "the last one of its thread, of the moment of a bell");
	ok(pending_is_last(&list, 2, &(struct pending){7, 7, 1990000, 0}), "which may ring before");
	ok(!pending_is_last(&list, 2, &(struct pending){7, 7, 2200000, 0}), "a bell of another moment");
	ok(!pending_is_last(&list, 2, &(struct pending){8, 8, 2000000, 0}), "or of another thread");
	ok(!pending_is_last(&list, 0, &(struct pending){7, 7, 1000000, 0}), "an earlier one is gone");
	pending_clear(&list);
	for (int32_t i = 0; i < 30000; i++)
		add(i, 1000);
	pending_clear(&list);
	is_int(list.last.n, 0, "threads are not remembered without end");
	pending_deinit(&list);
	return done_testing();
}
