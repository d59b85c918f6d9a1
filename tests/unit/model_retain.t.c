/*
 * Windows and fading weights, and the bounds of a log that would grow for hours.
 */
#include "model/retain.h"

#include "base/mem.h"
#include "loading.h"
#include "tap.h"

#define SECOND UINT64_C(1000000000)

static uint32_t path_of(struct profile *p, const char *name)
{
	return profile_child(p, PATH_ROOT, symtab_intern(&p->symtab, name, strlen(name)));
}

static void add(struct profile *p, const char *name, double seconds, uint64_t weight, uint32_t task)
{
	uint64_t time = seconds < 0 ? NO_TIME : (uint64_t)(seconds * 1e9);

	profile_add(p, 0, path_of(p, name),
	            &(struct sample){.weight = weight, .time = time, .task = task, .cpu = NO_CPU});
}

/* "a 3, b 4, 5 excluded" */
static char *weights(struct profile *p, struct recipe *r)
{
	struct tree t;
	struct buf out;

	buf_init(&out);
	if (!fold(p, r, &t, NULL, NULL))
		return NULL;
	for (uint32_t i = 1; i < t.n; i++)
		buf_addf(&out, "%s %llu, ", p->symtab.symbols[t.sym[i]].name, (unsigned long long)tree_self(&t, i));
	buf_addf(&out, "%llu excluded", (unsigned long long)t.excluded[0]);
	tree_deinit(&t);
	return buf_take(&out);
}

static void is_weights(struct profile *p, struct recipe r, const char *expected, const char *what)
{
	char *got = weights(p, &r);

	is_str(got, expected, "%s", what);
	free(got);
}

static void test_window(void)
{
	struct profile p;

	profile_init(&p);
	add(&p, "a", 100, 1, 0);
	add(&p, "b", 101, 2, 0);
	add(&p, "c", 102, 4, 0);
	add(&p, "d", 103, 8, 0);
	is_weights(&p, (struct recipe){.last = 2 * SECOND}, "b 2, c 4, d 8, 1 excluded",
	           "a window ends at the last sample; a sample as old as its length is in it");
	is_weights(&p, (struct recipe){.last = SECOND * 5 / 2}, "b 2, c 4, d 8, 1 excluded",
	           "a window may be any time long");
	is_weights(&p, (struct recipe){.last = 60 * SECOND}, "a 1, b 2, c 4, d 8, 0 excluded",
	           "a long window shows all");
	is_weights(&p, (struct recipe){.last = 2 * SECOND, .from = 3 * SECOND}, "d 8, 7 excluded",
	           "a window and a range of times both count");
	is_weights(&p, (struct recipe){.last = 2 * SECOND, .chart = true}, "b 2, c 4, d 8, 1 excluded",
	           "a flame chart has a window too");
	add(&p, "e", 104.5, 16, 0);
	is_weights(&p, (struct recipe){.last = 2 * SECOND}, "d 8, e 16, 7 excluded", "a window slides along");
	profile_deinit(&p);
}

static void test_decay(void)
{
	struct profile p;

	profile_init(&p);
	add(&p, "a", 10, 800, 0);
	add(&p, "b", 11, 800, 0);
	add(&p, "c", 12, 800, 0);
	is_weights(&p, (struct recipe){.half_life = SECOND}, "a 200, b 400, c 800, 1000 excluded",
	           "after each half-life half of a weight is left");
	is_weights(&p, (struct recipe){.half_life = SECOND, .chart = true}, "a 200, b 400, c 800, 1000 excluded",
	           "in a flame chart too");
	is_weights(&p, (struct recipe){.half_life = SECOND, .last = 3 * SECOND / 2}, "b 400, c 800, 1200 excluded",
	           "fading and a window go together");
	profile_deinit(&p);

	profile_init(&p);
	for (int i = 0; i < 1000; i++)
		add(&p, "one", 1, 1, 0);
	add(&p, "two", 3, 1, 0);
	is_weights(&p, (struct recipe){.half_life = SECOND}, "one 250, two 1, 750 excluded",
	           "many small weights fade together");
	profile_deinit(&p);

	profile_init(&p);
	for (int i = 0; i < 100; i++) {
		add(&p, "a", 1, 1, 0);
		add(&p, "b", 1, 1, 0);
	}
	add(&p, "now", 2, 7, 0);
	is_weights(&p, (struct recipe){.half_life = SECOND}, "a 50, b 50, now 7, 100 excluded",
	           "stacks that take turns fade alike");
	is_weights(&p, (struct recipe){.half_life = SECOND, .n_splits = 1, .splits = {{.key = SPLIT_PID}}},
	           "pid ? 0, a 50, b 50, now 7, 100 excluded", "below further root frames, too");
	profile_deinit(&p);

	profile_init(&p);
	for (int i = 0; i < 3; i++)
		add(&p, i == 0 ? "a" : i == 1 ? "b" : "c", 1, 1, 0);
	add(&p, "now", 3, 1, 0);
	is_weights(&p, (struct recipe){.half_life = SECOND}, "a 0, b 1, c 0, now 1, 2 excluded",
	           "weights below one in each stack are rounded in the sum (0.75 of 3)");
	is_weights(&p, (struct recipe){.half_life = SECOND, .chart = true}, "a 0, b 1, c 0, now 1, 2 excluded",
	           "and the same in a flame chart");
	profile_deinit(&p);

	load_as(&p, "folded", "a 3\nb 4\n");
	is_weights(&p, (struct recipe){.half_life = SECOND}, "a 3, b 4, 0 excluded", "without times nothing fades");
	profile_deinit(&p);
}

static void test_letting_go(void)
{
	struct retention r;
	struct recipe recipe = {.last = 2 * SECOND}, times = {.from = 998 * SECOND, .to = 999 * SECOND};
	struct profile p;
	size_t most = 0;

	retain_init(&r, 2 * SECOND, 0);
	profile_init(&p);
	for (unsigned i = 0; i < 1000000; i++) {
		add(&p, i % 2 ? "odd" : "even", 50 + i / 1000.0, 1, 0);
		retain_recent(&p, &r);
		most = p.log[0].n > most ? p.log[0].n : most;
	}
	ok(most <= 65536, "the log of a window stays small: %zu samples", most);
	is_weights(&p, recipe, "even 1000, odd 1001, 997999 excluded", "dropped samples count as excluded");
	is_int((long long)p.series[0].samples, 1000000, "how many samples there were is known");
	is_int((long long)p.log[0].total, (long long)p.log[0].n, "the total is that of the log");
	is_weights(&p, times, "even 500, odd 500, 999000 excluded",
	           "ranges of time count from the first sample of all");
	profile_deinit(&p);
}

/* A log that is full. */
static void test_making_room(void)
{
	struct retention r;
	struct profile p;

	retain_init(&r, 10 * SECOND, 0);
	profile_init(&p);
	for (unsigned i = 0; i < 100; i++)
		add(&p, i % 2 ? "odd" : "even", 50 + i / 10.0, 1, 0);
	retain_for(&p, &r, NO_TIME);
	is_int((long long)p.log[0].n, 100, "what is in the window stays");
	retain_for(&p, &r, 65 * SECOND);
	is_int((long long)p.log[0].n, 50, "the time of a sample to come tells what is old");
	profile_deinit(&p);

	retain_init(&r, 0, 0);
	r.limit = 400;
	profile_init(&p);
	for (unsigned i = 0; i < 1000; i++)
		add(&p, i % 2 ? "odd" : "even", i / 100.0, 1, 0);
	retain_for(&p, &r, NO_TIME);
	size_t n = p.log[0].n;
	ok(n < 200, "without a window samples are added up at once: %zu", n);
	profile_deinit(&p);
}

static void test_adding_up(void)
{
	struct retention r;
	struct recipe all = {0}, odd = {.tid = 2}, newest = {.last = SECOND};
	struct profile p;
	size_t most = 0;
	uint32_t task[2];

	retain_init(&r, 0, 0);
	r.limit = r.next = 4000;
	profile_init(&p);
	for (int k = 0; k < 2; k++)
		task[k] = profile_task(&p, symtab_intern(&p.symtab, "t", 1), 1, k + 1);
	for (unsigned i = 0; i < 1000000; i++) {
		add(&p, i % 4 < 2 ? "low" : "high", i / 100.0, 3, task[i % 2]);
		retain_recent(&p, &r);
		most = p.log[0].n > most ? p.log[0].n : most;
	}
	ok(most <= 4000, "a log beyond its limit is added up: %zu samples", most);
	is_weights(&p, all, "high 1500000, low 1500000, 0 excluded", "and no weight is lost");
	is_weights(&p, odd, "high 750000, low 750000, 1500000 excluded", "threads stay apart");
	is_weights(&p, newest, "high 153, low 150, 2999697 excluded", "the newest samples keep their times");
	is_int((long long)p.series[0].samples, 1000000, "how many samples there were is known");
	is_int(p.report.n, 1, "a message says so");
	profile_deinit(&p);
}

/* Slices of a long fading profile stay well below the half-life. */
static void test_adding_up_fading(void)
{
	struct retention r, never;
	struct recipe fading = {.half_life = 100 * SECOND};
	struct profile p, exact;
	struct tree t[2];

	retain_init(&r, 0, fading.half_life);
	r.limit = r.next = 1000;
	retain_init(&never, 0, 0);
	profile_init(&p);
	profile_init(&exact);
	for (unsigned i = 0; i < 50000; i++) {
		add(&p, i % 2 ? "odd" : "even", i / 50.0, 1000, 0);
		add(&exact, i % 2 ? "odd" : "even", i / 50.0, 1000, 0);
		retain_recent(&p, &r);
	}
	ok(p.log[0].n <= 2000, "a fading log is added up: %zu samples", p.log[0].n);
	ok(fold(&p, &fading, &t[0], NULL, NULL) && fold(&exact, &fading, &t[1], NULL, NULL), "both are folded");
	double a = (double)tree_total(&t[0], 0), b = (double)tree_total(&t[1], 0);
	ok(a > b * 0.95 && a <= b, "and its weights are about right: %.0f, %.0f", a, b);
	tree_deinit(&t[0]);
	tree_deinit(&t[1]);
	profile_deinit(&p);
	profile_deinit(&exact);
}

static void test_stamps(void)
{
	struct profile p;

	load_as(&p, "folded", "a 1\nb 2\n");
	retain_stamp(&p, 0, 5 * SECOND);
	add(&p, "c", 3, 4, 0);
	add(&p, "d", -1, 8, 0);
	retain_stamp(&p, 2, 7 * SECOND);
	ok(p.log[0].time && p.log[0].time[0] == 5 * SECOND && p.log[0].time[1] == 5 * SECOND,
	   "samples without times get one");
	ok(p.log[0].time[2] == 3 * SECOND, "those that have one keep it");
	ok(p.log[0].time[3] == 7 * SECOND, "later ones get a later one");
	is_weights(&p, (struct recipe){.last = SECOND}, "d 8, 7 excluded", "and a window knows them");
	ok(!retain_unstamp(&p, 4) && p.log[0].time[0] == 5 * SECOND, "they stay until a sample has a time of its own");
	add(&p, "e", 9, 16, 0);
	ok(retain_unstamp(&p, 4) && p.log[0].time[0] == NO_TIME && p.log[0].time[3] == NO_TIME &&
	       p.log[0].time[4] == 9 * SECOND,
	   "which is of another clock");
	profile_deinit(&p);
}

/* Counts with fractions name their samples by number. */
static void test_fractions(void)
{
	struct retention r;
	struct profile p;

	retain_init(&r, 0, 0);
	r.limit = r.next = 100;
	profile_init(&p);
	for (unsigned i = 0; i < 1000; i++) {
		add(&p, "half", i, 0, 0);
		profile_add_fraction(&p, 0, p.log[0].n - 1, 1, 500000);
		retain_recent(&p, &r);
	}
	profile_settle_fractions(&p);
	is_weights(&p, (struct recipe){0}, "half 5000, 0 excluded", "fractions are added up too");
	is_int((long long)p.decimals, 1, "with their decimals");
	profile_deinit(&p);
}

/* A window that grows, and one that is only narrower for the moment. */
static void test_widen(void)
{
	struct retention r;

	retain_init(&r, 10 * SECOND, 0);
	retain_widen(&r, 5 * SECOND, 0);
	ok(r.window == 10 * SECOND, "a narrower window changes nothing");
	retain_widen(&r, 0, SECOND);
	ok(r.window > 20 * SECOND, "fading needs more than its half-life");
	retain_widen(&r, 60 * SECOND, 0);
	ok(r.window == 60 * SECOND, "a wider window keeps more");
	retain_widen(&r, 0, 0);
	ok(r.window == 0 && r.coarsest == 0,
	   "without a window everything is kept, times as exact as there is room for");
	retain_widen(&r, 10 * SECOND, 0);
	ok(r.window == 0, "and stays kept");
}

int main(void)
{
	test_widen();
	test_window();
	test_decay();
	test_letting_go();
	test_making_room();
	test_adding_up();
	test_adding_up_fading();
	test_stamps();
	test_fractions();
	return done_testing();
}
