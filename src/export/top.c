/*
 * top.c - the functions that cost most, as a table.
 *
 *	  self  self %  total  total %  frames  name
 *	 4,210    31.2  4,210     31.2       7  memcpy
 *
 * self is what a function itself took, total what it took with everything it called; a function inside of itself
 * counts once. With a baseline the table says what changed: first what grew, then what shrank, then callers of these,
 * and last the changes that are no greater than two profiles of one and the same program may differ by:
 *
 *	self %                   total %
 *	before  after   delta    before  after   delta    name
 *	 10.00  12.50   +2.50     10.00  12.50   +2.50    memcpy
 *	  3.10   0.00   -3.10      3.10   0.00   -3.10    memset (vanished)
 *	  3.10   3.20   +0.10 ~   80.00  79.90   -0.10 ~  main
 */
#include "top.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/utf8.h"
#include "model/label.h"

#define LEAST_NAME 16u /* columns left to a name, however narrow the width asked for */

struct top {
	const struct view *view;
	const struct export_options *options;
	struct output *out;
	struct buf text;
	struct buf cell; /* one number on its way into its column */
	size_t width[5]; /* of the numbers' columns */
};

uint64_t top_scaled(const struct export_options *o, uint64_t v)
{
	double factor = o->factor != 0 ? o->factor : 1;
	double exact = round((double)v * factor);

	return factor == 1 ? v : exact < 0x1p64 ? (uint64_t)exact : UINT64_MAX;
}

/* --- cells --- */

static const struct buf *count_cell(struct top *x, uint64_t v)
{
	x->cell.len = 0;
	view_add_full_weight(x->view, &x->cell, top_scaled(x->options, v));
	return &x->cell;
}

static const struct buf *share_cell(struct top *x, uint64_t v)
{
	x->cell.len = 0;
	number_add_percent(&x->cell, v, tree_total(&x->view->tree, x->view->zoom), 2);
	return &x->cell;
}

static const struct buf *text_cell(struct top *x, const char *s)
{
	x->cell.len = 0;
	buf_adds(&x->cell, s);
	return &x->cell;
}

static void put(struct top *x, const struct buf *cell, size_t width)
{
	buf_pad(&x->text, ' ', width > cell->len ? width - cell->len : 0);
	buf_add(&x->text, cell->data, cell->len);
	buf_adds(&x->text, "  ");
}

/* The name, whole unless a width was asked for; matches of the search are marked. */
static void put_name(struct top *x, uint32_t sym, size_t used, const char *remark)
{
	struct display_name d = *display_name((struct display *)&x->view->display, sym);
	bool ascii = x->options->ascii;

	if (x->view->search.pattern) {
		buf_adds(&x->text, symset_has(&x->view->search.hits, sym) ? "* " : "  ");
		used += 2;
	}
	x->cell.len = 0;
	utf8_clean(&x->cell, d.text, d.len, ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8);
	d = (struct display_name){.text = buf_str(&x->cell), .len = (uint32_t)x->cell.len};
	d.columns = (uint32_t)utf8_columns(d.text, d.len);
	used += strlen(remark);
	size_t room = x->options->width > used + LEAST_NAME ? x->options->width - used : LEAST_NAME;
	label_fit(&x->text, &d, x->options->width ? room : d.columns, ascii);
	buf_adds(&x->text, remark);
	buf_addc(&x->text, '\n');
}

static void put_rest(struct top *x, size_t shown, size_t all)
{
	if (shown < all)
		buf_addf(&x->text, "%zu more function%s not shown\n", all - shown, all - shown == 1 ? "" : "s");
}

/* --- plain --- */

static int by_self(const void *a, const void *b)
{
	const struct top_row *x = a, *y = b;

	if (x->sum.self != y->sum.self)
		return x->sum.self > y->sum.self ? -1 : 1;
	if (x->sum.total != y->sum.total)
		return x->sum.total > y->sum.total ? -1 : 1;
	uint32_t len = x->name->len < y->name->len ? x->name->len : y->name->len;
	int order = memcmp(x->name->name, y->name->name, len);
	return order ? order : x->name->len < y->name->len ? -1 : 1;
}

struct top_row *top_rows(const struct view *v, size_t *n)
{
	const struct symtab *t = &v->profile->symtab;
	struct name_sum *sums = tree_sums(&v->tree, v->zoom, t->n, n, NULL);
	struct top_row *rows = mem_alloc((*n ? *n : 1) * sizeof *rows);

	for (size_t i = 0; i < *n; i++)
		rows[i] = (struct top_row){.sum = sums[i], .name = &t->symbols[sums[i].sym]};
	free(sums);
	qsort(rows, *n, sizeof *rows, by_self);
	return rows;
}

static void widen(struct top *x, size_t column, const struct buf *cell)
{
	if (x->width[column] < cell->len)
		x->width[column] = cell->len;
}

static void measure(struct top *x, const struct top_row *rows, size_t n, const char *const *heads)
{
	for (size_t i = 0; i < 5; i++)
		x->width[i] = strlen(heads[i]);
	for (size_t i = 0; i < n; i++) {
		widen(x, 0, count_cell(x, rows[i].sum.self));
		widen(x, 1, share_cell(x, rows[i].sum.self));
		widen(x, 2, count_cell(x, rows[i].sum.total));
		widen(x, 3, share_cell(x, rows[i].sum.total));
		x->cell.len = 0;
		buf_addu(&x->cell, rows[i].sum.frames);
		widen(x, 4, &x->cell);
	}
}

static void write_plain(struct top *x, size_t most)
{
	static const char *const heads[5] = {"self", "self %", "total", "total %", "frames"};
	size_t all, used = 0;
	struct top_row *rows = top_rows(x->view, &all);
	size_t n = all < most ? all : most;

	measure(x, rows, n, heads);
	for (size_t i = 0; i < 5; i++) {
		put(x, text_cell(x, heads[i]), x->width[i]);
		used += x->width[i] + 2;
	}
	buf_adds(&x->text, x->view->search.pattern ? "  name\n" : "name\n");
	for (size_t i = 0; i < n; i++) {
		const struct name_sum *s = &rows[i].sum;
		put(x, count_cell(x, s->self), x->width[0]);
		put(x, share_cell(x, s->self), x->width[1]);
		put(x, count_cell(x, s->total), x->width[2]);
		put(x, share_cell(x, s->total), x->width[3]);
		x->cell.len = 0;
		buf_addu(&x->cell, s->frames);
		put(x, &x->cell, x->width[4]);
		put_name(x, s->sym, used, "");
	}
	put_rest(x, n, all);
	free(rows);
}

/* --- differences --- */

#define CHANGE_WIDTH 25u

const char *top_remark(const struct diff_change *total)
{
	return diff_is_new(total) ? " (new)" : diff_is_gone(total) ? " (vanished)" : "";
}

void top_add_summary(struct buf *out, const struct diff_table *t)
{
	buf_addf(out, "%zu function%s grew and %zu shrank beyond noise", t->counts.grown,
	         t->counts.grown == 1 ? "" : "s", t->counts.shrunk);
	if (t->counts.added)
		buf_addf(out, ", %zu %s new", t->counts.added, t->counts.added == 1 ? "is" : "are");
	if (t->counts.gone)
		buf_addf(out, ", %zu vanished", t->counts.gone);
	buf_adds(out, "; ");
	number_add_commas(out, (uint64_t)(t->basis.samples_before + 0.5), 0);
	buf_adds(out, " samples before, ");
	number_add_commas(out, (uint64_t)(t->basis.samples_after + 0.5), 0);
	buf_adds(out, " after");
}

/* Before, after and change of one share. true: it may be chance. */
static bool put_change(struct top *x, const struct diff_change *c)
{
	bool is_chance = c->is_noise && c->delta != 0;

	buf_addf(&x->text, "%6.2f %6.2f %+7.2f%s  ", c->before, c->after, c->delta, is_chance ? " ~" : "  ");
	return is_chance;
}

static void write_diff(struct top *x, size_t most)
{
	const struct view *v = x->view;
	struct diff_table table;
	bool has_noise = false;

	diff_table_make(&table, v->profile, &v->recipe, &v->tree, v->zoom);
	size_t n = table.n < most ? table.n : most;
	buf_addf(&x->text, "%-*s%s\n", (int)CHANGE_WIDTH, "self %", "total %");
	buf_addf(&x->text, "%-*s%-*s", (int)CHANGE_WIDTH, "before  after   delta", (int)CHANGE_WIDTH,
	         "before  after   delta");
	buf_adds(&x->text, v->search.pattern ? "  name\n" : "name\n");
	for (size_t i = 0; i < n; i++) {
		has_noise |= put_change(x, &table.rows[i].self);
		has_noise |= put_change(x, &table.rows[i].total);
		put_name(x, table.rows[i].sym, 2 * CHANGE_WIDTH, top_remark(&table.rows[i].total));
	}
	put_rest(x, n, table.n);
	top_add_summary(&x->text, &table);
	buf_addc(&x->text, '\n');
	if (has_noise)
		buf_addf(&x->text, "~ within %g standard errors: may be chance\n", DIFF_SIGMAS);
	diff_table_deinit(&table);
}

/* --- all of it --- */

static bool top_write(const struct view *v, const struct export_options *o, struct output *out, struct err *err)
{
	struct top x = {.view = v, .options = o, .out = out};
	size_t most = o->top ? o->top : TOP_ROWS;

	(void)err; /* writing fails when the output is committed */
	buf_init(&x.text);
	buf_init(&x.cell);
	if (top_is_diff(v))
		write_diff(&x, most);
	else
		write_plain(&x, most);
	output_flush_buf(out, &x.text);
	buf_deinit(&x.cell);
	buf_deinit(&x.text);
	return true;
}

const struct export_kind export_top = {
	.name = "top",
	.suffix = ".top",
	.help = "table of functions: self, total, frames, name; with a baseline what changed",
	.write = top_write,
};
