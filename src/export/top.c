/*
 * top.c - the most expensive functions, as a table.
 *
 *	  self  self %  total  total %  frames  name
 *	 4,210    31.2  4,210     31.2       7  memcpy
 *
 * self is the weight of a function alone, total includes everything it called; a function inside itself counts
 * once. With a baseline the table shows changes: first functions that grew, then those that shrank, then their
 * callers, and last changes within the noise of two profiles of the same program:
 *
 *	self %                   total %
 *	before  after  change    before  after  change    name
 *	 10.00  12.50   +2.50     10.00  12.50   +2.50    memcpy
 *	  3.10   0.00   -3.10      3.10   0.00   -3.10    memset (vanished)
 *	  3.10   3.20   +0.10 ~   80.00  79.90   -0.10 ~  main
 *
 * A comparison of weights shows weights instead of percentages. Notes at the end say what the view leaves out.
 */
#include "top.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "model/cut.h"
#include "model/estimate.h"
#include "model/idle.h"
#include "model/label.h"
#include "model/selection.h"
#include "model/words.h"

#define LEAST_NAME 16u /* columns for a name, even in a narrower table */

struct top {
	const struct view *view;
	const struct export_options *options;
	struct output *out;
	struct buf text;
	struct buf cell; /* formats one number for its column */
	size_t width[6]; /* of the number columns */
};

static enum utf8_clean_mode clean_mode(const struct top *x)
{
	return x->options->ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8;
}

uint64_t top_scaled(const struct export_options *o, uint64_t v)
{
	return weight_times(v, o->factor);
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

/* Appends the name, whole unless there is a width limit; marks matches of the search. */
static void put_name(struct top *x, uint32_t sym, size_t used, const char *remark)
{
	struct display_name d = *display_name((struct display *)&x->view->display, sym);
	bool ascii = x->options->ascii;
	if (x->view->search.pattern) {
		buf_adds(&x->text, search_has_name(&x->view->search, sym) ? "* " : "  ");
		used += 2;
	}
	x->cell.len = 0;
	utf8_clean(&x->cell, d.text, d.len, clean_mode(x));
	d = (struct display_name){.text = buf_str(&x->cell), .len = (uint32_t)x->cell.len};
	d.columns = (uint32_t)utf8_columns(d.text, d.len);
	used += strlen(remark);
	size_t room = x->options->width > used + LEAST_NAME ? x->options->width - used : LEAST_NAME;
	label_fit(&x->text, &d, x->options->width ? room : d.columns, ascii);
	buf_adds(&x->text, remark);
	buf_addc(&x->text, '\n');
}

void top_add_left_out(struct buf *out, const struct view *v)
{
	uint32_t rows = tree_rows_left_out(&v->tree, v->zoom);
	if (rows)
		buf_addf(out, "the column 'frames' leaves out up to %u deeper rows; self and total include them\n", rows);
}

static void put_rest(struct top *x, size_t shown, size_t all)
{
	if (shown < all)
		buf_addf(&x->text, "%zu more %s not shown\n", all - shown, group_noun(x->view->tree.group, all - shown));
}

/* The heading of the names. Matches of a search have a mark before them. */
static void put_name_head(struct top *x)
{
	enum group_by by = x->view->tree.group;
	buf_addf(&x->text, "%s%s\n", x->view->search.pattern ? "  " : "", by == BY_FUNCTION ? "name" : group_name(by));
}

/* --- plain --- */

static void widen(struct top *x, size_t column, const struct buf *cell)
{
	if (x->width[column] < cell->len)
		x->width[column] = cell->len;
}

static void measure(struct top *x, const struct name_sum *rows, size_t n, const char *const *heads)
{
	for (size_t i = 0; i < 5; i++)
		x->width[i] = strlen(heads[i]);
	for (size_t i = 0; i < n && export_goes_on(x->options); i++) {
		widen(x, 0, count_cell(x, rows[i].self));
		widen(x, 1, share_cell(x, rows[i].self));
		widen(x, 2, count_cell(x, rows[i].total));
		widen(x, 3, share_cell(x, rows[i].total));
		x->cell.len = 0;
		buf_addu(&x->cell, rows[i].frames);
		widen(x, 4, &x->cell);
	}
}

static void write_plain(struct top *x, size_t most)
{
	const char *zoom = words_of_zoom(x->view);
	struct buf self, total;
	buf_init(&self);
	buf_init(&total);
	buf_addf(&self, "self %%%s", zoom);
	buf_addf(&total, "total %%%s", zoom);
	const char *const heads[5] = {"self", buf_str(&self), "total", buf_str(&total), "frames"};
	size_t used = 0;
	struct top_passed passed;
	struct name_sum *rows = top_rows(x->view, &passed, x->options->progress);
	size_t n = passed.n < most ? passed.n : most;
	measure(x, rows, n, heads);
	for (size_t i = 0; i < 5; i++) {
		put(x, text_cell(x, heads[i]), x->width[i]);
		used += x->width[i] + 2;
	}
	put_name_head(x);
	for (size_t i = 0; i < n && export_goes_on(x->options); i++) {
		const struct name_sum *s = &rows[i];
		put(x, count_cell(x, s->self), x->width[0]);
		put(x, share_cell(x, s->self), x->width[1]);
		put(x, count_cell(x, s->total), x->width[2]);
		put(x, share_cell(x, s->total), x->width[3]);
		x->cell.len = 0;
		buf_addu(&x->cell, s->frames);
		put(x, &x->cell, x->width[4]);
		put_name(x, s->sym, used, "");
	}
	put_rest(x, n, passed.n);
	top_add_filter(&x->text, x->view, x->options, &passed, clean_mode(x));
	top_add_left_out(&x->text, x->view);
	free(rows);
	buf_deinit(&self);
	buf_deinit(&total);
}

/* --- differences --- */

const char *top_remark(const struct diff_change *total)
{
	return diff_is_new(total) ? " (new)" : diff_is_gone(total) ? " (vanished)" : "";
}

void top_add_summary(struct buf *out, const struct diff_table *t)
{
	words_add_quantity(out, t->basis.quantity);
	buf_addf(out, ": by self, %zu %s grew and %zu shrank beyond noise", t->counts.grown,
	         group_noun(t->group, t->counts.grown), t->counts.shrunk);
	if (t->counts.added)
		buf_addf(out, ", %zu %s new", t->counts.added, t->counts.added == 1 ? "is" : "are");
	if (t->counts.gone)
		buf_addf(out, ", %zu vanished", t->counts.gone);
	buf_adds(out, "; ");
	words_add_samples(out, &t->basis);
}

void top_add_idle(struct buf *out, const struct view *v, const struct export_options *o, const char *before,
                  const char *after)
{
	struct buf words;
	buf_init(&words);
	for (unsigned side = 0; side < 1u + view_is_diff(v); side++) {
		words.len = 0;
		int32_t series = selection_series(v->profile, &v->recipe, side);
		if (idle_add_words(v->profile, series, side, o->factor, &words)) {
			buf_adds(out, before);
			utf8_clean(out, words.data, words.len, o->ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8);
			buf_adds(out, after);
		}
		words.len = 0;
		if (estimate_add_words(v->profile, series, side, &words))
			buf_addf(out, "%s%s%s", before, buf_str(&words), after);
	}
	buf_deinit(&words);
}

/* In weights, a signed number replaces the count. */
static void add_weight(struct buf *out, const struct view *v, const struct export_options *o,
                       const struct diff_change *c, enum top_part part)
{
	if (part == TOP_DELTA)
		buf_addc(out, c->weight_after < c->weight_before ? '-' : '+');
	view_add_full_weight(v, out,
	                     top_scaled(o, part == TOP_BEFORE  ? c->weight_before
	                                   : part == TOP_AFTER ? c->weight_after
	                                                       : diff_weight(c)));
}

void top_add_part(struct buf *out, const struct view *v, const struct export_options *o,
                  const struct diff_change *c, enum top_part part)
{
	if (c->quantity == DIFF_OF_SHARES && part == TOP_DELTA)
		buf_addf(out, "%+.2f", number_percent(c->delta, 2));
	else if (c->quantity == DIFF_OF_SHARES)
		buf_addf(out, "%.2f", number_percent(part == TOP_BEFORE ? c->before : c->after, 2));
	else
		add_weight(out, v, o, c, part);
}

#define CHANGES 2u /* of self and of total */
#define PARTS 3u   /* of a change */

static const struct diff_change *change_in(const struct diff_row *r, size_t column)
{
	return column < PARTS ? &r->self : &r->total;
}

static const struct buf *part_cell(struct top *x, const struct diff_row *r, size_t column)
{
	x->cell.len = 0;
	top_add_part(&x->cell, x->view, x->options, change_in(r, column), (enum top_part)(column % PARTS));
	return &x->cell;
}

static void measure_diff(struct top *x, const struct diff_row *rows, size_t n)
{
	static const size_t least[PARTS] = {6, 6, 7};
	for (size_t i = 0; i < CHANGES * PARTS; i++)
		x->width[i] = least[i % PARTS];
	for (size_t i = 0; i < n && export_goes_on(x->options); i++)
		for (size_t c = 0; c < CHANGES * PARTS; c++)
			widen(x, c, part_cell(x, &rows[i], c));
}

/* Appends one number, and a mark after a change that may be chance. Returns whether it has that mark. */
static bool put_part(struct top *x, const struct buf *cell, size_t column, bool is_chance)
{
	bool is_last = column % PARTS == PARTS - 1;
	buf_pad(&x->text, ' ', x->width[column] > cell->len ? x->width[column] - cell->len : 0);
	buf_add(&x->text, cell->data, cell->len);
	buf_adds(&x->text, !is_last ? " " : is_chance ? " ~  " : "    ");
	return is_last && is_chance;
}

static size_t change_width(const struct top *x, size_t change)
{
	const size_t *w = x->width + change * PARTS;
	return w[0] + w[1] + w[2] + 6;
}

static void put_diff_heads(struct top *x, enum diff_quantity quantity)
{
	static const char *const parts[PARTS] = {"before", "after", "change"};
	/* In a zoomed view shares stay those of the whole, as in the picture. */
	const char *percent = quantity == DIFF_OF_WEIGHTS ? "" : " %";
	const char *of = *percent && x->view->zoom != NODE_ALL ? words_of_whole(x->view) : "";
	size_t from = x->text.len;

	buf_addf(&x->text, "self%s%s", percent, of);
	buf_pad(&x->text, ' ', change_width(x, 0) - (x->text.len - from));
	buf_addf(&x->text, "total%s%s\n", percent, of);
	for (size_t c = 0; c < CHANGES * PARTS; c++)
		put_part(x, text_cell(x, parts[c % PARTS]), c, false);
	put_name_head(x);
}

static void write_diff(struct top *x, size_t most)
{
	const struct view *v = x->view;
	struct diff_table table;
	bool has_noise = false;
	diff_table_make(&table, v->profile, &v->recipe, &v->tree, v->zoom, x->options->progress);
	struct top_passed passed;
	size_t n;
	struct diff_row *rows = top_diff_rows(v, &table, most, DIFF_BY_RANK, &n, &passed, x->options->progress);
	measure_diff(x, rows, n);
	put_diff_heads(x, table.basis.quantity);
	for (size_t i = 0; i < n && export_goes_on(x->options); i++) {
		for (size_t c = 0; c < CHANGES * PARTS; c++) {
			const struct diff_change *change = change_in(&rows[i], c);
			has_noise |= put_part(x, part_cell(x, &rows[i], c), c, change->is_noise && change->delta != 0);
		}
		put_name(x, rows[i].sym, change_width(x, 0) + change_width(x, 1), top_remark(&rows[i].total));
	}
	put_rest(x, n, passed.n);
	top_add_filter(&x->text, v, x->options, &passed, clean_mode(x));
	top_add_summary(&x->text, &table);
	buf_addc(&x->text, '\n');
	if (has_noise)
		buf_addf(&x->text, "~ within %g standard errors: may be chance\n", DIFF_SIGMAS);
	free(rows);
	diff_table_deinit(&table);
}

/* --- exclusions --- */

static void add_note(struct buf *out, const char *before, struct buf *note, const char *after)
{
	if (note->len)
		buf_addf(out, "%s%s%s", before, buf_str(note), after);
}

void top_add_notes(struct buf *out, const struct view *v, const struct export_options *o, const char *before,
                   const char *after)
{
	enum utf8_clean_mode mode = o->ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8;
	struct buf note;
	buf_init(&note);
	words_add_so_far(&note, v);
	add_note(out, before, &note, after);
	note.len = 0;
	words_add_left_out(&note, v, mode);
	add_note(out, before, &note, after);
	note.len = 0;
	words_add_zoom(&note, v, view_total(v), mode);
	add_note(out, before, &note, after);
	buf_deinit(&note);
}

/* --- all of it --- */

static bool top_write(const struct view *v, const struct export_options *o, struct output *out, struct err *err)
{
	struct top x = {.view = v, .options = o, .out = out};
	size_t most = top_most(v, o);
	(void)err; /* a failed write shows when the output is committed */
	buf_init(&x.text);
	buf_init(&x.cell);
	if (view_is_diff(v))
		write_diff(&x, most);
	else
		write_plain(&x, most);
	top_add_notes(&x.text, v, o, "", "\n");
	top_add_idle(&x.text, v, o, "", "\n");
	output_flush_buf(out, &x.text);
	buf_deinit(&x.cell);
	buf_deinit(&x.text);
	return true;
}

const struct export_kind export_top = {
	.name = "top",
	.bit = EXPORT_TOP,
	.help = "table of functions: self, total, frames, name; with a baseline what changed",
	.holds = EXPORT_HOLDS(FLAME) | EXPORT_HOLDS(TABLE),
	.write = top_write,
};
