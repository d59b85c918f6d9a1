/*
 * svg_document.c - the parts of an SVG around its frames.
 *
 *	<?xml version="1.0" standalone="no"?><!DOCTYPE svg ...>
 *	<svg width="1200" height="166" onload="init(evt)" viewBox="0 0 1200 166" ...>
 *		<!-- ... --> <metadata/> <defs> background </defs> <style/> <script/> <script/> <rect/>
 *		<text id="title"/> <text id="details"/> <text id="unzoom"/> <text id="search"/> <text id="matched"/>
 *		<svg id="frames" x="10" width="1180" total_samples="286" fg:unit="ms" fg:event="sleep">
 *			<g><title>main (286 samples, 100.00%)</title><rect .../><text ...>main</text></g>
 *			...
 *
 * Element ids, the order of the parts, the variables of the script and the attributes of a frame follow
 * flamegraph.pl and inferno, since other programs read and change such files. The script comes from viewer*.js, the
 * styles from viewer*.css, without comments and indentation: each drawing carries a copy.
 */
#include "svg.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "base/utf8.h"
#include "change_json.h"
#include "json_text.h"
#include "model/cut.h"
#include "model/estimate.h"
#include "model/idle.h"
#include "model/words.h"
#include "shared_js.h"
#include "viewer_css.h"
#include "viewer_dark_css.h"
#include "viewer_js.h"
#include "viewer_keys_js.h"
#include "viewer_page_js.h"
#include "viewer_panels_css.h"
#include "viewer_table_js.h"
#include "viewer_views_js.h"

#define NAMESPACES                                                                       \
	" xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"" \
	" xmlns:fg=\"http://github.com/jonhoo/inferno\""
#define DEFAULT_SEARCH_COLOR "#e600e6"
#define EMPTY_MESSAGE "ERROR: No valid input provided to flamegraph"

void svg_flush(struct svg *svg)
{
	if (svg->is_ascii) {
		svg->scratch.len = 0;
		svg_add_as_ascii(&svg->scratch, svg->buf.data, svg->buf.len);
		svg->buf.len = 0;
		output_flush_buf(svg->out, &svg->scratch);
		return;
	}
	output_flush_buf(svg->out, &svg->buf);
}

void svg_new_line(struct svg *svg, unsigned level)
{
	if (!svg->options->pretty_xml)
		return;
	buf_addc(&svg->buf, '\n');
	buf_pad(&svg->buf, ' ', (size_t)level * 4);
}

/*
 * Is this an encoding that extends ASCII, under a name that browsers know? All other characters become references.
 * In other encodings, or in those with shift sequences ("~{", escapes), names could turn into markup.
 */
bool svg_knows_encoding(const char *name)
{
	static const char *const known[] = {"utf-8",     "utf8",  "us-ascii",    "ascii",       "iso-8859-", "iso8859-",
	                                    "iso_8859-", "latin", "windows-125", "windows-874", "cp125",     "cp437",
	                                    "cp85",      "cp86",  "koi8-",       "macintosh",   "gb2312",    "gbk",
	                                    "gb18030",   "big5",  "euc-",        "shift_jis",   "tis-620"};
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
	bool is_known = false;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		is_known |= strncasecmp(name, known[i], strlen(known[i])) == 0;
	return is_known && name[strspn(name, allowed)] == '\0';
}

static bool choose_encoding(struct svg *svg, struct err *err)
{
	const char *name = svg->options->encoding;
	if (!name)
		return true;
	svg->is_ascii = strcasecmp(name, "utf-8") != 0 && strcasecmp(name, "utf8") != 0;
	return svg_knows_encoding(name) || fail(err, "--encoding=%s: not an encoding that extends ASCII", name);
}

/* What made the drawing. An element, since options begin with two hyphens, which end a comment. */
static void add_generator(struct svg *svg)
{
	const char *command = svg->options->command;
	svg_new_line(svg, 1);
	buf_adds(&svg->buf, "<metadata>generator: flametop " FLAMETOP_VERSION);
	if (command && *command) {
		buf_adds(&svg->buf, "; command: ");
		svg_add_text(&svg->buf, command, strlen(command));
	}
	buf_adds(&svg->buf, "</metadata>");
}

static void add_prologue(struct svg *svg, double height)
{
	struct buf *b = &svg->buf;
	buf_adds(b, "<?xml version=\"1.0\"");
	if (svg->options->encoding)
		buf_addf(b, " encoding=\"%s\"", svg->options->encoding);
	buf_adds(b, " standalone=\"no\"?>");
	svg_new_line(svg, 0);
	buf_adds(b, "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" "
	            "\"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">");
	svg_new_line(svg, 0);
	buf_adds(b, "<svg version=\"1.1\" width=\"");
	svg_add_pixels(b, svg->width);
	buf_adds(b, "\" height=\"");
	svg_add_pixels(b, height);
	buf_adds(b, "\" onload=\"init(evt)\" viewBox=\"0 0 ");
	svg_add_pixels(b, svg->width);
	buf_addc(b, ' ');
	svg_add_pixels(b, height);
	buf_adds(b, "\"" NAMESPACES ">");
	svg_new_line(svg, 1);
	buf_adds(b, "<!--Flame graph by flametop, after https://github.com/brendangregg/FlameGraph and inferno. "
	            "See http://www.brendangregg.com/flamegraphs.html for examples.-->");
	svg_new_line(svg, 1);
	buf_adds(b, "<!--NOTES: ");
	svg_add_comment(b, svg->options->notes ? svg->options->notes : "");
	buf_adds(b, "-->");
	add_generator(svg);
}

/* ---- colours of the page ---- */

struct gradient {
	const char *name, *from, *to;
};

static const struct gradient gradients[] = {
	{"yellow", "#eeeeee", "#eeeeb0"},
	{"blue", "#eeeeee", "#e0e0ff"},
	{"green", "#eef2ee", "#e0ffe0"},
	{"grey", "#f8f8f8", "#e8e8e8"},
};

static bool find_gradient(const struct export_options *options, struct gradient *gradient, struct err *err)
{
	const char *name = options->bg_colors ? options->bg_colors : palette_page(options->palette);
	struct rgb unused;
	if (svg_parse_color(name, &unused)) {
		*gradient = (struct gradient){name, name, name};
		return true;
	}
	for (size_t i = 0; i < sizeof gradients / sizeof *gradients; i++) {
		if (strcmp(name, gradients[i].name) != 0)
			continue;
		*gradient = gradients[i];
		return true;
	}
	return fail(err, "--bgcolors=%s: not a background (expected yellow, blue, green, grey or #rrggbb)", name);
}

static void add_background(struct svg *svg, const struct gradient *g)
{
	const char *colors[] = {g->from, g->to}, *offsets[] = {"5%", "95%"};
	svg_new_line(svg, 1);
	buf_adds(&svg->buf, "<defs>");
	svg_new_line(svg, 2);
	buf_adds(&svg->buf, "<linearGradient id=\"background\" y1=\"0\" y2=\"1\" x1=\"0\" x2=\"0\">");
	for (size_t i = 0; i < 2; i++) {
		svg_new_line(svg, 3);
		buf_addf(&svg->buf, "<stop stop-color=\"%s\" offset=\"%s\"/>", colors[i], offsets[i]);
	}
	svg_new_line(svg, 2);
	buf_adds(&svg->buf, "</linearGradient>");
	svg_new_line(svg, 1);
	buf_adds(&svg->buf, "</defs>");
}

/* Appends a colour option as "rgb(r,g,b)". */
static bool add_color(struct buf *b, const char *option, const char *text, const char *or_else, struct err *err)
{
	struct rgb color;
	if (!svg_parse_color(text ? text : or_else, &color))
		return fail(err, "--%s=%s: not a colour (expected #rrggbb)", option, text);
	svg_add_rgb(b, color);
	return true;
}

/* ---- style and script ---- */

static void add_font_family(struct buf *b, const char *name)
{
	static const char *const generic[] = {"cursive", "fantasy", "monospace", "serif", "sans-serif"};
	struct buf quoted;
	for (size_t i = 0; i < sizeof generic / sizeof *generic; i++) {
		if (strcmp(name, generic[i]) == 0) {
			buf_adds(b, name);
			return;
		}
	}
	buf_init(&quoted);
	utf8_clean(&quoted, name, strlen(name), UTF8_CLEAN_UTF8);
	buf_addc(b, '"');
	for (size_t i = 0; i < quoted.len; i++) {
		if (quoted.data[i] == '"' || quoted.data[i] == '\\')
			buf_addc(b, '\\');
		if (quoted.data[i] == '"')
			buf_addc(b, '"');
		else
			svg_add_escaped(b, quoted.data + i, 1);
	}
	buf_addc(b, '"');
	buf_deinit(&quoted);
}

static bool add_style(struct svg *svg, struct err *err)
{
	const struct export_options *o = svg->options;
	struct buf *b = &svg->buf;
	svg_new_line(svg, 1);
	buf_adds(b, "<style type=\"text/css\">\ntext { font-family:");
	add_font_family(b, o->font_type ? o->font_type : "monospace");
	buf_adds(b, "; font-size:");
	svg_add_pixels(b, svg->font);
	buf_adds(b, "px }\n#title { text-anchor:middle; font-size:");
	svg_add_pixels(b, svg->font + 5);
	buf_adds(b, "px; }\n");
	if (o->stroke_color && strcmp(o->stroke_color, "none") != 0) {
		buf_adds(b, "#frames > g > rect { stroke:");
		if (!add_color(b, "stroke-color", o->stroke_color, "", err))
			return false;
		buf_adds(b, "; stroke-width:1; }\n");
	} else if (svg->is_diff) {
		/* No change is as light as the page. Frames inherit the line, so that the pointed one has another. */
		buf_adds(b, "#frames { stroke:#888; stroke-opacity:.53; stroke-width:.5; }\n");
	}
	buf_adds(b, viewer_css);
	if (svg->is_sandwich)
		buf_adds(b, ".middle > rect{stroke:#000;stroke-width:1;}\n");
	if (svg->view->search.pattern) {
		buf_adds(b, ".hit > rect { fill:");
		if (!add_color(b, "search-color", o->search_color, DEFAULT_SEARCH_COLOR, err))
			return false;
		buf_adds(b, "; }\n");
	}
	if (!o->bg_colors && !o->ui_color)
		buf_adds(b, viewer_dark_css);
	if (!o->no_javascript)
		buf_adds(b, viewer_panels_css);
	buf_adds(b, "</style>");
	return true;
}

/* Parentheses in the unit, foreign text that follows counts; times have no unit. */
static unsigned unit_parens(const struct svg *svg)
{
	unsigned n = 0;
	for (size_t i = 0; i < svg->unit.len && !svg->is_time; i++)
		n += svg->unit.data[i] == '(';
	return n;
}

/* The facts of a comparison: shares are of the whole, which --total may widen. */
static void add_comparison_script(struct svg *svg)
{
	struct buf *b = &svg->buf;
	double wider = (double)svg->whole / (double)svg->all;
	bool is_share = svg->basis.quantity == DIFF_OF_SHARES;
	int scale = svg->is_time ? profile_time_scale(view_unit(svg->view)) : -1;
	buf_adds(b, "var diff = ");
	change_json_begin(b, &svg->basis, svg->options->negate, svg->is_classic);
	json_key(b, "all");
	number_add_fixed(b, svg->whole, svg->decimals);
	json_key(b, "allBase");
	number_add_fixed(b, weight_from((double)tree_base_total(&svg->view->tree, NODE_ALL) * wider), svg->decimals);
	json_add_real(b, "most", svg->most / pow(10, is_share ? 0 : svg->decimals), 9);
	json_add_exact_real(b, "factor", svg->factor);
	json_add_count(b, "decimals", svg->decimals);
	if (scale >= 0)
		json_add_count(b, "scale", (uint64_t)scale);
	buf_adds(b, "};\n");
	svg_add_gone(svg);
}

/* What is 100 % of all, if that is not the width of the picture, and its words, if they are not " of all". */
static void add_whole_script(struct svg *svg)
{
	const char *words = words_of_whole(svg->view);
	if (!svg->lanes && svg->whole != svg->total) {
		buf_adds(&svg->buf, "var whole = ");
		number_add_fixed(&svg->buf, svg->whole, svg->decimals);
		buf_adds(&svg->buf, ";\n");
	}
	if (strcmp(words, WORDS_OF_ALL) == 0)
		return;
	buf_adds(&svg->buf, "var wholewords = ");
	svg_add_js_string(&svg->buf, words);
	buf_adds(&svg->buf, ";\n");
}

static void add_program(struct buf *b)
{
	static const char *const parts[] = {viewer_views_js, viewer_table_js, viewer_page_js, viewer_keys_js};
	buf_adds(b, "<![CDATA[");
	buf_adds(b, viewer_js);
	shared_js_add(b);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		buf_adds(b, parts[i]);
	buf_adds(b, "]]>");
}

/* What is not in the picture; `cut` and `padded` (by --total) are for those that read stacks back from it. */
static void add_missing_script(struct svg *svg)
{
	if (svg->light.narrow)
		buf_adds(&svg->buf, "var narrow = true;\n");
	if (tree_rows_left_out(svg->tree, svg->zoom))
		buf_adds(&svg->buf, "var cut = true;\n");
	if (svg->zoom == NODE_ALL && svg->whole > svg->all)
		buf_adds(&svg->buf, "var padded = true;\n");
}

static bool add_script(struct svg *svg, struct err *err)
{
	static const char *const falsehood[] = {"false", "true"};
	static const char *const name_types[N_GROUPS] = {"Function:", "Module:", "File:", "Package:"};
	const struct export_options *o = svg->options;
	struct buf *b = &svg->buf;
	svg_new_line(svg, 1);
	buf_adds(b, "<script type=\"text/ecmascript\"><![CDATA[\nvar nametype = ");
	svg_add_js_string(b, o->name_type ? o->name_type : name_types[svg->tree->group]);
	buf_adds(b, ";\nvar fontsize = ");
	svg_add_pixels(b, svg->font);
	buf_adds(b, ";\nvar fontwidth = ");
	svg_add_decimal(b, svg->font_width, 6);
	buf_addf(b, ";\nvar xpad = %u;\nvar inverted = %s;\nvar searchcolor = '", SVG_XPAD,
	         falsehood[svg->is_inverted]);
	if (!add_color(b, "search-color", o->search_color, DEFAULT_SEARCH_COLOR, err))
		return false;
	buf_addf(b, "';\nvar fluiddrawing = %s;\nvar truncate_text_right = %s;\n", falsehood[o->width == 0],
	         falsehood[o->truncate_text_right]);
	if (o->truncate_text_left)
		buf_adds(b, "var truncate_text_left = true;\n");
	if (o->color_diffusion)
		buf_adds(b, "var graded = true;\n");
	if (svg->is_diff)
		add_comparison_script(svg);
	add_whole_script(svg);
	if (svg->is_sandwich) {
		buf_adds(b, "var middle = ");
		svg_add_pixels(b, svg_sandwich_middle(svg));
		buf_adds(b, ";\n");
	}
	if (svg->tree->is_reversed)
		buf_adds(b, "var reversed = true;\n");
	if (unit_parens(svg))
		buf_addf(b, "var unitparens = %u;\n", unit_parens(svg));
	add_missing_script(svg);
	if (svg->lanes)
		svg_lanes_add_script(svg);
	if (svg->view->search.pattern) {
		buf_adds(b, "var searchterm = ");
		svg_add_js_string(b, svg->view->search.pattern);
		buf_adds(b, ";\n");
	}
	buf_adds(b, "]]>");
	if (!o->no_javascript)
		add_program(b);
	buf_adds(b, "</script>");
	return true;
}

/* ---- headings ---- */

static const char *title_of(struct svg *svg, struct buf *text)
{
	const char *title = svg->options->title;
	if (title && strcmp(title, "Flame Graph") != 0)
		return title;
	if (svg->is_sandwich) {
		svg_sandwich_add_title(svg, text);
		return buf_str(text);
	}
	if (svg->tree->is_chart)
		return "Flame Chart";
	return svg->is_inverted ? "Icicle Graph" : "Flame Graph";
}

/* A negative x is a percentage of the width: -50 is the middle. */
static void add_heading(struct svg *svg, const char *id, const char *attributes, const char *fill, double x,
                        double y, const char *text)
{
	struct buf *b = &svg->buf;
	svg_new_line(svg, 1);
	buf_addf(b, "<text id=\"%s\"%s", id, attributes);
	if (fill)
		buf_addf(b, " fill=\"%s\"", fill);
	buf_adds(b, " x=\"");
	if (x < 0) {
		svg_add_fixed(b, -x, 4);
		buf_addc(b, '%');
	} else {
		svg_add_pixels(b, x);
	}
	buf_adds(b, "\" y=\"");
	svg_add_fixed(b, y, 2);
	buf_adds(b, "\">");
	svg_add_text(b, text, strlen(text));
	buf_adds(b, "</text>");
}

/* Begins one more part of the details line; end_part() takes the separator back if the part stays empty. */
static size_t begin_part(struct buf *text)
{
	buf_adds(text, text->len ? "; " : "");
	return text->len;
}

static void end_part(struct buf *text, size_t from)
{
	if (text->len == from)
		text->len = from > 2 ? from - 2 : 0;
}

#define LONGEST_ZOOM 100u /* bytes; of a longer path only the last frame is named */

/* What is beside the zoomed frame is not in the picture. */
static void add_zoom(const struct svg *svg, struct buf *text)
{
	const struct view *v = svg->view;
	size_t from = text->len;
	if (svg->is_sandwich) /* of the whole tree */
		return;
	words_add_zoom(text, v, svg->whole, UTF8_CLEAN_UTF8);
	words_add_span(text, v, true);
	if (text->len - from <= LONGEST_ZOOM)
		return;
	text->len = from;
	buf_addf(text, "zoom: %s  ", view_name(v, v->zoom)->text);
	number_add_percent(text, tree_total(svg->tree, v->zoom), svg->whole, 1);
	buf_addf(text, "%%%s", words_of_whole(v));
}

static void add_narrow(const struct svg *svg, struct buf *text)
{
	words_add_light(text, svg->view, &svg->light, svg->min_percent);
}

/* The weights of the function in the middle. */
static void add_middle(const struct svg *svg, struct buf *text)
{
	if (!svg->is_sandwich)
		return;
	words_add_sums(text, svg->view, &svg->middle, svg->options->factor);
	buf_adds(text, words_of_whole(svg->view));
}

static void add_comparison(const struct svg *svg, struct buf *text)
{
	if (svg->is_diff && !svg->is_classic)
		words_add_comparison(text, &svg->basis);
}

static void add_left_out(const struct svg *svg, struct buf *text)
{
	words_add_left_out(text, svg->view, UTF8_CLEAN_UTF8);
}

static void add_idle(const struct svg *svg, struct buf *text)
{
	idle_add_words(svg->view->profile, svg->view->recipe.series, 0, svg->options->factor, text);
}

static void add_estimate(const struct svg *svg, struct buf *text)
{
	estimate_add_words(svg->view->profile, svg->view->recipe.series, 0, text);
}

static void add_rows(const struct svg *svg, struct buf *text)
{
	uint32_t rows = tree_rows_left_out(svg->tree, svg->zoom);
	if (rows)
		buf_addf(text, "too many frames: up to %u deeper rows are left out", rows);
	else if (svg->halves.is_cut[HALF_CALLERS] || svg->halves.is_cut[HALF_CALLEES])
		buf_adds(text, "too many frames: some rows are left out");
}

/* The idle text of the details line: the kind of picture, and what it leaves out. */
static const char *details_of(const struct svg *svg, struct buf *text)
{
	static void (*const parts[])(const struct svg *, struct buf *) = {
		add_middle, add_comparison, add_left_out, add_zoom, add_idle, add_estimate, add_rows, add_narrow};
	words_add_so_far(text, svg->view);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		size_t from = begin_part(text);
		parts[i](svg, text);
		end_part(text, from);
	}
	return text->len ? buf_str(text) : " ";
}

/* What the share of matches is of: what the picture shows at full width, but for a sandwich. */
static const char *matched_words(const struct svg *svg)
{
	if (svg->lanes && svg->view->span.to)
		return " of the time shown";
	return svg->view->zoom != NODE_ALL && !svg->lanes ? " of zoom" : words_of_whole(svg->view);
}

/* "No match inside the zoom, 3 outside, 1 of them around it"; false: there are matches inside, or none at all. */
static bool add_outside(const struct svg *svg, struct buf *text)
{
	const struct search *search = &svg->view->search;
	uint64_t around = 0;
	if (svg->view->zoom == NODE_ALL || svg->lanes || search->frames_zoom > 0 || search->frames == 0)
		return false;
	for (uint32_t i = svg->zoom; i != NODE_ALL; i = svg->tree->parent[i])
		around += search_is_hit(search, svg->tree, svg->tree->parent[i]);
	buf_adds(text, "No match inside the zoom, ");
	number_add_commas(text, search->frames, 0);
	buf_adds(text, " outside");
	if (around) {
		buf_adds(text, ", ");
		number_add_commas(text, around, 0);
		buf_adds(text, " of them around it");
	}
	return true;
}

/* The share of the picture that matches the view's search; one blank without a search. */
static const char *matched_of(const struct svg *svg, struct buf *text)
{
	const struct search *search = &svg->view->search;
	if (!search->pattern)
		return " ";
	if (svg->is_sandwich) {
		svg_sandwich_add_matched(svg, text);
		return buf_str(text);
	}
	if (add_outside(svg, text))
		return buf_str(text);
	buf_adds(text, "Matched: ");
	uint64_t part = search->matched, all = svg->lanes ? svg->whole : svg->total;
	if (svg->lanes && svg->view->span.to)
		svg_lanes_match(svg, &part, &all);
	number_add_percent(text, part, all, part == all ? 0 : 1);
	buf_addf(text, "%%%s", matched_words(svg));
	return buf_str(text);
}

static bool add_headings(struct svg *svg, struct err *err)
{
	double low = svg->height - floor(svg->bottom / 2), right = svg->width - SVG_XPAD;
	struct buf color, title, details, matched;
	const char *fill;
	buf_init(&color);
	buf_init(&title);
	buf_init(&details);
	buf_init(&matched);
	if (!add_color(&color, "uicolor", svg->options->ui_color, "#000000", err)) {
		buf_deinit(&color);
		return false;
	}
	fill = buf_str(&color);
	add_heading(svg, "title", "", fill, -50, svg->font * 2, title_of(svg, &title));
	if (svg->options->subtitle)
		add_heading(svg, "subtitle", "", NULL, -50, svg->font * 4, svg->options->subtitle);
	add_heading(svg, "details", "", fill, SVG_XPAD, svg->is_inverted ? svg->top - svg->font : low,
	            details_of(svg, &details));
	add_heading(svg, "unzoom", " class=\"hide\"", fill, SVG_XPAD, svg->font * 2, "Reset Zoom");
	add_heading(svg, "search", "", fill, right, svg->font * 2, "Search");
	add_heading(svg, "matched", "", fill, right, low, matched_of(svg, &matched));
	buf_deinit(&color);
	buf_deinit(&title);
	buf_deinit(&details);
	buf_deinit(&matched);
	return true;
}

/* What the weights count, for programs that read them back: tooltips show times and --countname instead. */
static void add_series(struct svg *svg)
{
	const struct view *v = svg->view;
	const char *unit = view_unit(v), *event = view_event(v);
	buf_adds(&svg->buf, " fg:unit=\"");
	svg_add_escaped(&svg->buf, unit, strlen(unit));
	buf_addc(&svg->buf, '"');
	if (!*event)
		return;
	buf_adds(&svg->buf, " fg:event=\"");
	svg_add_escaped(&svg->buf, event, strlen(event));
	buf_addc(&svg->buf, '"');
}

bool svg_add_head(struct svg *svg, struct err *err)
{
	struct buf *b = &svg->buf;
	struct gradient gradient = {0};
	if (!choose_encoding(svg, err) || !find_gradient(svg->options, &gradient, err))
		return false;
	add_prologue(svg, svg->height);
	add_background(svg, &gradient);
	if (!add_style(svg, err) || !add_script(svg, err))
		return false;
	svg_new_line(svg, 1);
	buf_adds(b, "<rect x=\"0\" y=\"0\" width=\"100%\" height=\"");
	svg_add_pixels(b, svg->height);
	buf_adds(b, "\" fill=\"url(#background)\"/>");
	if (!add_headings(svg, err))
		return false;
	if (svg->lanes)
		svg_lanes_add_titles(svg);
	svg_new_line(svg, 1);
	buf_addf(b, "<svg id=\"frames\" x=\"%u\" width=\"", SVG_XPAD);
	svg_add_pixels(b, svg->width - 2 * SVG_XPAD);
	buf_adds(b, "\" total_samples=\"");
	number_add_fixed(b, svg->total, svg->x_decimals);
	buf_addc(b, '"');
	add_series(svg);
	buf_addc(b, '>');
	return true;
}

void svg_add_tail(struct svg *svg)
{
	svg_new_line(svg, 1);
	buf_adds(&svg->buf, "</svg>");
	svg_new_line(svg, 0);
	buf_adds(&svg->buf, "</svg>");
	svg_flush(svg);
}

void svg_add_empty(struct svg *svg)
{
	add_prologue(svg, svg->font * 5);
	svg_new_line(svg, 1);
	buf_adds(&svg->buf, "<text text-anchor=\"middle\" x=\"50.0000%\" y=\"");
	svg_add_fixed(&svg->buf, svg->font * 2, 2);
	buf_adds(&svg->buf, "\">" EMPTY_MESSAGE "</text>");
	svg_new_line(svg, 0);
	buf_adds(&svg->buf, "</svg>");
	svg_flush(svg);
}
