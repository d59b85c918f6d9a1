/*
 * whole.c - weights as whole numbers.
 */
#include "whole.h"

#include <string.h>

#define NANO 9 /* decimals of nanoseconds */

struct whole whole_begin(const struct view *v)
{
	const struct profile *p = v->profile;
	int scale = profile_time_scale(view_unit(v));
	unsigned up = p->decimals && scale >= 0 && scale < NANO ? (unsigned)(NANO - scale) : 0;
	unsigned down = p->decimals;
	unsigned common = up < down ? up : down;
	uint64_t divisor = with_decimals(1, 0, down - common);
	return (struct whole){.multiplier = with_decimals(1, 0, up - common),
	                      .divisor = divisor,
	                      .decimals = down - common,
	                      .rest = {divisor / 2, divisor / 2}};
}

uint64_t whole_of(struct whole *w, uint64_t weight, unsigned side)
{
	uint64_t value;
	weight_add(&w->sum[0], weight);
	if (__builtin_mul_overflow(weight, w->multiplier, &value) ||
	    __builtin_add_overflow(value, w->rest[side], &value)) {
		w->is_cut = true;
		return INT64_MAX;
	}
	w->n_rounded += weight * w->multiplier % w->divisor > 0;
	w->rest[side] = value % w->divisor;
	value /= w->divisor;
	w->n += weight > 0;
	w->n_zero += weight > 0 && !value;
	w->is_cut |= value > INT64_MAX;
	value = value > INT64_MAX ? INT64_MAX : value;
	weight_add(&w->sum[1], value);
	return value;
}

bool whole_end(const struct whole *w, const struct view *v, struct export_loss *loss, struct err *err)
{
	if (loss && (w->n_rounded || w->is_cut))
		*loss = (struct export_loss){.wanted = w->sum[0],
		                             .written = w->sum[1],
		                             .decimals = w->decimals,
		                             .is_of_ns = profile_time_scale(view_unit(v)) >= 0,
		                             .n = w->n,
		                             .rounded = w->n_rounded,
		                             .stacks = w->n_zero,
		                             .is_of_whole = true,
		                             .is_cut = w->is_cut};
	return w->sum[1] || !w->sum[0] ||
	       fail(err, "no weight reaches 1, the smallest in a file of this kind (--factor=1000 makes them larger)");
}

const char *whole_type(const struct view *v)
{
	const char *event = view_event(v);
	return *event && strcmp(event, "unnamed samples") != 0 ? event : "samples";
}

const char *whole_unit(const struct view *v)
{
	static const struct {
		const char *ours, *theirs;
	} units[] = {{"ns", "nanoseconds"}, {"us", "microseconds"}, {"ms", "milliseconds"},
	             {"s", "seconds"},      {"sec", "seconds"},     {"samples", "count"}};
	const char *unit = view_unit(v);
	if (v->profile->decimals && profile_time_scale(unit) >= 0)
		return "nanoseconds";
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(unit, units[i].ours) == 0)
			return units[i].theirs;
	return unit;
}
