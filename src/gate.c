/*
 * gate.c - the list behind exit status 3.
 *
 *	flametop: 1 function grew by more than 2 points (and by more than chance explains):
 *	flametop:   parse_line: self +6.2 (10.1% -> 16.3%, standard error 0.9), total +7.0 (12.0% -> 19.0%, standard error 1.0)
 *
 * Callers grow with what they call, so the list is long where the cause is deep; it begins with the functions that
 * grew themselves. Growth beyond the limit that may be chance trips nothing, but is not kept quiet about.
 */
#include "gate.h"

#include "base/buf.h"
#include "base/err.h"
#include "model/diff.h"

static void add_change(struct buf *out, const char *what, const struct diff_change *c)
{
	buf_addf(out, "%s%s %+.1f (%.1f%% -> %.1f%%, standard error %.1f)", out->len ? ", " : "", what, c->delta,
	         c->before, c->after, c->error);
}

static void print_row(struct view *v, const struct diff_table *t, const struct diff_row *row, double points)
{
	struct buf changes;
	buf_init(&changes);
	if (diff_grew(t, &row->self, points))
		add_change(&changes, "self", &row->self);
	if (diff_grew(t, &row->total, points))
		add_change(&changes, "total", &row->total);
	err_printf("  %s: %s", display_name(&v->display, row->sym)->text, buf_str(&changes));
	buf_deinit(&changes);
}

static bool has_grown(const struct diff_table *t, const struct diff_row *row, double points)
{
	return diff_grew(t, &row->self, points) || diff_grew(t, &row->total, points);
}

static bool exceeds(const struct diff_row *row, double points)
{
	return row->self.delta > points || row->total.delta > points;
}

static void say_uncertain(const struct diff_table *t, size_t n, double points)
{
	err_printf(
		"%zu function%s grew by more than %g points, but by less than %.1f standard errors (%.0f samples before, "
		"%.0f after): may be chance",
		n, n == 1 ? "" : "s", points, diff_gate_sigmas(t), t->basis.samples_before, t->basis.samples_after);
}

bool gate_trips(struct view *v, double points, bool is_quiet)
{
	struct diff_table t;
	size_t n = 0, uncertain = 0;
	diff_table_make(&t, v->profile, &v->recipe, &v->tree, v->zoom);
	for (size_t i = 0; i < t.n; i++) {
		n += has_grown(&t, &t.rows[i], points);
		/* With a limit of nothing at all, every function that did not shrink would be one of these. */
		uncertain += points > 0 && !has_grown(&t, &t.rows[i], points) && exceeds(&t.rows[i], points);
	}
	if (n)
		err_printf("%zu function%s grew by more than %g points (and by more than chance explains):", n,
		           n == 1 ? "" : "s", points);
	for (size_t i = 0; i < t.n; i++)
		if (has_grown(&t, &t.rows[i], points))
			print_row(v, &t, &t.rows[i], points);
	if (uncertain && !is_quiet)
		say_uncertain(&t, uncertain, points);
	diff_table_deinit(&t);
	return n > 0;
}
