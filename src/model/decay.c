/*
 * decay.c - weights that halve with the age of their samples (--decay).
 *
 * The decayed weight of a sample is a fraction, but weights are integers. The running sum is rounded, not each
 * number, so many weights below one still add up correctly. This happens once, by path: who needs the weights of
 * single samples divides that of their path, so that all sums agree.
 */
#include "decay.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

double decay_left(const struct selection *s, const struct sample_log *log, size_t i, uint64_t weight)
{
	uint64_t time = log_time(log, i);
	if (!s->recipe->half_life || time == NO_TIME)
		return (double)weight;
	return (double)weight * exp2(-(double)(s->now - time) / (double)s->recipe->half_life);
}

static uint64_t times_grain(double whole, uint64_t grain)
{
	uint64_t product;
	return __builtin_mul_overflow(weight_from(whole), grain, &product) ? UINT64_MAX : product;
}

/* Rounds the next of a series of fractions. *carry holds the remainder so far, in grains; start with one half. */
static uint64_t whole_of(double left, uint64_t grain, double *carry)
{
	double sum = left / (double)grain + *carry, whole = floor(sum);
	*carry = sum - whole;
	return times_grain(whole, grain);
}

void decay_add(struct decay *f, uint32_t path, uint64_t weight, double left)
{
	while (f->n <= path)
		mem_push(f->sum, f->n, f->cap, 0);
	f->sum[path] += left;
	weight_add(&f->whole, weight);
}

uint64_t decay_settle(struct decay *f, uint64_t *weights)
{
	uint64_t left = 0;
	uint64_t grain = f->grain ? f->grain : 1;
	double carry = 0.5;
	for (uint32_t path = 0; path < f->n; path++) {
		uint64_t weight = whole_of(f->sum[path], grain, &carry);
		weight_add(&weights[path], weight);
		weight_add(&left, weight);
	}
	return f->whole > left ? f->whole - left : 0;
}

void decay_deinit(struct decay *f)
{
	free(f->sum);
	*f = (struct decay){0};
}

void decay_parts_init(struct decay_parts *d, const double *all, const uint64_t *weights, size_t n, uint64_t grain)
{
	*d = (struct decay_parts){.all = all, .weights = weights, .grain = grain ? grain : 1};
	d->met = mem_zalloc(n ? n : 1, sizeof *d->met);
	d->given = mem_zalloc(n ? n : 1, sizeof *d->given);
}

uint64_t decay_part(struct decay_parts *d, uint32_t path, double left)
{
	uint64_t weight = d->weights[path], given = d->given[path];
	d->met[path] += left;
	double share = d->all[path] > 0 ? d->met[path] / d->all[path] : 0;
	uint64_t so_far = times_grain(floor(share * (double)weight / (double)d->grain + 0.5), d->grain);
	so_far = share >= 1 || so_far > weight ? weight : so_far;
	d->given[path] = so_far > given ? so_far : given;
	return d->given[path] - given;
}

void decay_parts_deinit(struct decay_parts *d)
{
	free(d->met);
	free(d->given);
}
