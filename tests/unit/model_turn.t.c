/*
 * model_turn.t.c - stacks are reversed into the same tree by any number of threads.
 *
 * Compiled with small sizes, so that a few hundred stacks occupy several threads; with `idle`, stretches are cut
 * whether or not another thread has time, which is the same in every run.
 */
#include "tests/tap.h"

static unsigned idle;

#define MOVES_SHIFT 5u
#define STACKS_PER_THREAD 1u
#define STACKS_TO_CUT 2u
#define FIRST_NODES 3u
#define PIECE 5u
#define IDLE_ANYWAY idle
#include "model/turn.c"
#include "model/turn_part.c"
#include "model/turn_team.c"

#include "model/fold.h"
#include "stacks.h"

#define MOST_JOBS 8u
#define SEEDS 60u

/* Stacks of up to twelve frames of few or many names, some of weight 0, some as long as a hundred of the others. */
static void add_stacks(struct profile *p, unsigned side, uint64_t *seed)
{
	struct buf text;
	unsigned stacks = 1 + (unsigned)chance(seed, 600), few = 1 + (unsigned)chance(seed, 12);
	buf_init(&text);
	for (unsigned i = 0; i < stacks; i++) {
		unsigned frames = 1 + (unsigned)chance(seed, chance(seed, 100) == 0 ? 1000 : 12);
		for (unsigned k = 0; k < frames; k++)
			buf_addf(&text, "%sf%u", k ? ";" : "", (unsigned)chance(seed, k % 3 ? few : 40));
		buf_addf(&text, " %u\n", (unsigned)chance(seed, 5));
	}
	stacks_add(p, side, buf_str(&text));
	buf_deinit(&text);
}

static bool is_same_column(const void *a, const void *b, size_t bytes)
{
	return (!a && !b) || (a && b && memcmp(a, b, bytes) == 0);
}

static bool is_same_cut(const struct cut *a, const struct cut *b)
{
	return (!a && !b) || (a && b && a->n == b->n && is_same_column(a->tails, b->tails, a->n * sizeof *a->tails));
}

static bool is_same_tree(const struct tree *a, const struct tree *b)
{
	size_t n = a->n;
	return a->n == b->n && a->depth == b->depth && is_same_column(a->sym, b->sym, n * sizeof *a->sym) &&
	       is_same_column(a->parent, b->parent, n * sizeof *a->parent) &&
	       is_same_column(a->end, b->end, n * sizeof *a->end) &&
	       is_same_column(a->pos, b->pos, (n + 1) * sizeof *a->pos) &&
	       is_same_column(a->base, b->base, (n + 1) * sizeof *a->base) &&
	       is_same_column(a->ends, b->ends, (n / 64 + 1) * sizeof *a->ends) && is_same_cut(a->cut, b->cut);
}

/* The tree of one thread, uncut, compared with that of so many. */
static bool is_same_by(unsigned jobs, struct profile *p, const struct recipe *of, const struct tree *one)
{
	struct recipe r = *of;
	struct progress progress = {0};
	struct tree t;
	char why[200];
	r.jobs = jobs;
	if (!fold(p, &r, &t, &progress, NULL))
		return false;
	bool is_same = is_same_tree(&t, one) && tree_check(&t, why, sizeof why);
	tree_deinit(&t);
	return is_same;
}

static bool agrees(uint64_t seed)
{
	struct profile p;
	struct tree one;
	unsigned most = seed % 4 == 0 ? 100 + (unsigned)chance(&seed, 3000) : 0, jobs = 1;
	struct recipe r = {.reverse = true, .sort = (enum sort_order)(seed % 3), .most_callers = most};
	profile_init(&p);
	add_stacks(&p, 0, &seed);
	if (chance(&seed, 3) == 0)
		add_stacks(&p, 1, &seed);
	idle = 0;
	if (!fold(&p, &r, &one, NULL, NULL))
		bail_out("no fold");
	while (jobs <= MOST_JOBS && is_same_by(jobs, &p, &r, &one))
		jobs++;
	if (jobs > MOST_JOBS) {
		idle = 1000;
		for (jobs = 1; jobs <= MOST_JOBS && is_same_by(jobs, &p, &r, &one);)
			jobs++;
	}
	if (jobs <= MOST_JOBS)
		diag("seed %llu, %u threads%s", (unsigned long long)seed, jobs, idle ? ", cut often" : "");
	tree_deinit(&one);
	profile_deinit(&p);
	return jobs > MOST_JOBS;
}

static void same_for_all(void)
{
	unsigned good = 0;
	for (uint64_t seed = 1; seed <= SEEDS && good == seed - 1; seed++)
		good += agrees(seed);
	is_int(good, SEEDS, "one to %u threads make the same tree", MOST_JOBS);
}

/* Stretches are cut where stacks are deep: as many nodes stand in for others. */
static void deep_stacks(void)
{
	struct profile p;
	struct recipe r = {.reverse = true};
	struct tree one;
	struct buf text;
	buf_init(&text);
	for (unsigned i = 0; i < 300; i++) {
		buf_addf(&text, "m%u;n%u", i, i % 7);
		for (unsigned k = 0; k < i * 3; k++)
			buf_addf(&text, ";f%u", k % 5);
		buf_adds(&text, ";a;b;c;d;e;f;g;h;i 1\n");
	}
	profile_init(&p);
	stacks_add(&p, 0, buf_str(&text));
	buf_deinit(&text);
	idle = 0;
	if (!fold(&p, &r, &one, NULL, NULL))
		bail_out("no fold");
	idle = 1000;
	ok(is_same_by(1, &p, &r, &one), "where stacks have long common ends, stretches begin deep in the tree");
	ok(is_same_by(3, &p, &r, &one), "for several threads, too");
	tree_deinit(&one);
	profile_deinit(&p);
}

static void stopped(void)
{
	struct profile p;
	struct recipe r = {.reverse = true, .jobs = MOST_JOBS};
	struct progress progress = {.cancel = true};
	struct tree t;
	uint64_t seed = 7;
	profile_init(&p);
	add_stacks(&p, 0, &seed);
	ok(!fold(&p, &r, &t, &progress, NULL), "threads stop if they are told to");
	profile_deinit(&p);
}

int main(void)
{
	same_for_all();
	deep_stacks();
	stopped();
	return done_testing();
}
