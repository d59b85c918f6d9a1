/*
 * model_diff.t.c - shares, their change, and the error that chance makes.
 */
#include <math.h>

#include "model/diff.h"
#include "model/fold.h"
#include "tests/tap.h"

static bool is_about(double a, double b)
{
	return fabs(a - b) < 0.001;
}

static void test_change(void)
{
	struct diff_change c = diff_change(20, 100, 100, 30, 100, 100);
	ok(is_about(c.before, 20) && is_about(c.after, 30) && is_about(c.delta, 10), "shares are percentages");
	/* p = 51/202, sqrt(p (1 - p) 2/100) */
	ok(is_about(c.error, 6.1438), "the error is that of two proportions (%f)", c.error);
	ok(c.is_noise, "ten points of a hundred samples can be chance");
	c = diff_change(2000, 10000, 10000, 3000, 10000, 10000);
	ok(!c.is_noise, "ten points of ten thousand samples cannot");
	c = diff_change(0, 10, 10, 1, 10, 10);
	ok(c.is_noise && c.error > 0, "one sample where there was none is noise");
	c = diff_change(1, 10, 0, 0, 0, 0);
	ok(c.is_noise && is_about(c.delta, -10), "with nothing to compare there is no evidence");
	c = diff_change(5, 10, 10, 10, 20, 20);
	ok(is_about(c.delta, 0) && c.is_noise, "equal shares of different totals are no change");
}

static void add(struct profile *p, unsigned side, const char *name, uint64_t weight, uint64_t time)
{
	uint32_t sym = symtab_intern(&p->symtab, name, strlen(name));
	struct sample s = {.weight = weight, .time = time, .cpu = NO_CPU};
	profile_add(p, side, profile_path(p, &sym, 1), &s);
}

static void test_samples(void)
{
	struct profile p;
	profile_init(&p);
	profile_series(&p, 0, 0);
	add(&p, 0, "a", 300, NO_TIME);
	add(&p, 0, "b", 100, NO_TIME);
	ok(is_about(diff_samples(&p, 0, 0), 400), "counts are samples, round or not");
	ok(is_about(diff_samples(&p, 1, 0), 0), "an empty log has none");
	profile_raise_decimals(&p, 3);
	ok(is_about(diff_samples(&p, 0, 0), 400), "counts with decimals are no more samples for that");
	profile_deinit(&p);

	profile_init(&p);
	profile_series(&p, 0, 0);
	add(&p, 0, "a", 3003003, NO_TIME);
	add(&p, 0, "b", 1001001, NO_TIME);
	ok(is_about(diff_samples(&p, 0, 0), 4), "multiples of a period are counted in periods");
	profile_raise_decimals(&p, 1);
	ok(is_about(diff_samples(&p, 0, 0), 4), "with decimals as well");
	profile_deinit(&p);

	profile_init(&p);
	profile_series(&p, 0, 0);
	add(&p, 0, "a", 300, 1);
	add(&p, 0, "b", 300, 2);
	ok(is_about(diff_samples(&p, 0, 0), 2), "entries with times are one sample each");
	profile_deinit(&p);
}

/* Weights that are no counts must not be taken for as many samples. */
static void test_periods(void)
{
	struct profile p;
	profile_init(&p);
	profile_series(&p, 0, 0);
	for (unsigned i = 0; i < 99; i++)
		add(&p, 0, "a", 3000017 + 7919 * (uint64_t)i, NO_TIME);
	add(&p, 0, "b", 300000017, NO_TIME);
	is_near(diff_samples(&p, 0, 0), 190, 10, "periods that vary are counted by their median");
	profile_raise_decimals(&p, 2);
	is_near(diff_samples(&p, 0, 0), 190, 10, "with decimals as well");
	profile_deinit(&p);

	profile_init(&p);
	profile_series(&p, 0, symtab_intern(&p.symtab, "bytes", 5));
	add(&p, 0, "a", 300, NO_TIME);
	add(&p, 0, "b", 300, NO_TIME);
	is_near(diff_samples(&p, 0, 0), 2, 0.01, "bytes are no samples, entries are");
	profile_deinit(&p);

	profile_init(&p);
	profile_series(&p, 0, 0);
	for (uint64_t i = 0; i < 10; i++)
		add(&p, 0, "a", i == 0 ? 1000 : 1, i);
	ok(diff_samples(&p, 0, 0) < 1.1, "one heavy sample among light ones is hardly more than one");
	profile_deinit(&p);
}

/* Whichever side gives the widths, before is before. */
static void test_sides(void)
{
	struct profile p;
	struct recipe r;
	struct tree t;
	struct diff_basis b;
	struct diff_change c;
	struct err err;
	profile_init(&p);
	profile_series(&p, 0, 0);
	add(&p, 1, "a", 1000, NO_TIME);
	add(&p, 1, "gone", 1000, NO_TIME);
	add(&p, 0, "a", 1000, NO_TIME);
	add(&p, 0, "new", 3000, NO_TIME);
	recipe_init(&r);
	for (int swap = 0; swap < 2; swap++) {
		r.swap_sides = swap;
		ok(fold(&p, &r, &t, NULL, &err), "sides fold");
		diff_basis_make(&b, &p, &r, &t);
		uint32_t a = tree_find_child(&t, NODE_ALL, symtab_find(&p.symtab, "a", 1));
		uint32_t gone = tree_find_child(&t, NODE_ALL, symtab_find(&p.symtab, "gone", 4));
		c = diff_of(&b, tree_self(&t, a), tree_base_self(&t, a));
		ok(is_about(c.before, 50) && is_about(c.after, 25), "shares run forwards in time (%d)", swap);
		ok(is_about(c.weight_delta, 0) && c.is_weight_noise && !c.is_noise,
		   "the weight is the same though the share is not (%d)", swap);
		c = diff_of(&b, tree_self(&t, gone), tree_base_self(&t, gone));
		ok(diff_is_gone(&c) && !diff_is_new(&c), "what vanished is known as such (%d)", swap);
		struct diff_basis below = diff_basis_below(&b, &t, a);
		ok(is_about(below.samples_after, 1000) && is_about(below.samples_before, 1000),
		   "a part rests on its own samples (%d)", swap);
		tree_deinit(&t);
	}
	r.normalize = true;
	ok(fold(&p, &r, &t, NULL, &err), "a normalised swap folds");
	diff_basis_make(&b, &p, &r, &t);
	ok(is_about(b.samples_before, 2000), "making totals equal makes no samples (%f)", b.samples_before);
	tree_deinit(&t);
	recipe_add_filter(&r, FILTER_IGNORE, MATCH_LITERAL, "gone");
	ok(fold(&p, &r, &t, NULL, &err), "a filter takes one out");
	diff_basis_make(&b, &p, &r, &t);
	ok(is_about(b.samples_before, 1000) && is_about(b.samples_after, 4000), "and its samples with it");
	tree_deinit(&t);
	recipe_deinit(&r);
	profile_deinit(&p);
}

/* A baseline of another event is compared all the same if there is but one. */
static void test_series(void)
{
	struct profile p;
	struct recipe r;
	profile_init(&p);
	recipe_init(&r);
	profile_series(&p, symtab_intern(&p.symtab, "cycles", 6), 0);
	uint32_t clock = profile_series(&p, symtab_intern(&p.symtab, "cpu-clock", 9), 0);
	uint32_t sym = symtab_intern(&p.symtab, "a", 1);
	struct sample s = {.weight = 5, .time = NO_TIME, .cpu = NO_CPU};
	profile_add(&p, 0, profile_path(&p, &sym, 1), &s);
	s.series = clock;
	profile_add(&p, 1, profile_path(&p, &sym, 1), &s);
	is_int(fold_series(&p, &r, 0), 0, "the profile has the series asked for");
	is_int(fold_series(&p, &r, 1), (int)clock, "the baseline the only one it has");
	s.series = 0;
	profile_add(&p, 1, profile_path(&p, &sym, 1), &s);
	is_int(fold_series(&p, &r, 1), 0, "unless it has the same");
	recipe_deinit(&r);
	profile_deinit(&p);
}

/* A number in [0, below), the same in every run. */
static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*state >> 33) % below);
}

#define FUNCTIONS 60u

/* Samples of a program whose function f takes its share to the power of three; `more` percent of them in f0. */
static void sample(struct profile *p, unsigned side, uint64_t *seed, unsigned n, unsigned more)
{
	for (unsigned i = 0; i < n; i++) {
		char name[16];
		uint32_t a = draw(seed, FUNCTIONS), b = draw(seed, FUNCTIONS), c = draw(seed, FUNCTIONS);
		uint32_t least = a < b ? a < c ? a : c : b < c ? b : c;
		snprintf(name, sizeof name, "f%u", draw(seed, 100) < more ? 0 : least);
		add(p, side, name, 1, NO_TIME);
	}
}

static void compare(uint64_t *seed, unsigned before, unsigned after, unsigned more, unsigned *tripped,
                    unsigned *noisy, char first[16])
{
	struct profile p;
	struct recipe r;
	struct tree t;
	struct diff_table d;
	struct err err;
	profile_init(&p);
	profile_series(&p, 0, 0);
	sample(&p, 1, seed, before, 0);
	sample(&p, 0, seed, after, more);
	recipe_init(&r);
	if (!fold(&p, &r, &t, NULL, &err))
		bail_out("cannot fold");
	diff_table_make(&d, &p, &r, &t, NODE_ALL);
	bool has_tripped = false;
	for (size_t i = 0; i < d.n; i++) {
		has_tripped |= diff_grew(&d, &d.rows[i].self, 0);
		*noisy += !d.rows[i].self.is_noise;
	}
	*tripped += has_tripped;
	snprintf(first, 16, "%s", p.symtab.symbols[d.rows[0].sym].name);
	diff_table_deinit(&d);
	tree_deinit(&t);
	recipe_deinit(&r);
	profile_deinit(&p);
}

/* Runs of one program differ by chance alone; a change stands out of that. */
static void test_chance(void)
{
	uint64_t seed = 2026;
	unsigned tripped = 0, noisy = 0;
	char first[16];
	for (unsigned i = 0; i < 200; i++)
		compare(&seed, 500 + 20 * i, 3000 - 10 * i, 0, &tripped, &noisy, first);
	ok(tripped <= 2, "comparing a program with itself trips no gate (%u of 200 did)", tripped);
	ok(noisy < 200 * FUNCTIONS / 15 && noisy > 200 * FUNCTIONS / 60,
	   "about one function in twenty is beyond two standard errors by chance (%u of %u)", noisy, 200 * FUNCTIONS);
	tripped = 0;
	for (unsigned i = 0; i < 20; i++) {
		compare(&seed, 2000, 1500, 10, &tripped, &noisy, first);
		if (strcmp(first, "f0") != 0)
			not_ok("a function that grew stands first, not %s", first);
	}
	is_int(tripped, 20, "a real change always trips it");
}

static void test_table(void)
{
	struct profile p;
	struct recipe r;
	struct tree t;
	struct diff_table d;
	struct err err;
	profile_init(&p);
	profile_series(&p, 0, 0);
	add(&p, 1, "a", 400, NO_TIME);
	add(&p, 1, "b", 600, NO_TIME);
	add(&p, 0, "a", 1400, NO_TIME);
	add(&p, 0, "b", 550, NO_TIME);
	add(&p, 0, "c", 50, NO_TIME);
	recipe_init(&r);
	ok(fold(&p, &r, &t, NULL, &err), "two sides fold");
	diff_table_make(&d, &p, &r, &t, NODE_ALL);
	size_t a = 0, c = 0;
	for (size_t i = 0; i < d.n; i++) {
		a = strcmp(p.symtab.symbols[d.rows[i].sym].name, "a") == 0 ? i : a;
		c = strcmp(p.symtab.symbols[d.rows[i].sym].name, "c") == 0 ? i : c;
	}
	ok(is_about(d.rows[a].self.delta, 30), "a grew from 40 to 70 percent");
	ok(is_about(d.rows[c].self.before, 0) && is_about(d.rows[c].self.delta, 2.5), "c is new");
	ok(is_about(d.basis.samples_after, 2000) && is_about(d.basis.samples_before, 1000),
	   "the samples of both sides are counted");
	ok(diff_grew(&d, &d.rows[a].self, 29), "30 points are more than 29");
	ok(!diff_grew(&d, &d.rows[a].self, 30.5), "and less than 30.5");
	ok(diff_grew(&d, &d.rows[c].self, 0), "what is new has grown");
	ok(a == 0 && c == 1, "what grew comes first, the most of it first of all");
	ok(d.counts.grown == 2 && d.counts.shrunk == 1 && d.counts.added == 1 && d.counts.gone == 0 &&
	       d.counts.noise == 0,
	   "kinds of change are counted");
	diff_table_deinit(&d);
	tree_deinit(&t);
	recipe_deinit(&r);
	profile_deinit(&p);
}

int main(void)
{
	test_change();
	test_samples();
	test_periods();
	test_sides();
	test_series();
	test_chance();
	test_table();
	return done_testing();
}
