/*
 * svg_sandwich.c - a function with its callers and its callees as an interactive SVG.
 *
 *	      |  net_rx  | timer |        the callers' half: rows go up from the middle
 *	      |   do_softirq     |
 *	      |  tcp_send        |        the function, over the full width
 *	      |  copy | checksum |        the callees' half: rows go down
 *
 * Both halves come from halves.c, as on the screen, but whole; the drawing leaves out what is too narrow. Shares in
 * titles are those of all samples. The script learns from its variable `middle` that there are two halves.
 */
#include "svg.h"

#include <string.h>

#include "base/number.h"
#include "model/label.h"
#include "model/words.h"

#define TITLE_COLUMNS 80u /* for the name of the function */

bool svg_sandwich_begin(struct svg *svg)
{
	const struct view *v = svg->view;
	struct halves_recipe r = {
		.view = v,
		.symtab = &v->profile->symtab,
		.symbol = v->shown.function,
		.is_by_weight = recipe_sorts_by_weight(&v->recipe),
	};
	svg->middle = halves_sum(&v->tree, r.symbol, r.symtab->n, svg->options->progress);
	if (!halves_make(&svg->halves, &r, svg->options->progress))
		return false;
	svg->tree = &svg->halves.trees[HALF_CALLEES];
	svg->zoom = NODE_ALL;
	svg->start = 0;
	svg->total = tree_total(svg->tree, 0);
	return true;
}

/* The callers' half ends with the function, too; it is drawn once. */
static void drop_middle(struct svg *svg)
{
	size_t n = 0;
	for (size_t i = 0; i < svg->n_frames; i++)
		if (svg->frames[i].node != 0)
			svg->frames[n++] = svg->frames[i];
	svg->n_frames = n;
	svg->drawn--;
}

void svg_sandwich_collect(struct svg *svg, uint64_t least)
{
	/* The function itself has the whole width. */
	if (least > svg->total) {
		least = svg->total;
		svg->min_percent = 100.0 * (double)svg->total / (double)svg->whole;
	}
	svg->tree = &svg->halves.trees[HALF_CALLERS];
	svg_collect_frames(svg, HALF_CALLERS, least);
	drop_middle(svg);
	svg->rows_above = svg->depth;
	svg->depth = 0;
	svg->tree = &svg->halves.trees[HALF_CALLEES];
	svg_collect_frames(svg, HALF_CALLEES, least);
}

double svg_sandwich_middle(const struct svg *svg)
{
	return svg->top + svg->rows_above * svg->row;
}

void svg_sandwich_add_matched(const struct svg *svg, struct buf *out)
{
	buf_adds(out, "Matched: ");
	words_add_hits(out, svg->view, &svg->halves, svg->whole);
}

void svg_sandwich_add_self(struct svg *svg)
{
	uint64_t self = weight_times(svg->middle.self, svg->factor);
	buf_adds(&svg->buf, "; self ");
	if (svg->is_time)
		view_add_weight(svg->view, &svg->buf, self);
	else
		number_add_commas(&svg->buf, self, svg->decimals);
	buf_adds(&svg->buf, ", ");
	svg_add_fixed(&svg->buf, svg_percent(svg, svg->middle.self), 2);
	buf_addc(&svg->buf, '%');
}

void svg_sandwich_add_title(struct svg *svg, struct buf *out)
{
	buf_adds(out, "Callers and callees of ");
	label_fit(out, display_name(&svg->display, svg->middle.sym), TITLE_COLUMNS, false);
}
