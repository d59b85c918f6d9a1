/*
 * folded_scale.c - integers in proportion to others, with an exact sum.
 *
 * Numbers rounded one by one miss the total. Here each is the difference of two rounded sums, of the counts up to
 * and before it: the last sum is exactly the total, and no number is off by one or more. A count that would become
 * less than 1 becomes 1, so that no stack disappears; larger counts share the rest. Only if there are more counts
 * than units do some become 0.
 */
#include "folded_scale.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/sort.h"
#include "model/diff.h"
#include "model/samples.h"
#include "page_events.h"

__extension__ typedef unsigned __int128 u128;

void folded_scale_add(struct folded_scale *s, uint64_t count)
{
	if (!count)
		return;
	mem_push(s->counts, s->n, s->cap, count);
	weight_add(&s->sum, count);
}

static int by_size(const void *a, const void *b, void *arg)
{
	(void)arg;
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

void folded_scale_begin(struct folded_scale *s, uint64_t total, struct progress *progress)
{
	size_t i = 0;
	s->loss.wanted = total;
	s->from = s->sum;
	s->to = total;
	s->keeps = s->n <= total;
	if (!s->keeps || s->cut[1] > 0)
		return;
	if (s->n)
		sort_by_until(s->counts, s->n, sizeof *s->counts, by_size, NULL, progress);
	for (; i < s->n && (u128)s->counts[i] * s->to < s->from; i++) {
		s->from -= s->counts[i];
		s->to--;
	}
	s->least = i < s->n ? s->counts[i] : UINT64_MAX;
}

static uint64_t rounded(struct folded_scale *s, uint64_t count)
{
	uint64_t sum;
	if (s->keeps && count < s->least)
		return 1;
	if (!s->from)
		return 0;
	weight_add(&s->seen, count);
	sum = (uint64_t)(((u128)s->seen * s->to + s->from / 2) / s->from);
	count = sum - s->given;
	s->given = sum;
	return count;
}

uint64_t folded_scale_next(struct folded_scale *s, uint64_t count)
{
	uint64_t as;
	if (!count)
		return 0;
	as = s->cut[1] > 0 ? weight_from((double)count * s->cut[0] / s->cut[1]) : rounded(s, count);
	s->loss.stacks += !as;
	weight_add(&s->loss.written, as);
	return as;
}

void folded_scale_deinit(struct folded_scale *s)
{
	free(s->counts);
}

static void say_rounded(const struct export_loss *loss)
{
	struct buf text;
	buf_init(&text);
	buf_adds(&text, "values are whole numbers in this format: ");
	number_add_commas(&text, loss->rounded, 0);
	buf_adds(&text, " of ");
	number_add_commas(&text, loss->n, 0);
	buf_adds(&text, loss->rounded == 1 ? " is rounded" : " are rounded");
	if (loss->stacks) {
		buf_adds(&text, ", ");
		number_add_commas(&text, loss->stacks, 0);
		buf_adds(&text, " to 0");
	}
	if (with_decimals(loss->written, 0, loss->decimals) != loss->wanted) {
		buf_adds(&text, "; they add up to ");
		number_add_commas(&text, loss->written, 0);
		buf_adds(&text, loss->is_of_ns ? " ns, not to " : ", not to ");
		number_add_commas(&text, loss->wanted, loss->decimals);
	}
	err_print(buf_str(&text));
	buf_deinit(&text);
}

static void say_whole(const struct export_loss *loss)
{
	if (loss->rounded)
		say_rounded(loss);
	if (loss->is_cut)
		err_print("values above 2^63 - 1, the largest of this format, were cut to that");
}

/* The view shows the same times, but says what stacks weigh. A difference that its digits do not show is none. */
static void say_times(const struct export_loss *loss, const struct view *v)
{
	int scale = profile_time_scale(view_unit(v));
	struct buf lasts, weighs, text;
	buf_init(&lasts);
	buf_init(&weighs);
	buf_init(&text);
	if (scale >= 0) {
		view_add_weight(v, &lasts, with_decimals(loss->written, 9, (unsigned)scale + v->profile->decimals));
		view_add_weight(v, &weighs, loss->wanted);
	}
	if (scale < 0)
		buf_adds(&text, "; what they weigh is not in such a file");
	else if (strcmp(buf_str(&lasts), buf_str(&weighs)) != 0)
		buf_addf(&text, ": %s in all, not the %s that they weigh", buf_str(&lasts), buf_str(&weighs));
	if (loss->stacks)
		buf_addf(&text, "; %ju of them no time", (uintmax_t)loss->stacks);
	if (text.len)
		err_printf("on the time axis, stacks last from sample to sample%s", buf_str(&text));
	buf_deinit(&lasts);
	buf_deinit(&weighs);
	buf_deinit(&text);
}

static void say_events(const struct export_loss *loss)
{
	struct page_events events = {.n_all = loss->all, .n_left_out = loss->events};
	struct buf text;
	if (!loss->events)
		return;
	buf_init(&text);
	page_events_add_words(&events, &text);
	err_printf("%s (--event=NAME writes one)", buf_str(&text));
	buf_deinit(&text);
}

void export_say_loss(const struct export_loss *loss, const struct view *v)
{
	unsigned decimals = v->profile->decimals;
	bool is_less = loss->written != loss->wanted;
	struct buf text;
	say_events(loss);
	if (loss->is_of_whole)
		say_whole(loss);
	else if (loss->is_of_times)
		say_times(loss, v);
	if (loss->is_of_whole || loss->is_of_times || (!is_less && !loss->stacks))
		return;
	buf_init(&text);
	buf_adds(&text, "counts of the baseline are scaled");
	if (is_less) {
		buf_adds(&text, " and cut, as by difffolded: they add up to ");
		number_add_commas(&text, loss->written, decimals);
		buf_adds(&text, ", not to ");
		number_add_commas(&text, loss->wanted, decimals);
	}
	if (loss->stacks)
		buf_addf(&text, "; %ju of them become%s 0", (uintmax_t)loss->stacks, loss->stacks == 1 ? "s" : "");
	err_print(buf_str(&text));
	buf_deinit(&text);
}

void folded_scale_sides(const struct view *v, double scale[2])
{
	struct diff_basis b;
	diff_basis_make(&b, v->profile, &v->recipe, &v->tree);
	if ((!v->is_normalized && !b.has_other_units) || b.weight_before == b.weight_after)
		return;
	scale[0] = b.weight_after;
	scale[1] = b.weight_before;
}
