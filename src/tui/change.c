/*
 * change.c - shows a comparison in words and numbers, readable without colours.
 *
 *	self   grew           21.66 ->  37.20%  +15.53 points ±3.31  310 -> 610
 *	total  within noise   30.75 ->  31.28%   +0.53 points ±3.33  440 -> 513
 *
 *	self   more            310  ->    610     +300 ±66.0
 *
 * Recorded weights follow the shares, if they have one unit: shares mislead where one side shrank as a whole,
 * weights where one recording was longer. In a comparison of weights, no shares are shown. The number after ± is
 * the noise: DIFF_SIGMAS standard errors.
 */
#include "tui/change.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "lib/cells.h"
#include "tui/app.h"
#include "tui/listing.h"
#include "tui/top.h"

/* "grew", "within noise", "vanished" ... */
static const char *verdict_of(const struct diff_change *c)
{
	if (c->weight_before == 0 && c->weight_after == 0)
		return "none";
	if (c->error <= 0)
		return "unknown";
	if (c->is_noise)
		return c->delta > 0 || c->delta < 0 ? "within noise" : "unchanged";
	if (diff_is_new(c))
		return "new";
	if (diff_is_gone(c))
		return "vanished";
	return c->delta > 0 ? "grew" : "shrank";
}

/* Right-aligns, so that the next line has its numbers in the same columns. */
static void add_aligned(struct buf *out, struct buf *part, size_t width)
{
	size_t n = utf8_columns(part->data, part->len);
	buf_pad(out, ' ', n < width ? width - n : 0);
	buf_add(out, part->data, part->len);
	part->len = 0;
}

/* " 21.66 ->  37.20%", "5.94 s -> 6.01 s". */
static void add_sides(struct buf *out, const struct app *app, const struct diff_change *c)
{
	struct buf side;
	if (c->quantity == DIFF_OF_SHARES) {
		buf_addf(out, "%6.2f -> %6.2f%%", number_percent(c->before, 2), number_percent(c->after, 2));
		return;
	}
	buf_init(&side);
	words_add_side(&side, &app->view, c, false, app_factor(app), 2);
	add_aligned(out, &side, 7);
	buf_adds(out, " -> ");
	words_add_side(&side, &app->view, c, true, app_factor(app), 2);
	add_aligned(out, &side, 7);
	buf_deinit(&side);
}

/* At its maximal width. */
static void add_gain(struct buf *out, const struct app *app, const struct diff_change *c)
{
	struct buf gain;
	buf_init(&gain);
	words_add_gain(&gain, &app->view, c, app_factor(app), 2);
	add_aligned(out, &gain, c->quantity == DIFF_OF_SHARES ? 6 : 8);
	buf_deinit(&gain);
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
	add_counts(out, &app->totals.counts);
	if (view_is_zoomed(&app->view))
		buf_adds(out, " in all");
}

void change_add_gain(struct buf *out, const struct app *app, const struct name_sum *s)
{
	struct diff_change c = diff_of(&app->totals.basis, s->total, s->base_total);
	buf_adds(out, "  ");
	words_add_gain(out, &app->view, &c, app_factor(app), 2);
	buf_adds(out, c.quantity == DIFF_OF_SHARES ? " points" : "");
}

void change_add_unseen(struct app *app, struct buf *out)
{
	const struct tree *t = &app->view.tree;
	uint32_t node = app_node(app), widest = NO_NODE;
	size_t n = 0;
	if (!view_is_diff(&app->view) || app->tab == TAB_TOP || node == NO_NODE || node >= t->n)
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
	buf_addf(out, "  (%zu %s below: %s ", n, app->totals.basis.is_swapped ? "new" : "vanished",
	         view_name(&app->view, widest)->text);
	struct diff_change c = diff_of(&app->totals.basis, 0, tree_base_total(t, widest));
	words_add_side(out, &app->view, &c, app->totals.basis.is_swapped, app_factor(app), 1);
	buf_adds(out, n > 1 ? ", ..)" : ")");
}

static void add_weight(struct buf *out, const struct app *app, uint64_t weight)
{
	view_add_weight(&app->view, out, app_shown(app, weight));
}

/* The change of the selection: of the frame, or in the table of all frames of the function. */
static bool selected_change(struct app *app, bool is_total, struct diff_change *c)
{
	const struct tree *t = &app->view.tree;
	const struct diff_basis *b = &app->totals.basis;
	uint32_t node = app_node(app), sym = app_symbol(app);
	if (node != NO_NODE && node < t->n) {
		*c = is_total ? diff_of(b, tree_total(t, node), tree_base_total(t, node))
		              : diff_of(b, tree_own(t, node), tree_base_own(t, node));
		return true;
	}
	const struct name_sum *s = sym == NO_SYMBOL ? NULL : totals_of(&app->totals, sym);
	if (!s)
		return false;
	*c = is_total ? diff_of(b, s->total, s->base_total) : diff_of(b, s->self, s->base_self);
	return true;
}

static struct diff_change place_change(const struct app *app, const struct box *b)
{
	const struct tree *t = &app->view.tree;
	uint32_t end = t->end[b->final];
	return diff_of(&app->totals.basis, t->pos[end] - t->pos[b->first], t->base[end] - t->base[b->first]);
}

void change_add_line(struct app *app, struct buf *out, bool is_total, const struct box *aggregate)
{
	struct diff_change c;
	if (aggregate && is_total)
		c = place_change(app, aggregate);
	else if (aggregate || !selected_change(app, is_total, &c))
		return;
	buf_addf(out, "%-6s %-12s  ", is_total ? "total" : "self", verdict_of(&c));
	add_sides(out, app, &c);
	buf_adds(out, "  ");
	add_gain(out, app, &c);
	buf_adds(out, c.quantity == DIFF_OF_SHARES ? " points" : "");
	if (c.error > 0) {
		buf_adds(out, app->theme.ascii ? " +-" : " ±");
		words_add_error(out, &app->view, &c, DIFF_SIGMAS, app_factor(app), 2);
	}
	if (c.quantity == DIFF_OF_WEIGHTS || app->totals.basis.has_other_units)
		return;
	buf_adds(out, "  ");
	add_weight(out, app, c.weight_before);
	buf_adds(out, " -> ");
	add_weight(out, app, c.weight_after);
}

/* ---- the list ---------------------------------------------------------------------------------------------- */

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
		top_go_to(app, sym);
		return;
	}
	if (node == NO_NODE)
		return;
	if (app->tab == TAB_SANDWICH)
		app_set_tab(app, TAB_FLAME);
	app_go_to(app, node);
	if (tree_total(&app->view.tree, node) == 0)
		app_say(app, "%s has no width in this mode: {diff} switches to widths from %s", app_name(app, sym),
		        app->totals.basis.is_swapped ? "after" : "before");
}

static void add_function(struct app *app, const struct diff_row *r, const struct diff_change *c)
{
	struct buf text;
	buf_init(&text);
	buf_addc(&text, ' ');
	add_gain(&text, app, c);
	buf_adds(&text, c->is_noise ? " ~" : "  ");
	add_sides(&text, app, c);
	buf_addf(&text, "  %s%s", app_name(app, r->sym),
	         diff_is_new(&r->total)    ? " (new)"
	         : diff_is_gone(&r->total) ? " (vanished)"
	                                   : "");
	list_add(&app->list, buf_str(&text), 0, r->sym);
	buf_deinit(&text);
}

static void add_more(struct app *app, size_t n)
{
	struct buf text;
	buf_init(&text);
	buf_addf(&text, "and %zu more ", n);
	app_add_keys(app, &text, "(table: {view-top})");
	list_heading(&app->list, buf_str(&text));
	buf_deinit(&text);
}

static void add_kind(struct app *app, const struct diff_leaders *l, enum diff_kind kind, size_t all,
                     const char *heading)
{
	bool is_self = kind == DIFF_GREW || kind == DIFF_SHRANK;
	if (all == 0)
		return;
	list_heading(&app->list, heading);
	for (size_t i = 0; i < l->n[kind]; i++)
		add_function(app, &l->rows[kind][i], is_self ? &l->rows[kind][i].self : &l->rows[kind][i].total);
	if (all > l->n[kind])
		add_more(app, all - l->n[kind]);
}

bool change_say_nothing(struct app *app)
{
	if (app->view.recipe.chart)
		app_say(app, "a flame chart has nothing to compare with ({chart} makes a flame graph)");
	else if (app->view.profile->log[1].n == 0)
		app_say(app, "nothing to compare with (start with --diff=BASE)");
	else
		return false;
	return true;
}

bool change_say_uneven(struct app *app)
{
	struct buf text;
	buf_init(&text);
	bool are_uneven = words_add_uneven(&text, &app->view);
	if (are_uneven)
		app_say(app, "%s", buf_str(&text));
	buf_deinit(&text);
	return are_uneven;
}

/*
 * Functions that exist on one side only are listed by all that they call, so also those whose own weight is too
 * small to be significant.
 */
static void open_list(struct app *app, const struct diff_leaders *l)
{
	const struct diff_counts *n = &l->counts;
	bool is_share = l->basis.quantity == DIFF_OF_SHARES;
	struct buf title;
	buf_init(&title);
	words_add_quantity(&title, l->basis.quantity);
	buf_adds(&title, ": ");
	add_counts(&title, n);
	app_begin_list(app, buf_str(&title), "~ within noise  {zoom} goes there  {find-line} finds  {quit} closes");
	buf_deinit(&title);
	add_kind(app, l, DIFF_GREW, n->grown, is_share ? "Self share grew" : "Self weight grew");
	add_kind(app, l, DIFF_SHRANK, n->shrunk, is_share ? "Self share shrank" : "Self weight shrank");
	add_kind(app, l, DIFF_ADDED, n->added, "New, with all they call");
	add_kind(app, l, DIFF_GONE, n->gone, "Vanished, with all they called");
	if (app->list.n == 0)
		list_heading(&app->list, "No function changed by more than chance explains");
	app->list.chosen = function_chosen;
	list_open(&app->list, UINT64_MAX);
}

static void take_changes(struct app *app, struct work *work)
{
	struct diff_leaders leaders;
	work_end_changes(work, &leaders);
	open_list(app, &leaders);
}

void change_open_list(struct app *app)
{
	const struct view *v = &app->view;
	struct changes_order order = {app->totals.basis, &app->profile->symtab, &v->tree, v->zoom};
	if (change_say_nothing(app))
		return;
	if (!view_is_diff(v))
		app_say(app, "differences are off ({diff} compares again)");
	else
		listing_begin(app, work_changes(&order, app->wake_fd), change_open_list, take_changes);
}
