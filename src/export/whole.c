/*
 * whole.c - weights as whole numbers.
 */
#include "whole.h"

#include <string.h>

#define NANO 9 /* decimals of nanoseconds */

/* Of one side, whose unit may differ from that of the other. */
static struct whole_side begin(const struct view *v, bool is_baseline)
{
	unsigned down = v->profile->decimals;
	int scale = profile_time_scale(view_unit_on(v, is_baseline));
	unsigned up = down && scale >= 0 && scale < NANO ? (unsigned)(NANO - scale) : 0;
	unsigned common = up < down ? up : down;
	uint64_t divisor = with_decimals(1, 0, down - common);
	return (struct whole_side){.multiplier = with_decimals(1, 0, up - common),
	                           .divisor = divisor,
	                           .decimals = down - common,
	                           .rest = divisor / 2};
}

struct whole whole_begin(const struct view *v)
{
	return (struct whole){.sides = {begin(v, false), begin(v, true)}};
}

uint64_t whole_of(struct whole *w, uint64_t weight, unsigned side)
{
	struct whole_side *s = &w->sides[side];
	uint64_t value;
	weight_add(&w->sum[0], weight);
	if (__builtin_mul_overflow(weight, s->multiplier, &value) || __builtin_add_overflow(value, s->rest, &value)) {
		w->is_cut = true;
		return INT64_MAX;
	}
	w->n_rounded += weight * s->multiplier % s->divisor > 0;
	s->rest = value % s->divisor;
	value /= s->divisor;
	w->n += weight > 0;
	w->n_zero += weight > 0 && !value;
	w->is_cut |= value > INT64_MAX;
	value = value > INT64_MAX ? INT64_MAX : value;
	weight_add(&w->sum[1], value);
	return value;
}

/* Numbers of two units have no sum. */
static void tell_loss(const struct whole *w, const struct view *v, struct export_loss *loss)
{
	bool has_sums = !view_has_two_units(v);
	*loss = (struct export_loss){.wanted = has_sums ? w->sum[0] : 0,
	                             .written = has_sums ? w->sum[1] : 0,
	                             .decimals = w->sides[0].decimals,
	                             .is_of_ns = profile_time_scale(view_unit_on(v, false)) >= 0,
	                             .n = w->n,
	                             .rounded = w->n_rounded,
	                             .stacks = w->n_zero,
	                             .is_of_whole = true,
	                             .is_cut = w->is_cut};
}

bool whole_end(const struct whole *w, const struct view *v, struct export_loss *loss, struct err *err)
{
	if (loss && (w->n_rounded || w->is_cut))
		tell_loss(w, v, loss);
	return w->sum[1] || !w->sum[0] ||
	       fail(err, "no weight reaches 1, the smallest in a file of this kind (--factor=1000 makes them larger)");
}

const char *whole_type(const struct view *v, bool is_baseline)
{
	const char *event = view_event_on(v, is_baseline);
	return *event && strcmp(event, "unnamed samples") != 0 ? event : "samples";
}

const char *whole_unit(const struct view *v, bool is_baseline)
{
	static const struct {
		const char *ours, *theirs;
	} units[] = {{"ns", "nanoseconds"},
	             {"us", "microseconds"},
	             {"ms", "milliseconds"},
	             {"s", "seconds"},
	             {"samples", "count"}};
	const char *unit = view_unit_on(v, is_baseline);
	if (v->profile->decimals && profile_time_scale(unit) >= 0)
		return "nanoseconds";
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(unit, units[i].ours) == 0)
			return units[i].theirs;
	return unit;
}
