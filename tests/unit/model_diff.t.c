/*
 * model_diff.t.c - shares, their changes, and the standard error.
 */
#include <math.h>

#include "base/mem.h"
#include "model/diff.h"
#include "model/fold.h"
#include "model/selection.h"
#include "tests/tap.h"

static bool is_about(double a, double b)
{
	return fabs(a - b) < 0.001;
}

static struct diff_change diff_change(uint64_t before, uint64_t before_total, double before_samples, uint64_t after,
                                      uint64_t after_total, double after_samples)
{
	struct diff_basis b = {.weight_before = (double)before_total,
	                       .weight_after = (double)after_total,
	                       .samples_before = before_samples,
	                       .samples_after = after_samples};
	return diff_of(&b, after, before);
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

/* Near 2^64, doubles are thousands apart. */
static void test_exact(void)
{
	const struct diff_basis b = {.quantity = DIFF_OF_WEIGHTS,
	                             .weight_before = 0x1p64,
	                             .weight_after = 0x1p64,
	                             .samples_before = 100,
	                             .samples_after = 100};
	struct diff_change up = diff_of(&b, UINT64_MAX, UINT64_MAX - 2), down = diff_of(&b, UINT64_MAX - 2, UINT64_MAX);
	ok(up.delta > 0 && down.delta < 0, "a small change of a large weight has its sign");
	ok(diff_weight(&up) == 2 && diff_weight(&down) == 2, "and its size");
	ok(up.weight_after == UINT64_MAX && up.weight_before == UINT64_MAX - 2, "the weights have all their digits");
	struct diff_change all = diff_of(&b, UINT64_MAX, 0);
	ok(diff_is_new(&all) && diff_weight(&all) == UINT64_MAX && all.delta > 0, "the largest weight is no overflow");
}

static void add(struct profile *p, unsigned side, const char *name, uint64_t weight, uint64_t time)
{
	uint32_t sym = symtab_intern(&p->symtab, name, strlen(name));
	struct sample s = {.weight = weight, .time = time, .cpu = NO_CPU};
	profile_add(p, side, profile_path(p, &sym, 1), &s);
}

static void add_stack(struct profile *p, unsigned side, const uint32_t stack[2], uint64_t weight)
{
	struct sample s = {.weight = weight, .time = NO_TIME, .cpu = NO_CPU};
	profile_add(p, side, profile_path(p, stack, 2), &s);
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

/* Weights that are no counts must not be taken for numbers of samples. */
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

/* The baseline is "before", whichever side gives the widths. */
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
		ok(c.weight_before == 1000 && c.weight_after == 1000 && c.delta < 0 && !c.is_noise,
		   "it shrank though its weight is the same (%d)", swap);
		b.quantity = DIFF_OF_WEIGHTS;
		c = diff_of(&b, tree_self(&t, a), tree_base_self(&t, a));
		ok(is_about(c.before, 1000) && is_about(c.delta, 0) && c.is_noise, "in weights it is no change (%d)", swap);
		c = diff_of(&b, tree_self(&t, gone), tree_base_self(&t, gone));
		ok(diff_is_gone(&c) && !diff_is_new(&c), "a vanished function is known as such (%d)", swap);
		tree_deinit(&t);
	}
	r.quantity = DIFF_OF_WEIGHTS;
	ok(fold(&p, &r, &t, NULL, &err), "it folds for weights");
	diff_basis_make(&b, &p, &r, &t);
	ok(b.quantity == DIFF_OF_WEIGHTS && is_about(b.samples_before, 2000),
	   "the comparison is of the recipe's quantity (%f)", b.samples_before);
	tree_deinit(&t);
	recipe_add_filter(&r, FILTER_IGNORE, MATCH_LITERAL, "gone");
	ok(fold(&p, &r, &t, NULL, &err), "a filter takes one out");
	diff_basis_make(&b, &p, &r, &t);
	ok(is_about(b.samples_before, 1000) && is_about(b.samples_after, 4000), "and its samples with it");
	tree_deinit(&t);
	recipe_deinit(&r);
	profile_deinit(&p);
}

/* A baseline with another event is compared even so, if it has only one. */
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
	is_int(selection_series(&p, &r, 0), 0, "the profile has the series asked for");
	is_int(selection_series(&p, &r, 1), (int)clock, "the baseline the only one it has");
	s.series = 0;
	profile_add(&p, 1, profile_path(&p, &sym, 1), &s);
	is_int(selection_series(&p, &r, 1), 0, "unless it has the same");
	recipe_deinit(&r);
	profile_deinit(&p);
}

/* Samples without a name are compared with the event that is shown, on either side. */
static void test_unnamed(void)
{
	for (unsigned side = 0; side < 2; side++) {
		struct profile p;
		struct recipe r;
		profile_init(&p);
		recipe_init(&r);
		uint32_t sym = symtab_intern(&p.symtab, "a", 1), path = profile_path(&p, &sym, 1);
		uint32_t series[] = {
			profile_series(&p, symtab_intern(&p.symtab, "faults", 6), 0),
			profile_series(&p, symtab_intern(&p.symtab, "cycles", 6), 0),
			profile_series(&p, 0, 0),
		};
		static const unsigned of[] = {0, 1, 1, 2};
		struct sample s = {.weight = 5, .time = NO_TIME, .cpu = NO_CPU};
		for (unsigned i = 0; i < 4; i++) {
			s.series = series[of[i]];
			profile_rank_series(&p, s.series, 0);
			profile_add(&p, of[i] == 2 ? !side : side, path, &s);
		}
		r.series = profile_default_series(&p);
		int32_t shown = selection_series(&p, &r, side), taken = selection_series(&p, &r, !side);
		is_int(shown, (int)series[1], "side %u: the event with most samples is shown", side);
		is_int(taken, (int)series[2], "and the samples without a name are taken as it");
		selection_choose(&p, &r, (int32_t)series[0]);
		is_int(selection_series(&p, &r, side), (int)series[0], "another event can be chosen");
		is_int(selection_series(&p, &r, !side), (int)series[2], "they are taken as that then");
		is_int(selection_chosen(&r), (int)series[0], "it is known what was chosen");
		recipe_deinit(&r);
		profile_deinit(&p);
	}
}

/* A number in [0, below), the same in every run. */
static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*state >> 33) % below);
}

#define FUNCTIONS 60u

/* Samples of a program whose functions have shares in powers of three; `more` percent of them in f0. */
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
	diff_table_make(&d, &p, &r, &t, NODE_ALL, NULL);
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

/* Runs of one program differ only by noise; a change stands out. */
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

static void is_about_row(const struct diff_table *d, const struct profile *p, const char *name, double before,
                         double after, double points, const char *what)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct diff_change *c = &d->rows[i].self;
		if (strcmp(p->symtab.symbols[d->rows[i].sym].name, name) != 0)
			continue;
		ok(is_about(c->before, before) && is_about(c->after, after) && is_about(diff_points(d, c), points),
		   "%s (%f, %f, %f)", what, c->before, c->after, diff_points(d, c));
		return;
	}
	not_ok("%s: there is no %s", what, name);
}

/* Callers merged from the leaves have the change of their callees' weight, others that of their own stack. */
static void test_frames(void)
{
	struct profile p;
	struct recipe r;
	struct tree t;
	struct diff_basis b;
	struct err err;
	uint32_t stack[] = {0, 0};
	profile_init(&p);
	profile_series(&p, 0, 0);
	stack[0] = symtab_intern(&p.symtab, "main", 4);
	stack[1] = symtab_intern(&p.symtab, "f", 1);
	add_stack(&p, 1, stack, 200);
	add_stack(&p, 0, stack, 800);
	add(&p, 1, "other", 800, NO_TIME);
	add(&p, 0, "other", 200, NO_TIME);
	recipe_init(&r);
	for (int reversed = 0; reversed < 2; reversed++) {
		r.reverse = reversed;
		ok(fold(&p, &r, &t, NULL, &err), "it folds (%d)", reversed);
		diff_basis_make(&b, &p, &r, &t);
		uint32_t outer = tree_find_child(&t, NODE_ALL, stack[reversed]);
		uint32_t inner = tree_find_child(&t, outer, stack[!reversed]);
		ok(is_about(diff_of_frame(&b, &t, inner).delta, 60), "the inner frame shows growth (%d)", reversed);
		ok(is_about(diff_of_frame(&b, &t, outer).delta, reversed ? 60 : 0),
		   "the outer one if it stands for the function (%d)", reversed);
		ok(is_about(diff_most(&b, &t), 60), "the greatest change is the scale (%d)", reversed);
		tree_deinit(&t);
	}
	recipe_deinit(&r);
	profile_deinit(&p);
}

/* Weights of different units cannot be compared. */
static void test_units(void)
{
	struct profile p;
	struct recipe r;
	struct tree t;
	struct diff_basis b;
	struct err err;
	profile_init(&p);
	recipe_init(&r);
	profile_series(&p, symtab_intern(&p.symtab, "cpu-clock", 9), symtab_intern(&p.symtab, "ns", 2));
	add(&p, 0, "a", 1010101, 1);
	add(&p, 0, "b", 1010101, 2);
	add(&p, 1, "a", 500, NO_TIME);
	p.series[0].units[1] = 1; /* the baseline's file names no unit */
	r.quantity = DIFF_OF_WEIGHTS;
	ok(fold(&p, &r, &t, NULL, &err), "nanoseconds and counts fold");
	diff_basis_make(&b, &p, &r, &t);
	ok(b.has_other_units && b.quantity == DIFF_OF_SHARES, "and only their shares are compared");
	tree_deinit(&t);
	recipe_deinit(&r);
	profile_deinit(&p);
}

/* Two profiles that name one event and unit, whose samples are of different size, here without times. */
static void test_sizes(void)
{
	struct profile p;
	struct recipe r;
	profile_init(&p);
	recipe_init(&r);
	uint32_t name = symtab_intern(&p.symtab, "alloc", 5), unit = symtab_intern(&p.symtab, "bytes", 5);
	for (unsigned side = 0; side < 2; side++) {
		mem_push(p.files, p.n_files, p.cap_files, ((struct profile_file){.side = side}));
		profile_series(&p, name, unit);
		add(&p, side, "a", side ? 1000 : 21000, NO_TIME);
	}
	ok(!diff_has_other_units(&p, &r), "samples of one event and unit may be of any size");
	p.series[0].units[1] = 1;
	ok(diff_has_other_units(&p, &r), "without the unit of one side the size tells");
	recipe_deinit(&r);
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
	diff_table_make(&d, &p, &r, &t, NODE_ALL, NULL);
	size_t a = 0, c = 0;
	for (size_t i = 0; i < d.n; i++) {
		a = strcmp(p.symtab.symbols[d.rows[i].sym].name, "a") == 0 ? i : a;
		c = strcmp(p.symtab.symbols[d.rows[i].sym].name, "c") == 0 ? i : c;
	}
	ok(is_about(d.rows[a].self.delta, 30), "a grew from 40 to 70 percent");
	ok(is_about(d.rows[c].self.before, 0) && is_about(d.rows[c].self.delta, 2.5), "c is new");
	ok(is_about(d.basis.samples_after, 2000) && is_about(d.basis.samples_before, 1000),
	   "the samples of both sides are counted");
	ok(is_about(diff_points(&d, &d.rows[a].self), 30), "which is 30 points");
	ok(diff_grew(&d, &d.rows[a].self, 29), "30 points are more than 29");
	ok(!diff_grew(&d, &d.rows[a].self, 30.5), "and less than 30.5");
	ok(diff_grew(&d, &d.rows[c].self, 0), "a new function has grown");
	ok(a == 0 && c == 1, "growth comes first, the largest first of all");
	ok(d.counts.grown == 2 && d.counts.shrunk == 1 && d.counts.added == 1 && d.counts.gone == 0 &&
	       d.counts.noise == 0,
	   "kinds of change are counted");
	struct diff_row most[3];
	ok(diff_table_most(&d, 2, DIFF_BY_CHANGE, most) == 2 && most[0].sym == d.rows[2].sym &&
	       most[1].sym == d.rows[0].sym,
	   "a function that shrank is among those that changed most");
	ok(diff_table_most(&d, 2, DIFF_BY_RANK, most) == 2 && most[0].sym == d.rows[0].sym &&
	       most[1].sym == d.rows[2].sym,
	   "and in a table it follows those that grew");
	ok(diff_table_most(&d, 9, DIFF_BY_CHANGE, most) == 3 && most[2].sym == d.rows[1].sym, "there are three in all");
	diff_table_deinit(&d);
	r.quantity = DIFF_OF_WEIGHTS;
	diff_table_make(&d, &p, &r, &t, NODE_ALL, NULL);
	is_about_row(&d, &p, "a", 400, 1400, 100, "a more than trebled");
	is_about_row(&d, &p, "b", 600, 550, -5, "b lost a little");
	diff_table_deinit(&d);
	uint32_t node = tree_find_child(&t, NODE_ALL, symtab_find(&p.symtab, "b", 1));
	r.quantity = DIFF_OF_SHARES;
	diff_table_make(&d, &p, &r, &t, node, NULL);
	is_about_row(&d, &p, "b", 60, 27.5, -32.5, "below a zoom shares are those of the whole");
	diff_table_deinit(&d);
	tree_deinit(&t);
	recipe_deinit(&r);
	profile_deinit(&p);
}

/* ---- order, and those that changed most ---------------------------------------------------------------------- */

#define MANY 400u

/* Small weights, so that many changes are equal; names in no order; some functions on one side only. */
static void add_random(struct profile *p)
{
	uint64_t seed = 41;
	for (unsigned i = 0; i < MANY; i++) {
		char name[16];
		uint32_t stack[2] = {symtab_intern(&p->symtab, "main", 4)};
		snprintf(name, sizeof name, "f%u", i * 7919 % 1000);
		stack[1] = symtab_intern(&p->symtab, name, strlen(name));
		for (unsigned side = 0; side < 2; side++) {
			seed = seed * 6364136223846793005U + 1442695040888963407U;
			if (seed >> 60 > 2)
				add_stack(p, side, stack, 1 + (seed >> 40) % 6 * (i % 3 ? 1 : 30));
		}
	}
}

static int rank_of(const struct diff_row *r)
{
	return !r->self.is_noise ? r->self.delta <= 0 : r->total.is_noise ? 3 : 2;
}

static double change_of(const struct diff_row *r)
{
	double self = fabs(r->self.delta), total = fabs(r->total.delta);
	return rank_of(r) < 2 ? self : rank_of(r) == 2 ? total : fmax(self, total);
}

static bool are_in_order(const struct profile *p, const struct diff_row *a, const struct diff_row *b)
{
	if (rank_of(a) != rank_of(b))
		return rank_of(a) < rank_of(b);
	if (change_of(a) != change_of(b))
		return change_of(a) > change_of(b);
	return strcmp(p->symtab.symbols[a->sym].name, p->symtab.symbols[b->sym].name) < 0;
}

/* The row of the greatest total of those on one side only, after `last`; equal ones by symbol. NULL: none. */
static const struct diff_row *next_one_sided(const struct diff_table *t, bool is_new, const struct diff_row *last)
{
	const struct diff_row *best = NULL;
	for (size_t i = 0; i < t->n; i++) {
		const struct diff_row *r = &t->rows[i];
		double d = fabs(r->total.delta);
		if (!(is_new ? diff_is_new(&r->total) : diff_is_gone(&r->total)))
			continue;
		if (last && (d > fabs(last->total.delta) || (d == fabs(last->total.delta) && r->sym <= last->sym)))
			continue;
		if (!best || d > fabs(best->total.delta) || (d == fabs(best->total.delta) && r->sym < best->sym))
			best = r;
	}
	return best;
}

static bool are_most(const struct diff_table *t, const struct diff_leaders *l, enum diff_kind kind)
{
	const struct diff_row *expected = NULL;
	size_t n = 0;
	for (; n < l->n[kind]; n++) {
		if (kind == DIFF_GREW || kind == DIFF_SHRANK)
			expected = &t->rows[(kind == DIFF_SHRANK ? t->counts.grown : 0) + n];
		else
			expected = next_one_sided(t, kind == DIFF_ADDED, expected);
		if (!expected || expected->sym != l->rows[kind][n].sym)
			return false;
	}
	const size_t all[] = {t->counts.grown, t->counts.shrunk, t->counts.added, t->counts.gone};
	return n == (all[kind] < DIFF_LEADERS ? all[kind] : DIFF_LEADERS);
}

static void test_order(void)
{
	static const char *const kinds[] = {"grew", "shrank", "are new", "vanished"};
	struct profile p;
	struct recipe r;
	struct tree t;
	struct diff_table d;
	struct diff_leaders l;
	struct err err;
	bool is_sorted = true;
	profile_init(&p);
	profile_series(&p, 0, 0);
	add_random(&p);
	recipe_init(&r);
	if (!fold(&p, &r, &t, NULL, &err))
		bail_out("cannot fold");
	diff_table_make(&d, &p, &r, &t, NODE_ALL, NULL);
	for (size_t i = 1; i < d.n; i++)
		is_sorted &= are_in_order(&p, &d.rows[i - 1], &d.rows[i]);
	is_int(d.n, t.n - 1, "a table has every function");
	ok(is_sorted, "in the order of kinds, changes and names");
	diff_leaders_make(&l, &d.basis, &p.symtab, &t, NODE_ALL, NULL);
	for (enum diff_kind kind = 0; kind < N_DIFF_KINDS; kind++)
		ok(are_most(&d, &l, kind), "without a table, those that %s most are the same, %zu of them", kinds[kind],
		   l.n[kind]);
	ok(memcmp(&l.counts, &d.counts, sizeof l.counts) == 0, "and as many of each kind");
	diff_leaders_make(&l, &d.basis, &p.symtab, &t, tree_first_child(&t, NODE_ALL) + 1, NULL);
	ok(l.counts.grown + l.counts.shrunk + l.counts.noise <= 1, "below a zoom only its functions count");
	diff_table_deinit(&d);
	tree_deinit(&t);
	recipe_deinit(&r);
	profile_deinit(&p);
}

int main(void)
{
	test_change();
	test_exact();
	test_samples();
	test_periods();
	test_sides();
	test_series();
	test_unnamed();
	test_chance();
	test_frames();
	test_units();
	test_order();
	test_sizes();
	test_table();
	return done_testing();
}
