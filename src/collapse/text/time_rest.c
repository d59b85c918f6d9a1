/*
 * time_rest.c - see time_rest.h.
 */
#include "collapse/text/time_rest.h"

#include <stdlib.h>

#include "base/mem.h"

void time_rest_deinit(struct time_rest *t)
{
	free(t->carry);
	*t = (struct time_rest){0};
}

decimal_whole time_rest_round(struct time_rest *t, uint32_t path, decimal_whole ns)
{
	amount_add(&t->all, ns);
	if (path >= t->n && ns % AMOUNT_ONE == 0)
		return ns;
	while (t->n <= path)
		mem_push(t->carry, t->n, t->cap, 0);
	decimal_whole all = ns + t->carry[path], whole = all > 0 ? amount_rounded(all) : 0;
	t->carry[path] = all - whole;
	return whole;
}

/* "12", or a point and few digits: most numbers have no more. */
static bool is_short(struct slice text, unsigned places)
{
	size_t point = slice_find_byte(text, '.');
	return slice_find_byte(text, 'e') == SIZE_MAX && slice_find_byte(text, 'E') == SIZE_MAX &&
	       (point == SIZE_MAX || text.n - point - 1 <= places);
}

bool time_rest_read(struct time_rest *t, struct slice text, unsigned places, int64_t *ns)
{
	struct decimal d;
	if (!decimal_scaled(text.s, text.n, places, ns))
		return false;
	decimal_whole exact = amount_magnitude(*ns * AMOUNT_ONE);
	if (!is_short(text, places) && decimal_read(text.s, text.n, &d)) {
		exact = amount_magnitude(amount_of(&d, places));
		exact += !exact && d.digits; /* what is not 0 is at least the smallest amount */
	}
	amount_add(&t->all, exact);
	amount_add(&t->lost, amount_magnitude(exact - amount_rounded(exact)));
	t->has_gone |= exact > 0 && *ns == 0;
	return true;
}

void time_rest_join(struct time_rest *t, const struct time_rest *other)
{
	amount_add(&t->all, other->all);
	amount_add(&t->lost, other->lost);
	t->has_gone |= other->has_gone;
}

/* Has a path a rest, but no weight? */
static bool has_gone(const struct time_rest *t, const struct sample_log *log, uint32_t series)
{
	bool *has_weight = mem_zalloc(t->n, sizeof *has_weight), has_any = false;
	for (size_t i = 0; i < log->n; i++)
		if (log->weight[i] && log->path[i] < t->n && log_series(log, i) == series)
			has_weight[log->path[i]] = true;
	for (size_t path = 0; path < t->n && !has_any; path++)
		has_any = t->carry[path] > 0 && !has_weight[path];
	free(has_weight);
	return has_any;
}

void time_rest_say(const struct time_rest *t, struct sink *sink, unsigned side, uint32_t series)
{
	decimal_whole lost = t->lost, carried = 0;
	for (size_t i = 0; i < t->n; i++)
		amount_add(&carried, amount_magnitude(t->carry[i]));
	amount_add(&lost, carried);
	bool is_much = lost > 0 && lost >= t->all / 1000;
	if (is_much || t->has_gone || (carried > 0 && has_gone(t, &sink->profile->log[side], series)))
		sink_warn(sink, "times are rounded to nanoseconds, which loses a thousandth of all, or all of a stack", 0,
		          NULL, 0);
}
