/*
 * top_order.c - the rows of a table of functions, in the order of the view.
 *
 * If the view is the table, or an order or a filter of it was chosen, its rows are those of the screen: made by the
 * same function, sorted by the same column, with the same filter. Without an order the heaviest come first, or the
 * changes.
 */
#include "base/sort.h"
#include "top.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/table.h"
#include "model/words.h"

#define USUAL_ROWS 40u

/* The table on the screen has all rows, a list of the functions in another view has the first ones. */
size_t top_most(const struct view *v, const struct export_options *o)
{
	return o->top ? o->top : v->shown.view == SHOWN_TABLE ? SIZE_MAX : USUAL_ROWS;
}

bool top_is_sorted(const struct view *v)
{
	const struct shown *s = &v->shown;
	return s->view == SHOWN_TABLE || s->sort != N_TOP_COLUMNS || s->is_ascending || s->filter;
}

/* The rows on the screen; the caller frees the table. */
static void make_table(struct table *table, const struct view *v, struct progress *progress)
{
	const struct shown *s = &v->shown;
	struct table_recipe r = {
		.tree = &v->tree,
		.zoom = v->zoom,
		.symtab = &v->profile->symtab,
		.demangles = v->display.demangle,
		.sort = shown_sort(s, view_is_diff(v)),
		.is_ascending = s->is_ascending,
		.filter = s->filter ? match_new(s->filter, s->filter_mode, NULL) : NULL,
	};
	if (view_is_diff(v))
		diff_basis_make(&r.basis, v->profile, &v->recipe, &v->tree);
	if (!table_make(table, &r, progress)) {
		table_deinit(table);
		*table = (struct table){.rows = NULL};
	}
	table_recipe_deinit(&r);
}

static int by_self(const void *a, const void *b, void *symtab)
{
	return tree_sums_order(symtab, a, b);
}

static void take_counts(struct top_passed *passed, const struct table *table)
{
	*passed = (struct top_passed){table->n_rows, table->n_all, table->given_up};
}

struct name_sum *top_rows(const struct view *v, struct top_passed *passed, struct progress *progress)
{
	struct symtab *symtab = &v->profile->symtab;
	struct table table;
	struct name_sum *rows;
	if (top_is_sorted(v)) {
		make_table(&table, v, progress);
		rows = table.rows;
		table.rows = NULL;
		take_counts(passed, &table);
		table_deinit(&table);
		return rows;
	}
	*passed = (struct top_passed){.n = 0};
	rows = tree_sums(&v->tree, v->zoom, symtab->n, &passed->n, progress);
	passed->all = passed->n;
	if (rows)
		sort_by_until(rows, passed->n, sizeof *rows, by_self, symtab, progress);
	return rows;
}

struct diff_row *top_diff_rows(const struct view *v, const struct diff_table *t, size_t most, enum diff_order order,
                               size_t *n, struct top_passed *passed, struct progress *progress)
{
	struct table table;
	struct diff_row *rows;
	if (!top_is_sorted(v)) {
		rows = mem_alloc(((t->n < most ? t->n : most) + 1) * sizeof *rows);
		*passed = (struct top_passed){.n = t->n, .all = t->n};
		*n = diff_table_most(t, most, order, rows);
		return rows;
	}
	make_table(&table, v, progress);
	*n = table.n_rows < most ? table.n_rows : most;
	rows = mem_alloc((*n ? *n : 1) * sizeof *rows);
	for (size_t i = 0; i < *n; i++) {
		const struct name_sum *s = &table.rows[i];
		rows[i] = (struct diff_row){.sym = s->sym,
		                            .sum = *s,
		                            .self = table_change(&t->basis, s, TOP_SELF_CHANGE),
		                            .total = table_change(&t->basis, s, TOP_TOTAL_CHANGE)};
	}
	take_counts(passed, &table);
	passed->all = t->n;
	table_deinit(&table);
	return rows;
}

void top_add_filter(struct buf *out, const struct view *v, const struct export_options *o,
                    const struct top_passed *p, enum utf8_clean_mode mode)
{
	const char *filter = v->shown.filter;
	if (!filter)
		return;
	buf_addf(out, "%zu of %zu %s match%s /", p->n, p->all, group_noun(v->tree.group, p->all),
	         p->n == 1 ? "es" : "");
	utf8_clean(out, filter, strlen(filter), mode);
	buf_addc(out, '/');
	words_add_given_up(out, p->given_up);
	buf_addc(out, '\n');
	if (o->loss)
		o->loss->given_up = p->given_up;
}
