/*
 * page.c - writes a view as a page of HTML: one file, which loads nothing, for a browser on any device.
 *
 *	<!doctype html>
 *	<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" ...>
 *	<meta name="generator" content="flametop 0.1.0"><title>Flame Graph</title><style>...</style></head>
 *	<body><script type="application/json" id="data">{"flametop":1,"names":["main","read"],...}</script>
 *	<script>...</script></body></html>
 *
 * The script draws the frames from the data, on a canvas. The data have all frames of the view, whatever its zoom:
 * the page opens there, and its reader can go elsewhere. Names are only ever text of a JSON document, and the
 * script makes no markup of them.
 */
#include "page.h"

#include <string.h>

#include "base/output.h"
#include "model/halves.h"
#include "page_css.h"
#include "page_draw_js.h"
#include "page_js.h"
#include "page_state_js.h"
#include "page_strip_js.h"
#include "page_table_js.h"
#include "page_ui_js.h"
#include "svg.h"
#include "tight.h"
#include "viewer_change_js.h"
#include "viewer_label_js.h"
#include "viewer_text_js.h"
#include "viewer_tree_js.h"

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
	tight_add_css(b, page_css);
	buf_adds(b, "</style></head>\n");
}

static void add_body(struct buf *b, const struct view *v, const struct export_options *o)
{
	static const char *const parts[] = {page_js,          viewer_text_js, viewer_label_js, viewer_tree_js,
	                                    viewer_change_js, page_draw_js,   page_state_js,   page_table_js,
	                                    page_strip_js,    page_ui_js};
	buf_adds(b, "<body><noscript>This page needs JavaScript: it draws a flame graph.</noscript>\n"
	            "<script type=\"application/json\" id=\"data\">");
	page_add_data(b, v, o);
	buf_adds(b, "</script>\n<script>\n");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		tight_add_js(b, parts[i]);
	buf_adds(b, "</script></body></html>\n");
}

static bool has_function(const struct view *v)
{
	struct name_sum sum = halves_sum(&v->tree, v->shown.function, v->profile->symtab.n);
	return sum.total || sum.base_total;
}

static bool has_anything(const struct view *v, struct err *err)
{
	if (!view_total(v))
		return export_fail_empty(v, err);
	return v->shown.view != SHOWN_SANDWICH || has_function(v) ||
	       fail(err, "the function is in none of the samples shown: nothing to draw");
}

static bool page_write(const struct view *v, const struct export_options *o, struct output *out, struct err *err)
{
	struct buf text;
	if (!has_anything(v, err))
		return false;
	buf_init(&text);
	add_head(&text, v, o);
	add_body(&text, v, o);
	output_flush_buf(out, &text); /* a failure shows when the output is committed */
	buf_deinit(&text);
	return true;
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
