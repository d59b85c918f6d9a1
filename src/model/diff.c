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
 */
#include "diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Counts that are all multiples of so much are no counts but times the same period of the profiler. */
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

double diff_samples(const struct profile *p, unsigned side, int32_t series)
{
	const struct sample_log *log = &p->log[side];
	uint64_t divisor = 0;
	double total = 0, entries = 0;
	for (size_t i = 0; i < log->n; i++) {
		int32_t s = log->series ? log->series[i] : 0;
		bool is_other = series >= 0 && s != series;
		if (is_other || log->weight[i] == 0)
			continue;
		entries++;
		total += (double)log->weight[i];
		if (!log->time && divisor != 1)
			divisor = common_divisor(log->weight[i], divisor);
	}
	if (total <= 0)
		return 0;
	return log->time ? entries : divisor >= PERIOD_MIN ? total / (double)divisor : total;
}

/* The part of a log that is below `zoom`: filters took weight out before, and a baseline may have been scaled since. */
static double samples_below(const struct profile *p, const struct tree *t, unsigned side, int32_t series, uint64_t below,
                            uint64_t all)
{
	double log_total = 0;
	for (size_t i = 0; i < p->n_series; i++)
		if (series < 0 || (size_t)series == i)
			log_total += (double)p->series[i].total[side];
	if (log_total <= 0 || all == 0)
		return 0;
	double kept = fmax(0, 1 - (double)t->excluded[side] / log_total);
	return diff_samples(p, side, series) * kept * ((double)below / (double)all);
}

struct diff_change diff_change(uint64_t before, uint64_t before_total, double before_samples, uint64_t after,
                               uint64_t after_total, double after_samples)
{
	struct diff_change c = {0};
	double x = before_total ? (double)before / (double)before_total : 0;
	double y = after_total ? (double)after / (double)after_total : 0;
	c.before = 100 * x;
	c.after = 100 * y;
	c.delta = c.after - c.before;
	if (before_samples <= 0 || after_samples <= 0) {
		c.is_noise = true; /* nothing to compare with */
		return c;
	}
	double p = (x * before_samples + y * after_samples + 1) / (before_samples + after_samples + 2);
	c.error = 100 * sqrt(p * (1 - p) * (1 / before_samples + 1 / after_samples));
	c.is_noise = fabs(c.delta) <= DIFF_SIGMAS * c.error;
	return c;
}

static double magnitude(const struct diff_row *r) { return fmax(fabs(r->self.delta), fabs(r->total.delta)); }

static int compare_rows(const void *pa, const void *pb, void *arg)
{
	const struct diff_row *a = pa, *b = pb;
	const struct profile *p = arg;
	double x = magnitude(a), y = magnitude(b);
	if (x != y)
		return x > y ? -1 : 1;
	const struct symbol *s = &p->symtab.symbols[a->sym], *t = &p->symtab.symbols[b->sym];
	int order = memcmp(s->name, t->name, s->len < t->len ? s->len : t->len);
	return order ? order : s->len < t->len ? -1 : s->len > t->len;
}

void diff_table_make(struct diff_table *t, const struct profile *p, const struct tree *tree, uint32_t zoom,
                     int32_t series)
{
	uint64_t after = tree_total(tree, zoom), before = tree_base_total(tree, zoom);
	struct name_sum *sums = tree_sums(tree, zoom, p->symtab.n, &t->n);
	double n1 = t->samples[1] = samples_below(p, tree, 1, series, before, tree_base_total(tree, NODE_ALL));
	double n0 = t->samples[0] = samples_below(p, tree, 0, series, after, tree_total(tree, NODE_ALL));
	t->rows = mem_zalloc(t->n ? t->n : 1, sizeof *t->rows);
	for (size_t i = 0; i < t->n; i++) {
		struct diff_row *r = &t->rows[i];
		r->sym = sums[i].sym;
		r->sum = sums[i];
		r->self = diff_change(sums[i].base_self, before, n1, sums[i].self, after, n0);
		r->total = diff_change(sums[i].base_total, before, n1, sums[i].total, after, n0);
	}
	free(sums);
	qsort_r(t->rows, t->n, sizeof *t->rows, compare_rows, (void *)(uintptr_t)p);
}

void diff_table_deinit(struct diff_table *t)
{
	free(t->rows);
	*t = (struct diff_table){0};
}

bool diff_grew(const struct diff_table *t, const struct diff_change *c, double points)
{
	double bound = DIFF_SIGMAS;
	if (t->n > 1)
		bound = fmax(bound, sqrt(2 * log((double)t->n)));
	return c->delta > points && c->delta > bound * c->error;
}
