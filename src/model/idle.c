/*
 * idle.c - idle weight left out of a profile, and the words for it.
 */
#include "idle.h"

#include <string.h>

#include "base/number.h"

static void add_number(struct buf *out, const struct profile *p, const struct series *s, uint64_t weight)
{
	int scale = profile_time_scale(p->symtab.symbols[s->unit].name);
	if (scale >= 0)
		number_add_time(out, weight, (unsigned)scale + p->decimals);
	else
		number_add_commas(out, weight, p->decimals);
}

/* "1,046 of 2,475 samples wait in the system and are left out; --idle keeps them" */
static void add_words(struct buf *out, const struct profile *p, const struct series *s, uint64_t weight,
                      uint64_t all, const char *what)
{
	add_number(out, p, s, weight);
	buf_adds(out, " of ");
	add_number(out, p, s, all);
	if (profile_time_scale(p->symtab.symbols[s->unit].name) < 0)
		buf_addf(out, " %s", s->unit ? p->symtab.symbols[s->unit].name : "samples");
	buf_addf(out, " %s and are left out%s", what, strcmp(what, IDLE_SHORT) == 0 ? "" : "; --idle keeps them");
}

#define KIND "idle"

/* If inputs describe it differently, neither description fits all of it. */
static void count(struct idle *idle, uint64_t weight, const char *what)
{
	idle->what = !idle->what || strcmp(idle->what, what) == 0 ? what : "are idle";
	weight_add(&idle->weight, weight);
}

void idle_add(struct profile *p, unsigned side, uint32_t series, uint64_t weight, uint64_t all, const char *what)
{
	struct buf words;
	if (!weight)
		return;
	if (!p->n_series)
		profile_series(p, 0, 0);
	count(&p->series[series].idle[side], weight, what);
	buf_init(&words);
	add_words(&words, p, &p->series[series], weight, all, what);
	report_add(&p->report, NOTE_WARN, KIND, NULL, 0, words.data, words.len);
	buf_deinit(&words);
}

bool idle_is_note(const struct note *n)
{
	return strcmp(n->kind, KIND) == 0;
}

void idle_append(struct profile *dst, const struct profile *src, const uint32_t *series)
{
	for (size_t i = 0; i < src->n_series; i++) {
		for (unsigned side = 0; side < 2; side++) {
			const struct idle *from = &src->series[i].idle[side];
			if (from->weight)
				count(&dst->series[series[i]].idle[side], with_decimals(from->weight, src->decimals, dst->decimals),
				      from->what);
		}
	}
}

void idle_scale(struct profile *p, unsigned to)
{
	for (size_t i = 0; i < p->n_series; i++)
		for (unsigned side = 0; side < 2; side++)
			p->series[i].idle[side].weight = with_decimals(p->series[i].idle[side].weight, p->decimals, to);
}

/* The series, or for -1 the first, with idle weight; NULL: none. */
static const struct series *find(const struct profile *p, int32_t series, unsigned side)
{
	for (size_t i = series < 0 ? 0 : (size_t)series; i < p->n_series; i++) {
		if (p->series[i].idle[side].weight)
			return &p->series[i];
		if (series >= 0)
			break;
	}
	return NULL;
}

bool idle_is_left_out(const struct profile *p, int32_t series, unsigned side)
{
	return find(p, series, side);
}

/*
 * The weight of the whole input: shown, idle, and let go by a window (retain.h), which the total does not include.
 */
static uint64_t whole(const struct series *s, unsigned side)
{
	uint64_t all = s->total[side];
	weight_add(&all, side == 0 ? s->let_go : 0);
	weight_add(&all, s->idle[side].weight);
	return all;
}

static uint64_t scaled(uint64_t weight, double factor)
{
	return weight_times(weight, factor);
}

bool idle_add_words(const struct profile *p, int32_t series, unsigned side, double factor, struct buf *out)
{
	const struct series *s = find(p, series, side);
	if (!s)
		return false;
	buf_adds(out, side ? "before: " : "");
	add_words(out, p, s, scaled(s->idle[side].weight, factor), scaled(whole(s, side), factor), s->idle[side].what);
	return true;
}

bool idle_add_share(const struct profile *p, int32_t series, struct buf *out)
{
	const struct series *s = find(p, series, 0);
	if (!s)
		return false;
	number_add_percent(out, s->idle[0].weight, whole(s, 0), 1);
	buf_adds(out, "% idle, left out");
	return true;
}
