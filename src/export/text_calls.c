/*
 * text_calls.c - the call tree as indented text.
 *
 *	 total    self  call tree, heaviest first
 *	100.0%    0.0%  all
 *	 61.0%   12.0%  ├─ parse
 *	 49.0%   49.0%  │  └─ lex
 *	 39.0%    1.0%  └+ eval
 *
 * The rows are those of the screen: a plus sign marks a row that is not open. In a comparison, the change of the
 * total follows both shares.
 */
#include "text.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "model/call_rows.h"
#include "model/cut.h"
#include "model/label.h"
#include "model/words.h"

#define CHANGE_COLUMNS 10u
#define MOST_GUIDES 64u /* deeper rows stop there: indented further, rows would outgrow any reader */
#define LEAST_NAME 16u

struct guides {
	const char *passing, *branch, *last, *closed, *open;
};

static const struct guides *guides_for(bool ascii)
{
	static const struct guides unicode = {"\u2502  ", "\u251C", "\u2514", "+ ", "\u2500 "};
	static const struct guides plain = {"|  ", "|", "`", "+ ", "- "};
	return ascii ? &plain : &unicode;
}

/* Which rows have a later sibling? The caller frees the array. */
static bool *with_siblings(const struct call_rows *c)
{
	bool *has = mem_zalloc(c->n ? c->n : 1, sizeof *has), *waits;
	uint32_t deepest = 0, last = 0;
	for (size_t i = 0; i < c->n; i++)
		deepest = c->rows[i].depth > deepest ? c->rows[i].depth : deepest;
	waits = mem_zalloc((size_t)deepest + 2, sizeof *waits); /* by depth: a row below is a sibling */
	for (size_t i = c->n; i-- > 0;) {
		uint32_t depth = c->rows[i].depth;
		while (last > depth)
			waits[last--] = false;
		has[i] = waits[depth];
		waits[depth] = true;
		last = depth;
	}
	free(waits);
	return has;
}

/* Appends the change of the total, which sorts the rows of the screen; "~" marks a change within noise. */
static void add_change(struct text *x, uint32_t node)
{
	struct diff_change c = diff_of(&x->basis, tree_total(x->tree, node), tree_base_total(x->tree, node));
	x->label.len = 0;
	words_add_gain(&x->label, x->view, &c, x->options->factor, 1);
	buf_pad(&x->line, ' ', x->label.len < CHANGE_COLUMNS - 1 ? CHANGE_COLUMNS - 1 - x->label.len : 0);
	buf_add(&x->line, x->label.data, x->label.len);
	buf_addc(&x->line, c.is_noise && c.delta != 0 ? '~' : ' ');
}

static void add_share(struct text *x, uint64_t weight)
{
	x->label.len = 0;
	number_add_percent(&x->label, weight, view_total(x->view), 1);
	buf_addf(&x->line, "%6s%%", buf_str(&x->label));
}

/* passes: by depth, whether a line goes on from there to a later row. */
static void add_guides(struct text *x, const struct call_row *r, const bool *passes)
{
	const struct guides *g = guides_for(x->options->ascii);
	uint32_t depth = r->depth < MOST_GUIDES ? r->depth : MOST_GUIDES;
	bool is_closed =
		!r->is_open && (tree_first_child(x->tree, r->node) != NO_NODE || tree_rows_left_out(x->tree, r->node));
	for (uint32_t i = 1; i < depth; i++)
		buf_adds(&x->line, passes[i] ? g->passing : "   ");
	if (r->depth > 0)
		buf_adds(&x->line, passes[r->depth] ? g->branch : g->last);
	if (r->depth > 0 || is_closed)
		buf_adds(&x->line, is_closed ? g->closed : g->open);
	if (r->depth > MOST_GUIDES)
		buf_addf(&x->line, "(depth %u) ", r->depth);
}

static void add_name(struct text *x, uint32_t node, size_t used)
{
	struct display_name name = node == NODE_ALL ? *view_name(x->view, node) : text_name(x, x->tree->sym[node]);
	size_t room = x->options->width > used + LEAST_NAME ? x->options->width - used : LEAST_NAME;
	if (view_is_hit(x->view, node))
		buf_addc(&x->line, '*');
	label_fit(&x->line, &name, x->options->width ? room : name.columns, x->options->ascii);
}

static void write_row(struct text *x, const struct call_row *r, const bool *passes)
{
	add_share(x, tree_total(x->tree, r->node));
	buf_addc(&x->line, ' ');
	add_share(x, tree_own(x->tree, r->node));
	if (x->is_diff)
		add_change(x, r->node);
	buf_adds(&x->line, "  ");
	add_guides(x, r, passes);
	add_name(x, r->node, utf8_columns(x->line.data, x->line.len));
	buf_addc(&x->line, '\n');
	text_flush(x);
}

static void write_rows(struct text *x, const struct call_rows *c)
{
	bool *has = with_siblings(c), *passes = NULL;
	size_t cap = 0;
	for (size_t i = 0; i < c->n && export_goes_on(x->options); i++) {
		size_t depth = c->rows[i].depth;
		passes = depth < cap ? passes : mem_grow(passes, &cap, depth + 1, sizeof *passes);
		passes[depth] = has[i];
		write_row(x, &c->rows[i], passes);
	}
	free(passes);
	free(has);
}

static bool has_closed_row(const struct text *x, const struct call_rows *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (!c->rows[i].is_open && tree_first_child(x->tree, c->rows[i].node) != NO_NODE)
			return true;
	return false;
}

void text_write_calls(struct text *x)
{
	const struct view *v = x->view;
	struct call_rows first = {.rows = NULL};
	const struct call_rows *rows = &v->shown.calls;
	if (rows->n == 0) {
		call_rows_begin_as_usual(&first, x->tree, v->zoom, v->cursor);
		rows = &first;
	}
	text_add_header(x);
	buf_adds(&x->line, x->is_diff ? "  total    self   change   call tree, heaviest first\n"
	                              : "  total    self  call tree, heaviest first\n");
	text_flush(x);
	write_rows(x, rows);
	if (has_closed_row(x, rows))
		buf_addf(&x->line, "+ %s that %s not shown\n", x->tree->is_reversed ? "has callers" : "calls more",
		         x->tree->is_reversed ? "are" : "is");
	text_add_legend(x);
	call_rows_deinit(&first);
}
