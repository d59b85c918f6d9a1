/*
 * compare.c - what changed between the two sides, function by function, and whether something grew too much.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "gate.h"
#include "lib/inside.h"
#include "lib/lib.h"
#include "model/words.h"

struct compare_call {
	struct call c;
	struct flametop_view *v;
	size_t i;
	size_t *n;
	int *is_of_shares;
	struct flametop_difference *to;
	double points;
	enum flametop_verdict *verdict;
};

/* Makes the table. false: the call has failed. */
static bool compare(struct compare_call *a)
{
	struct flametop_view *v = a->v;
	if (!view_is_made(&a->c, v))
		return false;
	if (!view_is_diff(&v->view)) {
		call_fail(&a->c, FLAMETOP_USAGE, "the view compares nothing");
		return false;
	}
	if (!v->differences) {
		v->differences = mem_zalloc(1, sizeof *v->differences);
		diff_table_make(v->differences, v->view.profile, &v->view.recipe, &v->view.tree, v->view.zoom, NULL);
	}
	return true;
}

static void count(struct call *c)
{
	struct compare_call *a = (struct compare_call *)c;
	if (!call_has_place(c, a->n) || !compare(a))
		return;
	*a->n = a->v->differences->n;
	if (a->is_of_shares)
		*a->is_of_shares = a->v->differences->basis.quantity == DIFF_OF_SHARES;
}

int flametop_view_differences(struct flametop_view *v, size_t *n, int *is_of_shares)
{
	struct compare_call a = {.c = {.profile = v ? v->profile : NULL}, .v = v, .n = n, .is_of_shares = is_of_shares};
	return call_run(&a.c, count);
}

static struct flametop_change change_of(const struct diff_change *c)
{
	return (struct flametop_change){c->before, c->after, c->delta, c->error, c->is_noise};
}

static void get(struct call *c)
{
	struct compare_call *a = (struct compare_call *)c;
	if (!call_has_place(c, a->to) || !compare(a) || !call_is_below(c, a->i, a->v->differences->n, "difference"))
		return;
	const struct diff_row *row = &a->v->differences->rows[a->i];
	struct flametop_difference d = {.name = display_name(&a->v->view.display, row->sym)->text,
	                                .symbol = row->sym,
	                                .self = change_of(&row->self),
	                                .total = change_of(&row->total),
	                                .self_before = row->self.weight_before,
	                                .self_after = row->self.weight_after,
	                                .total_before = row->total.weight_before,
	                                .total_after = row->total.weight_after};
	call_give(c, a->to, &d, sizeof d);
}

int flametop_view_difference(struct flametop_view *v, size_t i, struct flametop_difference *difference)
{
	struct compare_call a = {.c = {.profile = v ? v->profile : NULL}, .v = v, .i = i, .to = difference};
	return call_run(&a.c, get);
}

/* ---- --fail-above -------------------------------------------------------------------------------------------- */

/* What only one side knows would look like growth, and end a build. */
bool inside_can_judge(const struct flametop_view *of)
{
	struct buf text;
	buf_init(&text);
	bool are_uneven = words_add_uneven(&text, &of->view);
	if (are_uneven)
		err_printf("--fail-above judges nothing here: %s", buf_str(&text));
	buf_deinit(&text);
	return !are_uneven;
}

static enum gate_words gate_words(const struct options *o)
{
	return o->quiet ? GATE_QUIET : o->verbose || o->record.verbose ? GATE_ALL : GATE_BRIEF;
}

static enum flametop_verdict judge_view(const struct compare_call *a)
{
	const struct options *o = a->v->options;
	if (!inside_can_judge(a->v))
		return FLAMETOP_NOTHING;
	switch (gate_judge(&a->v->view, a->points, o->export_.factor, gate_words(o))) {
	case GATE_TRIPS:
		return FLAMETOP_GREW;
	case GATE_NOTHING:
		return FLAMETOP_NOTHING;
	default:
		return FLAMETOP_PASSES;
	}
}

static void judge(struct call *c)
{
	struct compare_call *a = (struct compare_call *)c;
	const struct profile *p = &c->profile->profile;
	guard_block_sigpipe();
	if (!call_has_place(c, a->verdict))
		return;
	if (!(a->points >= 0))
		call_fail(c, FLAMETOP_USAGE, "the limit is not a number from 0 on");
	else if (p->log[1].n == 0)
		call_fail(c, FLAMETOP_USAGE, "--fail-above needs two profiles to compare (give one with --diff=BASE)");
	else if (view_is_made(c, a->v))
		*a->verdict = judge_view(a);
}

int flametop_view_judge(struct flametop_view *v, double points, enum flametop_verdict *verdict)
{
	struct compare_call a = {.c = {.profile = v ? v->profile : NULL}, .v = v, .points = points, .verdict = verdict};
	return call_run(&a.c, judge);
}
