/*
 * profile_events.c - the events of a profile: names, ranks, and the one to show.
 */
#include <string.h>

#include "profile.h"

static uint64_t samples_of(const struct series *s, unsigned side)
{
	return side == 0 ? s->samples : s->base_samples;
}

/* A comparison needs an event of both sides. */
static bool is_before(const struct series *a, const struct series *b, unsigned side)
{
	bool a_compares = a->total[0] && a->total[1], b_compares = b->total[0] && b->total[1];
	if (a_compares != b_compares)
		return a_compares;
	return a->rank != b->rank ? a->rank < b->rank : samples_of(a, side) > samples_of(b, side);
}

uint32_t profile_main_series(const struct profile *p, unsigned side)
{
	size_t main = 0;
	for (size_t i = 1; i < p->n_series; i++) {
		const struct series *s = &p->series[i], *best = &p->series[main];
		if (samples_of(s, side) && (!samples_of(best, side) || is_before(s, best, side)))
			main = i;
	}
	return (uint32_t)main;
}

bool profile_is_bare(const struct profile *p, int32_t series)
{
	return series >= 0 && (size_t)series < p->n_series && !p->series[series].name && !p->series[series].unit;
}

uint32_t profile_common_unit(const struct profile *p)
{
	uint32_t unit = NO_SYMBOL;
	for (size_t i = 0; i < p->n_series; i++) {
		const struct series *s = &p->series[i];
		if (!s->samples && (!s->total[1] || profile_is_bare(p, (int32_t)i)))
			continue;
		if (unit != NO_SYMBOL && unit != s->unit)
			return NO_SYMBOL;
		unit = s->unit;
	}
	return unit == NO_SYMBOL ? 0 : unit;
}

void number_counts_add(struct number_counts *to, const struct number_counts *more)
{
	if (!(more->unequal > 0))
		return;
	bool are_periods = more->periods > 0 && (to->periods > 0 || !(to->unequal > 0));
	to->periods = are_periods ? to->periods + more->periods : 0;
	to->unequal += more->unequal;
}

void profile_count_numbers(struct profile *p, uint32_t series, unsigned side, const struct number_sums *s)
{
	struct number_counts counts = {0};
	if (!(s->squares > 0))
		return;
	counts.unequal = s->total * s->total / s->squares;
	counts.periods = s->divisor >= PERIOD_MIN ? s->total / (double)s->divisor : 0;
	number_counts_add(&p->series[series].numbers[side], &counts);
}

void profile_overlap(struct profile *p, uint32_t a, uint32_t b)
{
	if (a == b || a >= p->n_series || b >= p->n_series || p->series[a].unit != p->series[b].unit)
		return;
	p->series[a].overlaps = p->series[b].overlaps = true;
}

bool profile_has_overlap(const struct profile *p)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n_series; i++)
		n += p->series[i].overlaps && (p->series[i].total[0] || p->series[i].total[1]);
	return n > 1;
}

int32_t profile_default_series(const struct profile *p)
{
	bool is_together = false;
	for (size_t i = 0; i < p->n_series; i++)
		is_together |= p->series[i].is_off_cpu;
	return is_together && profile_common_unit(p) != NO_SYMBOL ? -1 : (int32_t)profile_main_series(p, 0);
}

void profile_add_series(const struct profile *p, const char *between, struct buf *out)
{
	bool is_first = true;
	for (int is_off = 0; is_off < 2; is_off++)
		for (size_t i = 0; i < p->n_series; i++) {
			const struct series *s = &p->series[i];
			if ((!s->samples && !s->total[1]) || s->is_off_cpu != is_off)
				continue;
			buf_addf(out, "%s%s", is_first ? "" : between, profile_event_name(p, i));
			is_first = false;
		}
}

static const char unnamed[] = "unnamed samples";

const char *profile_event_name(const struct profile *p, size_t series)
{
	uint32_t name = p->series[series].name;
	return name ? p->symtab.symbols[name].name : unnamed;
}

size_t profile_add_other_series(const struct profile *p, uint32_t shown, size_t most_names, struct buf *out)
{
	size_t others = 0;
	for (size_t i = 0; i < p->n_series; i++) {
		if (i == shown || !p->series[i].samples)
			continue;
		if (others++ < most_names)
			buf_addf(out, "%s%s", others > 1 ? ", " : "", profile_event_name(p, i));
	}
	if (others > most_names)
		buf_addf(out, ", %zu more", others - most_names);
	return others;
}

/* Is it the name, or the name with perf's modifiers that say where an event counts ("cycles:u")? */
static bool is_restricted(const struct symbol *s, const char *name, size_t len)
{
	return s->len > len + 1 && memcmp(s->name, name, len) == 0 && s->name[len] == ':' &&
	       strspn(s->name + len + 1, EVENT_RESTRICTIONS) == s->len - len - 1;
}

uint32_t profile_find_series(const struct profile *p, const char *name)
{
	size_t len = strlen(name), n_alike = 0, alike = 0;
	for (size_t i = 0; i < p->n_series; i++) {
		const struct symbol *s = &p->symtab.symbols[p->series[i].name];
		if (p->series[i].is_joined)
			continue;
		if (s->len == len && memcmp(s->name, name, len) == 0)
			return (uint32_t)i;
		if (is_restricted(s, name, len)) {
			alike = i;
			n_alike++;
		}
	}
	if (n_alike == 1)
		return (uint32_t)alike;
	return strcmp(name, unnamed) == 0 ? profile_find_series(p, "") : UINT32_MAX;
}
