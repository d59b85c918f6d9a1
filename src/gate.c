/*
 * gate.c - the list behind exit status 3.
 *
 *	flametop: 1 function grew by more than 2 points (and by more than chance explains):
 *	flametop:   parse_line: self +6.2 (10.1% -> 16.3%, standard error 0.9), total +7.0 (12.0% -> 19.0%, standard error 1.0)
 *
 * Callers grow with what they call, so the list is long where the cause is deep; it begins with the largest change.
 */
#include "gate.h"

#include "base/buf.h"
#include "base/err.h"
#include "model/diff.h"

static void add_change(struct buf *out, const char *what, const struct diff_change *c)
{
	buf_addf(out, "%s%s %+.1f (%.1f%% -> %.1f%%, standard error %.1f)", out->len ? ", " : "", what, c->delta, c->before,
	         c->after, c->error);
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
	return row->sym != 0 && (diff_grew(t, &row->self, points) || diff_grew(t, &row->total, points));
}

bool gate_trips(struct view *v, double points)
{
	struct diff_table t;
	size_t n = 0;
	diff_table_make(&t, v->profile, &v->tree, v->zoom, v->recipe.series);
	for (size_t i = 0; i < t.n; i++)
		n += has_grown(&t, &t.rows[i], points);
	if (n)
		err_printf("%zu function%s grew by more than %g points (and by more than chance explains):", n, n == 1 ? "" : "s",
		           points);
	for (size_t i = 0; i < t.n; i++)
		if (has_grown(&t, &t.rows[i], points))
			print_row(v, &t, &t.rows[i], points);
	diff_table_deinit(&t);
	return n > 0;
}
