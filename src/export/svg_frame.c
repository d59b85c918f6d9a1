/*
 * svg_frame.c - writes one frame of an SVG: its container, tooltip, rectangle and label, and chooses its colour.
 *
 *	<g class="hit"><title>read (90 samples, 25.64%)</title><rect x="0.0000%" ... fg:x="0" fg:w="90"/>
 *		<text>read</text></g>
 *
 * In a differential drawing the colour of a frame shows the change of its own self weight, or of the share of that.
 * Callers do not show the change of their callees; only in a caller tree a frame shows its total change, as
 * everywhere (diff_of_frame()).
 */
#include "svg.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "model/diff.h"
#include "model/label.h"

#define LABEL_PAD 3.0 /* pixels between the edge of a frame and its label */
#define LEAST_ROOM 3  /* characters, for a label */
#define FLUSH_AT (1u << 18)

/* ---- names and colours ---- */

static struct svg_name *name_of(struct svg *svg, uint32_t sym)
{
	struct svg_name *name = &svg->names[sym];
	const struct display_name *shown;
	if (name->escaped)
		return name;
	shown = display_name(&svg->display, sym);
	svg->scratch.len = 0;
	svg_add_escaped(&svg->scratch, shown->text, shown->len);
	name->escaped = arena_bytes(&svg->texts, svg->scratch.data, svg->scratch.len);
	name->escaped_len = (uint32_t)svg->scratch.len;
	return name;
}

/* "--" and "-" stand for no function. */
bool svg_is_gray(const char *name, size_t len, struct rgb *gray)
{
	uint8_t c = len == 2 ? 160 : 200;
	*gray = (struct rgb){c, c, c};
	return (len == 1 || len == 2) && memcmp(name, "--", len) == 0;
}

/* A frame of all samples, not of one function. */
static bool is_all(const struct svg *svg, uint32_t node)
{
	return node == NODE_ALL && !svg->is_sandwich;
}

/*
 * How many blanks at the beginning of its name a frame is shown without. Programs that merge from the leaves
 * reverse each line, and drop the blanks that then come first. Names that differ in them alone keep theirs.
 * fg:name tells the whole name.
 */
static uint32_t blanks_of(const struct svg *svg, uint32_t node)
{
	const struct symtab *t = &svg->view->profile->symtab;
	const struct symbol *s = &t->symbols[svg->tree->sym[node]];
	uint32_t n = 0;
	if (*s->name != ' ' || is_all(svg, node) || svg->is_sandwich || svg->tree->parent[node] != NODE_ALL ||
	    !recipe_reverses(&svg->view->recipe))
		return 0;
	while (n < s->len && s->name[n] == ' ')
		n++;
	return n == s->len || symtab_find_frame(t, s->name + n, s->len - n) != NO_SYMBOL ? 0 : n;
}

/* as: the name that it is shown by. */
static struct rgb palette_fill(struct svg *svg, uint32_t sym, struct slice as, double share)
{
	const struct export_options *o = svg->options;
	struct svg_name *name = &svg->names[sym];
	bool is_whole = as.n == svg->view->profile->symtab.symbols[sym].len;
	if (!palette_is_for_svg(o->palette))
		return palette_of_name(o->palette, &svg->view->profile->symtab, svg->tree->group, sym, share);
	if (o->source == COLOR_RANDOM)
		return palette_color(o->palette, COLOR_RANDOM, as.s, as.n, &svg->rng);
	if (!is_whole)
		return palette_color(o->palette, o->source, as.s, as.n, &svg->rng);
	if (!name->has_fill)
		name->fill = palette_color(o->palette, o->source, as.s, as.n, &svg->rng);
	name->has_fill = true;
	return name->fill;
}

/* Colours from the file of --cp come first; new names are added to it. */
static struct rgb kept_fill(struct svg *svg, uint32_t node, double share)
{
	uint32_t sym = svg->tree->sym[node];
	const struct symbol *s = &svg->view->profile->symtab.symbols[sym];
	struct slice as = slice_from((struct slice){s->name, s->len}, blanks_of(svg, node));
	struct rgb color;
	if (!svg->options->palette_map)
		return palette_fill(svg, sym, as, share);
	if (svg_map_get(&svg->map, as.s, as.n, &color))
		return color;
	color = palette_fill(svg, sym, as, share);
	svg_map_set(&svg->map, as.s, as.n, color);
	return color;
}

/* In the middle of a sandwich the change of the function's own weight. */
static struct diff_change change_of(const struct svg *svg, uint32_t node)
{
	if (svg->is_sandwich && node == 0)
		return diff_of(&svg->basis, svg->middle.self, svg->middle.base_self);
	return diff_of_frame(&svg->basis, svg->tree, node);
}

static struct diff_change total_change_of(const struct svg *svg, uint32_t node)
{
	if (svg->is_sandwich && node == 0)
		return diff_of(&svg->basis, svg->middle.total, svg->middle.base_total);
	return diff_of(&svg->basis, tree_total(svg->tree, node), tree_base_total(svg->tree, node));
}

/* Do stacks end in frames of this tree? Callers have no weight of their own. */
static bool has_own(const struct svg *svg)
{
	return svg->is_sandwich ? svg->tree == &svg->halves.trees[HALF_CALLEES] : !svg->tree->is_reversed;
}

/* The gain of the frame: percentage points of its share, or weight. */
static double delta_of(const struct svg *svg, uint32_t node)
{
	double delta = change_of(svg, node).delta;
	return svg->options->negate ? -delta : delta;
}

/* Weights are integers in the classic arithmetic. */
static struct rgb classic_fill(const struct svg *svg, uint32_t node)
{
	double delta = delta_of(svg, node), most = svg->most;
	const int64_t limit = INT64_C(1) << 62;
	int64_t change = delta <= -0x1p62 ? -limit : delta >= 0x1p62 ? limit : (int64_t)delta;
	return palette_diff(change, most < 1 ? 1 : most < 0x1p62 ? (uint64_t)most : UINT64_C(1) << 62);
}

/* As on the screen. */
static struct rgb change_fill(const struct svg *svg, uint32_t node)
{
	struct diff_colors colors = {.most = svg->most, .is_negated = svg->options->negate};
	struct diff_change change = change_of(svg, node);
	return svg->is_classic ? classic_fill(svg, node) : diff_color(&colors, &change);
}

static struct rgb fill_of(struct svg *svg, uint32_t node, uint64_t weight)
{
	uint32_t sym = svg->tree->sym[node];
	const struct symbol *s = &svg->view->profile->symtab.symbols[sym];
	double whole = (double)(svg->is_sandwich ? svg->whole : svg->total); /* as on the screen */
	double share = (double)weight * (100.0 / whole) / 100.0;
	struct rgb gray;
	if (svg_is_gray(s->name, s->len, &gray))
		return gray;
	if (svg->options->color_diffusion)
		return palette_diffusion(share);
	if (svg->is_diff)
		return change_fill(svg, node);
	return kept_fill(svg, node, share);
}

/* ---- one frame ---- */

/* A literal is copied with a few stores and no call. */
#define PUT(p, literal) ((char *)memcpy((p), (literal), sizeof(literal) - 1) + sizeof(literal) - 1)

static uint64_t shown_count(const struct svg *svg, uint64_t weight)
{
	return weight_times(weight, svg->factor);
}

/* Has the picture only figures that other programs write, too? */
static bool is_plain(const struct svg *svg)
{
	bool is_part = svg->view->zoom != NODE_ALL || svg->view->search.pattern;
	return !is_part && !svg->is_sandwich && !svg->has_lanes && (!svg->is_diff || svg->is_classic);
}

/*
 * Times --factor, counts are rounded. Other programs write the share of the rounded count. Beside figures that
 * only we have, which are of exact weights, the share is of the exact weight, too.
 */
double svg_percent(const struct svg *svg, uint64_t weight)
{
	double part = (double)(is_plain(svg) ? shown_count(svg, weight) : weight);
	double whole = (double)(is_plain(svg) ? shown_count(svg, svg->whole) : svg->whole);
	return whole > 0 ? number_percent(100.0 * part / whole, 2) : 0;
}

/*
 * "+3.10%" of the picture, reversed by --negate: the arithmetic of flamegraph.pl, which also divides it by its
 * --factor.
 */
static void add_classic_change(struct svg *svg, uint32_t node)
{
	double percent = 100.0 * delta_of(svg, node) / (double)svg->whole;
	char *p = buf_reserve(&svg->buf, 64), *end = percent > 0 ? PUT(p, "+") : p;
	end = svg_put_fixed(end, percent, 2);
	*end++ = '%';
	svg->buf.len += (size_t)(end - p);
}

static void add_weight(struct svg *svg, uint64_t weight)
{
	if (svg->is_time)
		view_add_weight(svg->view, &svg->buf, shown_count(svg, weight));
	else
		number_add_commas(&svg->buf, shown_count(svg, weight), svg->decimals);
}

/* Percent of what is compared, in percent of what is displayed as 100 %. */
static double in_display(const struct svg *svg, double percent)
{
	return percent * (double)svg->all / (double)svg->whole;
}

static void add_part(struct svg *svg, double percent, const char *unit)
{
	svg_add_fixed(&svg->buf, percent, 2);
	buf_adds(&svg->buf, unit);
}

/* "before 36.20%", "after 1,200" */
static void add_side(struct svg *svg, const struct diff_change *c, bool is_after)
{
	buf_adds(&svg->buf, is_after ? "after " : "before ");
	if (c->quantity == DIFF_OF_SHARES)
		add_part(svg, number_percent(in_display(svg, is_after ? c->after : c->before), 2), "%");
	else
		add_weight(svg, is_after ? c->weight_after : c->weight_before);
}

/* "+3.10 points", "-1,200 ~" */
static void add_gain(struct svg *svg, const struct diff_change *c)
{
	bool is_change = c->quantity == DIFF_OF_SHARES ? c->delta != 0 : diff_weight(c) > 0;
	if (is_change)
		buf_addc(&svg->buf, c->delta > 0 ? '+' : '-');
	if (c->quantity == DIFF_OF_SHARES)
		add_part(svg, number_percent(in_display(svg, fabs(c->delta)), 2), " points");
	else
		add_weight(svg, diff_weight(c));
	if (c->is_noise && is_change)
		buf_adds(&svg->buf, " ~");
}

/* "; before 36.20%, after 39.30%, +3.10 points; self +1.20 points"; as other programs have it: "; +3.10%" */
static void add_change(struct svg *svg, uint32_t node)
{
	struct diff_change total, self;
	buf_add(&svg->buf, "; ", 2);
	if (svg->is_classic) {
		add_classic_change(svg, node);
		return;
	}
	total = total_change_of(svg, node);
	self = change_of(svg, node);
	add_side(svg, &total, false);
	buf_adds(&svg->buf, ", ");
	add_side(svg, &total, true);
	buf_adds(&svg->buf, ", ");
	add_gain(svg, &total);
	if (!has_own(svg))
		return;
	buf_adds(&svg->buf, "; self ");
	add_gain(svg, &self);
}

/* " (90 samples, 25.64%; before 22.54%, after 25.64%, +3.10 points; self +1.20 points)" */
static void add_figures(struct svg *svg, uint32_t node, uint64_t weight)
{
	struct buf *b = &svg->buf;
	char *p;
	buf_add(b, " (", 2);
	add_weight(svg, weight);
	if (!svg->is_time) {
		buf_addc(b, ' ');
		buf_add(b, svg->unit.data, svg->unit.len);
	}
	p = buf_reserve(b, 128);
	if (is_all(svg, node)) {
		p = PUT(p, ", 100%");
	} else {
		p = PUT(p, ", ");
		p = svg_put_fixed(p, svg_percent(svg, weight), 2);
		*p++ = '%';
	}
	b->len = (size_t)(p - b->data);
	if (svg->is_sandwich && node == 0)
		svg_sandwich_add_self(svg);
	if (svg->is_diff && !is_all(svg, node))
		add_change(svg, node);
	if (svg->has_lanes)
		svg_lanes_add_time(svg, node);
	buf_addc(b, ')');
}

static void add_title(struct svg *svg, uint32_t node, uint64_t weight, const struct svg_attr_set *set)
{
	const struct svg_name *name = name_of(svg, svg->tree->sym[node]);
	uint32_t blanks = blanks_of(svg, node);
	buf_add(&svg->buf, "<title>", 7);
	if (set && set->title) {
		svg_add_text(&svg->buf, set->title, strlen(set->title));
	} else {
		if (is_all(svg, node))
			buf_add(&svg->buf, "all", 3);
		else
			buf_add(&svg->buf, name->escaped + blanks, name->escaped_len - blanks);
		add_figures(svg, node, weight);
		if (!is_all(svg, node))
			svg_lines_add(svg, svg->tree->sym[node]);
	}
	buf_add(&svg->buf, "</title>", 8);
}

/* As much of the beginning as fits. */
static void add_beginning(struct svg *svg, const struct display_name *shown, size_t keep)
{
	size_t bytes = 0;
	uint32_t cp;
	for (; keep && bytes < shown->len; keep--)
		bytes += utf8_decode(shown->text + bytes, shown->len - bytes, &cp);
	svg_add_escaped(&svg->buf, shown->text, bytes);
	buf_add(&svg->buf, "..", 2);
}

/* How many characters fit into a frame of this width in percent. */
static double room_of(const struct svg *svg, double percent)
{
	double pixels = percent / 100.0 * (svg->width - 2 * SVG_XPAD) - LABEL_PAD;
	return floor(pixels / (svg->font * svg->font_width));
}

/*
 * The part of the name that fits, for programs that do not run the script. Other programs write the beginning, also
 * where their scripts show the end.
 */
static void add_label(struct svg *svg, uint32_t node, double room)
{
	uint32_t sym = svg->tree->sym[node];
	uint32_t blanks = blanks_of(svg, node);
	const struct svg_name *name = name_of(svg, sym);
	struct display_name shown = *display_name(&svg->display, sym);
	shown.text += blanks;
	shown.len -= blanks;
	shown.columns -= blanks;
	if (shown.len <= room) {
		buf_add(&svg->buf, name->escaped + blanks, name->escaped_len - blanks);
		return;
	}
	if (svg->options->truncate_text_right || svg->options->truncate_text_left) {
		add_beginning(svg, &shown, (size_t)room - 2);
		return;
	}
	svg->scratch.len = 0;
	label_fit(&svg->scratch, &shown, (size_t)room, true);
	svg_add_escaped(&svg->buf, svg->scratch.data, svg->scratch.len);
}

static const struct svg_attr_set *attrs_of(struct svg *svg, uint32_t node)
{
	uint32_t attrs = svg->names[svg->tree->sym[node]].attrs;
	return attrs && !is_all(svg, node) ? &svg->attrs.sets[attrs - 1] : NULL;
}

static void add_attr(struct svg *svg, const char *key, const char *value)
{
	buf_addc(&svg->buf, ' ');
	buf_adds(&svg->buf, key);
	buf_add(&svg->buf, "=\"", 2);
	svg_add_text(&svg->buf, value, strlen(value));
	buf_addc(&svg->buf, '"');
}

/* The opening tag of a frame; `state` is a class that the drawing adds, or "". */
static void add_container(struct svg *svg, const struct svg_attr_set *set, const char *state)
{
	struct buf *b = &svg->buf;
	bool has_state = state[0] == '\0';
	buf_adds(b, set && set->is_link ? "<a" : "<g");
	for (size_t i = 0; set && i < set->n; i++) {
		const char *key = svg->attrs.keys.symbols[set->list[i].key].name;
		add_attr(svg, key, set->list[i].value);
		if (has_state || strcmp(key, "class") != 0)
			continue;
		b->len--;
		buf_addc(b, ' ');
		buf_adds(b, state);
		buf_addc(b, '"');
		has_state = true;
	}
	if (!has_state)
		add_attr(svg, "class", state);
	buf_addc(b, '>');
}

static char *put_position(const struct svg *svg, char *p, uint64_t position)
{
	struct buf number;
	if (!svg->x_decimals)
		return svg_put_uint(p, position);
	buf_init(&number);
	number_add_fixed(&number, position, svg->x_decimals);
	memcpy(p, number.data, number.len);
	p += number.len;
	buf_deinit(&number);
	return p;
}

static char *put_pixels(char *p, double v)
{
	return svg_put_fixed(p, v, v == floor(v) ? 0 : 2);
}

/* The letter of an annotation that names go without, for programs that read the picture back: "j" of "read_[j]". */
static void add_kind(struct svg *svg, uint32_t node)
{
	const struct symbol *s = &svg->view->profile->symtab.symbols[svg->tree->sym[node]];
	size_t bare = symbol_bare_length(s->name, s->len);
	if (bare == s->len || is_all(svg, node))
		return;
	buf_addf(&svg->buf, " fg:kind=\"%c\"", s->name[bare + 2]);
}

/*
 * For the script, in the same unit as fg:w: total and self in the baseline, and self. As fg:w, those of a caller of
 * the zoomed frame are those of its part that is drawn.
 */
static void add_other_weights(struct svg *svg, uint32_t node)
{
	const struct tree *t = svg->tree;
	bool is_middle = svg->is_sandwich && node == 0, is_faded = node < svg->zoom;
	const uint64_t weights[] = {
		is_middle ? svg->middle.base_total : tree_base_total(t, is_faded ? svg->zoom : node),
		is_middle  ? svg->middle.base_self
		: is_faded ? 0
				   : tree_base_own(t, node),
		is_middle  ? svg->middle.self
		: is_faded ? 0
				   : tree_own(t, node),
	};
	static const char *const keys[] = {"\" fg:b=\"", "\" fg:bs=\"", "\" fg:s=\""};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		buf_adds(&svg->buf, keys[i]);
		number_add_fixed(&svg->buf, weights[i], svg->decimals);
	}
}

/* The script reads the name from the tooltip; if the tooltip has other text, fg:name holds the name. */
static void add_rect(struct svg *svg, uint32_t node, const struct svg_place *at, const struct svg_attr_set *set)
{
	double scale = 100.0 / (double)svg->total;
	char *p = buf_reserve(&svg->buf, 512);
	p = PUT(p, "<rect x=\"");
	p = svg_put_fixed(p, (double)at->x * scale, 4);
	p = PUT(p, "%\" y=\"");
	p = put_pixels(p, at->y);
	p = PUT(p, "\" width=\"");
	p = svg_put_fixed(p, (double)at->width * scale, 4);
	p = PUT(p, "%\" height=\"");
	p = put_pixels(p, svg->row - 1);
	p = PUT(p, "\" fill=\"");
	p = svg_put_rgb(p, fill_of(svg, node, at->width));
	p = PUT(p, "\" fg:x=\"");
	p = put_position(svg, p, at->x);
	p = PUT(p, "\" fg:w=\"");
	p = put_position(svg, p, at->width);
	svg->buf.len = (size_t)(p - svg->buf.data);
	if (svg->is_diff)
		add_other_weights(svg, node);
	buf_addc(&svg->buf, '"');
	add_kind(svg, node);
	if ((set && set->title) || blanks_of(svg, node)) {
		const struct svg_name *name = name_of(svg, svg->tree->sym[node]);
		buf_adds(&svg->buf, " fg:name=\"");
		buf_add(&svg->buf, name->escaped, name->escaped_len);
		buf_addc(&svg->buf, '"');
	}
	buf_adds(&svg->buf, "/>");
}

/* Nothing for a frame too narrow for a label: most frames are, and a browser takes a while over each element. */
static void add_text(struct svg *svg, uint32_t node, const struct svg_place *at)
{
	double scale = 100.0 / (double)svg->total, room = room_of(svg, (double)at->width * scale);
	char *p;
	if (room < LEAST_ROOM)
		return;
	svg_new_line(svg, 3);
	p = buf_reserve(&svg->buf, 256);
	p = PUT(p, "<text x=\"");
	p = svg_put_fixed(p, (double)at->x * scale + 100.0 * LABEL_PAD / svg->width, 4);
	p = PUT(p, "%\" y=\"");
	p = svg_put_fixed(p, 3.0 + (at->y + at->y + svg->row - 1) / 2.0, 2);
	p = PUT(p, "\">");
	svg->buf.len = (size_t)(p - svg->buf.data);
	add_label(svg, node, room);
	buf_add(&svg->buf, "</text>", 7);
}

/* Draws the frame; in the units of svg->total. */
void svg_add_frame(struct svg *svg, uint32_t node, const struct svg_place *at)
{
	const struct svg_attr_set *set = attrs_of(svg, node);
	svg_new_line(svg, 2);
	add_container(svg, set, at->state);
	svg_new_line(svg, 3);
	/* --total widens "all"; a zoomed frame keeps its own width and figures. */
	add_title(svg, node, is_all(svg, node) ? svg->whole : tree_total(svg->tree, node), set);
	svg_new_line(svg, 3);
	add_rect(svg, node, at, set);
	add_text(svg, node, at);
	svg_new_line(svg, 2);
	buf_adds(&svg->buf, set && set->is_link ? "</a>" : "</g>");
	if (svg->buf.len > FLUSH_AT)
		svg_flush(svg);
}
