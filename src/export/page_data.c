/*
 * page_data.c - the data of a page, from which its script draws.
 *
 *	{"flametop":1,"format":"page","title":"Flame Graph","unit":"samples","decimals":0,...,
 *	"names":["main","read","write"],"colors":"e0703ce08c3ce0a03c",
 *	"frames":{"depth":[0,1,2,2],"name":[-1,0,1,2],"self":[0,1,3,4],"base":[0,1,2,5]}}
 *
 * Frames are in the order of the tree, callers first; the first one is all of them. Weights are whole numbers, to
 * be divided by 10^decimals. A name of -1 is no function: the first frame, and the time that a frame of a chart
 * spends in itself after a call. With a time axis there are also "time", the distance of each frame's start from
 * that of the frame before, and "lasts", both in ns. Colours have six digits of hex for each name; those that
 * depend on shares or changes are a ramp, by the square root of the share or of the part of the greatest change.
 * "legend" says what colours mean.
 *
 * Where samples have times, "samples" has the weight of each frame in each slice of time, to choose a range from.
 */
#include "page.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "change_json.h"
#include "json_text.h"
#include "model/cut.h"
#include "model/diff.h"
#include "model/estimate.h"
#include "model/idle.h"
#include "model/moments.h"
#include "model/words.h"
#include "svg.h"

#define VERSION 1
#define NO_NAME (-1)

struct writer {
	const struct view *view;
	const struct export_options *options;
	const struct page_events *events;
	struct buf *out;
	struct buf scratch;
	struct display display;
	uint32_t *numbers; /* by symbol: its place among the names, from 1; 0: none yet */
	uint32_t *syms;    /* by place */
	uint32_t n_names;
};

static bool goes_on(const struct writer *w)
{
	return export_goes_on(w->options);
}

/* ---- text ---------------------------------------------------------------------------------------------------- */

/* Characters that could end the element, and two that end lines of a script, are escaped. */
static void add_safe(struct buf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool is_line_end =
			n - i > 2 && memcmp(s + i, "\xE2\x80", 2) == 0 && ((unsigned char)s[i + 2] & 0xFE) == 0xA8;
		if (is_line_end) {
			buf_addf(out, "\\u20%02x", (unsigned char)s[i + 2] - 0x80);
			i += 2;
		} else if (strchr("<>&", s[i]) && s[i]) {
			buf_addf(out, "\\u%04x", (unsigned)s[i]);
		} else {
			buf_addc(out, s[i]);
		}
	}
}

static void add_string(struct writer *w, const char *text, size_t len)
{
	w->scratch.len = 0;
	json_string(&w->scratch, text, len, UTF8_CLEAN_UTF8);
	add_safe(w->out, w->scratch.data, w->scratch.len);
}

static void add_text(struct writer *w, const char *key, const char *text)
{
	json_key(w->out, key);
	add_string(w, text, strlen(text));
}

static void add_optional(struct writer *w, const char *key, const char *text)
{
	if (text)
		add_text(w, key, text);
}

/* ---- names and colours --------------------------------------------------------------------------------------- */

static void take_names(struct writer *w)
{
	const struct tree *t = &w->view->tree;
	for (uint32_t i = 1; i < t->n && goes_on(w); i++) {
		uint32_t sym = t->sym[i];
		if (tree_is_gap(t, i) || w->numbers[sym])
			continue;
		w->syms[w->n_names] = sym;
		w->numbers[sym] = ++w->n_names;
	}
}

static void add_names(struct writer *w)
{
	json_newline(w->out);
	json_key(w->out, "names");
	buf_addc(w->out, '[');
	for (uint32_t i = 0; i < w->n_names && goes_on(w); i++) {
		const struct display_name *d = display_name(&w->display, w->syms[i]);
		json_comma(w->out);
		add_string(w, d->text, d->len);
	}
	buf_addc(w->out, ']');
}

/* The names as they were read, where the page shows another text. */
static void add_exact_names(struct writer *w)
{
	struct symtab marked;
	const struct symtab *t = view_file_names(w->view, &marked);
	json_key(w->out, "exact");
	buf_addc(w->out, '{');
	for (uint32_t i = 0; i < w->n_names && goes_on(w); i++) {
		const struct symbol *s = &t->symbols[w->syms[i]];
		const struct display_name *d = display_name(&w->display, w->syms[i]);
		if (d->len == s->len && memcmp(d->text, s->name, s->len) == 0)
			continue;
		json_comma(w->out);
		buf_addf(w->out, "\"%u\":", i);
		w->scratch.len = 0;
		json_exact_string(&w->scratch, s->name, s->len);
		add_safe(w->out, w->scratch.data, w->scratch.len);
	}
	buf_addc(w->out, '}');
	symtab_deinit(&marked);
}

static bool is_by_share(const struct writer *w)
{
	return w->options->color_diffusion || w->options->palette == PALETTE_SHARE;
}

static struct rgb share_color(const struct writer *w, double share)
{
	return w->options->color_diffusion ? palette_diffusion(share)
	                                   : palette_terminal(PALETTE_SHARE, &w->view->profile->symtab, 0, share);
}

/* A name has one colour in all views of the page: by default the one that it has on the screen. */
static struct rgb name_color(const struct writer *w, uint32_t sym, struct color_rng *rng)
{
	const struct export_options *o = w->options;
	const struct symtab *t = &w->view->profile->symtab;
	const struct symbol *s = &t->symbols[sym];
	bool is_by_name = o->source == COLOR_RANDOM && !o->is_random;
	struct rgb gray;
	if (svg_is_gray(s->name, s->len, &gray))
		return gray;
	if (!palette_is_for_svg(o->palette))
		return palette_of_name(o->palette, t, w->view->tree.group, sym, 0);
	return palette_color(o->palette, is_by_name ? COLOR_HASH : o->source, s->name, s->len, rng);
}

static void add_shares(struct writer *w)
{
	json_key(w->out, "shares");
	buf_addc(w->out, '"');
	for (unsigned i = 0; i <= CHANGE_RAMP; i++) {
		double root = (double)i / CHANGE_RAMP;
		change_json_color(w->out, share_color(w, root * root));
	}
	buf_addc(w->out, '"');
}

static void add_colors(struct writer *w)
{
	struct color_rng rng = {svg_seed(w->options->is_random)};
	json_newline(w->out);
	if (is_by_share(w))
		add_shares(w);
	json_key(w->out, "colors");
	buf_addc(w->out, '"');
	for (uint32_t i = 0; i < w->n_names && goes_on(w); i++)
		change_json_color(w->out, name_color(w, w->syms[i], &rng));
	buf_addc(w->out, '"');
}

/* "red grew, blue shrank", "kernel orange, other red"; NULL: colours have no meaning, but to tell names apart. */
static const char *words_of_legend(const struct writer *w)
{
	const struct export_options *o = w->options;
	if (view_is_diff(w->view))
		return words_of_colors(o->negate);
	if (is_by_share(w))
		return palette_help(PALETTE_SHARE);
	return palette_has_kinds(o->palette) ? palette_help(o->palette) : NULL;
}

/* The colour that the last word names. */
static struct rgb named_color(const char *entry, size_t n)
{
	struct buf text;
	buf_init(&text);
	buf_add(&text, entry, n);
	const char *blank = strrchr(buf_str(&text), ' ');
	int palette = palette_by_name(blank ? blank + 1 : text.data);
	buf_deinit(&text);
	assert(palette >= 0);
	return palette_color((enum palette)palette, COLOR_HASH, "a", 1, NULL);
}

static struct rgb legend_color(const struct writer *w, const char *entry, size_t n)
{
	if (view_is_diff(w->view))
		return palette_change(strncmp(entry, "red", 3) == 0 ? 1 : -1, false, false);
	return is_by_share(w) ? share_color(w, 1) : named_color(entry, n);
}

/* Entries are words and a colour: ["kernel orange","e08010"]. */
static void add_legend(struct writer *w)
{
	bool is_list = view_is_diff(w->view) || !is_by_share(w);
	const char *at = words_of_legend(w);
	size_t n;
	if (!at)
		return;
	json_key(w->out, "legend");
	buf_addc(w->out, '[');
	for (; *at; at += at[n] ? n + 2 : n) {
		const char *comma = is_list ? strstr(at, ", ") : NULL;
		n = comma ? (size_t)(comma - at) : strlen(at);
		json_comma(w->out);
		buf_addc(w->out, '[');
		add_string(w, at, n);
		buf_adds(w->out, ",\"");
		change_json_color(w->out, legend_color(w, at, n));
		buf_adds(w->out, "\"]");
	}
	buf_addc(w->out, ']');
}

/* ---- frames -------------------------------------------------------------------------------------------------- */

static void add_depths(struct writer *w)
{
	const struct tree *t = &w->view->tree;
	uint32_t *depth = mem_alloc(t->n * sizeof *depth);
	json_key(w->out, "depth");
	buf_addc(w->out, '[');
	for (uint32_t i = 0; i < t->n && goes_on(w); i++) {
		depth[i] = i ? depth[t->parent[i]] + 1 : 0;
		buf_adds(w->out, i ? "," : "");
		buf_addu(w->out, depth[i]);
	}
	buf_addc(w->out, ']');
	free(depth);
}

static void add_numbers(struct writer *w)
{
	const struct tree *t = &w->view->tree;
	json_key(w->out, "name");
	buf_addc(w->out, '[');
	for (uint32_t i = 0; i < t->n && goes_on(w); i++)
		buf_addf(w->out, "%s%d", i ? "," : "", i && !tree_is_gap(t, i) ? (int)w->numbers[t->sym[i]] - 1 : NO_NAME);
	buf_addc(w->out, ']');
}

/* The differences of n + 1 positions. */
static void add_weights(struct writer *w, const char *key, const uint64_t *pos)
{
	json_key(w->out, key);
	buf_addc(w->out, '[');
	for (uint32_t i = 0; i < w->view->tree.n && goes_on(w); i++) {
		buf_adds(w->out, i ? "," : "");
		buf_addu(w->out, pos[i + 1] - pos[i]);
	}
	buf_addc(w->out, ']');
}

static void add_times(struct writer *w)
{
	const struct tree *t = &w->view->tree;
	json_key(w->out, "time");
	buf_addc(w->out, '[');
	for (uint32_t i = 0; i < t->n && goes_on(w); i++)
		buf_addf(w->out, "%s%lld", i ? "," : "", (long long)(t->time[i] - (i ? t->time[i - 1] : 0)));
	buf_addc(w->out, ']');
	json_key(w->out, "lasts");
	buf_addc(w->out, '[');
	for (uint32_t i = 0; i < t->n && goes_on(w); i++) {
		buf_adds(w->out, i ? "," : "");
		buf_addu(w->out, t->until[i] - t->time[i]);
	}
	buf_addc(w->out, ']');
}

static void add_frames(struct writer *w)
{
	const struct tree *t = &w->view->tree;
	json_newline(w->out);
	json_key(w->out, "frames");
	buf_addc(w->out, '{');
	add_depths(w);
	add_numbers(w);
	add_weights(w, "self", t->pos);
	if (view_is_diff(w->view))
		add_weights(w, "base", t->base);
	if (t->until)
		add_times(w);
	buf_addc(w->out, '}');
}

static void add_column(struct writer *w, const char *key, const struct moments *m,
                       uint64_t (*value)(const struct moment *))
{
	json_key(w->out, key);
	buf_addc(w->out, '[');
	for (size_t i = 0; i < m->n && goes_on(w); i++) {
		buf_adds(w->out, i ? "," : "");
		buf_addu(w->out, value(&m->v[i]));
	}
	buf_addc(w->out, ']');
}

static uint64_t slice_of(const struct moment *m)
{
	return m->slice;
}

static uint64_t frame_of(const struct moment *m)
{
	return m->node;
}

static uint64_t weight_of(const struct moment *m)
{
	return m->weight;
}

/* When the samples of a frame were; of a chart with a time axis that is in its frames. */
static void add_moments(struct writer *w)
{
	struct moments m;
	if (!moments_make(&m, w->view->profile, &w->view->recipe, &w->view->tree, w->options->progress))
		return;
	json_newline(w->out);
	json_key(w->out, "samples");
	buf_addc(w->out, '{');
	json_add_count(w->out, "length", m.length);
	json_add_count(w->out, "slices", m.slices);
	add_column(w, "at", &m, slice_of);
	add_column(w, "frame", &m, frame_of);
	add_column(w, "weight", &m, weight_of);
	buf_addc(w->out, '}');
	moments_deinit(&m);
}

/* ---- what the frames are of ---------------------------------------------------------------------------------- */

static void add_span(struct buf *out, const char *key, struct span span)
{
	json_key(out, key);
	buf_addc(out, '[');
	buf_addu(out, span.from);
	buf_addc(out, ',');
	buf_addu(out, span.to);
	buf_addc(out, ']');
}

static void add_lanes(struct writer *w)
{
	const struct view *v = w->view;
	struct buf name;
	if (!v->tree.until)
		return;
	buf_init(&name);
	json_key(w->out, "lanes");
	buf_addc(w->out, '[');
	for (uint32_t i = 0; i < v->tree.n_lanes; i++) {
		name.len = 0;
		words_add_lane(&name, v, i, UTF8_CLEAN_UTF8);
		json_comma(w->out);
		buf_addc(w->out, '{');
		add_text(w, "name", buf_str(&name));
		json_add_count(w->out, "first", v->tree.lanes[i].first);
		buf_addc(w->out, '}');
	}
	buf_addc(w->out, ']');
	add_span(w->out, "whole", view_whole_span(v));
	if (v->span.to)
		add_span(w->out, "span", v->span);
	buf_deinit(&name);
}

static void add_hits(struct writer *w)
{
	const struct view *v = w->view;
	add_text(w, "search", v->search.pattern);
	json_key(w->out, "hits");
	buf_addc(w->out, '[');
	for (uint32_t i = 1; i < v->tree.n && goes_on(w); i++) {
		if (tree_is_gap(&v->tree, i) || !view_is_hit(v, i))
			continue;
		json_comma(w->out);
		buf_addu(w->out, i);
	}
	buf_addc(w->out, ']');
}

static void add_place(struct writer *w)
{
	const struct view *v = w->view;
	if (v->zoom != NODE_ALL)
		json_add_count(w->out, "zoom", v->zoom);
	if (v->shown.view == SHOWN_SANDWICH && w->numbers[v->shown.function])
		json_add_count(w->out, "middle", w->numbers[v->shown.function] - 1);
	if (v->search.pattern)
		add_hits(w);
}

static void add_comparison(struct writer *w)
{
	const struct view *v = w->view;
	struct diff_basis basis;
	if (!view_is_diff(v))
		return;
	diff_basis_make(&basis, v->profile, &v->recipe, &v->tree);
	const char *unit = view_unit_on(v, !basis.is_swapped), *event = view_event_on(v, !basis.is_swapped);
	json_newline(w->out);
	json_key(w->out, "diff");
	change_json_begin(w->out, &basis, w->options->negate, false);
	if (strcmp(unit, view_unit(v)) != 0)
		add_text(w, "unit", unit);
	if (strcmp(event, view_event(v)) != 0)
		add_text(w, "event", event);
	buf_addc(w->out, '}');
}

static void add_part(struct buf *text, size_t *from)
{
	if (text->len > *from)
		buf_adds(text, "; ");
	*from = text->len;
}

/* What the view leaves out, in the words of the other outputs. */
static void add_notes(struct writer *w)
{
	const struct view *v = w->view;
	size_t from = 0;
	struct buf text;
	buf_init(&text);
	words_add_so_far(&text, v);
	add_part(&text, &from);
	(page_has_all_events(v, w->options) ? words_add_left_out_of_event : words_add_left_out)(&text, v,
	                                                                                        UTF8_CLEAN_UTF8);
	add_part(&text, &from);
	idle_add_words(v->profile, v->recipe.series, 0, w->options->factor, &text);
	add_part(&text, &from);
	estimate_add_words(v->profile, v->recipe.series, 0, &text);
	add_part(&text, &from);
	page_events_add_words(w->events, &text);
	add_part(&text, &from);
	if (tree_rows_left_out(&v->tree, NODE_ALL))
		buf_addf(&text, "too many frames: up to %u deeper rows are left out; ",
		         tree_rows_left_out(&v->tree, NODE_ALL));
	if (text.len > 2)
		text.len -= 2;
	if (text.len)
		add_text(w, "notes", buf_str(&text));
	buf_deinit(&text);
}

static void add_unit(struct writer *w)
{
	const struct view *v = w->view;
	const struct export_options *o = w->options;
	int scale = o->count_name ? -1 : profile_time_scale(view_unit(v));
	add_text(w, "unit", view_unit(v));
	add_optional(w, "countname", o->count_name);
	if (*view_event(v))
		add_text(w, "event", view_event(v));
	json_add_count(w->out, "decimals", v->profile->decimals);
	if (scale >= 0)
		json_add_count(w->out, "scale", (uint64_t)scale);
	if (o->factor > 0)
		json_add_exact_real(w->out, "factor", o->factor);
}

static void add_looks(struct writer *w)
{
	const struct export_options *o = w->options;
	const struct view *v = w->view;
	double least = o->min_width > v->min_share ? o->min_width : v->min_share;
	add_optional(w, "title", o->title);
	add_optional(w, "subtitle", o->subtitle);
	add_optional(w, "nametype", o->name_type);
	add_optional(w, "font", o->font_type);
	add_optional(w, "searchcolor", o->search_color);
	if (o->font_size > 0)
		json_add_real(w->out, "fontsize", o->font_size, 2);
	if (o->height)
		json_add_count(w->out, "row", o->height);
	if (o->truncate_text_right || o->truncate_text_left)
		add_text(w, "keep", o->truncate_text_right ? "beginning" : "end");
	if (least > 0)
		json_add_real(w->out, "least", least, 6);
	if (o->min_width_px > 0)
		json_add_real(w->out, "pixels", o->min_width_px, 3);
	json_add_bool(w->out, "icicle", v->is_inverted);
}

/* "after.folded, other.folded against before.folded" */
static void add_files(struct writer *w)
{
	const struct profile *p = w->view->profile;
	struct buf names;
	buf_init(&names);
	for (unsigned side = 0; side < (w->view->tree.base ? 2u : 1u); side++) {
		const char *lead = side ? " against " : "";
		for (size_t i = 0; i < p->n_files; i++) {
			if (p->files[i].side != side)
				continue;
			buf_addf(&names, "%s%s", lead, p->files[i].name);
			lead = ", ";
		}
	}
	if (names.len)
		add_text(w, "file", buf_str(&names));
	buf_deinit(&names);
}

static void add_head(struct writer *w)
{
	const struct view *v = w->view;
	buf_addf(w->out, "{\"flametop\":%d,\"format\":\"page\"", VERSION);
	add_files(w);
	add_looks(w);
	json_newline(w->out);
	add_unit(w);
	add_text(w, "rows", group_name(v->tree.group));
	json_add_bool(w->out, "reversed", v->tree.is_reversed);
	json_add_bool(w->out, "chart", v->tree.is_chart);
	json_add_bool(w->out, "cut", v->tree.cut != NULL);
	add_text(w, "whole_is", words_of_whole(v) + 1);
	add_notes(w);
	add_place(w);
	add_lanes(w);
	add_comparison(w);
}

void page_add_data(struct buf *out, const struct view *v, const struct export_options *o,
                   const struct page_events *events)
{
	struct writer w = {.view = v, .options = o, .events = events, .out = out};
	buf_init(&w.scratch);
	display_init(&w.display, &v->profile->symtab, UTF8_CLEAN_UTF8, v->display.demangle);
	w.numbers = mem_zalloc(v->profile->symtab.n, sizeof *w.numbers);
	w.syms = mem_alloc(v->profile->symtab.n * sizeof *w.syms);
	take_names(&w);
	add_head(&w);
	add_names(&w);
	add_exact_names(&w);
	add_colors(&w);
	add_legend(&w);
	add_frames(&w);
	add_moments(&w);
	buf_addc(out, '}');
	free(w.numbers);
	free(w.syms);
	buf_deinit(&w.scratch);
	display_deinit(&w.display);
}
