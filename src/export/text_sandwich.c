/*
 * text_sandwich.c - a function with its callers and its callees, in characters.
 *
 *	app.folded  1,204 samples
 *	malloc: self 120 10.0%, total 302 25.1%; callers above, callees below
 *	├main 20.1%──────────────────────────┤├main 5.0%─────────┤
 *	├parse 20.1%─────────────────────────┤├eval 5.0%─────────┤
 *	├malloc 25.1% self 10.0%─────────────────────────────────┤
 *	├brk 15.1%────────────────┤
 *
 * As on the screen: the nearest callers are right above the function, the nearest callees right below it.
 */
#include "text.h"

#include "model/halves.h"
#include "model/words.h"

static void add_function(struct text *x)
{
	struct display_name name = text_name(x, x->middle.sym);
	buf_add(&x->line, name.text, name.len);
	buf_adds(&x->line, ": ");
	words_add_sums(&x->line, x->view, &x->middle, x->options->factor);
	buf_adds(&x->line, "; callers above, callees below\n");
}

/* Row 0 of both halves is the function; it belongs to the callees. */
static void write_half(struct text *x, const struct halves *h, enum sandwich_half half)
{
	x->tree = &h->trees[half];
	x->is_lit = h->is_lit[half];
	x->is_cut |= h->is_cut[half];
	text_lay_out(x);
	for (size_t i = half == HALF_CALLERS; i < x->rows; i++)
		text_write_row(x, half == HALF_CALLERS ? x->rows - i : i);
}

/* Says why there is nothing to draw. */
static void add_absence(struct text *x)
{
	bool is_known = x->middle.sym < x->view->profile->symtab.n;
	if (is_known && view_total(x->view) > 0) {
		struct display_name name = text_name(x, x->middle.sym);
		buf_add(&x->line, name.text, name.len);
		buf_adds(&x->line, ": in none of the samples shown\n");
	} else {
		buf_adds(&x->line,
		         is_known || view_total(x->view) == 0 ? "no samples\n" : "no function is in the middle\n");
	}
}

static void add_hits(struct text *x, const struct halves *h)
{
	if (!x->view->search.pattern)
		return;
	buf_adds(&x->line, "matched: ");
	words_add_hits(&x->line, x->view, h, view_total(x->view));
	buf_addc(&x->line, '\n');
}

void text_write_sandwich(struct text *x)
{
	const struct view *v = x->view;
	const struct symtab *symtab = &v->profile->symtab;
	struct halves_recipe r = {
		.view = v,
		.symtab = symtab,
		.symbol = v->shown.function,
		.cols = (int)x->width,
		.is_by_weight = recipe_sorts_by_weight(&v->recipe),
	};
	struct name_sum sum = halves_sum(&v->tree, r.symbol, symtab->n, x->options->progress);
	struct halves h;
	x->middle = sum;
	x->is_sandwich = true;
	text_add_header(x);
	if (sum.total == 0 && sum.base_total == 0) {
		add_absence(x);
		return;
	}
	add_function(x);
	halves_init(&h);
	if (halves_make(&h, &r, x->options->progress)) {
		add_hits(x, &h);
		write_half(x, &h, HALF_CALLERS);
		write_half(x, &h, HALF_CALLEES);
		text_add_legend(x);
	}
	halves_deinit(&h);
}
