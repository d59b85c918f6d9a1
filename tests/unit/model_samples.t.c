/* Entries that stand for many samples: sums, counts and comparisons stay the same. */
#include <string.h>

#include "../tap.h"
#include "base/mem.h"
#include "model/diff.h"
#include "model/fold.h"
#include "model/profile.h"

static uint32_t path_of(struct profile *p, const char *name)
{
	return profile_child(p, PATH_ROOT, symtab_intern(&p->symtab, name, strlen(name)));
}

static void add(struct profile *p, const char *name, uint64_t weight)
{
	profile_add(p, 0, path_of(p, name), &(struct sample){.weight = weight, .time = NO_TIME, .cpu = NO_CPU});
}

static void begin(struct profile *p, enum profile_join join)
{
	profile_init(p);
	p->join = join;
}

static void test_runs(void)
{
	struct profile p;

	begin(&p, JOIN_RUNS);
	for (int i = 0; i < 3; i++)
		add(&p, "a", 2);
	add(&p, "b", 2);
	add(&p, "a", 2);
	add(&p, "a", 3);
	is_int(p.log[0].n, 4, "equal neighbours share an entry");
	is_int(p.log[0].weight[0], 6, "which holds their weight");
	is_int(log_count(&p.log[0], 0), 3, "and how many they are");
	is_int(log_each(&p.log[0], 0), 2, "and so is the weight of each");
	is_int(p.log[0].samples, 6, "samples are counted as before");
	is_int(p.series[0].samples, 6, "those of an event as well");
	is_int(p.log[0].total, 13, "and the total is the same");
	profile_add(&p, 0, path_of(&p, "a"), &(struct sample){.weight = 3, .time = 5, .cpu = NO_CPU});
	profile_add(&p, 0, path_of(&p, "a"), &(struct sample){.weight = 3, .time = 5, .cpu = NO_CPU});
	is_int(p.log[0].n, 6, "samples with times stay apart");
	profile_deinit(&p);
	begin(&p, JOIN_NONE);
	add(&p, "a", 2);
	add(&p, "a", 2);
	is_int(p.log[0].n, 2, "unless asked for, every sample has its entry");
	profile_deinit(&p);
}

static void test_files_stay_apart(void)
{
	struct profile p;

	begin(&p, JOIN_ALL);
	add(&p, "a", 1);
	profile_seal(&p);
	add(&p, "a", 1);
	add(&p, "b", 1);
	add(&p, "a", 1);
	is_int(p.log[0].n, 3, "samples of another file get entries of their own");
	is_int(p.log[0].weight[1], 2, "and share them, though others came in between");
	profile_deinit(&p);
}

/* Random enough, and the same on every machine. */
static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

struct mix {
	uint64_t least;     /* weight */
	unsigned different; /* weights */
	bool has_times;
	uint32_t millionths;
};

#define MANY 300000

/* Many samples of a few stacks, threads and processors. */
static void fill(struct profile *p, const struct mix *mix)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};
	static const struct symbol key = {.name = "user", .len = 4};
	uint32_t state = 1, task[3], path[5], sets[3] = {0};

	for (unsigned i = 0; i < 3; i++)
		task[i] = profile_task(p, symtab_intern(&p->symtab, names[i], 1), i + 1, i + 1);
	for (unsigned i = 0; i < 5; i++)
		path[i] = path_of(p, names[i]);
	p->tags = tags_new();
	for (unsigned i = 1; i < 3; i++) {
		uint32_t label = tags_add_text(p->tags, key, (struct symbol){.name = names[i], .len = 1});
		sets[i] = tags_add_set(p->tags, &label, 1);
	}
	for (unsigned i = 0; i < MANY; i++) {
		struct sample s = {.weight = mix->least * (1 + next(&state) % mix->different),
		                   .time = mix->has_times ? i : NO_TIME,
		                   .task = task[next(&state) % 3],
		                   .cpu = next(&state) % 2,
		                   .tags = sets[next(&state) % 3],
		                   .millionths = next(&state) % 2 ? mix->millionths : 0};

		profile_add(p, next(&state) % 4 == 0, path[next(&state) % 5], &s);
	}
	profile_settle_fractions(p);
}

/* The tree as a hash: nodes, positions, and excluded weights. */
static uint64_t tree_sum(struct profile *p, struct recipe *r)
{
	struct tree t;
	uint64_t sum = 0;

	fold(p, r, &t, NULL, NULL);
	for (uint32_t i = 0; i < t.n; i++)
		sum = sum * 31 + tree_self(&t, i) * 7 + tree_base_self(&t, i) * 3 + t.sym[i];
	sum = sum * 31 + t.samples;
	tree_deinit(&t);
	return sum;
}

static void compare(const struct mix *mix, const char *name)
{
	struct profile each, all;
	struct recipe plain = {0}, split = {.splits = {{.key = SPLIT_TID}, {.key = SPLIT_CPU}}, .n_splits = 2};
	char key[] = "user";
	struct recipe labels = {.splits = {{SPLIT_LABEL, key}}, .n_splits = 1};

	begin(&each, JOIN_NONE);
	begin(&all, JOIN_ALL);
	fill(&each, mix);
	fill(&all, mix);
	ok(all.log[0].n < 140000 && all.log[1].n < 140000, "%s: the log is short (%zu entries)", name, all.log[0].n);
	ok(each.log[0].n + each.log[1].n == MANY, "%s: that of single samples is not", name);
	ok(all.log[0].total == each.log[0].total && all.log[1].total == each.log[1].total, "%s: totals", name);
	is_int(all.log[0].samples, each.log[0].samples, "%s: numbers of samples", name);
	is_int(all.decimals, each.decimals, "%s: decimals", name);
	ok(tree_sum(&all, &plain) == tree_sum(&each, &plain), "%s: the tree", name);
	ok(tree_sum(&all, &split) == tree_sum(&each, &split), "%s: by thread and processor", name);
	ok(tree_sum(&all, &labels) == tree_sum(&each, &labels), "%s: by label", name);
	for (unsigned side = 0; side < 2; side++) {
		double a = diff_samples(&all, side, 0), b = diff_samples(&each, side, 0);

		ok(a > b * 0.999999999 && a < b * 1.000000001,
		   "%s: the number of samples that a comparison assumes (%u: %g, %g)", name, side, a, b);
	}
	profile_deinit(&each);
	profile_deinit(&all);
}

static void test_sums(void)
{
	compare(&(struct mix){1, 1, false, 0}, "counts of one");
	compare(&(struct mix){1, 7, false, 0}, "counts");
	compare(&(struct mix){1000000, 4, false, 0}, "multiples of a period");
	compare(&(struct mix){10007, 3, false, 0}, "another period");
	compare(&(struct mix){1, 1u << 20, true, 0}, "times, and weights that all differ");
	compare(&(struct mix){1, 3, false, 250000}, "fractions");
	compare(&(struct mix){0, 1, false, 500000}, "nothing but fractions");
}

/* A typical weight is approximate only if each sample has a different one. */
static void test_odd_weights(void)
{
	struct mix mix = {1, 1u << 20, false, 0};
	struct profile each, all;
	double a, b;

	begin(&each, JOIN_NONE);
	begin(&all, JOIN_ALL);
	fill(&each, &mix);
	fill(&all, &mix);
	a = diff_samples(&all, 0, 0);
	b = diff_samples(&each, 0, 0);
	ok(all.log[0].n < 140000, "weights that all differ: the log is short");
	ok(a > 0.9 * b && a < 1.1 * b, "and the number of samples is estimated (%g for %g)", a, b);
	profile_deinit(&each);
	profile_deinit(&all);
}

static void test_order_limit(void)
{
	struct profile p;
	struct recipe chart = {.chart = true};
	struct tree t;

	begin(&p, JOIN_RUNS);
	for (unsigned i = 0; i < MANY; i++)
		add(&p, i % 2 ? "a" : "b", 1);
	is_int(p.log[0].n, MANY, "where order may matter, only neighbours are joined");
	is_int(p.report.n, 0, "without a word");
	profile_deinit(&p);
	begin(&p, JOIN_RUNS);
	p.most_ordered = 100000;
	for (unsigned i = 0; i < MANY; i++)
		add(&p, i % 2 ? "a" : "b", 1);
	ok(p.log[0].n < 200000, "beyond a limit all are (%zu entries)", p.log[0].n);
	is_int(p.report.n, 1, "and a message says so");
	fold(&p, &chart, &t, NULL, NULL);
	ok(tree_total(&t, NODE_ALL) == MANY, "a flame chart still sums up to all");
	tree_deinit(&t);
	profile_deinit(&p);
}

/* Workers' profiles, and the snapshot shown while samples come in. */
static void test_joined_profiles(void)
{
	struct mix mix = {10000, 3, false, 250000};
	struct profile each, all, sum, copy;
	double samples;

	begin(&each, JOIN_NONE);
	begin(&all, JOIN_ALL);
	begin(&sum, JOIN_ALL);
	fill(&all, &mix);
	samples = diff_samples(&all, 0, 0);
	profile_append(&sum, &all, NULL, 0);
	profile_append(&sum, &all, NULL, 0);
	is_int(sum.log[0].samples, 2 * all.log[0].samples, "a joined profile has the samples of both");
	ok(sum.log[0].total == 2 * all.log[0].total, "and their weight");
	ok(diff_samples(&sum, 0, 0) == 2 * samples, "a comparison sees that");
	profile_snapshot(&copy, &sum);
	ok(diff_samples(&copy, 0, 0) == 2 * samples && copy.log[0].samples == sum.log[0].samples,
	   "and in a copy as well");
	add(&copy, "a", 1);
	profile_deinit(&copy);
	profile_lower_decimals(&sum, 0);
	fill(&each, &(struct mix){10000, 3, false, 0});
	ok(sum.log[0].total == 2 * each.log[0].total, "decimals are cut off each sample");
	profile_deinit(&each);
	profile_deinit(&all);
	profile_deinit(&sum);
}

static void test_largest(void)
{
	struct profile p;

	begin(&p, JOIN_ALL);
	for (unsigned i = 0; i < 200000; i++)
		add(&p, "a", UINT64_MAX - (i & 1));
	ok(p.log[0].n < 140000, "the largest weights are added up, too");
	ok(p.log[0].weight[0] == UINT64_MAX, "and stay the largest");
	is_int(p.log[0].samples, 200000, "with all their samples");
	is_int(p.report.n, 1, "one message says that sums are cut");
	profile_deinit(&p);
}

/* Sums that are cut take no more samples of the same weight; to look them up again and again would take hours. */
static void test_many_largest(void)
{
	struct profile p;

	begin(&p, JOIN_ALL);
	profile_series(&p, 0, 0);
	for (unsigned i = 0; i < 1000000; i++) {
		uint32_t path = path_of(&p, i & 1 ? "a" : "b");
		profile_add_entry(&p, 0, path, &(struct sample){.weight = UINT64_MAX, .time = NO_TIME, .cpu = NO_CPU}, 1,
		                  (struct spread){0});
	}
	ok(p.log[0].n < 140000, "a million of the largest weights, in turn of two stacks, are added up");
	is_int(p.log[0].samples, 1000000, "with all their samples");
	ok(p.log[0].weight[0] == UINT64_MAX && p.log[0].weight[1] == UINT64_MAX, "and cut sums");
	profile_deinit(&p);

	begin(&p, JOIN_ALL);
	profile_series(&p, 0, 0);
	for (unsigned i = 0; i < 1000000; i++) {
		uint32_t path = path_of(&p, i & 1 ? "a" : "b");
		profile_add_entry(&p, 0, path, &(struct sample){.weight = 5, .time = NO_TIME, .cpu = NO_CPU}, 2,
		                  (struct spread){13, 1});
	}
	ok(p.log[0].n < 140000, "so are entries of different weights");
	ok(p.log[0].total == 5000000, "with the sum of all");
	profile_deinit(&p);
}

int main(void)
{
	test_runs();
	test_files_stay_apart();
	test_sums();
	test_odd_weights();
	test_order_limit();
	test_joined_profiles();
	test_largest();
	test_many_largest();
	return done_testing();
}
