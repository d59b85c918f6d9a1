/*
 * change.c - a comparison in words and numbers, so that it can be read without colours.
 *
 *	self   grew           21.66 ->  37.20%  +15.53 points ±3.31  310 -> 610
 *	total  within noise   30.75 ->  31.28%   +0.53 points ±3.33  440 -> 513
 *
 * Both percentages and both weights are there: percentages mislead where one side shrank as a whole, weights where one
 * recording was longer. What follows ± is what chance may do, DIFF_SIGMAS standard errors.
 */
#include "tui/change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "tui/state.h"

bool change_is_shown(const struct view *v)
{
	return v->tree.base && v->diff != DIFF_OFF;
}

static bool has_weights(const struct view *v)
{
	return v->diff == DIFF_ON;
}

bool change_is_noise(const struct view *v, const struct diff_change *c)
{
	return has_weights(v) ? c->is_weight_noise : c->is_noise;
}

double change_sign(const struct view *v, const struct diff_change *c)
{
	return has_weights(v) ? c->weight_delta : c->delta;
}

const char *change_verdict(const struct view *v, const struct diff_change *c)
{
	double sign = change_sign(v, c);
	if (c->weight_before <= 0 && c->weight_after <= 0)
		return "none";
	if (change_is_noise(v, c))
		return sign > 0 || sign < 0 ? "within noise" : "unchanged";
	if (diff_is_new(c))
		return "new";
	if (diff_is_gone(c))
		return "vanished";
	if (has_weights(v)) /* whatever the share did */
		return sign > 0 ? "more" : "less";
	return sign > 0 ? "grew" : "shrank";
}

static void add_weight(struct buf *out, const struct view *v, double weight)
{
	view_add_weight(v, out, (uint64_t)(weight + 0.5));
}

void change_add_number(struct buf *out, const struct view *v, const struct diff_change *c)
{
	if (has_weights(v) && fabs(c->weight_delta) >= 0.5) {
		buf_addc(out, c->weight_delta > 0 ? '+' : '-');
		add_weight(out, v, fabs(c->weight_delta));
	} else if (!has_weights(v) && fabs(c->delta) >= 0.05) {
		buf_addf(out, "%+.1f", c->delta);
	}
}

/* ---- header and footer ------------------------------------------------------------------------------------- */

static void add_counts(struct buf *out, const struct diff_counts *n)
{
	buf_addf(out, "%zu grew, %zu shrank", n->grown, n->shrunk);
	if (n->added)
		buf_addf(out, ", %zu new", n->added);
	if (n->gone)
		buf_addf(out, ", %zu vanished", n->gone);
}

void change_add_counts(struct buf *out, const struct app *app)
{
	add_counts(out, &app->facts.counts);
}

void change_add_unseen(struct app *app, struct buf *out)
{
	const struct tree *t = &app->view.tree;
	uint32_t node = state_node(app), widest = NO_NODE;
	size_t n = 0;
	if (!change_is_shown(&app->view) || app->tab == TAB_TOP || node == NO_NODE || node >= t->n)
		return;
	for (uint32_t i = tree_first_child(t, node); i != NO_NODE; i = tree_next_sibling(t, i)) {
		if (tree_total(t, i) > 0 || tree_base_total(t, i) == 0)
			continue;
		n++;
		if (widest == NO_NODE || tree_base_total(t, i) > tree_base_total(t, widest))
			widest = i;
	}
	if (n == 0)
		return;
	buf_addf(out, "  (%zu %s below: %s ", n, app->facts.basis.is_swapped ? "new" : "vanished",
	         view_name(&app->view, widest)->text);
	number_add_percent(out, tree_base_total(t, widest), tree_base_total(t, NODE_ALL), 1);
	buf_adds(out, n > 1 ? "%, ..)" : "%)");
}

/* Weights of what is selected: of the frame, or in the table of all frames of the function. */
static bool selected_change(struct app *app, bool is_total, struct diff_change *c)
{
	const struct tree *t = &app->view.tree;
	const struct diff_basis *b = &app->facts.basis;
	uint32_t node = state_node(app), sym = state_symbol(app);
	if (node != NO_NODE && node < t->n) {
		*c = is_total ? diff_of(b, tree_total(t, node), tree_base_total(t, node))
		              : diff_of(b, tree_own(t, node), tree_base_own(t, node));
		return true;
	}
	const struct name_sum *s = sym == UINT32_MAX ? NULL : facts_sum(&app->facts, sym);
	if (s == NULL)
		return false;
	*c = is_total ? diff_of(b, s->total, s->base_total) : diff_of(b, s->self, s->base_self);
	return true;
}

static struct diff_change place_change(const struct app *app, const struct box *b)
{
	const struct tree *t = &app->view.tree;
	uint32_t end = t->end[b->final];
	return diff_of(&app->facts.basis, t->pos[end] - t->pos[b->first], t->base[end] - t->base[b->first]);
}

void change_add_line(struct app *app, struct buf *out, bool is_total, const struct box *aggregate)
{
	const struct view *v = &app->view;
	struct diff_change c;
	if (aggregate && is_total)
		c = place_change(app, aggregate);
	else if (aggregate || !selected_change(app, is_total, &c))
		return;
	buf_addf(out, "%-6s %-12s  %6.2f -> %6.2f%%  %+6.2f points %s%.2f  ", is_total ? "total" : "self",
	         change_verdict(v, &c), c.before, c.after, c.delta, app->theme.ascii ? "+-" : "±",
	         DIFF_SIGMAS * c.error);
	add_weight(out, v, c.weight_before);
	buf_adds(out, " -> ");
	add_weight(out, v, c.weight_after);
}

/* ---- the list ---------------------------------------------------------------------------------------------- */

#define LISTED 10u

static uint32_t widest_of(const struct tree *t, uint32_t sym)
{
	uint32_t best = NO_NODE;
	uint64_t most = 0;
	for (uint32_t i = 1; i < t->n; i++) {
		uint64_t total = tree_total(t, i), base = tree_base_total(t, i), weight = total > base ? total : base;
		if (t->sym[i] != sym || (best != NO_NODE && weight <= most))
			continue;
		best = i;
		most = weight;
	}
	return best;
}

static void function_chosen(struct app *app, const struct list_item *item)
{
	uint32_t sym = (uint32_t)item->id, node = widest_of(&app->view.tree, sym);
	if (app->tab == TAB_TOP) {
		app->top.symbol = sym;
		return;
	}
	if (node == NO_NODE)
		return;
	if (app->tab == TAB_SANDWICH)
		state_set_tab(app, TAB_FLAME);
	state_go_to(app, node);
	if (tree_total(&app->view.tree, node) == 0)
		state_say(app, "%s has no width here: D until the widths are from %s", state_name(app, sym),
		          app->facts.basis.is_swapped ? "after" : "before");
}

static void add_function(struct app *app, const struct diff_row *r, const struct diff_change *c)
{
	struct buf text;
	buf_init(&text);
	buf_addf(&text, "%+7.2f %s%6.2f -> %6.2f%%  %s%s", c->delta, c->is_noise ? "~" : " ", c->before, c->after,
	         state_name(app, r->sym),
	         diff_is_new(&r->total)    ? " (new)"
	         : diff_is_gone(&r->total) ? " (vanished)"
	                                   : "");
	list_add(&app->list, buf_str(&text), 0, r->sym);
	buf_deinit(&text);
}

/* Rows stand in the table in this order: grown, shrunk, the rest. */
static void add_run(struct app *app, const struct diff_table *t, size_t first, size_t n, const char *heading)
{
	if (n == 0)
		return;
	list_heading(&app->list, heading);
	for (size_t i = 0; i < n && i < LISTED; i++)
		add_function(app, &t->rows[first + i], &t->rows[first + i].self);
	if (n > LISTED) {
		char more[64];
		snprintf(more, sizeof more, "and %zu more (table: 2)", n - LISTED);
		list_heading(&app->list, more);
	}
}

static int by_total(const void *a, const void *b)
{
	const struct diff_row *x = *(const struct diff_row *const *)a, *y = *(const struct diff_row *const *)b;
	double p = fabs(x->total.delta), q = fabs(y->total.delta);
	if (p != q)
		return p > q ? -1 : 1;
	return x->sym < y->sym ? -1 : x->sym > y->sym;
}

/* Functions of one side only, among them those whose own weight is too small to be sure about. */
static void add_one_sided(struct app *app, const struct diff_table *t, bool is_new, const char *heading)
{
	const struct diff_row **rows = mem_alloc((t->n + 1) * sizeof *rows);
	size_t n = 0;
	for (size_t i = 0; i < t->n; i++)
		if (is_new ? diff_is_new(&t->rows[i].total) : diff_is_gone(&t->rows[i].total))
			rows[n++] = &t->rows[i];
	if (n > 1)
		qsort(rows, n, sizeof(struct diff_row *), by_total);
	if (n > 0)
		list_heading(&app->list, heading);
	for (size_t i = 0; i < n && i < LISTED; i++)
		add_function(app, rows[i], &rows[i]->total);
	if (n > LISTED) {
		char more[64];
		snprintf(more, sizeof more, "and %zu more (table: 2)", n - LISTED);
		list_heading(&app->list, more);
	}
	free(rows);
}

void change_open_list(struct app *app)
{
	struct diff_table t;
	struct buf title;
	const struct view *v = &app->view;
	if (v->tree.base == NULL) {
		state_say(app, "nothing to compare with (start with --diff=BASE)");
		return;
	}
	diff_table_make(&t, v->profile, &v->recipe, &v->tree, v->zoom);
	buf_init(&title);
	add_counts(&title, &t.counts);
	list_begin(&app->list, buf_str(&title), "~ within noise  Enter goes there  / finds  q closes");
	buf_deinit(&title);
	add_run(app, &t, 0, t.counts.grown, "Grew by themselves");
	add_run(app, &t, t.counts.grown, t.counts.shrunk, "Shrank by themselves");
	add_one_sided(app, &t, true, "New, with all they call");
	add_one_sided(app, &t, false, "Vanished, with all they called");
	if (app->list.n == 0)
		list_heading(&app->list, "No function changed by more than chance explains");
	app->list.chosen = function_chosen;
	list_open(&app->list, UINT64_MAX);
	diff_table_deinit(&t);
}
