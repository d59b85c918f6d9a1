/*
 * text.c - a flame graph of characters, for pipes, logs and tickets.
 *
 *	app.perf.gz  cycles  1,204 samples  /read/ 18.4% matched
 *	                         ├vfs_read┤
 *	                 ├parse──┤├*read 18.4%┤
 *	├main 93.1%────────────────────────────────────────────────────┤├exit┤
 *	├all 100%────────────────────────────────────────────────────────────┤
 *	┊ frames thinner than a column, drawn together
 *	heaviest by self: 21.0% memcpy
 *	                  18.4% read
 *
 * The orientation is the view's: flames grow upwards, icicles hang down. A line fills each frame between its ends,
 * so a parent's self time stays visibly empty above. With colours a frame is a bar and needs no line. Notes at the
 * end list everything that did not fit the width, and the last lines name the functions with most self weight,
 * which may be spread over many narrow frames.
 */
#include "export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"
#include "base/utf8.h"
#include "model/cut.h"
#include "model/diff.h"
#include "model/idle.h"
#include "model/label.h"
#include "model/layout.h"
#include "model/tree_sums.h"
#include "model/words.h"

#define DEFAULT_WIDTH 80u
#define MOST_ROWS 1000u  /* limit for runaway recursions */
#define LEAST_TELLING 4u /* rows at the top without a box of this width are left out */
#define LEAST_NAME 8u    /* columns for a name below which its share is dropped */

struct text {
	const struct view *view;
	const struct tree *tree;
	const struct export_options *options;
	struct output *out;
	struct layout layout;
	struct buf line;
	struct buf label, scratch;
	size_t rows;         /* printed rows */
	bool has_aggregates; /* of the printed rows */
	bool is_diff;
	struct diff_basis basis;
	struct diff_colors colors;
};

static unsigned default_width(void)
{
	struct winsize size;
	if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return DEFAULT_WIDTH;
}

static void flush(struct text *x)
{
	output_flush_buf(x->out, &x->line);
}

static void add_clean(struct text *x, struct buf *out, const char *s)
{
	utf8_clean(out, s, strlen(s), x->options->ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8);
}

/* A displayed name in this export's characters. */
static struct display_name in_characters(struct text *x, struct display_name d)
{
	if (!x->options->ascii || x->view->display.mode == UTF8_CLEAN_ASCII)
		return d;
	x->scratch.len = 0;
	utf8_clean(&x->scratch, d.text, d.len, UTF8_CLEAN_ASCII);
	return (struct display_name){
		.text = buf_str(&x->scratch),
		.len = (uint32_t)x->scratch.len,
		.columns = (uint32_t)x->scratch.len,
	};
}

static struct display_name name_of(struct text *x, uint32_t node)
{
	return in_characters(x, *view_name(x->view, node));
}

/* --- header and legend --- */

/* Appends the file names of one side after an introduction. */
static void add_files(struct text *x, unsigned side, const char *introduction)
{
	const struct profile *p = x->view->profile;
	const char *before = introduction;
	for (size_t i = 0; i < p->n_files; i++) {
		if (p->files[i].side != side)
			continue;
		buf_adds(&x->line, before);
		add_clean(x, &x->line, p->files[i].name);
		before = ", ";
	}
	if (before != introduction)
		buf_adds(&x->line, "  ");
}

static void add_total(struct text *x)
{
	const struct view *v = x->view;
	uint64_t total = weight_times(view_total(v), x->options->factor);
	struct buf others;
	if (*view_event(v) && strcmp(view_event(v), view_unit(v)) != 0) {
		add_clean(x, &x->line, view_event(v));
		buf_adds(&x->line, "  ");
	}
	view_add_full_weight(v, &x->line, total);
	if (!view_is_time(v)) {
		buf_addc(&x->line, ' ');
		add_clean(x, &x->line, view_unit_of(v, total));
	}
	buf_init(&others);
	view_add_other_events(v, &others);
	add_clean(x, &x->line, buf_str(&others));
	buf_deinit(&others);
}

static enum utf8_clean_mode clean_mode(const struct text *x)
{
	return x->options->ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8;
}

static void add_recipe(struct text *x)
{
	const struct recipe *r = &x->view->recipe;
	words_add_task(&x->line, x->view, "  ", clean_mode(x));
	words_add_times(&x->line, x->view, "  ");
	words_add_filters(&x->line, x->view, "  ", clean_mode(x), SIZE_MAX);
	if (r->reverse && !recipe_has_callers(r))
		buf_addf(&x->line, "  callers of each %s", group_name(r->group));
	else if (r->group != BY_FUNCTION)
		buf_addf(&x->line, "  by %s", group_name(r->group));
	if (r->chart)
		buf_adds(&x->line, "  flame chart");
	else if (r->sort != SORT_NAME)
		buf_adds(&x->line, r->sort == SORT_WEIGHT ? "  by weight" : "  in input order");
	words_add_baseless(&x->line, x->view, "  ");
}

static void add_idle(struct text *x)
{
	struct buf words;
	buf_init(&words);
	for (unsigned side = 0; side < 1u + x->is_diff; side++) {
		words.len = 0;
		if (!idle_add_words(x->view->profile, x->view->recipe.series, side, x->options->factor, &words))
			continue;
		add_clean(x, &x->line, buf_str(&words));
		buf_addc(&x->line, '\n');
	}
	buf_deinit(&words);
}

static void add_so_far(struct text *x)
{
	size_t from = x->line.len;
	words_add_so_far(&x->line, x->view->profile);
	if (x->line.len > from)
		buf_addc(&x->line, '\n');
}

static void add_search(struct text *x)
{
	const struct search *s = &x->view->search;
	if (!s->pattern)
		return;
	char mark = s->mode == MATCH_LITERAL ? '"' : '/';
	buf_addf(&x->line, "  %c", mark);
	add_clean(x, &x->line, s->pattern);
	buf_addf(&x->line, "%c ", mark);
	number_add_percent(&x->line, s->matched, tree_total(x->tree, x->view->zoom), 1);
	buf_addf(&x->line, "%% matched in %llu frame%s", (unsigned long long)s->frames_zoom,
	         s->frames_zoom == 1 ? "" : "s");
	words_add_given_up(&x->line, s->match ? match_exceeded(s->match) : 0);
}

static void write_header(struct text *x)
{
	size_t from;
	add_files(x, 0, "");
	if (x->is_diff)
		add_files(x, 1, "against ");
	add_total(x);
	if (x->is_diff) {
		buf_adds(&x->line, "  ");
		words_add_comparison(&x->line, &x->basis);
	}
	add_recipe(x);
	add_search(x);
	buf_addc(&x->line, '\n');
	add_so_far(x);
	add_idle(x);
	from = x->line.len;
	words_add_zoom(&x->line, x->view, clean_mode(x));
	if (x->line.len > from)
		buf_addc(&x->line, '\n');
}

static void add_diff_legend(struct text *x)
{
	if (x->options->depth != DEPTH_MONO)
		buf_addf(&x->line, "colours: %s\n", x->options->negate ? "blue grew, red shrank" : "red grew, blue shrank");
	buf_addf(&x->line, "+ and - change of %s%s; ~ within %g standard errors: may be chance\n",
	         x->basis.quantity == DIFF_OF_SHARES ? "the share of all, in percentage points" : "the weight",
	         x->tree->is_reversed ? "" : ", of the frame without what it calls", DIFF_SIGMAS);
}

static void write_legend(struct text *x)
{
	const struct layout *l = &x->layout;
	bool ascii = x->options->ascii;
	if (!tree_total(x->tree, x->view->zoom))
		buf_adds(&x->line, "no samples\n");
	if (x->has_aggregates)
		buf_addf(&x->line, "%s frames thinner than a column, drawn together\n", ascii ? ":" : "\xE2\x94\x8A");
	if (l->left_out)
		buf_addf(&x->line, "%llu frame%s below %g%% left out, with all callees\n", (unsigned long long)l->left_out,
		         l->left_out == 1 ? "" : "s", x->view->min_share);
	if (tree_rows_left_out(x->tree, x->view->zoom))
		buf_addf(&x->line,
		         "too many frames: up to %u deeper rows are left out; --zoom=PATH shows those on a frame\n",
		         tree_rows_left_out(x->tree, x->view->zoom));
	if (l->rows > x->rows)
		buf_addf(&x->line, "%zu deeper row%s left out%s\n", l->rows - x->rows, l->rows - x->rows == 1 ? "" : "s",
		         x->rows < MOST_ROWS ? ": nothing in them is wide enough to be read" : "");
	if (x->view->search.pattern && x->options->depth == DEPTH_MONO)
		buf_adds(&x->line, "* matches the search\n");
	if (x->is_diff)
		add_diff_legend(x);
}

/* --- what a box says and how it looks --- */

static bool is_hit(const struct text *x, const struct box *b)
{
	if (box_is_aggregate(b))
		return view_has_hit_within(x->view, b->first, b->final);
	return view_is_hit(x->view, b->node);
}

static void add_gain(const struct text *x, struct diff_change c, struct buf *out)
{
	if (!words_has_gain(&c, 1))
		return;
	buf_addc(out, ' ');
	words_add_gain(out, x->view, &c, x->options->factor, 1);
	buf_adds(out, c.is_noise ? "~" : "");
}

/* " 18.4%"; with a baseline " 18.4% +2.1", or "+0.1~" for possible noise: the change that the colour shows. */
static void add_share(const struct text *x, const struct box *b, struct buf *out)
{
	uint64_t value = b->x1 - b->x0, all = view_total(x->view);
	buf_addc(out, ' ');
	number_add_percent(out, value, all, value < all);
	buf_addc(out, '%');
	if (x->is_diff && !box_is_aggregate(b))
		add_gain(x, diff_of_frame(&x->basis, x->tree, b->node), out);
}

/* Number of frames in an aggregate, and the widest of them. */
static uint32_t count_siblings(const struct tree *t, const struct box *b, uint32_t *widest)
{
	uint32_t n = 0, i = b->node;
	*widest = i;
	for (;; i = t->end[i]) {
		n += !tree_is_gap(t, i);
		if (!tree_is_gap(t, i) && tree_total(t, i) > tree_total(t, *widest))
			*widest = i;
		if (i == b->last)
			return n;
	}
}

/* "14 frames 2.1%: parse 0.9%", cut to the room available. */
static void label_aggregate(struct text *x, const struct box *b, const struct buf *share, size_t columns)
{
	struct buf *out = &x->label, count;
	const struct tree *t = x->tree;
	uint32_t widest;
	buf_init(&count);
	buf_addf(&count, "%u frames", count_siblings(t, b, &widest));
	struct display_name text = {buf_str(&count), (uint32_t)count.len, (uint32_t)count.len};
	bool has_share = count.len + share->len <= columns;
	label_fit(out, &text, columns, x->options->ascii);
	if (has_share)
		buf_add(out, share->data, share->len);
	size_t used = count.len + share->len;
	count.len = 0;
	buf_addc(&count, ' ');
	number_add_percent(&count, tree_total(t, widest), view_total(x->view), 1);
	buf_addc(&count, '%');
	if (has_share && used + 2 + LEAST_NAME + count.len <= columns) {
		struct display_name name = name_of(x, widest);
		buf_adds(out, ": ");
		label_fit(out, &name, columns - used - 2 - count.len, x->options->ascii);
		buf_add(out, count.data, count.len);
	}
	buf_deinit(&count);
}

/* Name and share, else the name, else nothing. */
static void label_frame(struct text *x, const struct box *b, const struct buf *share, size_t columns)
{
	struct display_name name = name_of(x, b->node);
	size_t least = name.columns < LEAST_NAME ? name.columns : LEAST_NAME;
	bool has_share = least + share->len <= columns;
	label_fit(&x->label, &name, has_share ? columns - share->len : columns, x->options->ascii);
	if (has_share)
		buf_add(&x->label, share->data, share->len);
}

/* Makes the label of a box, at most `columns` wide. */
static void make_label(struct text *x, const struct box *b, size_t columns)
{
	struct buf share;
	x->label.len = 0;
	if (!columns)
		return;
	buf_init(&share);
	add_share(x, b, &share);
	if (is_hit(x, b) && x->options->depth == DEPTH_MONO) {
		buf_addc(&x->label, '*');
		columns--;
	}
	if (box_is_aggregate(b))
		label_aggregate(x, b, &share, columns);
	else
		label_frame(x, b, &share, columns);
	buf_deinit(&share);
}

static void add_times(struct buf *out, const char *s, size_t n)
{
	while (n--)
		buf_adds(out, s);
}

struct text_pen {
	const char *left, *right, *fill, *single;
};

static const struct text_pen *pen_for(bool ascii, bool is_aggregate)
{
	static const struct text_pen pens[2][2] = {
		{{"\xE2\x94\x9C", "\xE2\x94\xA4", "\xE2\x94\x80", "\xE2\x94\x82"},
	     {"\xE2\x94\x8A", "\xE2\x94\x8A", "\xE2\x94\x84", "\xE2\x94\x8A"}},
		{{"[", "]", "-", "|"}, {":", ":", ".", ":"}},
	};
	return &pens[ascii][is_aggregate];
}

static void draw_lines(struct text *x, const struct box *b)
{
	const struct text_pen *pen = pen_for(x->options->ascii, box_is_aggregate(b));
	const struct text_pen *thin = pen_for(x->options->ascii, true);
	size_t width = b->end - b->col;
	if (width < 3) {
		const char *mark = is_hit(x, b) ? "*" : width == 1 ? pen->single : NULL;
		buf_adds(&x->line, mark ? mark : pen->left);
		if (width == 2)
			buf_adds(&x->line, mark ? mark : pen->right);
		return;
	}
	make_label(x, b, width - 2);
	buf_adds(&x->line, box_hides_left(b) ? thin->single : pen->left);
	buf_add(&x->line, x->label.data, x->label.len);
	add_times(&x->line, pen->fill, width - 2 - utf8_columns(x->label.data, x->label.len));
	buf_adds(&x->line, box_hides_right(b) ? thin->single : pen->right);
}

static struct rgb color_of(const struct text *x, const struct box *b)
{
	if (is_hit(x, b))
		return (struct rgb){230, 0, 230};
	if (box_is_aggregate(b))
		return (struct rgb){178, 178, 178};
	if (x->is_diff) {
		struct diff_change c = diff_of_frame(&x->basis, x->tree, b->node);
		return diff_color(&x->colors, &c);
	}
	double share = (double)(b->x1 - b->x0) / (double)view_total(x->view);
	return palette_node(x->options->palette, &x->view->profile->symtab, x->tree, b->node, share);
}

static void set_colors(struct text *x, struct rgb c)
{
	bool is_dark = 299 * c.r + 587 * c.g + 114 * c.b < 110000;
	unsigned n;
	switch (x->options->depth) {
	case DEPTH_TRUE:
		buf_addf(&x->line, "\033[38;5;%u;48;2;%u;%u;%um", is_dark ? 231 : 16, c.r, c.g, c.b);
		break;
	case DEPTH_256:
		buf_addf(&x->line, "\033[38;5;%u;48;5;%um", is_dark ? 231 : 16, palette_256(c));
		break;
	default:
		n = palette_16(c);
		buf_addf(&x->line, "\033[%u;%um", is_dark ? 97 : 30, n < 8 ? 40 + n : 100 + n - 8);
	}
}

/* Draws a bar; its first column has a thin edge, because neighbours may have the same colour. */
static void draw_bar(struct text *x, const struct box *b)
{
	size_t width = b->end - b->col;
	set_colors(x, color_of(x, b));
	if (box_is_aggregate(b) || box_hides_left(b))
		buf_adds(&x->line, pen_for(x->options->ascii, true)->single);
	else
		buf_adds(&x->line, x->options->ascii ? "|" : "\xE2\x96\x8F");
	make_label(x, b, width - 1);
	buf_add(&x->line, x->label.data, x->label.len);
	buf_pad(&x->line, ' ', width - 1 - utf8_columns(x->label.data, x->label.len));
}

static void write_row(struct text *x, size_t row)
{
	const struct layout *l = &x->layout;
	bool is_plain = x->options->depth == DEPTH_MONO, is_colored = false;
	uint32_t col = 0;
	for (size_t i = l->row_start[row]; i < l->row_start[row + 1]; i++) {
		const struct box *b = &l->boxes[i];
		if (is_colored && b->col > col)
			buf_adds(&x->line, "\033[0m");
		buf_pad(&x->line, ' ', b->col - col);
		if (is_plain)
			draw_lines(x, b);
		else
			draw_bar(x, b);
		is_colored = !is_plain;
		col = b->end;
	}
	buf_adds(&x->line, is_colored ? "\033[0m\n" : "\n");
	flush(x);
}

/* --- the heaviest functions --- */

#define MOST_HEAVIEST 3u

/* "18.4%", with a baseline "18.4% +2.1". */
static void add_self(struct text *x, const struct name_sum *sum, struct buf *out)
{
	uint64_t all = view_total(x->view);
	number_add_percent(out, sum->self, all, sum->self < all);
	buf_addc(out, '%');
	if (x->is_diff)
		add_gain(x, diff_of(&x->basis, sum->self, sum->base_self), out);
}

static void write_heaviest(struct text *x)
{
	static const char head[] = "heaviest by self: ";
	const struct view *v = x->view;
	struct name_sum heaviest[MOST_HEAVIEST];
	struct buf shares[MOST_HEAVIEST];
	size_t n_sums, widest = 0, width = x->layout.width;
	struct name_sum *sums = tree_sums(x->tree, v->zoom, v->profile->symtab.n, &n_sums, NULL);
	size_t n = tree_heaviest(&v->profile->symtab, sums, n_sums, heaviest, MOST_HEAVIEST);
	for (size_t i = 0; i < n; i++) {
		buf_init(&shares[i]);
		add_self(x, &heaviest[i], &shares[i]);
		widest = shares[i].len > widest ? shares[i].len : widest;
	}
	size_t used = strlen(head) + widest + 1;
	for (size_t i = 0; i < n; i++) {
		struct display_name d = *display_name((struct display *)&v->display, heaviest[i].sym);
		d = in_characters(x, d);
		buf_addf(&x->line, "%*s%*s ", (int)strlen(head), i ? "" : head, (int)widest, buf_str(&shares[i]));
		label_fit(&x->line, &d, width > used + LEAST_NAME ? width - used : LEAST_NAME, x->options->ascii);
		buf_addc(&x->line, '\n');
		buf_deinit(&shares[i]);
	}
	free(sums);
}

/* --- all of it --- */

static bool is_telling(const struct layout *l, size_t row)
{
	for (size_t i = l->row_start[row]; i < l->row_start[row + 1]; i++)
		if (l->boxes[i].end - l->boxes[i].col >= LEAST_TELLING)
			return true;
	return false;
}

static bool is_thin_shown(const struct box *b)
{
	return box_is_aggregate(b) || box_hides_left(b) || box_hides_right(b);
}

/* Rows mostly get narrower with depth, though not always: prints up to the last readable one. */
static void choose_rows(struct text *x)
{
	const struct layout *l = &x->layout;
	x->rows = l->rows < MOST_ROWS ? l->rows : MOST_ROWS;
	while (x->rows > 1 && !is_telling(l, x->rows - 1))
		x->rows--;
	for (size_t i = 0; i < l->row_start[x->rows] && !x->has_aggregates; i++)
		x->has_aggregates = is_thin_shown(&l->boxes[i]);
}

static uint64_t least_value(const struct view *v)
{
	return weight_at_least((double)view_total(v) * v->min_share / 100, view_total(v));
}

static void prepare_diff(struct text *x)
{
	const struct view *v = x->view;
	diff_basis_make(&x->basis, v->profile, &v->recipe, x->tree);
	x->colors = (struct diff_colors){
		.most = diff_most(&x->basis, x->tree),
		.is_negated = x->options->negate,
		.is_few = x->options->depth == DEPTH_16,
	};
}

static bool text_write(const struct view *v, const struct export_options *o, struct output *out, struct err *err)
{
	struct text x = {
		.view = v,
		.tree = &v->tree,
		.options = o,
		.out = out,
		.is_diff = view_is_diff(v),
	};
	(void)err; /* a failed write shows when the output is committed */
	if (x.is_diff)
		prepare_diff(&x);
	buf_init(&x.line);
	buf_init(&x.label);
	buf_init(&x.scratch);
	layout_init(&x.layout);
	layout_make(&x.layout, x.tree, v->zoom, o->width ? o->width : default_width(), least_value(v), 0);
	choose_rows(&x);
	write_header(&x);
	for (size_t i = 0; i < x.rows; i++)
		write_row(&x, v->is_inverted ? i : x.rows - 1 - i);
	write_legend(&x);
	write_heaviest(&x);
	flush(&x);
	layout_deinit(&x.layout);
	buf_deinit(&x.scratch);
	buf_deinit(&x.label);
	buf_deinit(&x.line);
	return true;
}

const struct export_kind export_text = {
	.name = "text",
	.bit = EXPORT_TEXT,
	.help = "flame graph in characters, for pipes, logs and tickets",
	.holds = EXPORT_HOLDS(FLAME),
	.write = text_write,
};
