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
 * stay those of the whole. In a differential drawing the colour of a frame shows the change of its own self weight,
 * or of the share of that. Callers do not show the change of their callees; only in a caller tree a frame shows its
 * total change, as everywhere (diff_of_frame()).
 */
#include "svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/utf8.h"
#include "model/diff.h"

#define DEFAULT_WIDTH 1200u
#define DEFAULT_ROW 16u
#define DEFAULT_FONT 12.0
#define DEFAULT_FONT_WIDTH 0.59
#define DEFAULT_MIN_PERCENT 0.01
#define FLUSH_AT (1u << 18)
#define THIN_RUN 16u /* after so many narrow siblings in a row, a search skips the rest */

static const struct rgb gray_sum = {160, 160, 160}, gray_dash = {200, 200, 200};

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
		mem_push(open->list, open->n, open->cap, ((struct svg_frame){0, i}));
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
	next = tree_child_at(t, t->parent[i], t->pos[i] + least - 1);
	return next == NO_NODE ? t->end[t->parent[i]] : next;
}

static uint32_t count_gaps(const struct tree *t, uint32_t from, uint32_t to)
{
	uint32_t n = 0;
	for (uint32_t i = from; t->is_chart && i < to; i++)
		n += tree_is_gap(t, i);
	return n;
}

static void collect_frames(struct svg *svg, uint64_t least)
{
	const struct tree *t = svg->tree;
	struct open_frames open = {0};
	uint32_t end = t->end[svg->zoom], drawn = 0;
	unsigned run = 0;
	open_ancestors(svg, &open);
	for (uint32_t i = svg->zoom; i < end;) {
		struct svg_frame frame = {.node = i};
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
	if (svg->options->frames)
		*svg->options->frames = drawn;
	svg->left_out = end - svg->zoom - drawn - count_gaps(t, svg->zoom, end);
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

/* With a time axis: in ns. */
static uint64_t least_time(struct svg *svg)
{
	double least = least_width(svg);
	svg->min_percent = least * (100.0 / (double)svg->total);
	return weight_at_least(least, svg->total);
}

/* The least weight to draw, also by the view's smallest share. */
static uint64_t least_weight(struct svg *svg)
{
	double total = (double)svg->total, least = least_width(svg);
	double shown = svg->view->min_share / (100.0 / (double)svg->whole);
	least = fmax(least, shown); /* a given percentage is that of the view, which keys may have changed since */
	svg->min_percent = least * (100.0 / total);
	return weight_at_least(least, svg->total);
}

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

static struct rgb palette_fill(struct svg *svg, uint32_t sym, double share)
{
	const struct export_options *o = svg->options;
	const struct symbol *s = &svg->view->profile->symtab.symbols[sym];
	struct svg_name *name = &svg->names[sym];
	if (!palette_is_for_svg(o->palette))
		return palette_terminal(o->palette, &svg->view->profile->symtab, sym, share);
	if (o->source == COLOR_RANDOM)
		return palette_color(o->palette, COLOR_RANDOM, s->name, s->len, &svg->rng);
	if (!name->has_fill)
		name->fill = palette_color(o->palette, o->source, s->name, s->len, &svg->rng);
	name->has_fill = true;
	return name->fill;
}

/* Colours from the file of --cp come first; new names are added to it. */
static struct rgb kept_fill(struct svg *svg, uint32_t sym, double share)
{
	const struct symbol *s = &svg->view->profile->symtab.symbols[sym];
	struct rgb color;
	if (!svg->options->palette_map)
		return palette_fill(svg, sym, share);
	if (svg_map_get(&svg->map, s->name, s->len, &color))
		return color;
	color = palette_fill(svg, sym, share);
	svg_map_set(&svg->map, s->name, s->len, color);
	return color;
}

/* The gain of the frame: percentage points of its share, or weight. */
static double delta_of(const struct svg *svg, uint32_t node)
{
	double delta = diff_of_frame(&svg->basis, svg->tree, node).delta;
	return svg->options->negate ? -delta : delta;
}

/* Weights are integers in the classic arithmetic; points of a share are scaled to integers. */
static struct rgb change_fill(const struct svg *svg, uint32_t node)
{
	double unit = svg->basis.quantity == DIFF_OF_WEIGHTS ? 1 : 1e-12;
	double delta = delta_of(svg, node) / unit, most = svg->most / unit;
	const int64_t limit = INT64_C(1) << 62;
	int64_t change = delta <= -0x1p62 ? -limit : delta >= 0x1p62 ? limit : (int64_t)delta;
	return palette_diff(change, most < 1 ? 1 : most < 0x1p62 ? (uint64_t)most : UINT64_C(1) << 62);
}

static struct rgb fill_of(struct svg *svg, uint32_t node, uint64_t weight)
{
	uint32_t sym = svg->tree->sym[node];
	const struct symbol *s = &svg->view->profile->symtab.symbols[sym];
	double share = (double)weight * (100.0 / (double)svg->total) / 100.0;
	if (s->len == 2 && memcmp(s->name, "--", 2) == 0)
		return gray_sum;
	if (s->len == 1 && s->name[0] == '-')
		return gray_dash;
	if (svg->options->color_diffusion)
		return palette_diffusion(share);
	if (svg->is_diff)
		return change_fill(svg, node);
	return kept_fill(svg, sym, share);
}

/* ---- one frame ---- */

/* A literal is copied with a few stores and no call. */
#define PUT(p, literal) ((char *)memcpy((p), (literal), sizeof(literal) - 1) + sizeof(literal) - 1)

static uint64_t shown_count(const struct svg *svg, uint64_t weight)
{
	return weight_times(weight, svg->factor);
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

/* "+3.10 points" of the displayed share. */
static void add_points(struct svg *svg, const struct diff_change *c)
{
	double points = c->delta * (double)weight_of(svg, NODE_ALL) / (double)svg->whole;
	char *p = buf_reserve(&svg->buf, 64), *end = points > 0 ? PUT(p, "+") : p;
	end = svg_put_fixed(end, points, 2);
	svg->buf.len += (size_t)(PUT(end, " points") - p);
}

static void add_weight(struct svg *svg, uint64_t weight)
{
	if (svg->is_time)
		view_add_weight(svg->view, &svg->buf, shown_count(svg, weight));
	else
		number_add_commas(&svg->buf, shown_count(svg, weight), svg->decimals);
}

static void add_change(struct svg *svg, uint32_t node)
{
	struct diff_change c = diff_of_frame(&svg->basis, svg->tree, node);
	buf_add(&svg->buf, "; ", 2);
	if (svg->is_classic) {
		add_classic_change(svg, node);
	} else if (c.quantity == DIFF_OF_SHARES) {
		add_points(svg, &c);
	} else {
		if (diff_weight(&c))
			buf_addc(&svg->buf, c.weight_after > c.weight_before ? '+' : '-');
		add_weight(svg, diff_weight(&c));
	}
}

/* " (90 samples, 25.64%; +3.10 points)"; for weights " (90 samples, 25.64%; +12)" */
static void add_figures(struct svg *svg, uint32_t node, uint64_t weight)
{
	struct buf *b = &svg->buf;
	double whole = (double)svg->whole * svg->factor;
	char *p;
	buf_add(b, " (", 2);
	add_weight(svg, weight);
	if (!svg->is_time) {
		buf_addc(b, ' ');
		buf_add(b, svg->unit.data, svg->unit.len);
	}
	p = buf_reserve(b, 128);
	if (node == NODE_ALL) {
		p = PUT(p, ", 100%");
	} else {
		p = PUT(p, ", ");
		p = svg_put_fixed(p, 100.0 * (double)shown_count(svg, weight) / whole, 2);
		*p++ = '%';
	}
	b->len = (size_t)(p - b->data);
	if (svg->is_diff && node != NODE_ALL)
		add_change(svg, node);
	if (svg->tree->until)
		svg_lanes_add_time(svg, node);
	buf_addc(b, ')');
}

static void add_title(struct svg *svg, uint32_t node, uint64_t weight, const struct svg_attr_set *set)
{
	const struct svg_name *name = name_of(svg, svg->tree->sym[node]);
	buf_add(&svg->buf, "<title>", 7);
	if (set && set->title) {
		svg_add_text(&svg->buf, set->title, strlen(set->title));
	} else {
		if (node == NODE_ALL)
			buf_add(&svg->buf, "all", 3);
		else
			buf_add(&svg->buf, name->escaped, name->escaped_len);
		add_figures(svg, node, weight);
	}
	buf_add(&svg->buf, "</title>", 8);
}

/* The part of the name that fits, for programs that do not run the script. */
static void add_label(struct svg *svg, uint32_t sym, double percent)
{
	double room = trunc(percent / (100.0 * svg->font * svg->font_width / svg->width));
	const struct display_name *shown;
	const struct svg_name *name;
	size_t keep, bytes = 0;
	uint32_t cp;
	if (room < 3)
		return;
	name = name_of(svg, sym);
	shown = display_name(&svg->display, sym);
	if (shown->len < room) {
		buf_add(&svg->buf, name->escaped, name->escaped_len);
		return;
	}
	for (keep = (size_t)room - 2; keep && bytes < shown->len; keep--)
		bytes += utf8_decode(shown->text + bytes, shown->len - bytes, &cp);
	svg_add_escaped(&svg->buf, shown->text, bytes);
	buf_add(&svg->buf, "..", 2);
}

static const struct svg_attr_set *attrs_of(struct svg *svg, uint32_t node)
{
	uint32_t attrs = svg->names[svg->tree->sym[node]].attrs;
	return attrs && node != NODE_ALL ? &svg->attrs.sets[attrs - 1] : NULL;
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

static char *put_weight(const struct svg *svg, char *p, uint64_t weight)
{
	struct buf number;
	if (!svg->x_decimals)
		return svg_put_uint(p, weight);
	buf_init(&number);
	number_add_fixed(&number, weight, svg->x_decimals);
	memcpy(p, number.data, number.len);
	p += number.len;
	buf_deinit(&number);
	return p;
}

static char *put_pixels(char *p, double v)
{
	return svg_put_fixed(p, v, v == floor(v) ? 0 : 2);
}

/* The script reads the name from the tooltip; if the tooltip has other text, fg:name holds the name. */
static void add_rect(struct svg *svg, uint32_t node, const struct svg_place *at, const struct svg_attr_set *set)
{
	uint64_t x = at->x, weight = at->width;
	double scale = 100.0 / (double)svg->total;
	char *p = buf_reserve(&svg->buf, 512);
	p = PUT(p, "<rect x=\"");
	p = svg_put_fixed(p, (double)x * scale, 4);
	p = PUT(p, "%\" y=\"");
	p = put_pixels(p, at->y);
	p = PUT(p, "\" width=\"");
	p = svg_put_fixed(p, (double)weight * scale, 4);
	p = PUT(p, "%\" height=\"");
	p = put_pixels(p, svg->row - 1);
	p = PUT(p, "\" fill=\"");
	p = svg_put_rgb(p, fill_of(svg, node, weight));
	p = PUT(p, "\" fg:x=\"");
	p = put_weight(svg, p, x);
	p = PUT(p, "\" fg:w=\"");
	p = put_weight(svg, p, weight);
	*p++ = '"';
	svg->buf.len = (size_t)(p - svg->buf.data);
	if (set && set->title) {
		const struct svg_name *name = name_of(svg, svg->tree->sym[node]);
		buf_adds(&svg->buf, " fg:name=\"");
		buf_add(&svg->buf, name->escaped, name->escaped_len);
		buf_addc(&svg->buf, '"');
	}
	buf_adds(&svg->buf, "/>");
}

static void add_text(struct svg *svg, uint32_t node, const struct svg_place *at)
{
	double scale = 100.0 / (double)svg->total;
	char *p = buf_reserve(&svg->buf, 256);
	p = PUT(p, "<text x=\"");
	p = svg_put_fixed(p, (double)at->x * scale + 100.0 * 3.0 / svg->width, 4);
	p = PUT(p, "%\" y=\"");
	p = svg_put_fixed(p, 3.0 + (at->y + at->y + svg->row - 1) / 2.0, 2);
	p = PUT(p, "\">");
	svg->buf.len = (size_t)(p - svg->buf.data);
	add_label(svg, svg->tree->sym[node], (double)at->width * scale);
	buf_add(&svg->buf, "</text>", 7);
}

void svg_add_frame(struct svg *svg, uint32_t node, const struct svg_place *at)
{
	const struct svg_attr_set *set = attrs_of(svg, node);
	svg_new_line(svg, 2);
	add_container(svg, set, at->state);
	svg_new_line(svg, 3);
	/* --total widens "all"; a zoomed frame keeps its own width and figures. */
	add_title(svg, node, node == NODE_ALL ? svg->whole : weight_of(svg, node), set);
	svg_new_line(svg, 3);
	add_rect(svg, node, at, set);
	svg_new_line(svg, 3);
	add_text(svg, node, at);
	svg_new_line(svg, 2);
	buf_adds(&svg->buf, set && set->is_link ? "</a>" : "</g>");
	if (svg->buf.len > FLUSH_AT)
		svg_flush(svg);
}

static void add_frame(struct svg *svg, const struct svg_frame *frame)
{
	bool is_above = frame->node < svg->zoom, is_hit = view_is_hit(svg->view, frame->node);
	bool is_full = is_above || frame->node == svg->zoom;
	struct svg_place at = {
		.x = is_full ? 0 : svg->tree->pos[frame->node] - svg->start,
		.width = is_full ? svg->total : weight_of(svg, frame->node),
		.y = svg->view->is_inverted ? svg->top + frame->depth * svg->row
	                                : svg->height - svg->bottom - (frame->depth + 1.0) * svg->row + 1,
		.state = is_above ? is_hit ? "parent hit" : "parent"
	             : is_hit ? "hit"
	                      : "",
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
	svg->top = svg->view->is_inverted ? 4 * font + subtitle + 4 : 3 * font + subtitle;
	svg->bottom = svg->view->is_inverted ? font + 10 : 2 * font + 10;
}

static uint64_t seed_of(bool is_random)
{
	uint64_t seed = 0;
	if (!is_random)
		return 1234;
	if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed)
		seed = (uint64_t)time(NULL) * UINT64_C(0x9E3779B97F4A7C15);
	return seed ? seed : 1;
}

/* Ignores a --total below the sum of the samples. */
static uint64_t whole_of(struct svg *svg)
{
	uint64_t sum = weight_of(svg, NODE_ALL), total = svg->options->total;
	for (unsigned i = 0; i < svg->decimals && total < UINT64_MAX / 10; i++)
		total *= 10;
	if (total && total < sum && (double)total / (double)sum > 0.02)
		report_add(&svg->notes, NOTE_WARN, "--total is less than the sum of the samples (using that sum instead)",
		           NULL, 0, NULL, 0);
	return total > sum ? total : sum;
}

static void set_weights(struct svg *svg)
{
	const struct view *v = svg->view;
	svg->tree = &v->tree;
	svg->zoom = v->zoom;
	svg->start = v->tree.pos[v->zoom];
	svg->decimals = v->profile->decimals;
	svg->factor = svg->options->factor > 0 ? svg->options->factor : 1;
	svg->whole = whole_of(svg);
	svg->total = v->zoom == NODE_ALL ? svg->whole : weight_of(svg, v->zoom);
	svg->x_decimals = svg->decimals;
	if (v->tree.until) {
		svg->span = view_span(v);
		svg->total = svg->span.to - svg->span.from;
		svg->x_decimals = 0;
	}
	svg->is_diff = view_is_diff(v);
	svg->rng.state = seed_of(svg->options->is_random);
	if (!svg->is_diff)
		return;
	diff_basis_make(&svg->basis, v->profile, &v->recipe, svg->tree);
	svg->is_classic = v->is_classic && svg->basis.quantity == DIFF_OF_WEIGHTS;
	svg->most = diff_most(&svg->basis, svg->tree);
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

/* Reads the files of --nameattr and --cp. */
static bool read_files(struct svg *svg, struct err *err)
{
	const struct export_options *o = svg->options;
	const struct symtab *functions;
	if (o->palette_map && !svg_map_read(&svg->map, o->palette_map, &svg->notes, err))
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

static bool draw(struct svg *svg, struct err *err)
{
	const struct export_options *o = svg->options;
	if (svg->width <= 2 * SVG_XPAD)
		return fail(err, "--width=%u: too narrow (expected more than %u pixels)", o->width, 2 * SVG_XPAD);
	if (svg->total == 0 || svg->whole == 0) {
		svg_add_empty(svg);
		return fail(err, "no stack counts found: nothing to draw");
	}
	if (!read_files(svg, err))
		return false;
	if (svg->tree->until)
		svg_lanes_collect(svg, least_time(svg));
	else
		collect_frames(svg, least_weight(svg));
	svg->height = (svg->depth + 1.0) * svg->row + svg->top + svg->bottom;
	if (!svg_add_head(svg, err))
		return false;
	if (svg->lanes)
		svg_lanes_draw(svg);
	for (size_t i = 0; i < svg->n_frames && !svg->lanes; i++)
		add_frame(svg, &svg->frames[i]);
	svg_add_tail(svg);
	return !o->palette_map || svg_map_write(&svg->map, o->palette_map, &svg->notes, err);
}

static void deinit(struct svg *svg)
{
	report_deinit(&svg->notes);
	buf_deinit(&svg->buf);
	buf_deinit(&svg->scratch);
	free(svg->frames);
	free(svg->lanes);
	free(svg->names);
	buf_deinit(&svg->unit);
	display_deinit(&svg->display);
	arena_deinit(&svg->texts);
	svg_attrs_deinit(&svg->attrs);
	svg_map_deinit(&svg->map);
}

static bool svg_write(const struct view *view, const struct export_options *options, struct output *out,
                      struct err *err)
{
	struct svg svg = {.view = view, .options = options, .out = out};
	bool ok;
	report_init(&svg.notes);
	buf_init(&svg.buf);
	buf_init(&svg.scratch);
	arena_init(&svg.texts);
	set_geometry(&svg);
	set_weights(&svg);
	set_names(&svg);
	ok = draw(&svg, err);
	report_print(&svg.notes, NOTE_WARN);
	deinit(&svg);
	return ok;
}

const struct export_kind export_svg = {
	.name = "svg",
	.bit = EXPORT_SVG,
	.help = "interactive flame graph for a browser",
	.holds = EXPORT_HOLDS(FLAME),
	.has_lanes = true,
	.write = svg_write,
};
