/*
 * diff.c - shares before and after, and their sampling error.
 *
 * Of n samples of a program that spends the share p of its time in a function, a binomial number falls into it. If
 * nothing changed, both profiles have the same p, which is best estimated from both together; the difference of the
 * shares x1/n1 and x2/n2 then has the standard error
 *
 *	sqrt(p (1 - p) (1/n1 + 1/n2))      p = (x1 + x2 + 1) / (n1 + n2 + 2)
 *
 * One success and one failure are added (Laplace), so that a function missing from a short profile does not count
 * as certainly absent. Samples of one burst are not independent, so the true error is rather larger.
 *
 * Weights are not counts: perf's are nanoseconds or cycles, and taken as sample counts they would make every change
 * significant. diff_samples() first estimates the weight of one sample, from the numbers as the file has them:
 * whole milliseconds that have become nanoseconds are no sampling periods. Weights compared without equalising
 * totals have the error of two counts, sqrt(x1 + x2), in units of that weight.
 */
#include "diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "selection.h"

static bool is_in_series(const struct sample_log *log, size_t i, int32_t series)
{
	return log_is_of(log, i, series) && log->weight[i] > 0;
}

/* n samples of weight `each`. */
struct weights {
	uint64_t each, n;
};

static int compare_weights(const void *a, const void *b)
{
	uint64_t x = ((const struct weights *)a)->each, y = ((const struct weights *)b)->each;
	return x < y ? -1 : x > y;
}

static uint64_t median_weight(const struct sample_log *log, int32_t series)
{
	struct weights *weights = mem_alloc(log->n * sizeof *weights);
	size_t n = 0, i = 0;
	uint64_t samples = 0;
	for (size_t k = 0; k < log->n; k++) {
		if (!is_in_series(log, k, series))
			continue;
		weights[n] = (struct weights){log_each(log, k), log_count(log, k)};
		samples += weights[n++].n;
	}
	sort_array(weights, n, sizeof *weights, compare_weights);
	for (uint64_t before = samples / 2; i < n && before >= weights[i].n; i++)
		before -= weights[i].n;
	uint64_t median = i < n ? weights[i].each : 0;
	free(weights);
	return median;
}

/* The series, or of all together, which have one unit, the first with weight on this side. */
static int32_t one_of(const struct profile *p, unsigned side, int32_t series)
{
	for (size_t i = 0; i < p->n_series && series < 0; i++)
		if (p->series[i].total[side])
			series = (int32_t)i;
	return series;
}

/*
 * Bytes, nanoseconds, cycles: such weights do not show the number of samples. The unit is the one that this side
 * names; numbers that came without one are of the unit `taken` (a symbol, 0: samples).
 */
static bool has_other_unit(const struct profile *p, unsigned side, int32_t series, uint32_t taken)
{
	static const char *const counts[] = {"samples", "sample", "count", "counts", "hits", "ticks", "objects"};
	series = one_of(p, side, series);
	if (series < 0 || (size_t)series >= p->n_series)
		return false;
	const struct series *s = &p->series[series];
	uint32_t unit_here = series_unit_on(s, side), named = unit_here > 1 ? unit_here - 1 : taken;
	if (!named)
		return false;
	const char *unit = p->symtab.symbols[named].name;
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (strcmp(unit, counts[i]) == 0)
			return false;
	return true;
}

static bool has_times(const struct profile *p, unsigned side, int32_t series)
{
	bool is_one = series >= 0 && (size_t)series < p->n_series;
	return is_one ? p->series[series].has_times[side] : p->log[side].has_times;
}

/* Is what this side counts compared with a series that has a unit, though it came without one, as folded stacks? */
static bool is_bare(const struct profile *p, unsigned side, int32_t series)
{
	return series >= 0 && (size_t)series < p->n_series && series_unit_on(&p->series[series], side) == 1;
}

/* The weight of a one in the files of this side; of a few series the greatest. */
static double unit_in_files(const struct profile *p, unsigned side, int32_t series)
{
	double unit = 0;
	for (size_t i = 0; i < p->n_series; i++) {
		const struct series *s = &p->series[i];
		if ((series < 0 || (size_t)series == i) && s->total[side])
			unit = fmax(unit, s->grain[side] > 0 ? s->grain[side] : 1);
	}
	return profile_unit(p) * (unit > 0 ? unit : 1);
}

/* What the format counted, of a series or all together; unequal is 0 if it counted none. */
static struct number_counts counts_of(const struct profile *p, unsigned side, int32_t series)
{
	struct number_counts all = {0};
	for (size_t i = 0; i < p->n_series; i++)
		if (series < 0 || (size_t)series == i)
			number_counts_add(&all, &p->series[i].numbers[side]);
	return all;
}

static double count_samples(const struct profile *p, unsigned side, int32_t series, uint32_t taken)
{
	const struct number_counts counts = counts_of(p, side, series);
	const struct sample_log *log = &p->log[side];
	uint64_t divisor = 0;
	double total = 0, squares = 0, one = unit_in_files(p, side, series);
	for (size_t i = 0; i < log->n; i++) {
		if (!is_in_series(log, i, series))
			continue;
		total += (double)log->weight[i];
		squares += log_squares(log, i);
		if (divisor != 1)
			divisor = common_divisor(log_divisor(log, i), divisor);
	}
	if (total <= 0)
		return 0;
	if (has_times(p, side, series))
		return total * total / squares;
	if (counts.unequal > 0 && counts.periods > 0)
		return counts.periods;
	if (counts.unequal > 0)
		return has_other_unit(p, side, series, taken) ? counts.unequal : total / one;
	if ((double)divisor >= PERIOD_MIN * one)
		return total / (double)divisor;
	if (has_other_unit(p, side, series, taken))
		return total * total / squares;
	double median = total / (double)log->samples >= PERIOD_MIN * one ? (double)median_weight(log, series) : 0;
	return total / (median >= PERIOD_MIN * one ? median : one);
}

double diff_samples(const struct profile *p, unsigned side, int32_t series)
{
	return count_samples(p, side, series, 0);
}

/* ---- one change -------------------------------------------------------------------------------------------- */

static void compare_shares(struct diff_change *c, const struct diff_basis *b)
{
	double x = b->weight_before > 0 ? (double)c->weight_before / b->weight_before : 0;
	double y = b->weight_after > 0 ? (double)c->weight_after / b->weight_after : 0;
	double n = b->samples_before, m = b->samples_after;
	c->before = 100 * x;
	c->after = 100 * y;
	c->delta = c->after - c->before;
	if (n <= 0 || m <= 0)
		return;
	double p = (x * n + y * m + 1) / (n + m + 2);
	c->error = 100 * sqrt(p * (1 - p) * (1 / n + 1 / m));
}

/* Subtracts before rounding: as doubles, two weights near 2^64 may be equal or in the wrong order. */
static double signed_difference(uint64_t a, uint64_t b)
{
	return a > b ? (double)(a - b) : -(double)(b - a);
}

static void compare_weights_of(struct diff_change *c, const struct diff_basis *b)
{
	c->before = (double)c->weight_before;
	c->after = (double)c->weight_after;
	c->delta = signed_difference(c->weight_after, c->weight_before);
	/* A side without samples counts in the unit of the other. */
	double unit_before = b->samples_before > 0 ? b->weight_before / b->samples_before : 0;
	double unit_after = b->samples_after > 0 ? b->weight_after / b->samples_after : 0;
	double unit = fmax(unit_before, unit_after);
	c->error = sqrt(c->before * unit_before + c->after * unit_after + unit * unit);
}

/*
 * The number of samples of one side that are in the tree, after filters, threads and time range took out weight.
 * squares: of those samples, as in the tree.
 */
static double samples_in(const struct profile *p, const struct recipe *r, unsigned side, double weight,
                         uint64_t excluded, double squares)
{
	double all = weight + (double)excluded;
	if (squares > 0 && has_times(p, side, selection_series(p, r, side)))
		return weight * weight / squares;
	return all > 0 ? diff_samples(p, side, selection_series(p, r, side)) * (weight / all) : 0;
}

/* Sampling periods differ a little between runs; counts and nanoseconds differ by orders of magnitude. */
#define MOST_UNLIKE 20.0

static uint32_t unit_of(const struct profile *p, int32_t series)
{
	return series >= 0 && (size_t)series < p->n_series ? p->series[series].unit : 0;
}

uint32_t diff_unit(const struct profile *p, const struct recipe *r, unsigned side)
{
	return unit_of(p, selection_series(p, r, selection_is_taken(p, r, side) ? !side : side));
}

/* The weight of one sample of a side; 0: no samples. */
static double sample_weight(const struct profile *p, const struct recipe *r, unsigned side)
{
	int32_t series = selection_series(p, r, side);
	double samples = count_samples(p, side, series, diff_unit(p, r, side)), total = 0;
	for (size_t i = 0; i < p->n_series; i++)
		if (series < 0 || (size_t)series == i)
			total += (double)p->series[i].total[side];
	return samples > 0 ? total / samples : 0;
}

bool diff_is_bare(const struct profile *p, const struct recipe *r, unsigned side)
{
	int32_t series = selection_series(p, r, side);
	bool is_same = is_bare(p, side, series) && series == selection_series(p, r, !side);
	return (is_same || selection_is_taken(p, r, side)) && diff_unit(p, r, side);
}

/* Do the sides show one event? Samples without a name may be of any event of their unit, or of any unit. */
static bool is_one_event(const struct profile *p, const struct recipe *r)
{
	int32_t after = selection_series(p, r, 0), before = selection_series(p, r, 1);
	if (after == before)
		return true;
	if (after < 0 || before < 0 || (p->series[after].name && p->series[before].name))
		return false;
	return diff_unit(p, r, 0) == diff_unit(p, r, 1);
}

/* Do all numbers of this side come with the name of their event, or with a unit that is the series' own? */
static bool is_named(const struct profile *p, unsigned side, int32_t series)
{
	for (size_t i = 0; i < p->n_series; i++) {
		const struct series *s = &p->series[i];
		if ((series >= 0 && (size_t)series != i) || !s->total[side])
			continue;
		bool has_unit = series_unit_on(s, side) > 1, lacks_unit = !has_unit && (s->unit || s->units[!side] > 1);
		if (lacks_unit || (!s->name && !has_unit))
			return false;
	}
	return true;
}

bool diff_has_other_units(const struct profile *p, const struct recipe *r)
{
	bool has_unit = diff_unit(p, r, 0) != 0;
	if (!is_one_event(p, r))
		return true;
	/* Rates and sizes of samples differ by any factor, so weights of one event and unit are compared. */
	if (is_named(p, 0, selection_series(p, r, 0)) && is_named(p, 1, selection_series(p, r, 1)))
		return false;
	/* Two folded profiles count as having the same unit. */
	if (!has_unit && !p->log[0].has_times && !p->log[1].has_times)
		return false;
	double after = sample_weight(p, r, 0), before = sample_weight(p, r, 1);
	return after > 0 && before > 0 && (after >= MOST_UNLIKE * before || before >= MOST_UNLIKE * after);
}

/* Every weight is a number of samples, or a part of one. */
static bool are_samples(const struct profile *p, double weight, double samples)
{
	return weight == samples * profile_unit(p);
}

void diff_basis_make(struct diff_basis *b, const struct profile *p, const struct recipe *r, const struct tree *t)
{
	*b = (struct diff_basis){.is_swapped = t->base && r->swap_sides};
	if (!t->base)
		return;
	double own = (double)tree_total(t, NODE_ALL), other = (double)tree_base_total(t, NODE_ALL);
	b->weight_after = b->is_swapped ? other : own;
	b->weight_before = b->is_swapped ? own : other;
	b->samples_after = samples_in(p, r, 0, b->weight_after, t->excluded[b->is_swapped], t->squares[b->is_swapped]);
	b->samples_before =
		samples_in(p, r, 1, b->weight_before, t->excluded[!b->is_swapped], t->squares[!b->is_swapped]);
	if (are_samples(p, b->weight_after, b->samples_after) && are_samples(p, b->weight_before, b->samples_before))
		b->decimals = p->decimals;
	b->has_other_units = diff_has_other_units(p, r);
	b->sides = sides_of(p, r);
	b->quantity = b->has_other_units ? DIFF_OF_SHARES : r->quantity;
}

struct diff_change diff_of(const struct diff_basis *b, uint64_t weight, uint64_t base_weight)
{
	struct diff_change c = {
		.quantity = b->quantity,
		.weight_before = b->is_swapped ? weight : base_weight,
		.weight_after = b->is_swapped ? base_weight : weight,
	};
	if (c.quantity == DIFF_OF_SHARES)
		compare_shares(&c, b);
	else
		compare_weights_of(&c, b);
	/* Without samples there is no error estimate: call it noise. */
	c.is_noise = c.error <= 0 || fabs(c.delta) <= DIFF_SIGMAS * c.error;
	return c;
}

static bool shows_totals(const struct tree *t, uint32_t node)
{
	return t->is_reversed && node != NODE_ALL;
}

struct diff_change diff_of_frame(const struct diff_basis *b, const struct tree *t, uint32_t node)
{
	return shows_totals(t, node) ? diff_of(b, tree_total(t, node), tree_base_total(t, node))
	                             : diff_of(b, tree_self(t, node), tree_base_self(t, node));
}

/* ---- colours ------------------------------------------------------------------------------------------------- */

/* One unit of weight of each side, in percent. */
static void units_of(const struct diff_basis *b, double *own, double *other)
{
	double all = b->is_swapped ? b->weight_before : b->weight_after;
	double base_all = b->is_swapped ? b->weight_after : b->weight_before;
	*own = all > 0 ? 100 / all : 0;
	*other = base_all > 0 ? 100 / base_all : 0;
}

double diff_most(const struct diff_basis *b, const struct tree *t)
{
	double most = 0, own, other;
	if (!t->base)
		return 0;
	units_of(b, &own, &other);
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t end = shows_totals(t, i) ? t->end[i] : i + 1;
		uint64_t weight = t->pos[end] - t->pos[i], base = t->base[end] - t->base[i];
		double d = b->quantity == DIFF_OF_WEIGHTS ? signed_difference(weight, base)
		                                          : (double)weight * own - (double)base * other;
		most = fmax(most, fabs(d));
	}
	return most > 0 ? most : 1;
}

struct rgb diff_color(const struct diff_colors *c, const struct diff_change *change)
{
	double part = fmax(-1, fmin(1, change->delta / c->most));
	return palette_change(c->is_negated ? -part : part, change->is_noise, c->is_few);
}
