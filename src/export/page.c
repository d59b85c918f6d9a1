/*
 * page.c - writes a view as a page of HTML: one file, which loads nothing, for a browser on any device.
 *
 *	<!doctype html>
 *	<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" ...>
 *	<meta name="generator" content="flametop 1.0.0"><title>Flame Graph</title><style>...</style></head>
 *	<body><script type="application/json" id="data">{"flametop":1,"names":["main","read"],...}</script>
 *	<script>...</script></body></html>
 *
 * Each further event of the profile has such data of its own, after those of the view's event: "data-1" and so on;
 * of very many events it has those of most samples (page_events.h).
 *
 * The script draws the frames from the data, on a canvas. The data have all frames of the view, whatever its zoom:
 * the page opens there, and its reader can go elsewhere. Names are only ever text of a JSON document, and the
 * script makes no markup of them.
 */
#include "page.h"

#include <string.h>

#include "base/output.h"
#include "model/halves.h"
#include "model/parts.h"
#include "page_css.h"
#include "page_draw_js.h"
#include "page_events.h"
#include "page_js.h"
#include "page_state_js.h"
#include "page_strip_js.h"
#include "page_table_js.h"
#include "page_ui_js.h"
#include "shared_js.h"
#include "svg.h"

#define POLICY                                                                                     \
	"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; " \
	"form-action 'none'"

static void add_meta(struct buf *b, const char *name, const char *content)
{
	buf_addf(b, "<meta name=\"%s\" content=\"", name);
	svg_add_text(b, content, strlen(content));
	buf_adds(b, "\">\n");
}

static void add_head(struct buf *b, const struct view *v, const struct export_options *o)
{
	const char *title = o->title ? o->title : v->tree.is_chart ? "Flame Chart" : "Flame Graph";
	buf_adds(b, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	            "<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY "\">\n"
	            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
	add_meta(b, "generator", "flametop " FLAMETOP_VERSION);
	if (o->command && *o->command)
		add_meta(b, "flametop-command", o->command);
	if (o->notes)
		add_meta(b, "description", o->notes);
	buf_adds(b, "<title>");
	svg_add_text(b, title, strlen(title));
	buf_adds(b, "</title>\n<style>\n");
	buf_adds(b, page_css);
	buf_adds(b, "</style></head>\n");
}

/* number 0 is the event of the view. */
static void add_data(struct buf *b, const struct view *v, const struct export_options *o,
                     const struct page_events *events, unsigned number)
{
	const char *event = *view_event(v) ? view_event(v) : view_unit(v);
	buf_adds(b, "<script type=\"application/json\" data-event=\"");
	svg_add_text(b, event, strlen(event));
	buf_adds(b, "\" id=\"data");
	if (number)
		buf_addf(b, "-%u", number);
	buf_adds(b, "\">");
	page_add_data(b, v, o, events);
	buf_adds(b, "</script>\n");
}

/* Makes the same view of another event, without a zoom. */
static bool make_other(struct view *other, const struct view *v, struct profile *part, int32_t series,
                       struct progress *progress, struct err *err)
{
	*other = *v;
	other->profile = part;
	recipe_copy(&other->recipe, &v->recipe);
	recipe_set_below(&other->recipe, NULL, 0); /* which are paths of the view's tree */
	other->recipe.series = series;
	other->tree = (struct tree){.n = 0};
	other->search = (struct search){.pattern = NULL};
	other->zoom = other->cursor = NODE_ALL;
	other->span = (struct span){.to = 0};
	return fold(other->profile, &other->recipe, &other->tree, progress, err);
}

static bool search_other(struct view *other, const struct search *s, struct progress *progress, struct err *err)
{
	return !s->pattern || (search_begin(&other->search, s->pattern, s->mode, NULL, err) &&
	                       search_run(&other->search, &other->profile->symtab, &other->tree, NODE_ALL, progress));
}

/* An event of which the view's filters leave nothing is left out. */
static bool add_other(struct buf *b, const struct view *v, const struct export_options *o,
                      const struct page_events *events, struct parts *parts, uint32_t series, unsigned *number,
                      struct err *err)
{
	struct view other;
	struct profile part;
	if (parts)
		parts_begin(parts, series, &part);
	bool ok = make_other(&other, v, parts ? &part : v->profile, (int32_t)series, o->progress, err);
	if (parts)
		parts_share_symbols(parts, &part);
	if (ok && view_total(&other)) {
		ok = search_other(&other, &v->search, o->progress, err);
		if (ok)
			add_data(b, &other, o, events, ++*number);
	}
	view_return_names(v, &other);
	search_clear(&other.search);
	recipe_deinit(&other.recipe);
	tree_deinit(&other.tree);
	if (parts)
		parts_end(&part);
	return ok;
}

static bool add_others(struct buf *b, const struct view *v, const struct export_options *o,
                       const struct page_events *events, struct err *err)
{
	unsigned number = 0;
	bool ok = true;
	struct parts parts;
	if (events->has_parts)
		parts_init(&parts, v->profile);
	for (uint32_t i = 0; ok && export_goes_on(o) && events->has && i < v->profile->n_series; i++)
		if (events->has[i])
			ok = add_other(b, v, o, events, events->has_parts ? &parts : NULL, i, &number, err);
	if (events->has_parts)
		parts_deinit(&parts);
	return ok && export_goes_on(o);
}

static bool add_events(struct buf *b, const struct view *v, const struct export_options *o, struct err *err)
{
	struct page_events events;
	page_events_init(&events, v, o);
	add_data(b, v, o, &events, 0);
	bool ok = add_others(b, v, o, &events, err);
	if (o->loss && events.n_left_out)
		*o->loss = (struct export_loss){.events = events.n_left_out, .all = events.n_all};
	page_events_deinit(&events);
	return ok;
}

static bool add_body(struct buf *b, const struct view *v, const struct export_options *o, struct err *err)
{
	static const char *const parts[] = {page_draw_js, page_state_js, page_table_js, page_strip_js, page_ui_js};
	buf_adds(b, "<body><noscript>This page needs JavaScript: it draws a flame graph.</noscript>\n");
	if (!add_events(b, v, o, err))
		return false;
	buf_adds(b, "<script>\n");
	buf_adds(b, page_js);
	shared_js_add(b);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		buf_adds(b, parts[i]);
	buf_adds(b, "</script></body></html>\n");
	return true;
}

static bool has_function(const struct view *v, struct progress *progress)
{
	struct name_sum sum = halves_sum(&v->tree, v->shown.function, v->profile->symtab.n, progress);
	return sum.total || sum.base_total;
}

static bool has_anything(const struct view *v, struct progress *progress, struct err *err)
{
	if (!view_total(v))
		return export_fail_empty(v, err);
	return v->shown.view != SHOWN_SANDWICH || has_function(v, progress) ||
	       fail(err, "the function is in none of the samples shown: nothing to draw");
}

static bool page_write(const struct view *v, const struct export_options *o, struct output *out, struct err *err)
{
	struct buf text;
	if (!has_anything(v, o->progress, err))
		return false;
	buf_init(&text);
	add_head(&text, v, o);
	bool ok = add_body(&text, v, o, err);
	if (ok)
		output_flush_buf(out, &text); /* a failure shows when the output is committed */
	buf_deinit(&text);
	return ok;
}

const struct export_kind export_html = {
	.name = "html",
	.bit = EXPORT_HTML,
	.help = "a page with graph, table and sandwich, for a browser on any device",
	.holds = EXPORT_HOLDS(FLAME) | EXPORT_HOLDS(SANDWICH),
	.has_lanes = true,
	.has_times = true,
	.write = page_write,
};
