/*
 * gate.c - --fail-above: the list behind exit status 3.
 *
 *	flametop: 1 function grew by more than 2 points (and by more than chance explains):
 *	flametop:   parse_line: self +6.2 (10.1% -> 16.3%, standard error 0.9), total +7.0 (12.0% -> 19.0%, standard
 *	            error 1.0)
 *
 *	flametop: the weight of 1 function grew by more than 2% of the baseline's total (...):
 *	flametop:   parse_line: self +1.20 s (2.00 s -> 3.20 s, standard error 50 ms)
 *
 * Callers grow with their callees, so a deep cause would make a long list. The culprits come first: functions whose
 * self grew, then those whose total grew though none of their callees is in the list. Callers of these are counted;
 * -v lists them. Growth beyond the limit that may be chance does not trip the gate, but is reported.
 */
#include "gate.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/sort.h"
#include "model/diff.h"
#include "model/selection.h"
#include "model/ways.h"
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
	buf_addf(out, "%s%zu %s grew by more than %g%s", is_share ? "" : "the weight of ", n, group_noun(t->group, n),
	         points, is_share ? " points" : "% of the baseline's total");
}

/* --- culprits and their callers --- */

enum growth { GROWN_NOT, GROWN_SELF, GROWN_TOTAL };

static enum growth growth_of(const struct diff_table *t, const struct diff_row *row, double points)
{
	if (diff_grew(t, &row->self, points))
		return GROWN_SELF;
	return diff_grew(t, &row->total, points) ? GROWN_TOTAL : GROWN_NOT;
}

/* What the gate judges. */
struct judged {
	const struct view *view;
	double points, factor;
	struct tree own; /* the flame graph of a flame chart; else zeroed */
	const struct tree *tree;
	uint32_t zoom;
	struct diff_table table;
	uint8_t *growth; /* by symbol: enum growth */
	uint8_t *calls;  /* by symbol: calls another function that grew */
	size_t n[3];     /* rows of each growth */
};

/* A function of a set: NO_SYMBOL is none, SEVERAL more than one. */
#define SEVERAL (NO_SYMBOL - 1)

static uint32_t join(uint32_t a, uint32_t b)
{
	return a == NO_SYMBOL || a == b ? b : b == NO_SYMBOL ? a : SEVERAL;
}

static void mark_caller(struct judged *j, uint32_t node, uint32_t callees)
{
	uint32_t sym = j->tree->sym[node];
	j->calls[sym] |= callees != NO_SYMBOL && callees != sym;
}

/*
 * Callees are below a frame of the tree, or above it in a caller tree. One pass finds for each frame whether there
 * is none that grew, one, or several: a function that calls only itself is no caller of another.
 */
static void mark_callers(struct judged *j)
{
	const struct tree *t = j->tree;
	uint32_t *grown = mem_alloc(t->n * sizeof *grown); /* frames below, or above; then with the frame itself */
	memset(grown, 0xFF, t->n * sizeof *grown);
	for (uint32_t k = 1; k < t->n; k++) {
		uint32_t i = t->is_reversed ? k : t->n - k, up = t->parent[i];
		if (t->is_reversed)
			grown[i] = grown[up];
		mark_caller(j, i, grown[i]);
		if (j->growth[t->sym[i]] && tree_is_below(t, i, j->zoom))
			grown[i] = join(grown[i], t->sym[i]);
		if (!t->is_reversed)
			grown[up] = join(grown[up], grown[i]);
	}
	free(grown);
}

static void find_growth(struct judged *j)
{
	const struct diff_table *t = &j->table;
	size_t n_symbols = j->view->profile->symtab.n;
	j->growth = mem_zalloc(n_symbols + 1, 1);
	j->calls = mem_zalloc(n_symbols + 1, 1);
	for (size_t i = 0; i < t->n; i++) {
		enum growth growth = growth_of(t, &t->rows[i], j->points);
		j->growth[t->rows[i].sym] = (uint8_t)growth;
		j->n[growth]++;
	}
	if (j->n[GROWN_TOTAL])
		mark_callers(j);
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

/* Weights that are new are growth; shares need both sides. */
static bool is_empty(const struct diff_basis *b)
{
	bool has_before = b->weight_before > 0, has_after = b->weight_after > 0;
	if (b->quantity == DIFF_OF_WEIGHTS ? has_before || has_after : has_before && has_after)
		return false;
	err_printf("--fail-above judges nothing here: nothing of the %s is left to compare with",
	           has_before ? "new profile" : "baseline");
	return true;
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
	uint32_t node = ways_find_path(t, syms, n, &found);
	free(syms);
	return node;
}

/* A flame chart has no baseline, so the gate judges the flame graph of the same samples: of the visible time. */
static bool make_table(struct judged *j, struct err *err)
{
	const struct view *v = j->view;
	struct recipe r;
	j->tree = &v->tree;
	j->zoom = v->zoom;
	if (!v->recipe.chart) {
		diff_table_make(&j->table, v->profile, &v->recipe, j->tree, j->zoom, NULL);
		return true;
	}
	recipe_copy(&r, &v->recipe);
	selection_drop_chart(v->profile, &r);
	r.cut_from = view_cut(v).from;
	r.cut_to = view_cut(v).to;
	bool is_made = fold(v->profile, &r, &j->own, NULL, err);
	if (is_made) {
		j->tree = &j->own;
		j->zoom = same_place(v, j->tree);
		diff_table_make(&j->table, v->profile, &r, j->tree, j->zoom, NULL);
	}
	recipe_deinit(&r);
	return is_made;
}

static void judged_deinit(struct judged *j)
{
	diff_table_deinit(&j->table);
	tree_deinit(&j->own);
	free(j->growth);
	free(j->calls);
}

/* --- the list --- */

static void print_row(struct view *v, const struct judged *j, const struct diff_row *row)
{
	struct buf changes;
	buf_init(&changes);
	if (diff_grew(&j->table, &row->self, j->points))
		add_change(&changes, v, "self", &row->self, j->factor);
	if (diff_grew(&j->table, &row->total, j->points))
		add_change(&changes, v, "total", &row->total, j->factor);
	err_printf("  %s: %s", display_name(&v->display, row->sym)->text, buf_str(&changes));
	buf_deinit(&changes);
}

static int by_total(const void *a, const void *b)
{
	const struct diff_row *const *x = a, *const *y = b;
	if ((*x)->total.delta != (*y)->total.delta)
		return (*x)->total.delta > (*y)->total.delta ? -1 : 1;
	return *x < *y ? -1 : 1; /* the order of the table */
}

/* Prints the functions of which only the total grew; returns how many it left out. */
static size_t print_totals(struct view *v, const struct judged *j, bool with_callers)
{
	const struct diff_row **rows = mem_alloc((j->n[GROWN_TOTAL] + 1) * sizeof *rows);
	size_t n = 0;
	for (size_t i = 0; i < j->table.n; i++) {
		const struct diff_row *row = &j->table.rows[i];
		if (j->growth[row->sym] == GROWN_TOTAL && (with_callers || !j->calls[row->sym]))
			rows[n++] = row;
	}
	sort_array(rows, n, sizeof *rows, by_total);
	for (size_t i = 0; i < n; i++)
		print_row(v, j, rows[i]);
	free(rows);
	return j->n[GROWN_TOTAL] - n;
}

static void print_grown(struct view *v, const struct judged *j, bool with_callers)
{
	size_t n = j->n[GROWN_SELF] + j->n[GROWN_TOTAL];
	say_grown(&j->table, n, j->points);
	for (size_t i = 0; i < j->table.n; i++)
		if (j->growth[j->table.rows[i].sym] == GROWN_SELF)
			print_row(v, j, &j->table.rows[i]);
	size_t left_out = print_totals(v, j, with_callers);
	if (left_out == n) /* functions that call each other */
		left_out = print_totals(v, j, true);
	if (left_out)
		err_printf("  and %zu caller%s of %s (-v lists %s)", left_out, left_out == 1 ? "" : "s",
		           n - left_out == 1 ? "it" : "these", left_out == 1 ? "it" : "them");
}

enum gate_result gate_judge(struct view *v, double points, double factor, enum gate_words words)
{
	struct judged j = {.view = v, .points = points, .factor = factor};
	struct err err;
	size_t uncertain = 0;
	if (!make_table(&j, &err)) {
		err_printf("--fail-above: %s", err.text);
		return GATE_TRIPS;
	}
	if (is_empty(&j.table.basis)) {
		judged_deinit(&j);
		return GATE_NOTHING;
	}
	find_growth(&j);
	/* With a limit of 0, every function that did not shrink would count. */
	for (size_t i = 0; i < j.table.n && points > 0; i++)
		uncertain += !j.growth[j.table.rows[i].sym] && exceeds(&j.table, &j.table.rows[i], points);
	bool has_grown = j.n[GROWN_SELF] + j.n[GROWN_TOTAL] > 0;
	if (has_grown)
		print_grown(v, &j, words == GATE_ALL);
	if (uncertain && words != GATE_QUIET)
		say_uncertain(&j.table, uncertain, points);
	judged_deinit(&j);
	return has_grown ? GATE_TRIPS : GATE_PASSES;
}
