/* waiting - stacks of waiting threads return to their places, unless they are left out. */
#include "collapse/text/waiting.h"

#include "collapse/formats.h"
#include "tests/tap.h"

#include "collapsing.h"

static const char graph[] = "Call graph:\n"
							"    10 Thread_1\n"
							"      2 kevent  (in k) + 1  [0x1]\n"
							"      1 a  (in x) + 1  [0x1]\n"
							"      2 __select  (in k) + 1  [0x1]\n"
							"      1 kevent  (in k) + 2  [0x2]\n"
							"      3 b  (in x) + 1  [0x1]\n"
							"      1 __wait4  (in k) + 1  [0x1]\n"
							"Total number in stack\n";

static void gives(enum idle_rule idle, size_t step, const char *expected, const char *name)
{
	struct collapse_options options = {.jobs = 1, .idle = idle, .no_modules = true};
	struct profile p;
	char *text;

	ok(collapse_pieces(&p, &format_sample, &options, graph, strlen(graph), step), "%s: it reads", name);
	text = samples_of(&p);
	is_str(text, expected, "%s", name);
	free(text);
	profile_deinit(&p);
}

static void test_order(void)
{
	static const char all[] = "Thread_1;kevent 2\nThread_1;a 1\nThread_1;__select 2\nThread_1;kevent 1\n"
							  "Thread_1;b 3\nThread_1;__wait4 1\n";

	gives(IDLE_ALWAYS, 1, all, "all are kept as they come");
	gives(IDLE_MINOR, 1000, all, "those that are too much to leave out come back to their places");
	gives(IDLE_MINOR, 1, all, "line by line as well");
	gives(IDLE_NEVER, 1,
	      "Thread_1;a 1\nThread_1;b 3\n"
	      "idle: line 0, 1 times: 6 of 10 samples wait in the system and are left out; --idle keeps them\n",
	      "none is kept");
}

static void test_bounds(void)
{
	ok(waiting_is_minor(5, 10), "half is no more than half");
	ok(!waiting_is_minor(6, 11), "more than half is more, by however little");
	ok(waiting_is_minor(0, 0), "nothing is not much");
	ok(waiting_is_minor(UINT64_MAX / 2, UINT64_MAX) && !waiting_is_minor(UINT64_MAX, UINT64_MAX),
	   "the greatest numbers do not wrap");
}

/* Hours of dumps, one a second. */
static void test_held_for_hours(void)
{
	struct collapse_options o = {.jobs = 1, .idle = IDLE_MINOR, .is_one_of_several = true};
	struct sink sink = {.options = &o, .is_endless = true};
	struct waiting w = {0};
	struct profile p;
	uint32_t paths[7];
	bool is_rising = true;
	profile_init(&p);
	sink.profile = &p;
	for (uint32_t i = 0; i < 7; i++)
		paths[i] = profile_child(&p, PATH_ROOT, sink_sym(&sink, &"abcdefg"[i], 1));
	for (uint64_t i = 0; i < 2000000; i++) {
		sink.arrival = (i / 100 + 1) * UINT64_C(1000000000);
		waiting_add(&w, &sink, 0, paths[i % 7], NO_SITE, 1);
	}
	ok(w.n < 2 * WAITING_MOST, "memory for stacks held back for hours is bounded");
	ok(w.slice <= UINT64_C(4000000000), "with times that are as exact as there is room for");
	waiting_settle(&w, &sink, 0, "wait");
	is_int(p.log[0].samples, 2000000, "and all of it is there");
	is_int(p.log[0].total, 2000000, "with its weight");
	waiting_deinit(&w);
	for (size_t i = 1; i < p.log[0].n; i++)
		is_rising &= p.log[0].path[i] != p.log[0].path[i - 1] || p.log[0].time[i] >= p.log[0].time[i - 1];
	ok(is_rising, "in its order");
	profile_deinit(&p);
}

int main(void)
{
	test_order();
	test_bounds();
	test_held_for_hours();
	return done_testing();
}
