/*
 * model_diff.t.c - shares, their change, and the error that chance makes.
 */
#include <math.h>

#include "model/diff.h"
#include "model/fold.h"
#include "tests/tap.h"

static bool is_about(double a, double b) { return fabs(a - b) < 0.001; }

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
	profile_deinit(&p);

	profile_init(&p);
	profile_series(&p, 0, 0);
	add(&p, 0, "a", 3003003, NO_TIME);
	add(&p, 0, "b", 1001001, NO_TIME);
	ok(is_about(diff_samples(&p, 0, 0), 4), "multiples of a period are counted in periods");
	profile_deinit(&p);

	profile_init(&p);
	profile_series(&p, 0, 0);
	add(&p, 0, "a", 300, 1);
	add(&p, 0, "b", 100, 2);
	ok(is_about(diff_samples(&p, 0, 0), 2), "entries with times are one sample each");
	profile_deinit(&p);
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
	diff_table_make(&d, &p, &t, NODE_ALL, 0);
	size_t a = 0, c = 0;
	for (size_t i = 0; i < d.n; i++) {
		a = strcmp(p.symtab.symbols[d.rows[i].sym].name, "a") == 0 ? i : a;
		c = strcmp(p.symtab.symbols[d.rows[i].sym].name, "c") == 0 ? i : c;
	}
	ok(is_about(d.rows[a].self.delta, 30), "a grew from 40 to 70 percent");
	ok(is_about(d.rows[c].self.before, 0) && is_about(d.rows[c].self.delta, 2.5), "c is new");
	ok(is_about(d.samples[0], 2000) && is_about(d.samples[1], 1000), "the samples of both sides are counted");
	ok(diff_grew(&d, &d.rows[a].self, 29), "30 points are more than 29");
	ok(!diff_grew(&d, &d.rows[a].self, 30.5), "and less than 30.5");
	ok(diff_grew(&d, &d.rows[c].self, 0), "what is new has grown");
	for (size_t i = 1; i < d.n; i++)
		ok(fabs(d.rows[i - 1].self.delta) >= fabs(d.rows[i].self.delta), "the largest change comes first (%zu)", i);
	diff_table_deinit(&d);
	tree_deinit(&t);
	recipe_deinit(&r);
	profile_deinit(&p);
}

int main(void)
{
	test_change();
	test_samples();
	test_table();
	return done_testing();
}
