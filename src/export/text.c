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
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"
#include "model/cut.h"
#include "model/estimate.h"
#include "model/idle.h"
#include "model/label.h"
#include "model/selection.h"
#include "model/words.h"

#define DEFAULT_WIDTH 80u
#define MOST_ROWS 1000u  /* limit for runaway recursions */
#define LEAST_TELLING 4u /* rows at the top without a box of this width are left out */

static unsigned default_width(void)
{
	struct winsize size;
	if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return DEFAULT_WIDTH;
}

void text_flush(struct text *x)
{
	output_flush_buf(x->out, &x->line);
}

static void add_clean(struct text *x, struct buf *out, const char *s)
{
	utf8_clean(out, s, strlen(s), text_clean_mode(x));
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

static void add_recipe(struct text *x)
{
	const struct recipe *r = &x->view->recipe;
	words_add_missing(&x->line, x->view, "  ");
	words_add_base_event(&x->line, x->view, "  ", text_clean_mode(x));
	words_add_task(&x->line, x->view, "  ", text_clean_mode(x));
	words_add_times(&x->line, x->view, "  ");
	words_add_filters(&x->line, x->view, "  ", text_clean_mode(x), SIZE_MAX);
	bool is_lines = x->view->shown.view == SHOWN_LINES; /* which have an order and a direction of their own */
	if (r->reverse && !recipe_has_callers(r) && !x->is_sandwich && !is_lines)
		buf_addf(&x->line, "  callers of each %s", group_name(r->group));
	else if (r->group != BY_FUNCTION)
		buf_addf(&x->line, "  by %s", group_name(r->group));
	if (r->chart && !is_lines)
		buf_adds(&x->line, "  flame chart");
	else if (!is_lines && r->sort == SORT_WEIGHT)
		buf_adds(&x->line, "  by weight");
	else if (!is_lines && r->sort == SORT_INPUT && !x->is_sandwich) /* halves are not in input order */
		buf_adds(&x->line, "  in input order");
	words_add_baseless(&x->line, x->view, "  ");
}

static void add_idle(struct text *x)
{
	struct buf words;
	buf_init(&words);
	for (unsigned side = 0; side < 1u + x->is_diff; side++) {
		words.len = 0;
		int32_t series = selection_series(x->view->profile, &x->view->recipe, side);
		if (!idle_add_words(x->view->profile, series, side, x->options->factor, &words))
			continue;
		add_clean(x, &x->line, buf_str(&words));
		buf_addc(&x->line, '\n');
	}
	buf_deinit(&words);
}

static void add_estimate(struct text *x)
{
	for (unsigned side = 0; side < 1u + x->is_diff; side++) {
		int32_t series = selection_series(x->view->profile, &x->view->recipe, side);
		if (estimate_add_words(x->view->profile, series, side, &x->line))
			buf_addc(&x->line, '\n');
	}
}

static void add_so_far(struct text *x)
{
	size_t from = x->line.len;
	words_add_so_far(&x->line, x->view);
	if (x->line.len > from)
		buf_addc(&x->line, '\n');
}

/* A share of the zoomed frame, of which a sandwich shows only the part with its function. */
static void add_matched(struct text *x, const struct search *s)
{
	buf_addc(&x->line, ' ');
	number_add_percent(&x->line, s->matched, tree_total(&x->view->tree, x->view->zoom), 1);
	buf_addf(&x->line, "%%%s matched in %llu frame%s", words_of_zoom(x->view), (unsigned long long)s->frames_zoom,
	         s->frames_zoom == 1 ? "" : "s");
}

static void add_search(struct text *x)
{
	const struct search *s = &x->view->search;
	if (!s->pattern)
		return;
	char mark = s->mode == MATCH_LITERAL ? '"' : '/';
	buf_addf(&x->line, "  %c", mark);
	add_clean(x, &x->line, s->pattern);
	buf_addc(&x->line, mark);
	if (!x->is_sandwich)
		add_matched(x, s);
	words_add_given_up(&x->line, s->match ? match_exceeded(s->match) : 0);
}

void text_add_header(struct text *x)
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
	add_estimate(x);
	from = x->line.len;
	if (!x->is_sandwich) /* a sandwich shows the function in the whole tree */
		words_add_zoom(&x->line, x->view, view_total(x->view), text_clean_mode(x));
	if (x->line.len > from)
		buf_addc(&x->line, '\n');
}

static void add_diff_legend(struct text *x)
{
	static const char *const own[N_SHOWN_VIEWS] = {
		[SHOWN_FLAME] = ", of the frame without what it calls",
		[SHOWN_SANDWICH] = ", of the function and its callees without what they call",
		[SHOWN_CALLS] = ", callees included",
		[SHOWN_LINES] = "",
	};
	enum shown_view view = x->view->shown.view;
	bool is_whole = view != SHOWN_SANDWICH && x->view->tree.is_reversed;
	bool has_colors = x->options->depth != DEPTH_MONO && view != SHOWN_CALLS && view != SHOWN_LINES;
	if (has_colors)
		buf_addf(&x->line, "colours: %s\n", words_of_colors(x->options->negate));
	buf_addf(&x->line, "+ and - change of %s%s; ~ within %g standard errors: may be chance\n",
	         x->basis.quantity == DIFF_OF_SHARES ? "the share of all, in percentage points" : "the weight",
	         is_whole ? "" : own[view], DIFF_SIGMAS);
}

static void add_rows_beyond(struct text *x)
{
	bool is_one = x->rows_beyond == 1;
	if (x->rows_beyond)
		buf_addf(&x->line, "%zu deeper %s left out", x->rows_beyond, is_one ? "row" : "rows");
	if (x->rows_beyond && !x->is_long)
		buf_addf(&x->line, ": nothing in %s is wide enough to be read", is_one ? "it" : "them");
	if (x->rows_beyond)
		buf_addc(&x->line, '\n');
}

static void add_cut(struct text *x)
{
	uint32_t rows = x->is_sandwich ? 0 : tree_rows_left_out(x->tree, x->view->zoom);
	if (rows)
		buf_addf(&x->line,
		         "too many frames: up to %u deeper rows are left out; --zoom=PATH shows those on a frame\n", rows);
	if (x->is_cut)
		buf_adds(&x->line, "too many frames: some rows are left out\n");
}

void text_add_legend(struct text *x)
{
	bool ascii = x->options->ascii;
	if (!tree_total(x->tree, x->is_sandwich ? NODE_ALL : x->view->zoom))
		buf_adds(&x->line, "no samples\n");
	if (x->has_aggregates)
		buf_addf(&x->line, "%s frames thinner than a column, drawn together\n", ascii ? ":" : "\xE2\x94\x8A");
	words_add_light(&x->line, x->view, &x->light, x->view->min_share);
	if (x->light.narrow || x->light.gone)
		buf_addc(&x->line, '\n');
	add_cut(x);
	add_rows_beyond(x);
	if (x->view->search.pattern && (x->options->depth == DEPTH_MONO || x->view->shown.view == SHOWN_CALLS))
		buf_adds(&x->line, "* matches the search\n");
	if (x->is_diff)
		add_diff_legend(x);
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
		text_add_gain(x, diff_of(&x->basis, sum->self, sum->base_self), out);
}

static void add_heaviest(struct text *x)
{
	static const char head[] = "heaviest by self: ";
	const struct view *v = x->view;
	struct name_sum heaviest[MOST_HEAVIEST];
	struct buf shares[MOST_HEAVIEST];
	size_t n_sums, widest = 0, width = x->layout.width;
	struct name_sum *sums = tree_sums(x->tree, v->zoom, v->profile->symtab.n, &n_sums, x->options->progress);
	size_t n = tree_heaviest(&v->profile->symtab, sums, n_sums, heaviest, MOST_HEAVIEST);
	for (size_t i = 0; i < n; i++) {
		buf_init(&shares[i]);
		add_self(x, &heaviest[i], &shares[i]);
		widest = shares[i].len > widest ? shares[i].len : widest;
	}
	size_t used = strlen(head) + widest + 1;
	for (size_t i = 0; i < n; i++) {
		struct display_name d = text_name(x, heaviest[i].sym);
		buf_addf(&x->line, "%*s%*s ", (int)strlen(head), i ? "" : head, (int)widest, buf_str(&shares[i]));
		label_fit(&x->line, &d, width > used + TEXT_LEAST_NAME ? width - used : TEXT_LEAST_NAME, x->options->ascii);
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
	x->rows_beyond += l->rows - x->rows;
	x->is_long |= x->rows == MOST_ROWS;
}

static uint64_t least_value(const struct view *v)
{
	return weight_at_least((double)view_total(v) * v->min_share / 100, view_total(v));
}

void text_lay_out(struct text *x)
{
	uint32_t zoom = x->is_sandwich ? NODE_ALL : x->view->zoom;
	uint64_t least = least_value(x->view);
	layout_make(&x->layout, x->tree, zoom, x->width, least, 0);
	tree_add_light(x->tree, zoom, least, &x->light);
	choose_rows(x);
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

static void write_flame(struct text *x)
{
	text_lay_out(x);
	text_add_header(x);
	for (size_t i = 0; i < x->rows && export_goes_on(x->options); i++)
		text_write_row(x, x->view->is_inverted ? i : x->rows - 1 - i);
	text_add_legend(x);
	add_heaviest(x);
}

static bool write_as(const struct view *v, const struct export_options *o, struct output *out, struct err *err)
{
	struct text x = {
		.view = v,
		.tree = &v->tree,
		.options = o,
		.out = out,
		.width = o->width ? o->width : default_width(),
		.is_diff = view_is_diff(v),
	};
	if (x.is_diff)
		prepare_diff(&x);
	buf_init(&x.line);
	buf_init(&x.label);
	buf_init(&x.scratch);
	layout_init(&x.layout);
	bool ok = true;
	if (v->shown.view == SHOWN_SANDWICH)
		text_write_sandwich(&x);
	else if (v->shown.view == SHOWN_LINES)
		ok = text_write_lines(&x, err);
	else if (v->shown.view == SHOWN_CALLS)
		text_write_calls(&x);
	else
		write_flame(&x);
	text_flush(&x);
	layout_deinit(&x.layout);
	buf_deinit(&x.scratch);
	buf_deinit(&x.label);
	buf_deinit(&x.line);
	return ok; /* a failed write shows when the output is committed */
}

/* Lines are those of all stacks, whatever the zoom. */
static bool lines_write(const struct view *v, const struct export_options *o, struct output *out, struct err *err)
{
	struct view whole = *v;
	whole.zoom = NODE_ALL;
	bool ok = write_as(&whole, o, out, err);
	view_return_names(v, &whole);
	return ok;
}

static bool text_write(const struct view *v, const struct export_options *o, struct output *out, struct err *err)
{
	return v->shown.view == SHOWN_TABLE   ? export_top.write(v, o, out, err)
	       : v->shown.view == SHOWN_LINES ? lines_write(v, o, out, err)
	                                      : write_as(v, o, out, err);
}

const struct export_kind export_text = {
	.name = "text",
	.bit = EXPORT_TEXT,
	.help = "the view in characters, for pipes, logs and tickets",
	.holds = EXPORT_HOLDS(FLAME) | EXPORT_HOLDS(TABLE) | EXPORT_HOLDS(SANDWICH) | EXPORT_HOLDS(CALLS) |
             EXPORT_HOLDS(LINES),
	.write = text_write,
};

const struct export_kind export_lines = {
	.name = "lines",
	.bit = EXPORT_LINES,
	.help = "the heaviest functions, or the one of --function, line by line; profiles that tell lines or addresses",
	.holds = EXPORT_HOLDS(LINES),
	.write = lines_write,
};
