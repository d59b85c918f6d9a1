/*
 * svg.c - the view as an interactive SVG.
 *
 * Only frames at least as wide as --minwidth are visited: a narrower frame is skipped with its subtree, and binary
 * search skips long runs of narrow siblings. So the work depends on the drawing, not on the tree.
 *
 * Frames are drawn in the order in which they close when stacks are read from left to right; frames that close
 * together are drawn from root to leaf. Random colours are drawn from their generator in this order, so it decides
 * the looks of a drawing. In preorder a frame closes at end[i], and an open frame never ends before one inside it:
 *
 *	        d
 *	  b b b b c c c          where d ends: b, d
 *	  a a a a a a a          where c ends: a, c
 *	  all all all all e e    where e ends: all, e
 *
 * A zoomed view spans its frame over the full width and shows its callers as faded frames; shares in the titles
 * stay those of the whole.
 */
#include "svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/random.h"
#include "base/ruler.h"
#include "model/diff.h"

#define DEFAULT_WIDTH 1200u
#define DEFAULT_ROW 16u
#define DEFAULT_FONT 12.0
#define DEFAULT_FONT_WIDTH 0.61 /* of the widest monospaced fonts in use; Courier has 0.60 */
#define DEFAULT_MIN_PERCENT 0.01
#define THIN_RUN 16u /* after so many narrow siblings in a row, a search skips the rest */

/* ---- which frames, in which order ---- */

/* Open frames of the walk, root first. */
struct open_frames {
	struct svg_frame *list;
	size_t n, cap;
};

static uint64_t weight_of(const struct svg *svg, uint32_t node)
{
	return tree_total(svg->tree, node);
}

/* Where a frame closes; frames above the zoom close with it. */
static uint32_t closing(const struct svg *svg, uint32_t node)
{
	uint32_t end = svg->tree->end[node], last = svg->tree->end[svg->zoom];
	return end < last ? end : last;
}

/* Draws the open frames that close at or before `now`. */
static void close_frames(struct svg *svg, struct open_frames *open, uint32_t now)
{
	while (open->n) {
		uint32_t end = closing(svg, open->list[open->n - 1].node);
		size_t first = open->n - 1;
		if (end > now)
			return;
		while (first && closing(svg, open->list[first - 1].node) == end)
			first--;
		for (size_t i = first; i < open->n; i++)
			mem_push(svg->frames, svg->n_frames, svg->cap_frames, open->list[i]);
		open->n = first;
	}
}

static void open_ancestors(struct svg *svg, struct open_frames *open)
{
	uint32_t depth = tree_depth(svg->tree, svg->zoom), node = svg->zoom;
	for (uint32_t i = 0; i < depth; i++)
		mem_push(open->list, open->n, open->cap, ((struct svg_frame){.depth = i}));
	for (uint32_t i = depth; i-- > 0;)
		open->list[i].node = node = svg->tree->parent[node];
}

/* The next frame after the narrow frame i and its subtree; may skip further narrow siblings. */
static uint32_t pass_narrow(const struct svg *svg, uint32_t i, uint64_t least, unsigned *run)
{
	const struct tree *t = svg->tree;
	uint32_t next;
	if (++*run < THIN_RUN)
		return t->end[i];
	/* A wide sibling to the right covers this position, or begins after the one that does. */
	next = tree_child_at(t, t->parent[i], u64_sum(t->pos[i], least - 1));
	return next == NO_NODE ? t->end[t->parent[i]] : next;
}

void svg_collect_frames(struct svg *svg, enum sandwich_half half, uint64_t least)
{
	const struct tree *t = svg->tree;
	struct open_frames open = {0};
	uint32_t end = t->end[svg->zoom], drawn = 0;
	unsigned run = 0;
	open_ancestors(svg, &open);
	for (uint32_t i = svg->zoom; i < end && export_goes_on(svg->options);) {
		struct svg_frame frame = {.node = i, .half = half};
		if (weight_of(svg, i) < least) {
			i = pass_narrow(svg, i, least, &run);
			continue;
		}
		run = 0;
		if (!tree_is_gap(t, i)) {
			close_frames(svg, &open, i);
			frame.depth = (uint32_t)open.n;
			svg->depth = frame.depth > svg->depth ? frame.depth : svg->depth;
			mem_push(open.list, open.n, open.cap, frame);
			drawn++;
		}
		i++;
	}
	close_frames(svg, &open, end);
	free(open.list);
	svg->drawn += drawn;
	if (least)
		tree_add_light(t, svg->zoom, least, &svg->light);
}

/* The least width to draw, from --minwidth. */
static double least_width(const struct svg *svg)
{
	const struct export_options *o = svg->options;
	double total = (double)svg->total;
	if (o->min_width_px > 0)
		return o->min_width_px * total / (svg->width - 2 * SVG_XPAD);
	return o->min_width < 0 ? DEFAULT_MIN_PERCENT / (100.0 / total) : 0;
}

/* With lanes: in ns. */
static uint64_t least_time(struct svg *svg)
{
	double least = least_width(svg);
	svg->min_percent = fmax(least * (100.0 / (double)svg->total), svg->view->min_share);
	return weight_at_least(least, svg->total);
}

/* The least weight to draw, also by the view's smallest share. */
static uint64_t least_weight(struct svg *svg)
{
	double whole = (double)svg->whole, least = least_width(svg);
	double shown = svg->view->min_share / (100.0 / whole);
	least = fmax(least, shown); /* a given percentage is that of the view, which keys may have changed since */
	svg->min_percent = least * (100.0 / whole);
	return weight_at_least(least, svg->total);
}

static double y_of(const struct svg *svg, const struct svg_frame *frame)
{
	if (svg->is_sandwich)
		return svg_sandwich_middle(svg) + (frame->half == HALF_CALLERS ? -1.0 : 1.0) * frame->depth * svg->row;
	if (svg->is_inverted)
		return svg->top + frame->depth * svg->row;
	return svg->height - svg->bottom - (frame->depth + 1.0) * svg->row + 1;
}

/* The class of a frame. */
static const char *state_of(const struct svg *svg, uint32_t node)
{
	const struct search *search = &svg->view->search;
	bool is_hit = search->pattern && search_is_hit(search, svg->tree, node);
	if (svg->is_sandwich && node == 0)
		return is_hit ? "middle hit" : "middle";
	if (node < svg->zoom)
		return is_hit ? "parent hit" : "parent";
	return is_hit ? "hit" : "";
}

static void add_frame(struct svg *svg, const struct svg_frame *frame)
{
	bool is_full = frame->node <= svg->zoom;
	struct svg_place at = {
		.x = is_full ? 0 : svg->tree->pos[frame->node] - svg->start,
		.width = is_full ? svg->total : weight_of(svg, frame->node),
		.y = y_of(svg, frame),
		.state = state_of(svg, frame->node),
	};
	svg_add_frame(svg, frame->node, &at);
}

/* ---- the whole ---- */

static void set_geometry(struct svg *svg)
{
	const struct export_options *o = svg->options;
	double font = o->font_size > 0 ? o->font_size : DEFAULT_FONT, subtitle = o->subtitle ? 2 * font : 0;
	svg->font = font;
	svg->font_width = o->font_width > 0 ? o->font_width : DEFAULT_FONT_WIDTH;
	svg->row = o->height ? o->height : DEFAULT_ROW;
	svg->width = o->width ? o->width : DEFAULT_WIDTH;
	svg->is_sandwich = svg->view->shown.view == SHOWN_SANDWICH;
	svg->is_inverted = svg->view->is_inverted && !svg->is_sandwich;
	svg->top = svg->is_inverted ? 4 * font + subtitle + 4 : 3 * font + subtitle;
	svg->bottom = svg->is_inverted ? font + 10 : 2 * font + 10;
}

uint64_t svg_seed(bool is_random)
{
	uint64_t seed = 0;
	if (!is_random)
		return 1234;
	if (!random_bytes(&seed, sizeof seed))
		seed = (uint64_t)time(NULL) * UINT64_C(0x9E3779B97F4A7C15);
	return seed ? seed : 1;
}

/* Ignores a --total below the sum of the samples. */
static uint64_t whole_of(struct svg *svg)
{
	uint64_t sum = svg->all, total = svg->options->total;
	for (unsigned i = 0; i < svg->decimals && total < UINT64_MAX / 10; i++)
		total *= 10;
	if (total && total < sum)
		report_add(&svg->notes, NOTE_WARN, "--total is less than the sum of the samples (using that sum instead)",
		           NULL, 0, NULL, 0);
	return total > sum ? total : sum;
}

/* false: cancelled. */
static bool set_weights(struct svg *svg)
{
	const struct view *v = svg->view;
	svg->tree = &v->tree;
	svg->zoom = v->zoom;
	svg->start = v->tree.pos[v->zoom];
	svg->decimals = v->profile->decimals;
	svg->factor = svg->options->factor > 0 ? svg->options->factor : 1;
	svg->all = weight_of(svg, NODE_ALL);
	svg->whole = whole_of(svg);
	svg->total = v->zoom == NODE_ALL ? svg->whole : weight_of(svg, v->zoom);
	svg->x_decimals = svg->decimals;
	svg->has_lanes = v->tree.until && !svg->is_sandwich;
	if (svg->has_lanes) {
		svg->span = view_span(v);
		svg->total = svg->span.to - svg->span.from;
		svg->x_decimals = 0;
	}
	svg->is_diff = view_is_diff(v);
	svg->rng.state = svg_seed(svg->options->is_random);
	if (svg->is_sandwich && !svg_sandwich_begin(svg))
		return false;
	if (!svg->is_diff)
		return true;
	diff_basis_make(&svg->basis, v->profile, &v->recipe, &v->tree);
	svg->is_classic = v->is_classic && svg->basis.quantity == DIFF_OF_WEIGHTS;
	svg->most = diff_most(&svg->basis, &v->tree);
	return true;
}

static void set_names(struct svg *svg)
{
	const struct view *v = svg->view;
	const char *unit = svg->options->count_name ? svg->options->count_name : view_unit(v);
	display_init(&svg->display, &v->profile->symtab, UTF8_CLEAN_UTF8, v->display.demangle);
	svg->names = mem_zalloc(v->profile->symtab.n, sizeof *svg->names);
	buf_init(&svg->unit);
	svg_add_text(&svg->unit, unit, strlen(unit));
	svg->is_time = !svg->options->count_name && view_is_time(v);
}

/* Are there colours that --cp keeps? Those of a comparison are of its changes. */
static bool keeps_colors(const struct svg *svg)
{
	return svg->options->palette_map && !svg->is_diff && !svg->options->color_diffusion;
}

/* Reads the files of --nameattr and --cp. */
static bool read_files(struct svg *svg, struct err *err)
{
	const struct export_options *o = svg->options;
	const struct symtab *functions;
	if (keeps_colors(svg) && !svg_map_read(&svg->map, o->palette_map, &svg->notes, err))
		return false;
	if (!o->name_attr)
		return true;
	if (!svg_attrs_read(&svg->attrs, o->name_attr, &svg->notes, err))
		return false;
	functions = &svg->attrs.functions;
	for (uint32_t i = 1; i < svg->attrs.n_sets; i++) {
		uint32_t sym =
			symtab_find(&svg->view->profile->symtab, functions->symbols[i].name, functions->symbols[i].len);
		if (sym != NO_SYMBOL)
			svg->names[sym].attrs = i + 1;
	}
	return true;
}

static bool has_nothing(struct svg *svg, struct err *err)
{
	if (svg->total > 0 && svg->all > 0)
		return false;
	if (svg->all > 0 && svg->is_sandwich)
		return !fail(err, "the function is in none of the samples shown: nothing to draw");
	return !export_fail_empty(svg->view, err);
}

/* Collects the frames; the height follows from their rows. */
static void collect(struct svg *svg)
{
	uint64_t least = svg->has_lanes ? least_time(svg) : least_weight(svg);
	if (svg->has_lanes)
		svg_lanes_collect(svg, least);
	else if (svg->is_sandwich)
		svg_sandwich_collect(svg, least);
	else
		svg_collect_frames(svg, HALF_CALLEES, least);
	svg->height = (svg->rows_above + svg->depth + 1.0) * svg->row + svg->top + svg->bottom;
	if (svg->options->frames)
		*svg->options->frames = svg->drawn;
}

static bool draw(struct svg *svg, struct err *err)
{
	const struct export_options *o = svg->options;
	if (svg->width <= 2 * SVG_XPAD)
		return fail(err, "--width=%u: too narrow (expected more than %u pixels)", o->width, 2 * SVG_XPAD);
	if (has_nothing(svg, err)) {
		svg_add_empty(svg);
		return false;
	}
	if (!read_files(svg, err))
		return false;
	collect(svg);
	if (!svg_add_head(svg, err))
		return false;
	if (svg->has_lanes)
		svg_lanes_draw(svg);
	for (size_t i = 0; i < svg->n_frames && !svg->has_lanes && export_goes_on(o); i++) {
		if (svg->is_sandwich)
			svg->tree = &svg->halves.trees[svg->frames[i].half];
		add_frame(svg, &svg->frames[i]);
	}
	svg_add_tail(svg);
	return export_goes_on(o) && (!keeps_colors(svg) || svg_map_write(&svg->map, o->palette_map, &svg->notes, err));
}

static void deinit(struct svg *svg)
{
	report_deinit(&svg->notes);
	buf_deinit(&svg->buf);
	buf_deinit(&svg->scratch);
	halves_deinit(&svg->halves);
	free(svg->frames);
	free(svg->lanes);
	free(svg->names);
	buf_deinit(&svg->unit);
	display_deinit(&svg->display);
	arena_deinit(&svg->texts);
	svg_attrs_deinit(&svg->attrs);
	svg_map_deinit(&svg->map);
	svg_lines_end(svg);
}

static bool svg_write(const struct view *view, const struct export_options *options, struct output *out,
                      struct err *err)
{
	struct svg svg = {.view = view, .options = options, .out = out};
	report_init(&svg.notes);
	buf_init(&svg.buf);
	buf_init(&svg.scratch);
	arena_init(&svg.texts);
	halves_init(&svg.halves);
	set_geometry(&svg);
	bool ok = set_weights(&svg);
	set_names(&svg);
	ok = ok && svg_lines_begin(&svg, err) && draw(&svg, err);
	if (ok)
		svg_lines_say(&svg);
	report_print(&svg.notes, NOTE_WARN);
	deinit(&svg);
	return ok;
}

const struct export_kind export_svg = {
	.name = "svg",
	.bit = EXPORT_SVG,
	.help = "interactive flame graph for a browser",
	.holds = EXPORT_HOLDS(FLAME) | EXPORT_HOLDS(SANDWICH),
	.has_lanes = true,
	.write = svg_write,
};
