/*
 * svg_lanes.c - a chart with a time axis as an SVG: a lane for each thread, as on the screen.
 *
 *	ruler    |0 ms      |10 ms     |20 ms        rows count from the root's edge: the ruler, the title of the first
 *	title    worker  thread 12  61.0%            lane, its frames from the root on, the next title, ...
 *	frames   [main   ]  [main][main ]
 *
 * The x axis is time, in ns from the beginning of the visible part: fg:x and fg:w are times, weights stand in the
 * titles. Only visible frames at least as long as --minwidth are visited; binary search skips runs of short ones.
 */
#include "svg.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/ruler.h"
#include "model/lane_layout.h"
#include "model/words.h"

#define THIN_RUN 16u /* after so many short siblings in a row, a search skips the rest */
#define MARK_PIXELS 100.0

/* State of collecting one lane. */
struct lane_walk {
	struct svg *svg;
	struct svg_lane *lane;
	uint64_t least;       /* ns to be seen */
	uint64_t least_whole; /* ns in all: the view's smallest share */
	uint32_t *open;       /* ends of the frames around, root first */
	size_t n, cap;
	unsigned run;
};

static uint64_t visible_time(const struct svg *svg, uint32_t node)
{
	const struct tree *t = svg->tree;
	uint64_t from = t->time[node] > svg->span.from ? t->time[node] : svg->span.from;
	uint64_t to = t->until[node] < svg->span.to ? t->until[node] : svg->span.to;
	return to > from ? to - from : 0;
}

/* The first of `node` and its later siblings before `end` that is visible or later. */
static uint32_t first_visible(const struct svg *svg, uint32_t node, uint32_t end)
{
	const struct tree *t = svg->tree;
	uint32_t at = svg->span.from ? tree_sibling_by_time(t, node, end, svg->span.from - 1) : NO_NODE;
	if (at == NO_NODE)
		return node;
	return t->until[at] <= svg->span.from ? t->end[at] : at;
}

static void count_left_out(struct svg *svg, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		svg->light.narrow += !tree_is_gap(svg->tree, i);
}

/* The next frame after a short one and its subtree; may skip further short siblings. */
static uint32_t pass_short(struct lane_walk *w, uint32_t node, uint32_t end)
{
	const struct tree *t = w->svg->tree;
	uint32_t next = t->end[node];
	if (++w->run >= THIN_RUN && next < end) {
		/* All siblings that end within the least time are short; only the last one to begin there may be longer. */
		uint32_t last = tree_sibling_by_time(t, node, end, t->time[node] + (w->least ? w->least - 1 : 0));
		next = last > node ? last : next;
	}
	count_left_out(w->svg, node, next);
	return next;
}

static void add_frame(struct lane_walk *w, uint32_t node)
{
	struct svg *svg = w->svg;
	mem_push(svg->frames, svg->n_frames, svg->cap_frames,
	         ((struct svg_frame){.node = node, .depth = (uint32_t)w->n}));
	w->lane->depth = w->n + 1 > w->lane->depth ? (uint32_t)w->n + 1 : w->lane->depth;
}

static void collect_lane(struct lane_walk *w, uint32_t first, uint32_t end)
{
	const struct svg *svg = w->svg;
	const struct tree *t = svg->tree;
	for (uint32_t i = first_visible(svg, first, end); i < end && export_goes_on(svg->options);) {
		while (w->n && i >= w->open[w->n - 1])
			w->n--;
		uint32_t around = w->n ? w->open[w->n - 1] : end;
		if (t->time[i] >= svg->span.to) {
			i = around;
			continue;
		}
		bool is_short = visible_time(svg, i) < w->least || t->until[i] - t->time[i] < w->least_whole;
		if (tree_is_gap(t, i)) {
			i = t->end[i];
		} else if (is_short) {
			i = pass_short(w, i, around);
		} else {
			w->run = 0;
			add_frame(w, i);
			mem_push(w->open, w->n, w->cap, t->end[i]);
			i = i + 1 < t->end[i] ? first_visible(svg, i + 1, t->end[i]) : i + 1;
		}
	}
	w->n = 0;
}

void svg_lanes_match(const struct svg *svg, uint64_t *part, uint64_t *all)
{
	const struct tree *t = svg->tree;
	uint32_t matched_to = 0; /* end of the outermost match */
	*part = *all = 0;
	for (uint32_t i = NODE_ALL + 1; i < t->n && export_goes_on(svg->options); i++) {
		if (tree_is_gap(t, i))
			continue;
		if (t->parent[i] == NODE_ALL)
			weight_add(all, visible_time(svg, i));
		if (i >= matched_to && view_is_hit(svg->view, i)) {
			weight_add(part, visible_time(svg, i));
			matched_to = t->end[i];
		}
	}
}

static bool is_folded(const struct shown *s, uint32_t lane)
{
	for (size_t i = 0; i < s->n_folded; i++)
		if (s->folded[i] == lane)
			return true;
	return s->folds_all;
}

void svg_lanes_collect(struct svg *svg, uint64_t least)
{
	const struct tree *t = svg->tree;
	const struct view *v = svg->view;
	struct lane_walk w = {.svg = svg, .least = least};
	uint32_t row = 1; /* the ruler is row 0 */
	w.least_whole = lane_layout_share(t, v->min_share);
	svg->lanes = mem_zalloc(t->n_lanes + 1u, sizeof *svg->lanes);
	for (uint32_t i = 0; i < t->n_lanes; i++) {
		struct svg_lane *lane = w.lane = &svg->lanes[i];
		*lane = (struct svg_lane){.row = row, .first = svg->n_frames, .is_folded = is_folded(&v->shown, i)};
		if (!lane->is_folded)
			collect_lane(&w, t->lanes[i].first, tree_lane_end(t, i));
		row += 1 + lane->depth;
	}
	svg->lanes[t->n_lanes] = (struct svg_lane){.row = row, .first = svg->n_frames};
	svg->depth = row - 1;
	svg->drawn = (uint32_t)svg->n_frames;
	free(w.open);
}

/* The upper edge of a row. */
static double row_y(const struct svg *svg, uint32_t row)
{
	return svg->is_inverted ? svg->top + row * svg->row : svg->height - svg->bottom - (row + 1.0) * svg->row + 1;
}

static bool is_hit(const struct svg *svg, uint32_t node)
{
	const struct search *search = &svg->view->search;
	return search->pattern && search_is_hit(search, svg->tree, node);
}

void svg_lanes_draw(struct svg *svg)
{
	const struct tree *t = svg->tree;
	for (uint32_t lane = 0; lane < t->n_lanes; lane++) {
		for (size_t i = svg->lanes[lane].first; i < svg->lanes[lane + 1].first && export_goes_on(svg->options);
		     i++) {
			const struct svg_frame *frame = &svg->frames[i];
			uint64_t from = t->time[frame->node];
			struct svg_place place = {
				.x = from > svg->span.from ? from - svg->span.from : 0,
				.width = visible_time(svg, frame->node),
				.y = row_y(svg, svg->lanes[lane].row + 1 + frame->depth),
				.state = is_hit(svg, frame->node) ? "hit" : "",
			};
			svg_add_frame(svg, frame->node, &place);
		}
	}
}

/* For the script: where the visible time begins, and the y of each lane's frames on the root. */
void svg_lanes_add_script(struct svg *svg)
{
	struct buf *b = &svg->buf;
	const char *comma = "";
	buf_addf(b, "var lanes = { from: %llu, roots: [", (unsigned long long)svg->span.from);
	for (uint32_t lane = 0; lane < svg->tree->n_lanes; lane++) {
		if (!svg->lanes[lane].depth)
			continue;
		buf_adds(b, comma);
		svg_add_pixels(b, row_y(svg, svg->lanes[lane].row + 1));
		comma = ", ";
	}
	buf_addf(b, "], ruler: ");
	svg_add_pixels(b, row_y(svg, 0) + svg->row - 4);
	buf_adds(b, svg->view->span.to ? ", part: true };\n" : " };\n");
}

/* ---- titles and ruler ---------------------------------------------------------------------------------------- */

static void add_title_text(const struct svg *svg, struct buf *out, uint32_t lane)
{
	words_add_lane(out, svg->view, lane, UTF8_CLEAN_UTF8);
	buf_adds(out, "  ");
	number_add_percent(out, tree_lane_total(svg->tree, lane), svg->whole, 1);
	buf_addf(out, "%%%s%s", words_of_whole(svg->view), svg->lanes[lane].is_folded ? "  (folded)" : "");
}

/* --uicolor, which the option parser has checked. */
static void add_color(struct svg *svg)
{
	if (!svg->options->ui_color)
		return;
	buf_adds(&svg->buf, " fill=\"");
	svg_add_text(&svg->buf, svg->options->ui_color, strlen(svg->options->ui_color));
	buf_addc(&svg->buf, '"');
}

static void add_ruler(struct svg *svg)
{
	struct span s = svg->span;
	struct buf *b = &svg->buf;
	double inner = svg->width - 2 * SVG_XPAD, marks = inner / MARK_PIXELS < 1 ? 1 : inner / MARK_PIXELS;
	uint64_t step = ruler_step((uint64_t)((double)(s.to - s.from) / marks) + 1), unit = 1000000000;
	const char *name = s.to <= 1000000 ? "us" : s.to <= 1000000000 ? "ms" : "s";
	unit = s.to <= 1000000 ? 1000 : s.to <= 1000000000 ? 1000000 : unit;
	int places = 0;
	for (uint64_t u = unit; u > 1 && step % u != 0; u /= 10)
		places++;
	svg_new_line(svg, 1);
	buf_addf(b, "<svg id=\"ruler\" x=\"%u\" width=\"", SVG_XPAD);
	svg_add_pixels(b, inner);
	buf_addc(b, '"');
	add_color(svg);
	buf_addc(b, '>');
	uint64_t at;
	for (bool has = ruler_first(s.from, step, s.to, &at); has; has = ruler_next(step, s.to, &at)) {
		svg_new_line(svg, 2);
		buf_adds(b, "<text x=\"");
		svg_add_fixed(b, 100 * (double)(at - s.from) / (double)(s.to - s.from), 4);
		buf_adds(b, "%\" y=\"");
		svg_add_pixels(b, row_y(svg, 0) + svg->row - 4);
		buf_addf(b, "\">|%.*f %s</text>", places, (double)at / (double)unit, name);
	}
	svg_new_line(svg, 1);
	buf_adds(b, "</svg>");
}

void svg_lanes_add_titles(struct svg *svg)
{
	struct buf text;
	buf_init(&text);
	for (uint32_t lane = 0; lane < svg->tree->n_lanes; lane++) {
		text.len = 0;
		add_title_text(svg, &text, lane);
		svg_new_line(svg, 1);
		buf_addf(&svg->buf, "<text x=\"%u\" y=\"", SVG_XPAD);
		svg_add_pixels(&svg->buf, row_y(svg, svg->lanes[lane].row) + svg->row - 4);
		buf_addc(&svg->buf, '"');
		add_color(svg);
		buf_addc(&svg->buf, '>');
		svg_add_text(&svg->buf, text.data, text.len);
		buf_adds(&svg->buf, "</text>");
	}
	buf_deinit(&text);
	add_ruler(svg);
}

/* "; at 22.2 ms for 8 ms", after the weight of a frame. */
void svg_lanes_add_time(struct svg *svg, uint32_t node)
{
	const struct tree *t = svg->tree;
	buf_adds(&svg->buf, "; at ");
	number_add_moment(&svg->buf, t->time[node], t->until[node] - t->time[node]);
	buf_adds(&svg->buf, " for ");
	number_add_time(&svg->buf, t->until[node] - t->time[node], 9);
}
