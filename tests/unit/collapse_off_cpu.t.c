/* off_cpu - context switches become time: exact sums, whatever is lost, comes twice or is still asleep at the end. */
#include "collapse/perf/perf_off_cpu.h"

#include <stdio.h>

#include "model/profile.h"
#include "tests/tap.h"

#define S UINT64_C(1000000000)

struct fixture {
	struct profile p;
	struct collapse_options options;
	struct sink sink;
	struct perf_off_cpu *o;
	struct off_cpu_thread thread;
	uint32_t read, compute; /* paths */
};

static void begin(struct fixture *f, uint64_t least, bool is_live)
{
	*f = (struct fixture){.options = {.jobs = 1}};
	profile_init(&f->p);
	f->sink = (struct sink){.profile = &f->p, .options = &f->options, .is_endless = is_live};
	f->o = perf_off_cpu_new(&f->sink, least);
	uint32_t root = sink_sym(&f->sink, "app", 3), main = profile_child(&f->p, PATH_ROOT, root);
	f->thread = (struct off_cpu_thread){.tid = 71, .root = root};
	f->read = profile_child(&f->p, main, sink_sym(&f->sink, "read", 4));
	f->compute = profile_child(&f->p, main, sink_sym(&f->sink, "compute", 7));
}

static void out(struct fixture *f, uint64_t time, bool is_preempted)
{
	struct perfdata_switch w = {.tid = f->thread.tid, .time = time, .is_out = true, .is_preempted = is_preempted};
	perf_off_cpu_switch(f->o, &f->thread, &w);
}

static void in(struct fixture *f, uint64_t time)
{
	struct perfdata_switch w = {.tid = f->thread.tid, .time = time};
	perf_off_cpu_switch(f->o, &f->thread, &w);
}

static void leaves(struct fixture *f, uint64_t time)
{
	perf_off_cpu_leaves(f->o, &f->thread, (struct off_cpu_stack){f->read, 7}, time);
}

static void runs(struct fixture *f, uint64_t time)
{
	perf_off_cpu_runs(f->o, &f->thread, (struct off_cpu_stack){f->compute, 8}, time);
}

static void add_stack(struct buf *text, const struct profile *p, uint32_t path)
{
	if (p->parent[path] != PATH_ROOT)
		add_stack(text, p, p->parent[path]);
	buf_addf(text, "%s%s", p->parent[path] != PATH_ROOT ? ";" : "", p->symtab.symbols[p->sym[path]].name);
}

/* Adds "STACK WEIGHT@TIME", in ns, for each, in the order of the log. */
static void add_samples(struct buf *text, const struct profile *p)
{
	for (size_t i = 0; i < p->log[0].n; i++) {
		add_stack(text, p, p->log[0].path[i]);
		buf_addf(text, " %llu@%llu\n", (unsigned long long)p->log[0].weight[i],
		         (unsigned long long)log_time(&p->log[0], i));
	}
}

/* Ends the recording. */
static void gives(struct fixture *f, const char *expected, const char *name)
{
	struct buf text;
	buf_init(&text);
	perf_off_cpu_finish(f->o);
	add_samples(&text, &f->p);
	is_str(buf_str(&text), expected, "%s", name);
	buf_deinit(&text);
	perf_off_cpu_free(f->o);
	profile_deinit(&f->p);
}

static void test_waits(void)
{
	struct fixture f;
	begin(&f, 0, false);
	leaves(&f, 10);
	out(&f, 12, false);
	in(&f, 112);
	leaves(&f, 120);
	out(&f, 121, true);
	in(&f, 151);
	gives(&f, "app;read;[blocked] 100@12\napp;read;[runnable] 30@121\n", "blocked, and preempted");

	begin(&f, 0, false);
	leaves(&f, 10);
	out(&f, 12, false);
	perf_off_cpu_passed(f.o, 5 * S);
	gives(&f, "app;read;[blocked] 4999999988@12\n", "a thread that still sleeps at the end");

	begin(&f, 0, false);
	in(&f, 10);
	runs(&f, 20);
	gives(&f, "", "a thread that was asleep before counts from its first switch away");

	begin(&f, 0, false);
	f.thread.tid = 0;
	leaves(&f, 10);
	out(&f, 12, false);
	in(&f, 20);
	gives(&f, "", "an idle processor is no thread");
}

static void test_approximate(void)
{
	struct fixture f;
	begin(&f, 0, false);
	out(&f, 10, false);
	in(&f, 20);
	runs(&f, 25);
	out(&f, 30, false);
	in(&f, 40);
	ok(f.p.n_series == 1 && strcmp(profile_event_name(&f.p, 0), "off-cpu (approximate)") == 0,
	   "without samples of switches the event is called approximate");
	ok(f.p.report.n == 1, "and there is a note");
	gives(&f, "app;[blocked] 10@10\napp;compute;[blocked] 10@30\n", "the last stack on the CPU stands in");
}

static void test_disorder(void)
{
	struct fixture f;
	begin(&f, 0, false);
	leaves(&f, 10);
	out(&f, 12, false);
	out(&f, 13, false);
	in(&f, 20);
	in(&f, 21);
	gives(&f, "app;read;[blocked] 8@12\n", "switches that come twice count once");

	begin(&f, 0, false);
	leaves(&f, 10);
	out(&f, 12, false);
	runs(&f, 12 + 1000);
	in(&f, 5012);
	gives(&f, "app;read;[blocked] 5000@12\n", "a sample just behind the switch is of the way out");

	begin(&f, 0, false);
	leaves(&f, 10);
	out(&f, 12, false);
	runs(&f, 2 * S);
	runs(&f, 3 * S);
	leaves(&f, 4 * S);
	out(&f, 4 * S, false);
	in(&f, 5 * S);
	gives(&f, "app;read;[blocked] 1999999988@12\napp;read;[blocked] 1000000000@4000000000\n",
	      "a sample much later says that the switch back was lost");

	begin(&f, 0, false);
	leaves(&f, 10);
	out(&f, 12, false);
	perf_off_cpu_begins(f.o, 71);
	perf_off_cpu_passed(f.o, 5 * S);
	out(&f, 6 * S, false);
	in(&f, 7 * S);
	gives(&f, "app;[blocked] 1000000000@6000000000\n", "a number that goes to another thread");

	begin(&f, 0, false);
	perf_off_cpu_ends(f.o, 71);
	out(&f, 1 * S, true);
	in(&f, 2 * S);
	leaves(&f, 3 * S);
	out(&f, 3 * S, false);
	perf_off_cpu_passed(f.o, 5 * S);
	gives(&f, "", "a thread that has ended waits for nothing");

	begin(&f, 0, false);
	perf_off_cpu_ends(f.o, 71);
	out(&f, 1 * S, false);
	perf_off_cpu_begins(f.o, 71);
	in(&f, 2 * S);
	out(&f, 3 * S, false);
	in(&f, 5 * S);
	gives(&f, "app;[blocked] 2000000000@3000000000\n", "another one that gets its number does");

	begin(&f, 0, false);
	perf_off_cpu_ends(f.o, 71);
	perf_off_cpu_execs(f.o, 71);
	out(&f, 3 * S, false);
	in(&f, 5 * S);
	gives(&f, "app;[blocked] 2000000000@3000000000\n",
	      "so does one that takes the number over as it starts a program");
}

static void test_least(void)
{
	struct fixture f;
	begin(&f, 50, true);
	for (uint64_t i = 0; i < 10; i++) {
		leaves(&f, i * 1000);
		out(&f, i * 1000, false);
		in(&f, i * 1000 + (i == 5 ? 60 : 40));
	}
	perf_off_cpu_finish(f.o);
	ok(f.p.report.n == 2, "notes tell of the short ones, how long and how many");
	gives(&f, "app;read;[blocked] 60@5000\n", "short times are left out");
}

static void test_wakers(void)
{
	struct fixture f;
	begin(&f, 0, true);
	f.options.wake_stack = true;
	leaves(&f, 0);
	out(&f, 10, false);
	perf_off_cpu_wakes(f.o, 72, f.compute, 50);
	perf_off_cpu_wakes(f.o, 71, f.compute, 100);
	perf_off_cpu_wakes(f.o, 71, f.read, 110);
	perf_off_cpu_passed(f.o, 2 * S);
	in(&f, 3 * S);
	gives(&f, "app;read;[blocked];compute;app 90@10\napp;read;[runnable] 2999999900@100\n",
	      "the first who wakes a thread is on its stack; from then on the thread waits for a CPU");

	begin(&f, 0, false);
	leaves(&f, 0);
	out(&f, 10, true);
	perf_off_cpu_wakes(f.o, 71, f.compute, 20);
	in(&f, 30);
	leaves(&f, 40);
	perf_off_cpu_wakes(f.o, 71, f.compute, 45);
	out(&f, 50, false);
	perf_off_cpu_wakes(f.o, 71, f.compute, 60);
	in(&f, 70);
	gives(&f, "app;read;[runnable] 20@10\napp;read;[blocked] 10@50\napp;read;[runnable] 10@60\n",
	      "a thread that runs, or could, cannot be woken; without --wake-stack the waker is not named");
}

/* What a snapshot shows. */
static void shows(const struct fixture *f, const char *expected, const char *name)
{
	struct profile copy;
	struct buf text;
	profile_snapshot(&copy, &f->p);
	buf_init(&text);
	perf_off_cpu_preview(f->o, &copy);
	add_samples(&text, &copy);
	is_str(buf_str(&text), expected, "%s", name);
	buf_deinit(&text);
	profile_deinit(&copy);
}

static void test_live(void)
{
	struct fixture f;
	begin(&f, 50, true);
	leaves(&f, 0);
	out(&f, S, false);
	perf_off_cpu_passed(f.o, S + 49);
	shows(&f, "", "a wait that would be too short is not shown");
	perf_off_cpu_passed(f.o, 2 * S);
	shows(&f, "app;read;[blocked] 1000000000@1000000000\n", "a live view sees a wait before it ends");
	perf_off_cpu_passed(f.o, 9 * S);
	shows(&f, "app;read;[blocked] 8000000000@1000000000\n", "as one entry, however long it takes");
	uint32_t paths = f.p.n_paths;
	perf_off_cpu_wakes(f.o, 71, f.compute, 9 * S);
	perf_off_cpu_passed(f.o, 10 * S);
	shows(&f, "app;read;[blocked] 8000000000@1000000000\napp;read;[runnable] 1000000000@9000000000\n",
	      "and that it is over, but for a CPU");
	is_int(f.p.n_paths, paths + 1, "the profile has the paths of a snapshot");
	is_int(f.p.log[0].n, 0, "but not its samples");
	in(&f, 11 * S);
	shows(&f, "app;read;[blocked] 8000000000@1000000000\napp;read;[runnable] 2000000000@9000000000\n",
	      "a wait that has ended is there once");
	gives(&f, "app;read;[blocked] 8000000000@1000000000\napp;read;[runnable] 2000000000@9000000000\n",
	      "what stays is what a file gives");

	begin(&f, 0, true);
	f.options.wake_stack = true;
	leaves(&f, 0);
	out(&f, 10, false);
	perf_off_cpu_passed(f.o, 50);
	shows(&f, "app;read;[blocked] 40@10\n", "nobody has woken the thread yet: its wait names no waker");
	perf_off_cpu_wakes(f.o, 71, f.compute, 100);
	perf_off_cpu_passed(f.o, 110);
	shows(&f, "app;read;[blocked];compute;app 90@10\napp;read;[runnable] 10@100\n",
	      "once somebody has, its wait names that waker");
	gives(&f, "app;read;[blocked];compute;app 90@10\napp;read;[runnable] 10@100\n", "as at the end");
}

int main(void)
{
	test_waits();
	test_approximate();
	test_disorder();
	test_least();
	test_wakers();
	test_live();
	return done_testing();
}
