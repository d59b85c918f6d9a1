/*
 * decay.c - weights that halve with the age of their samples (--decay).
 *
 * The decayed weight of a sample is a fraction, but weights are integers. The running sum is rounded, not each
 * number, so many weights below one still add up correctly.
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

uint64_t decay_whole(double left, double *carry)
{
	double sum = left + *carry, whole = floor(sum);
	*carry = sum - whole;
	return weight_from(whole);
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
	double carry = 0.5;
	for (uint32_t path = 0; path < f->n; path++) {
		uint64_t weight = decay_whole(f->sum[path], &carry);
		weight_add(&weights[path], weight);
		weight_add(&left, weight);
	}
	free(f->sum);
	f->sum = NULL;
	return f->whole > left ? f->whole - left : 0;
}
