/*
 * diff.c - shares before and after, and the error that sampling makes.
 *
 * Take n samples of a program that spends the share p of its time in a function: the number that falls into it is
 * binomial. If nothing changed, both profiles come from one p, which is best estimated from both together; then the
 * difference of the shares x1/n1 and x2/n2 has the standard error
 *
 *	sqrt(p (1 - p) (1/n1 + 1/n2))      p = (x1 + x2 + 1) / (n1 + n2 + 2)
 *
 * One success and one failure are added (Laplace), so that a function never seen in a short profile does not count as
 * known to be absent. Samples of one burst are not independent, so the true error is rather larger than that.
 *
 * Weights are not counts: perf's are nanoseconds or cycles, and taking those for samples would make every change
 * certain. What a single sample weighs is found out first, see diff_samples(). Weights that are compared as they are,
 * without making totals equal, have the error of two counts, sqrt(x1 + x2), in units of that.
 */
#include "diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Counts that are all multiples of so much, or as large as that as a rule, are times the period of the profiler. */
#define PERIOD_MIN 10000u

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static bool is_in_series(const struct sample_log *log, size_t i, int32_t series)
{
	return (series < 0 || (log->series ? log->series[i] : 0) == series) && log->weight[i] > 0;
}

static int compare_weights(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static uint64_t median_weight(const struct sample_log *log, int32_t series)
{
	uint64_t *weights = mem_alloc(log->n * sizeof *weights);
	size_t n = 0;
	for (size_t i = 0; i < log->n; i++)
		if (is_in_series(log, i, series))
			weights[n++] = log->weight[i];
	qsort(weights, n, sizeof *weights, compare_weights);
	uint64_t median = n ? weights[n / 2] : 0;
	free(weights);
	return median;
}

/*
 * Bytes, nanoseconds, cycles: the number of samples is not in the weights. The unit is of whoever named the series:
 * folded stacks beside a recording with times are not of it.
 */
static bool has_other_unit(const struct profile *p, unsigned side, int32_t series)
{
	static const char *const counts[] = {"samples", "sample", "count", "counts", "hits", "ticks", "objects"};
	if (series < 0 || (size_t)series >= p->n_series || p->series[series].unit == 0 || p->log[!side].time)
		return false;
	const char *unit = p->symtab.symbols[p->series[series].unit].name;
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (strcmp(unit, counts[i]) == 0)
			return false;
	return true;
}

double diff_samples(const struct profile *p, unsigned side, int32_t series)
{
	const struct sample_log *log = &p->log[side];
	uint64_t divisor = 0;
	double total = 0, squares = 0, one = profile_unit(p);
	for (size_t i = 0; i < log->n; i++) {
		if (!is_in_series(log, i, series))
			continue;
		double w = (double)log->weight[i];
		total += w;
		squares += w * w;
		if (divisor != 1)
			divisor = common_divisor(log->weight[i], divisor);
	}
	if (total <= 0)
		return 0;
	if (log->time)
		return total * total / squares;
	if ((double)divisor >= PERIOD_MIN * one)
		return total / (double)divisor;
	if (has_other_unit(p, side, series))
		return total * total / squares;
	double median = total / (double)log->n >= PERIOD_MIN * one ? (double)median_weight(log, series) : 0;
	return total / (median >= PERIOD_MIN * one ? median : one);
}

/* ---- one change -------------------------------------------------------------------------------------------- */

static struct diff_change share_change(double before, double before_total, double before_samples, double after,
                                       double after_total, double after_samples)
{
	struct diff_change c = {.weight_before = before, .weight_after = after, .weight_delta = after - before};
	double x = before_total > 0 ? before / before_total : 0;
	double y = after_total > 0 ? after / after_total : 0;
	c.before = 100 * x;
	c.after = 100 * y;
	c.delta = c.after - c.before;
	if (before_samples <= 0 || after_samples <= 0) {
		c.is_noise = c.is_weight_noise = true; /* nothing to compare with */
		return c;
	}
	double p = (x * before_samples + y * after_samples + 1) / (before_samples + after_samples + 2);
	c.error = 100 * sqrt(p * (1 - p) * (1 / before_samples + 1 / after_samples));
	c.is_noise = fabs(c.delta) <= DIFF_SIGMAS * c.error;

	double unit_before = before_total / before_samples, unit_after = after_total / after_samples;
	double unit = fmax(unit_before, unit_after);
	c.weight_error = sqrt(before * unit_before + after * unit_after + unit * unit);
	c.is_weight_noise = fabs(c.weight_delta) <= DIFF_SIGMAS * c.weight_error;
	return c;
}

struct diff_change diff_change(uint64_t before, uint64_t before_total, double before_samples, uint64_t after,
                               uint64_t after_total, double after_samples)
{
	return share_change((double)before, (double)before_total, before_samples, (double)after, (double)after_total,
	                    after_samples);
}

/* The samples of one side that are in the tree: filters, threads and time ranges have taken weight out of it. */
static double samples_in(const struct profile *p, const struct recipe *r, unsigned side, double weight,
                         uint64_t excluded)
{
	double all = weight + (double)excluded;
	return all > 0 ? diff_samples(p, side, fold_series(p, r, side)) * (weight / all) : 0;
}

void diff_basis_make(struct diff_basis *b, const struct profile *p, const struct recipe *r, const struct tree *t)
{
	*b = (struct diff_basis){.is_swapped = r->swap_sides};
	if (!t->base)
		return;
	double own = (double)tree_total(t, NODE_ALL), other = (double)tree_base_total(t, NODE_ALL);
	b->weight_after = b->is_swapped ? other : own;
	b->weight_before = b->is_swapped ? own : other;
	b->samples_after = samples_in(p, r, 0, b->weight_after, t->excluded[b->is_swapped]);
	b->samples_before = samples_in(p, r, 1, b->weight_before, t->excluded[!b->is_swapped]);
}

static double part_of(double weight, double all, double samples)
{
	return all > 0 ? samples * (weight / all) : 0;
}

struct diff_basis diff_basis_below(const struct diff_basis *b, const struct tree *t, uint32_t zoom)
{
	double own = (double)tree_total(t, zoom), other = (double)tree_base_total(t, zoom);
	struct diff_basis below = {.is_swapped = b->is_swapped};
	below.weight_after = b->is_swapped ? other : own;
	below.weight_before = b->is_swapped ? own : other;
	below.samples_after = part_of(below.weight_after, b->weight_after, b->samples_after);
	below.samples_before = part_of(below.weight_before, b->weight_before, b->samples_before);
	return below;
}

struct diff_change diff_of(const struct diff_basis *b, uint64_t weight, uint64_t base_weight)
{
	uint64_t before = b->is_swapped ? weight : base_weight, after = b->is_swapped ? base_weight : weight;
	return share_change((double)before, b->weight_before, b->samples_before, (double)after, b->weight_after,
	                    b->samples_after);
}

/* ---- colours ------------------------------------------------------------------------------------------------- */

uint64_t diff_most(const struct tree *t)
{
	uint64_t max = 0;
	if (t->base == NULL)
		return 0;
	for (uint32_t i = 0; i < t->n; i++) {
		uint64_t a = tree_self(t, i), b = tree_base_self(t, i);
		uint64_t d = a > b ? a - b : b - a;
		if (d > max)
			max = d;
	}
	return max ? max : 1;
}

struct rgb diff_color(const struct diff_colors *c, const struct tree *t, uint32_t node)
{
	struct diff_change self = diff_of(c->basis, tree_self(t, node), tree_base_self(t, node));
	double part = self.weight_delta / (double)c->most;
	bool is_noise = c->is_of_weights ? self.is_weight_noise : self.is_noise;
	return palette_change(c->is_negated ? -part : part, is_noise, c->is_few);
}

/* ---- all functions ------------------------------------------------------------------------------------------- */

static int rank_of(const struct diff_row *r)
{
	if (!r->self.is_noise)
		return r->self.delta > 0 ? 0 : 1;
	return r->total.is_noise ? 3 : 2;
}

static double magnitude(const struct diff_row *r, int rank)
{
	double self = fabs(r->self.delta), total = fabs(r->total.delta);
	return rank < 2 ? self : rank == 2 ? total : fmax(self, total);
}

static int compare_rows(const void *pa, const void *pb, void *arg)
{
	const struct diff_row *a = pa, *b = pb;
	const struct profile *p = arg;
	int rank = rank_of(a), other = rank_of(b);
	if (rank != other)
		return rank - other;
	double x = magnitude(a, rank), y = magnitude(b, rank);
	if (x != y)
		return x > y ? -1 : 1;
	const struct symbol *s = &p->symtab.symbols[a->sym], *t = &p->symtab.symbols[b->sym];
	int order = memcmp(s->name, t->name, s->len < t->len ? s->len : t->len);
	return order ? order : s->len < t->len ? -1 : s->len > t->len;
}

static struct diff_row row_of(const struct diff_basis *b, const struct name_sum *s)
{
	return (struct diff_row){
		.sym = s->sym,
		.sum = *s,
		.self = diff_of(b, s->self, s->base_self),
		.total = diff_of(b, s->total, s->base_total),
	};
}

static void count_row(struct diff_counts *n, const struct diff_row *r)
{
	int rank = rank_of(r);
	n->grown += rank == 0;
	n->shrunk += rank == 1;
	n->noise += rank == 3;
	n->added += diff_is_new(&r->total);
	n->gone += diff_is_gone(&r->total);
}

void diff_count(struct diff_counts *counts, const struct diff_basis *b, const struct name_sum *sums, size_t n)
{
	*counts = (struct diff_counts){0};
	for (size_t i = 0; i < n; i++) {
		struct diff_row r = row_of(b, &sums[i]);
		count_row(counts, &r);
	}
}

void diff_table_make(struct diff_table *t, const struct profile *p, const struct recipe *recipe,
                     const struct tree *tree, uint32_t zoom)
{
	struct diff_basis all;
	diff_basis_make(&all, p, recipe, tree);
	*t = (struct diff_table){.basis = diff_basis_below(&all, tree, zoom)};
	struct name_sum *sums = tree_sums(tree, zoom, p->symtab.n, &t->n, NULL);
	t->rows = mem_zalloc(t->n ? t->n : 1, sizeof *t->rows);
	for (size_t i = 0; i < t->n; i++) {
		t->rows[i] = row_of(&t->basis, &sums[i]);
		count_row(&t->counts, &t->rows[i]);
	}
	free(sums);
	if (t->n > 1)
		qsort_r(t->rows, t->n, sizeof *t->rows, compare_rows, (void *)(uintptr_t)p);
}

void diff_table_deinit(struct diff_table *t)
{
	free(t->rows);
	*t = (struct diff_table){0};
}

double diff_gate_sigmas(const struct diff_table *t)
{
	return sqrt(2 * log(100 * fmax(1, (double)t->n)));
}

bool diff_grew(const struct diff_table *t, const struct diff_change *c, double points)
{
	return c->delta > points && c->delta > diff_gate_sigmas(t) * c->error && c->error > 0;
}
