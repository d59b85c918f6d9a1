/*
 * profile_units.c - a comparison of times, or of sizes, in two units.
 *
 *	cpu in ns against cpu in us      the baseline's numbers become ns
 *	cpu in s against cpu in ns       those of the profile do, unless all of the baseline's are whole seconds
 *
 * Readers keep events of one name and different units apart (profile_series()). After the last file, the baseline's
 * are converted. Nothing is cut off: a unit that is too coarse for the other side gives way to the finer one, and
 * decimals that became needless make room for large sums.
 */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "profile.h"
#include "units.h"

__extension__ typedef unsigned __int128 u128;

/* By series: its weights are to be multiplied by one, and divided by the other. */
struct scale {
	uint64_t times, per;
};

struct conversion {
	struct profile *profile;
	struct scale *scales;
	uint32_t *into; /* by series: the one that takes its samples of the baseline; itself: none does */
	bool is_needed;
};

static const struct unit *unit_of(const struct profile *p, size_t series)
{
	return unit_find(p->symtab.symbols[p->series[series].unit].name);
}

/* ---- which series, and by how much --------------------------------------------------------------------------- */

static bool is_of_base(const struct series *s)
{
	return s->total[1] && !s->total[0];
}

/* The first of all series that had this name. */
static uint32_t family_of(const struct profile *p, size_t i)
{
	return p->series[i].family ? p->series[i].family - 1 : (uint32_t)i;
}

/* Is `b` a better partner of a series in that unit than `a`? NO_SERIES is no partner. */
static uint32_t better(const struct profile *p, uint32_t a, uint32_t b, uint32_t unit)
{
	return a == NO_SERIES || (p->series[a].unit != unit && p->series[b].unit == unit) ? b : a;
}

/*
 * The series of the profile that one of the baseline is compared with, if their units are alike: that of the same
 * name, else the main one, else any.
 */
static uint32_t partner_of(const struct profile *p, size_t base)
{
	const struct unit *unit = unit_of(p, base);
	uint32_t namesake = NO_SERIES, other = NO_SERIES, main = profile_main_series(p, 0);
	for (uint32_t i = 0; i < p->n_series; i++) {
		if (!p->series[i].samples || !unit_is_like(unit_of(p, i), unit))
			continue;
		if (family_of(p, i) == family_of(p, base))
			namesake = better(p, namesake, i, p->series[base].unit);
		else if (other == NO_SERIES || i == main)
			other = i;
	}
	return namesake != NO_SERIES ? namesake : other;
}

static bool is_whole(const struct scale *s, uint64_t weight, uint64_t cut)
{
	return (u128)weight * s->times % ((u128)s->per * cut) == 0;
}

/* Are all weights of the baseline's series multiples of so much? */
static bool is_divisible(const struct conversion *c, size_t series, uint64_t by)
{
	const struct sample_log *log = &c->profile->log[1];
	const struct series *s = &c->profile->series[series];
	const struct scale *scale = &c->scales[series];
	bool is_it = is_whole(scale, s->idle[1].weight, by) && is_whole(scale, s->estimated[1], by);
	for (size_t i = 0; i < log->n && is_it; i++)
		is_it = log_series(log, i) != series ||
		        (is_whole(scale, log->weight[i], by) && is_whole(scale, log_divisor(log, i), by));
	return is_it;
}

static double grain_of(const struct series *s, unsigned side)
{
	return s->grain[side] > 0 ? s->grain[side] : 1;
}

static void convert(struct conversion *c, size_t series, uint32_t unit)
{
	struct series *s = &c->profile->series[series];
	const struct unit *from = unit_of(c->profile, series);
	if (s->unit == unit)
		return;
	s->unit = unit;
	for (unsigned side = 0; side < 2; side++)
		s->units[side] = s->units[side] ? unit + 1 : 0;
	const struct unit *to = unit_of(c->profile, series);
	struct scale *scale = &c->scales[series];
	if (from->size >= to->size)
		scale->times *= from->size / to->size;
	else
		scale->per *= to->size / from->size;
	for (unsigned side = 0; side < 2; side++)
		s->grain[side] = grain_of(s, side) * (double)from->size / (double)to->size;
	c->is_needed = true;
}

/* Converts all series that have the unit of this one, so that they can still be shown together. */
static void refine(struct conversion *c, size_t series, uint32_t unit)
{
	uint32_t coarse = c->profile->series[series].unit;
	for (size_t i = 0; i < c->profile->n_series; i++)
		if (c->profile->series[i].unit == coarse)
			convert(c, i, unit);
}

static void plan(struct conversion *c, uint32_t base)
{
	struct profile *p = c->profile;
	uint32_t own = partner_of(p, base);
	if (own == NO_SERIES)
		return;
	const struct unit *from = unit_of(p, base), *to = unit_of(p, own);
	bool is_namesake = family_of(p, own) == family_of(p, base);
	bool is_one_event = is_namesake || !p->series[own].name || !p->series[base].name;
	if (from->size >= to->size || is_divisible(c, base, to->size / from->size))
		convert(c, base, p->series[own].unit);
	else if (is_one_event)
		refine(c, own, p->series[base].unit);
	if (is_namesake) {
		c->into[base] = own;
		c->is_needed = true;
	}
}

/* ---- weights ------------------------------------------------------------------------------------------------- */

/* Cuts; saturates at 2^64 - 1. */
static uint64_t scaled(const struct scale *s, uint64_t weight, uint64_t cut)
{
	u128 v = (u128)weight * s->times / ((u128)s->per * cut);
	return v > UINT64_MAX ? UINT64_MAX : (uint64_t)v;
}

/* Do sums fit 64 bits if weights are divided by `cut`? */
static bool is_room(const struct conversion *c, uint64_t cut)
{
	u128 sums[2] = {0};
	for (unsigned side = 0; side < 2; side++)
		for (size_t i = 0; i < c->profile->n_series; i++)
			sums[side] +=
				(u128)c->profile->series[i].total[side] * c->scales[i].times / ((u128)c->scales[i].per * cut);
	return sums[0] <= UINT64_MAX && sums[1] <= UINT64_MAX;
}

static bool loses_nothing(const struct conversion *c, uint64_t cut)
{
	const struct profile *p = c->profile;
	for (unsigned side = 0; side < 2; side++)
		for (size_t i = 0; i < p->log[side].n; i++)
			if (!is_whole(&c->scales[log_series(&p->log[side], i)], log_divisor(&p->log[side], i), cut))
				return false;
	return true;
}

/* Gives up decimals while sums do not fit. Returns by what the numbers are to be divided. */
static uint64_t give_up_decimals(struct conversion *c)
{
	struct profile *p = c->profile;
	uint64_t cut = 1;
	for (; p->decimals && !is_room(c, cut); p->decimals--)
		cut *= 10;
	if (cut > 1 && !loses_nothing(c, cut))
		report_add_state(&p->report, NOTE_WARN, "fractional counts are cut to fewer decimals");
	return cut;
}

static void scale_entry(struct sample_log *log, size_t i, const struct scale *s, uint64_t cut)
{
	double factor = (double)s->times / ((double)s->per * (double)cut);
	if (log_is_even(log, i)) {
		uint64_t n = log_count(log, i), all;
		bool is_over = __builtin_mul_overflow(scaled(s, log_each(log, i), cut), n, &all);
		log->weight[i] = is_over ? UINT64_MAX : all;
		return;
	}
	log->weight[i] = scaled(s, log->weight[i], cut);
	log->spread[i].squares *= factor * factor;
	log->spread[i].divisor = scaled(s, log->spread[i].divisor, cut);
}

static void scale_rest(struct series *s, const struct scale *scale, uint64_t cut)
{
	s->let_go = scaled(scale, s->let_go, cut);
	for (unsigned side = 0; side < 2; side++) {
		s->total[side] = 0;
		s->idle[side].weight = scaled(scale, s->idle[side].weight, cut);
		s->estimated[side] = scaled(scale, s->estimated[side], cut);
	}
}

/* ---- joining ------------------------------------------------------------------------------------------------- */

/* The series of all samples keeps the name that the files have. */
static void join(struct profile *p, uint32_t from, uint32_t into)
{
	struct series *a = &p->series[into], *b = &p->series[from];
	if (family_of(p, into) == from) {
		uint32_t name = a->name;
		a->name = b->name;
		b->name = name;
	}
	a->grain[1] = a->base_samples ? fmax(grain_of(a, 1), grain_of(b, 1)) : grain_of(b, 1);
	number_counts_add(&a->numbers[1], &b->numbers[1]);
	a->base_samples += b->base_samples;
	a->units[1] = a->unit + 1;
	a->has_times[1] |= b->has_times[1];
	a->is_off_cpu |= b->is_off_cpu;
	a->overlaps |= b->overlaps;
	a->is_sampled |= b->is_sampled;
	if (b->idle[1].weight)
		a->idle[1].what = b->idle[1].what;
	weight_add(&a->idle[1].weight, b->idle[1].weight);
	weight_add(&a->estimated[1], b->estimated[1]);
	b->base_samples = b->estimated[1] = 0;
	b->idle[1] = (struct idle){0};
	b->is_joined = true;
}

/* Adds up what the entries weigh now, and moves those of joined series. */
static void add_up(struct conversion *c)
{
	struct profile *p = c->profile;
	bool fits = true;
	for (unsigned side = 0; side < 2; side++) {
		struct sample_log *log = &p->log[side];
		log->total = 0;
		for (size_t i = 0; i < log->n; i++) {
			uint32_t into = side ? c->into[log_series(log, i)] : log_series(log, i);
			if (log->series)
				log->series[i] = (uint16_t)into;
			weight_add(&log->total, log->weight[i]);
			fits &= weight_add(&p->series[into].total[side], log->weight[i]) && log->weight[i] < UINT64_MAX;
		}
	}
	if (!fits)
		report_add_state(&p->report, NOTE_WARN, PROFILE_SATURATED);
}

static void carry_out(struct conversion *c)
{
	struct profile *p = c->profile;
	uint64_t cut = give_up_decimals(c);
	for (unsigned side = 0; side < 2; side++)
		for (size_t i = 0; i < p->log[side].n; i++)
			scale_entry(&p->log[side], i, &c->scales[log_series(&p->log[side], i)], cut);
	for (size_t i = 0; i < p->n_series; i++)
		scale_rest(&p->series[i], &c->scales[i], cut);
	add_up(c);
	for (uint32_t i = 0; i < p->n_series; i++)
		if (c->into[i] != i)
			join(p, i, c->into[i]);
}

void profile_settle_units(struct profile *p)
{
	struct conversion c = {.profile = p};
	if (!p->log[1].n)
		return;
	c.scales = mem_alloc(p->n_series * sizeof *c.scales);
	c.into = mem_alloc(p->n_series * sizeof *c.into);
	for (uint32_t i = 0; i < p->n_series; i++) {
		c.scales[i] = (struct scale){1, 1};
		c.into[i] = i;
	}
	for (uint32_t i = 0; i < p->n_series; i++)
		if (is_of_base(&p->series[i]) && unit_of(p, i))
			plan(&c, i);
	if (c.is_needed)
		carry_out(&c);
	free(c.scales);
	free(c.into);
}

void profile_note_grain(struct profile *p, uint32_t series, unsigned side, unsigned digits)
{
	double grain = 1;
	for (unsigned i = 0; i < digits; i++)
		grain *= 10;
	p->series[series].grain[side] = fmax(grain, grain_of(&p->series[series], side));
}

bool profile_has_events(const struct profile *p)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n_series && n < 2; i++)
		n += !p->series[i].is_joined;
	return n > 1;
}
