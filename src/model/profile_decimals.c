/*
 * profile_decimals.c - fractional counts.
 *
 * Weights are integers. If a reader cuts the fraction off a count, it notes the fraction next to the log; after the
 * last file, profile_settle_fractions() decides whether weights get decimals that hold it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "estimate.h"
#include "idle.h"
#include "profile.h"
#include "units.h"

/* --- decimals --- */

uint64_t with_decimals(uint64_t v, unsigned from, unsigned to)
{
	for (; from > to; from--)
		v /= 10;
	for (; from < to; from++)
		if (__builtin_mul_overflow(v, 10, &v))
			return UINT64_MAX;
	return v;
}

uint64_t profile_with_decimals(const struct sample_log *log, size_t i, unsigned from, unsigned to)
{
	if (to >= from || !log_is_even(log, i))
		return with_decimals(log->weight[i], from, to);
	return with_decimals(log_each(log, i), from, to) * log_count(log, i);
}

struct spread profile_spread_with_decimals(const struct sample_log *log, size_t i, unsigned from, unsigned to)
{
	struct spread s = log->spread ? log->spread[i] : (struct spread){0};
	for (unsigned d = to; d < from; d++)
		s.squares /= 100;
	for (unsigned d = from; d < to; d++)
		s.squares *= 100;
	s.divisor = with_decimals(s.divisor, from, to);
	return s;
}

static void set_decimals(struct profile *p, unsigned decimals)
{
	for (unsigned side = 0; side < 2; side++) {
		struct sample_log *log = &p->log[side];
		for (size_t i = 0; i < log->n; i++) {
			uint64_t weight = profile_with_decimals(log, i, p->decimals, decimals);
			if (log->spread)
				log->spread[i] = profile_spread_with_decimals(log, i, p->decimals, decimals);
			log->weight[i] = weight;
		}
	}
	for (size_t i = 0; i < p->n_series; i++)
		p->series[i].let_go = with_decimals(p->series[i].let_go, p->decimals, decimals);
	idle_scale(p, decimals);
	estimate_scale(p, decimals);
	p->decimals = decimals;
}

double profile_unit(const struct profile *p)
{
	double unit = 1;
	for (unsigned d = 0; d < p->decimals; d++)
		unit *= 10;
	return unit;
}

void profile_raise_decimals(struct profile *p, unsigned decimals)
{
	if (decimals <= p->decimals)
		return;
	for (unsigned side = 0; side < 2; side++) {
		p->log[side].total = with_decimals(p->log[side].total, p->decimals, decimals);
		for (size_t i = 0; i < p->n_series; i++)
			p->series[i].total[side] = with_decimals(p->series[i].total[side], p->decimals, decimals);
	}
	set_decimals(p, decimals);
}

void profile_lower_decimals(struct profile *p, unsigned decimals)
{
	set_decimals(p, decimals);
	for (size_t i = 0; i < p->n_series; i++)
		p->series[i].total[0] = p->series[i].total[1] = 0;
	for (unsigned side = 0; side < 2; side++) {
		struct sample_log *log = &p->log[side];
		log->total = 0;
		for (size_t i = 0; i < log->n; i++) { /* overflow above 2^64 - 1 was noted when the weights came in */
			weight_add(&log->total, log->weight[i]);
			weight_add(&p->series[log_series(log, i)].total[side], log->weight[i]);
		}
	}
}

const char *profile_time_unit(const char *unit)
{
	const struct unit *known = unit_find(unit);
	return known && known->is_time ? known->ours : NULL;
}

int profile_time_scale(const char *unit)
{
	const struct unit *known = unit_find(unit);
	int scale = 9;
	if (!known || !known->is_time)
		return -1;
	for (uint64_t size = known->size; size > 1; size /= 10)
		scale--;
	return scale;
}

uint32_t profile_spell_unit(struct profile *p, uint32_t unit)
{
	if (!unit)
		return 0;
	const char *name = p->symtab.symbols[unit].name;
	const struct unit *known = unit_find(name);
	return !known || strcmp(known->ours, name) == 0 ? unit
	                                                : symtab_intern(&p->symtab, known->ours, strlen(known->ours));
}

/* --- fractions --- */

void profile_add_fraction(struct profile *p, unsigned side, size_t entry, uint64_t n, uint32_t millionths)
{
	mem_push(p->fractions, p->n_fractions, p->cap_fractions, ((struct fraction){entry, n, millionths, side}));
	p->last_fraction[side] = p->n_fractions;
}

/* The flag of the current file, or of a profile part that has no files yet. */
static bool *has_foreign_counts(struct profile *p)
{
	return p->n_files ? &p->files[p->n_files - 1].has_foreign_counts : &p->has_foreign_counts;
}

void profile_note_foreign_count(struct profile *p)
{
	*has_foreign_counts(p) = true;
}

static int by_entry(const void *a, const void *b)
{
	const struct fraction *x = a, *y = b;
	if (x->side != y->side)
		return x->side < y->side ? -1 : 1;
	if (x->sample != y->sample)
		return x->sample < y->sample ? -1 : 1;
	return x->millionths < y->millionths ? -1 : x->millionths > y->millionths;
}

/* Sorts the fractions from number `first` on, and joins equal ones of an entry. */
static void join_fractions(struct profile *p, size_t first)
{
	struct fraction *x = p->fractions;
	size_t n = first;
	if (p->n_fractions > first)
		sort_array(x + first, p->n_fractions - first, sizeof *x, by_entry);
	for (size_t i = first; i < p->n_fractions; i++) {
		if (n > first && by_entry(&x[n - 1], &x[i]) == 0)
			x[n - 1].n += x[i].n;
		else
			x[n++] = x[i];
	}
	p->n_fractions = n;
	p->last_fraction[0] = p->last_fraction[1] = 0;
	for (size_t i = 0; i < n; i++)
		p->last_fraction[x[i].side] = i + 1;
}

void profile_move_fractions(struct profile *p, unsigned side, size_t first, const size_t *moved)
{
	size_t n = 0, changed = SIZE_MAX;
	for (size_t i = 0; i < p->n_fractions; i++) {
		struct fraction x = p->fractions[i];
		/* The files are in order: from the first match on, all entries belong to the last file. */
		if (x.side == side && x.sample >= first) {
			changed = changed == SIZE_MAX ? n : changed;
			x.sample = moved[x.sample - first];
		}
		if (x.sample != SIZE_MAX)
			p->fractions[n++] = x;
	}
	p->n_fractions = n;
	join_fractions(p, changed < n ? changed : n);
}

/* The number of decimals that n fractions need: 1 to 6. */
static unsigned decimals_needed(const struct fraction *x, size_t n)
{
	uint32_t unit = 100000;
	unsigned decimals = 1;
	for (size_t i = 0; i < n; i++) {
		while (x[i].millionths % unit) {
			unit /= 10;
			decimals++;
		}
	}
	return decimals;
}

/*
 * Would cutting the n fractions from x on lose a tenth of the sum of a series? They are all the fractions of
 * samples first[] to end[].
 */
static bool is_much_lost(const struct profile *p, const struct fraction *x, size_t n, const size_t *first,
                         const size_t *end)
{
	double *lost = mem_zalloc(2 * p->n_series, sizeof *lost), *whole = mem_zalloc(2 * p->n_series, sizeof *whole);
	double unit = profile_unit(p);
	bool is_much = false;
	for (size_t i = 0; i < n; i++)
		lost[2 * log_series(&p->log[x[i].side], x[i].sample) + x[i].side] += (double)x[i].n * x[i].millionths / 1e6;
	for (unsigned side = 0; side < 2; side++)
		for (size_t i = first[side]; i < end[side]; i++)
			whole[2 * log_series(&p->log[side], i) + side] += (double)p->log[side].weight[i] / unit;
	for (size_t i = 0; i < 2 * p->n_series; i++)
		is_much = is_much || (lost[i] > 0 && 9 * lost[i] >= whole[i]);
	free(lost);
	free(whole);
	return is_much;
}

/* The decimals that the fractions need, file by file; like samples, fractions are in file order. */
static unsigned decimals_due(const struct profile *p)
{
	static const size_t begin[2];
	const size_t all[2] = {p->log[0].n, p->log[1].n};
	unsigned due = p->decimals;
	for (size_t file = 0, from = 0, to = 0; from < p->n_fractions; from = to, file++) {
		const size_t *first = file < p->n_files ? p->files[file].first : begin;
		const size_t *end = file + 1 < p->n_files ? p->files[file + 1].first : all;
		const struct fraction *x = p->fractions;
		while (to < p->n_fractions && x[to].sample < end[x[to].side])
			to++;
		bool is_foreign = file < p->n_files ? p->files[file].has_foreign_counts : p->has_foreign_counts;
		if (to > from && (!is_foreign || is_much_lost(p, x + from, to - from, first, end))) {
			unsigned decimals = decimals_needed(x + from, to - from);
			due = decimals > due ? decimals : due;
		}
	}
	return due;
}

/* Do all sums, fractions included, fit 64 bits with this many decimals? */
static bool is_room(const struct profile *p, unsigned decimals)
{
	__extension__ typedef unsigned __int128 u128;
	u128 sum[2] = {p->log[0].total, p->log[1].total}, more[2] = {0};

	for (unsigned d = p->decimals; d < decimals; d++)
		for (unsigned side = 0; side < 2; side++)
			if (sum[side] <= UINT64_MAX)
				sum[side] *= 10;
	for (size_t i = 0; i < p->n_fractions; i++)
		more[p->fractions[i].side] += (u128)p->fractions[i].n * p->fractions[i].millionths;
	for (unsigned side = 0; side < 2; side++) {
		for (unsigned d = decimals; d < 6; d++)
			more[side] /= 10;
		for (unsigned d = 6; d < decimals; d++)
			more[side] *= 10;
		if (sum[side] > UINT64_MAX || more[side] > UINT64_MAX - sum[side])
			return false;
	}
	return true;
}

/* Adds `more` to each of the fraction's samples; is_room() made sure that sums fit. */
static void add_to_samples(struct profile *p, const struct fraction *x, uint64_t more)
{
	struct sample_log *log = &p->log[x->side];
	double n = (double)x->n, each = (double)log_each(log, x->sample);
	struct spread s = {log_squares(log, x->sample) + 2 * each * (double)more * n + (double)more * (double)more * n,
	                   common_divisor(log_divisor(log, x->sample), more)};
	if (!log_is_even(log, x->sample) || x->n != log_count(log, x->sample))
		samples_set_spread(log, x->sample, s);
	weight_add(&log->weight[x->sample], more * x->n);
	weight_add(&log->total, more * x->n);
	weight_add(&p->series[log_series(log, x->sample)].total[x->side], more * x->n);
}

/* Adds the part of the fractions that the decimals hold. true: nothing was cut. */
static bool add_fractions(struct profile *p)
{
	uint32_t unit = 1000000;
	bool is_all = true;
	for (unsigned d = 0; d < p->decimals && unit > 1; d++)
		unit /= 10;
	for (size_t i = 0; i < p->n_fractions; i++) {
		const struct fraction *x = &p->fractions[i];
		uint64_t more = x->millionths / unit;
		for (unsigned d = 6; d < p->decimals; d++)
			more *= 10;
		is_all = is_all && x->millionths % unit == 0;
		if (more)
			add_to_samples(p, x, more);
	}
	return is_all;
}

void profile_settle_fractions(struct profile *p)
{
	unsigned due = decimals_due(p);
	while (due > p->decimals && !is_room(p, due))
		due--;
	profile_raise_decimals(p, due);
	if (!add_fractions(p))
		report_add_state(&p->report, NOTE_WARN,
		                 due ? "fractional counts are cut to fewer decimals"
		                     : "fractional counts are cut to integers");
	free(p->fractions);
	p->fractions = NULL;
	p->n_fractions = p->cap_fractions = 0;
	p->last_fraction[0] = p->last_fraction[1] = 0;
}

/* --- weights that are shown times a factor --- */

/* factor = digits / 10^places: the shortest decimal fraction that is read as this double, if it has 15 digits */
struct ratio {
	uint64_t digits;
	unsigned places;
};

static struct ratio ratio_of(double factor)
{
	struct ratio r = {0};
	double power = 1, scaled = round(factor);
	while (scaled / power != factor && r.places < 22 && scaled < 1e15) {
		power *= 10;
		r.places++;
		scaled = round(factor * power);
	}
	r.digits = (uint64_t)scaled;
	return r;
}

__extension__ typedef unsigned __int128 u128;

static u128 divisor_of(struct ratio r)
{
	u128 divisor = 1;
	for (unsigned d = 0; d < r.places; d++)
		divisor *= 10;
	return divisor;
}

uint64_t weight_times(uint64_t weight, double factor)
{
	double product = (double)weight * factor;
	if (factor == 0 || factor == 1)
		return weight;
	if (product < 0x1p40 || product >= 0x1p64) /* doubles are precise enough, or the result saturates */
		return weight_from(round(product));
	struct ratio r = ratio_of(factor);
	u128 divisor = divisor_of(r), result = ((u128)weight * r.digits + divisor / 2) / divisor;
	return result > UINT64_MAX ? UINT64_MAX : (uint64_t)result;
}

/* Do the weights' decimals hold each weight times the ratio? */
static bool is_exact(const struct profile *p, struct ratio r)
{
	u128 divisor = divisor_of(r);
	for (unsigned side = 0; side < 2; side++)
		for (size_t i = 0; i < p->log[side].n; i++)
			if ((u128)p->log[side].weight[i] * r.digits % divisor)
				return false;
	return true;
}

static bool is_room_times(const struct profile *p, unsigned decimals, double factor)
{
	double sum = (double)(p->log[0].total > p->log[1].total ? p->log[0].total : p->log[1].total);
	for (unsigned d = p->decimals; d < decimals; d++)
		sum *= 10;
	return is_room(p, decimals) && (factor <= 1 || sum * factor < 0x1p64);
}

static uint64_t total_of(const struct series *s)
{
	return s->total[0] > s->total[1] ? s->total[0] : s->total[1];
}

/* Weights of all events have the same decimals, so that the event named may be another than the one shown. */
static void say_rounded(struct profile *p)
{
	size_t largest = 0;
	if (p->decimals >= 6) {
		report_add_state(&p->report, NOTE_WARN, "counts times --factor are rounded to six decimals");
		return;
	}
	if (p->n_series < 2) {
		report_add_state(&p->report, NOTE_WARN,
		                 "counts times --factor are rounded: their sum has no room for more decimals");
		return;
	}
	for (size_t i = 1; i < p->n_series; i++)
		if (total_of(&p->series[i]) > total_of(&p->series[largest]))
			largest = i;
	const char *name = profile_event_name(p, largest);
	report_add(&p->report, NOTE_WARN,
	           "counts times --factor are rounded: the sum over all events has no room for more decimals; the "
	           "largest event",
	           NULL, 0, name, strlen(name));
}

void profile_suit_factor(struct profile *p, double factor, enum fading fading)
{
	bool has_parts = fading == WEIGHTS_FADE || (fading == WEIGHTS_MAY_FADE && p->log[0].time);
	struct ratio r = ratio_of(factor);
	unsigned due = p->decimals + r.places < 6 ? p->decimals + r.places : 6, before = p->decimals;
	if (!r.places || (!has_parts && is_exact(p, r)))
		return;
	if (factor > 1 && !p->decimals) {
		if (fading != WEIGHTS_MAY_FADE || !is_exact(p, r))
			report_add_state(&p->report, NOTE_WARN, "counts times --factor are rounded, each to a whole number");
		return;
	}
	while (due > p->decimals && !is_room_times(p, due, factor))
		due--;
	profile_raise_decimals(p, due);
	p->grain = with_decimals(1, before, due);
	if (fading == WEIGHTS_FADE ? due - before == r.places : is_exact(p, r))
		return;
	say_rounded(p);
}
