/*
 * gate.c - --fail-above: the list behind exit status 3.
 *
 *	flametop: 1 function grew by more than 2 points (and by more than chance explains):
 *	flametop:   parse_line: self +6.2 (10.1% -> 16.3%, standard error 0.9), total +7.0 (12.0% -> 19.0%, standard
 *	            error 1.0)
 *
 *	flametop: the weight of 1 function grew by more than 2% of the old total (and by more than chance explains):
 *	flametop:   parse_line: self +1.20 s (2.00 s -> 3.20 s, standard error 50 ms)
 *
 * Callers grow with their callees, so a deep cause makes a long list; functions with more self weight come first.
 * Growth beyond the limit that may be chance does not trip the gate, but is reported.
 */
#include "gate.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "model/diff.h"
#include "model/words.h"

static void add_change(struct buf *out, const struct view *v, const char *what, const struct diff_change *c,
                       double factor)
{
	buf_addf(out, "%s%s ", out->len ? ", " : "", what);
	words_add_gain(out, v, c, factor, 1);
	buf_adds(out, " (");
	words_add_side(out, v, c, false, factor, 1);
	buf_adds(out, " -> ");
	words_add_side(out, v, c, true, factor, 1);
	buf_adds(out, ", standard error ");
	words_add_error(out, v, c, 1, factor, 1);
	buf_addc(out, ')');
}

/* "1 function grew by more than 2 points". */
static void add_limit(struct buf *out, const struct diff_table *t, size_t n, double points)
{
	bool is_share = t->basis.quantity == DIFF_OF_SHARES;
	buf_addf(out, "%s%zu function%s grew by more than %g%s", is_share ? "" : "the weight of ", n, n == 1 ? "" : "s",
	         points, is_share ? " points" : "% of the old total");
}

static void print_row(struct view *v, const struct diff_table *t, const struct diff_row *row, double points,
                      double factor)
{
	struct buf changes;
	buf_init(&changes);
	if (diff_grew(t, &row->self, points))
		add_change(&changes, v, "self", &row->self, factor);
	if (diff_grew(t, &row->total, points))
		add_change(&changes, v, "total", &row->total, factor);
	err_printf("  %s: %s", display_name(&v->display, row->sym)->text, buf_str(&changes));
	buf_deinit(&changes);
}

static bool has_grown(const struct diff_table *t, const struct diff_row *row, double points)
{
	return diff_grew(t, &row->self, points) || diff_grew(t, &row->total, points);
}

static bool exceeds(const struct diff_table *t, const struct diff_row *row, double points)
{
	return diff_points(t, &row->self) > points || diff_points(t, &row->total) > points;
}

static void say_uncertain(const struct diff_table *t, size_t n, double points)
{
	struct buf text;
	buf_init(&text);
	add_limit(&text, t, n, points);
	buf_addf(&text, ", but by less than %.1f standard errors (", diff_gate_sigmas(t));
	words_add_samples(&text, &t->basis);
	buf_adds(&text, "): may be chance");
	err_print(buf_str(&text));
	buf_deinit(&text);
}

static void say_grown(const struct diff_table *t, size_t n, double points)
{
	struct buf limit;
	buf_init(&limit);
	add_limit(&limit, t, n, points);
	err_printf("%s (and by more than chance explains):", buf_str(&limit));
	buf_deinit(&limit);
}

/* The frame of another tree on the path of the zoom. */
static uint32_t same_place(const struct view *v, const struct tree *t)
{
	uint32_t depth = tree_depth(&v->tree, v->zoom);
	uint32_t *syms = mem_alloc(((size_t)depth + 1) * sizeof *syms);
	size_t found, n = tree_path(&v->tree, v->zoom, syms, depth);
	uint32_t node = tree_find_path(t, syms, n, &found);
	free(syms);
	return node;
}

/* A flame chart has no baseline, so the gate judges the flame graph of the same samples. */
static bool make_table(struct diff_table *t, const struct view *v, struct err *err)
{
	struct recipe r;
	struct tree tree;
	if (!v->recipe.chart) {
		diff_table_make(t, v->profile, &v->recipe, &v->tree, v->zoom);
		return true;
	}
	recipe_copy(&r, &v->recipe);
	r.chart = false;
	bool is_made = fold(v->profile, &r, &tree, NULL, err);
	if (is_made) {
		diff_table_make(t, v->profile, &r, &tree, same_place(v, &tree));
		tree_deinit(&tree);
	}
	recipe_deinit(&r);
	return is_made;
}

bool gate_trips(struct view *v, double points, double factor, bool is_quiet)
{
	struct diff_table t;
	struct err err;
	size_t n = 0, uncertain = 0;
	if (!make_table(&t, v, &err)) {
		err_printf("--fail-above: %s", err.text);
		return true;
	}
	for (size_t i = 0; i < t.n; i++) {
		n += has_grown(&t, &t.rows[i], points);
		/* With a limit of 0, every function that did not shrink would count. */
		uncertain += points > 0 && !has_grown(&t, &t.rows[i], points) && exceeds(&t, &t.rows[i], points);
	}
	if (n)
		say_grown(&t, n, points);
	for (size_t i = 0; i < t.n; i++)
		if (has_grown(&t, &t.rows[i], points))
			print_row(v, &t, &t.rows[i], points, factor);
	if (uncertain && !is_quiet)
		say_uncertain(&t, uncertain, points);
	diff_table_deinit(&t);
	return n > 0;
}
