/*
 * json.c - the answers of a profile for scripts and programs: docs/json.md describes each member.
 *
 *	{"flametop":1,"generator":"flametop 1.0.0",
 *	"profile":{"file":"a.folded","format":"folded","unit":"samples","entries":4},
 *	"total":30,
 *	"notes":["12.5% excluded"],
 *	"functions":[
 *	{"name":"read","self":20,"self_pct":66.67,"total":20,...}],
 *	"paths":[
 *	{"weight":20,"pct":66.67,"frames":["main","read"]}],
 *	"omitted":{"functions":12,"self":1,"paths":3,"weight":2}}
 *
 * Each function and each path has a line of its own, for tools that read lines.
 */
#include "json.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "json_text.h"
#include "lines.h"
#include "model/estimate.h"
#include "model/halves.h"
#include "model/idle.h"
#include "model/words.h"

#define VERSION 1
#define FEW 10u
/*
 * Paths and callers may name one function any number of times, and lines one file: a small profile with a long name
 * must not make gigabytes.
 */
#define LONGEST_NAME (64u << 10)
#define LONGEST_PATH 1024u

void json_end_item(struct json_items *items, uint64_t weight)
{
	struct json_item item = {items->text.len, weight};
	mem_push(items->v, items->n, items->cap, item);
}

void json_add_weight(const struct json *j, struct buf *out, const char *key, uint64_t weight)
{
	json_key(out, key);
	number_add_fixed(out, top_scaled(j->options, weight), j->view->profile->decimals);
}

void json_add_shared(const struct json *j, struct buf *out, const char *key, uint64_t weight)
{
	json_add_weight(j, out, key, weight);
	buf_addf(out, ",\"%s_pct\":", key);
	number_add_percent(out, weight, j->whole, 2);
}

bool json_joins_names(const struct json *j)
{
	return j->reader && j->view->shown.view == SHOWN_LINES;
}

void json_add_name(const struct json *j, struct buf *out, uint32_t sym)
{
	const struct display_name *d = display_name((struct display *)&j->view->display, sym);
	struct buf name;
	buf_init(&name);
	if (json_joins_names(j) && j->view->tree.group == BY_FUNCTION)
		lines_add_name(&name, j->view->profile, d->text, d->len);
	else
		buf_add(&name, d->text, d->len);
	json_comma(out);
	json_string(out, buf_str(&name), name.len, j->clean);
	buf_deinit(&name);
}

void json_add_path(const struct json *j, struct buf *out, const char *key, const char *path)
{
	size_t n = strlen(path), shown = utf8_cut(path, n, LONGEST_PATH);
	struct buf text;
	buf_init(&text);
	buf_add(&text, path, shown);
	if (shown < n)
		buf_addf(&text, "... and %zu more bytes", n - shown);
	json_add_text(out, key, buf_str(&text), j->clean);
	buf_deinit(&text);
}

/* The view has names of its own, which are not cut. */
static void set_names(struct view *v, const struct view *of)
{
	display_init(&v->display, &v->profile->symtab, of->display.mode, of->display.demangle);
	v->display.tells_kinds = of->display.tells_kinds;
	v->display.longest = LONGEST_NAME;
}

/* ---- what the numbers are of --------------------------------------------------------------------------------- */

static void add_files(const struct json *j, struct buf *out)
{
	const struct profile *p = j->view->profile;
	json_key(out, "files");
	buf_addc(out, '[');
	for (size_t i = 0; i < p->n_files; i++) {
		if (p->files[i].side && !view_is_diff(j->view))
			continue;
		json_comma(out);
		buf_addc(out, '{');
		json_add_text(out, "name", p->files[i].name, j->clean);
		if (view_is_diff(j->view))
			json_add_text(out, "side", p->files[i].side ? "before" : "after", j->clean);
		buf_addc(out, '}');
	}
	buf_addc(out, ']');
}

/* Those that --event would show instead. */
static void add_other_events(const struct json *j, struct buf *out)
{
	const struct profile *p = j->view->profile;
	bool has_any = false;
	for (size_t i = 0; i < p->n_series; i++) {
		if (!p->series[i].samples || j->view->recipe.series < 0 || i == (size_t)j->view->recipe.series)
			continue;
		if (!has_any) {
			json_key(out, "other_events");
			buf_addc(out, '[');
		}
		has_any = true;
		json_comma(out);
		const char *name = profile_event_name(p, i);
		json_string(out, name, strlen(name), j->clean);
	}
	if (has_any)
		buf_addc(out, ']');
}

static void add_profile(const struct json *j, struct buf *out)
{
	const struct view *v = j->view;
	json_key(out, "profile");
	buf_addc(out, '{');
	add_files(j, out);
	if (v->profile->format)
		json_add_text(out, "format", v->profile->format, j->clean);
	if (*view_event(v))
		json_add_text(out, "event", view_event(v), j->clean);
	json_add_text(out, "unit", view_unit(v), j->clean);
	json_add_count(out, "entries", v->tree.samples);
	add_other_events(j, out);
	buf_addc(out, '}');
}

/* In a sandwich of its callers and its callees, as everywhere. */
static void add_matched(const struct json *j, struct buf *out)
{
	const struct view *v = j->view;
	const struct halves_recipe r = {
		.view = v, .symtab = &v->profile->symtab, .symbol = v->shown.function, .cols = 1};
	struct halves h;
	json_add_text(out, "search", v->search.pattern, j->clean);
	if (v->shown.view != SHOWN_SANDWICH) {
		json_add_shared(j, out, "matched", v->search.matched);
		return;
	}
	halves_init(&h);
	if (r.symbol < r.symtab->n)
		halves_make(&h, &r, j->options->progress);
	json_add_shared(j, out, "matched_callers", h.matched[HALF_CALLERS]);
	json_add_shared(j, out, "matched_callees", h.matched[HALF_CALLEES]);
	halves_deinit(&h);
}

static void add_view(const struct json *j, struct buf *out)
{
	const struct view *v = j->view;
	struct buf zoom;
	json_key(out, "view");
	buf_addc(out, '{');
	json_add_text(out, "rows", group_name(v->tree.group), j->clean);
	if (v->shown.view != SHOWN_SANDWICH)
		json_add_text(out, "merged_from", v->tree.is_reversed ? "leaves" : "root", j->clean);
	if (v->search.pattern)
		add_matched(j, out);
	if (v->zoom != NODE_ALL) {
		buf_init(&zoom);
		view_add_path(v, v->zoom, &zoom);
		json_add_text(out, "zoom", buf_str(&zoom), j->clean);
		buf_deinit(&zoom);
		json_add_weight(j, out, "of_all", view_total(v));
	}
	if (j->is_filtered)
		json_add_text(out, "filter", v->shown.filter, j->clean);
	buf_addc(out, '}');
}

/* The total of the side that has the widths, or of the other one. */
static uint64_t tree_weight(const struct json *j, bool is_of_widths)
{
	const struct tree *t = &j->view->tree;
	return is_of_widths ? tree_total(t, NODE_ALL) : tree_base_total(t, NODE_ALL);
}

static void add_comparison(const struct json *j, struct buf *out)
{
	const struct diff_basis *b = &j->changes.basis;
	const struct diff_counts *c = &j->changes.counts;
	bool is_shares = b->quantity == DIFF_OF_SHARES;
	json_key(out, "comparison");
	buf_addc(out, '{');
	json_add_text(out, "of", is_shares ? "shares" : "weights", j->clean);
	json_add_text(out, "unit_of_change", is_shares ? "percentage points" : view_unit(j->view), j->clean);
	if (b->has_other_units) {
		json_add_text(out, "unit_before", view_unit_on(j->view, true), j->clean);
		json_add_text(out, "unit_after", view_unit_on(j->view, false), j->clean);
	}
	json_add_text(out, "widths", b->is_swapped ? "before" : "after", j->clean);
	json_add_weight(j, out, "total_before", tree_weight(j, b->is_swapped));
	json_add_weight(j, out, "total_after", tree_weight(j, !b->is_swapped));
	json_add_real(out, "samples_before", b->samples_before, (int)b->decimals);
	json_add_real(out, "samples_after", b->samples_after, (int)b->decimals);
	json_add_count(out, "grew", c->grown);
	json_add_count(out, "shrank", c->shrunk);
	json_add_count(out, "new", c->added);
	json_add_count(out, "vanished", c->gone);
	json_add_count(out, "within_noise", c->noise);
	buf_addc(out, '}');
}

static void add_lines_of(const struct json *j, struct buf *out, const struct buf *text)
{
	for (const char *line = text->data; text->len && *line;) {
		size_t n = strcspn(line, "\n");
		json_comma(out);
		json_string(out, line, n, j->clean);
		line += n + (line[n] == '\n');
	}
}

static void add_warnings(const struct json *j, struct buf *out)
{
	const struct report *r = &j->view->profile->report;
	struct buf text;
	buf_init(&text);
	for (size_t i = 0; i < r->n; i++) {
		const struct note *n = &r->notes[i];
		bool is_of_options = n->kind[0] == '-', is_of_view = idle_is_note(n);
		if (n->level == NOTE_INFO || is_of_options || is_of_view) /* see add_notes() */
			continue;
		text.len = 0;
		note_add(n, &text);
		json_comma(out);
		json_string(out, text.data, text.len, j->clean);
	}
	buf_deinit(&text);
}

/* A sandwich has only the stacks of its function, and shares of all. */
static void add_outside(const struct json *j, struct buf *out)
{
	const struct view *v = j->view;
	uint64_t all = tree_total(&v->tree, NODE_ALL);
	if (v->shown.view != SHOWN_SANDWICH || v->shown.function >= v->profile->symtab.n)
		return;
	uint64_t rest = all - halves_sum(&v->tree, v->shown.function, v->profile->symtab.n, j->options->progress).total;
	if (!rest)
		return;
	number_add_percent(out, rest, all, 1);
	buf_adds(out, "% is in no stack of the sandwich\n");
}

/* What the view leaves out, in the words of the other outputs, and what was wrong with the input. */
static void add_notes(const struct json *j, struct buf *out)
{
	const struct view *v = j->view;
	struct buf text;
	buf_init(&text);
	top_add_notes(&text, v, j->options, "", "\n");
	top_add_idle(&text, v, j->options, "", "\n");
	top_add_left_out(&text, v);
	add_outside(j, &text);
	struct top_passed passed = {j->passed.n, j->functions.all, j->passed.given_up};
	if (j->is_filtered)
		top_add_filter(&text, v, j->options, &passed, j->clean);
	buf_str(&text);
	json_key(out, "notes");
	buf_addc(out, '[');
	add_lines_of(j, out, &text);
	add_warnings(j, out);
	buf_addc(out, ']');
	buf_deinit(&text);
}

static void add_head(const struct json *j, struct buf *out)
{
	buf_addf(out, "{\"flametop\":%d,\"generator\":\"flametop " FLAMETOP_VERSION "\"", VERSION);
	json_newline(out);
	add_profile(j, out);
	json_newline(out);
	add_view(j, out);
	json_newline(out);
	json_add_weight(j, out, "total", j->whole);
	if (j->view->tree.excluded[0])
		json_add_weight(j, out, "excluded", j->view->tree.excluded[0]);
	if (j->is_diff)
		add_comparison(j, out);
	json_newline(out);
	add_notes(j, out);
}

/* ---- the document -------------------------------------------------------------------------------------------- */

static uint64_t weight_of(const struct json_items *items)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < items->n; i++)
		sum += items->v[i].weight;
	return sum;
}

static size_t end_of(const struct json_items *items)
{
	return items->n ? items->v[items->n - 1].end : 0;
}

static void add_tail(const struct json *j, struct buf *out)
{
	const struct json_items *f = &j->functions, *p = &j->paths;
	json_key(out, "omitted");
	buf_addc(out, '{');
	json_add_count(out, "functions", f->all - f->n);
	json_add_weight(j, out, "self", f->weight - weight_of(f));
	json_add_count(out, "paths", p->all - p->n);
	json_add_weight(j, out, "weight", p->weight - weight_of(p));
	buf_adds(out, "}}\n");
}

static void add_items(struct buf *out, const char *key, const struct json_items *items)
{
	json_newline(out);
	json_key(out, key);
	buf_addc(out, '[');
	buf_add(out, items->text.data, end_of(items));
	buf_addc(out, ']');
}

static void add_document(const struct json *j, struct buf *out, const struct buf *head)
{
	out->len = 0;
	buf_add(out, head->data, head->len);
	add_items(out, "functions", &j->functions);
	add_items(out, "paths", &j->paths);
	json_newline(out);
	add_tail(j, out);
}

/* Takes off the lightest function or path; a function first. false: nothing is left. */
static bool take_off(struct json *j)
{
	struct json_items *f = &j->functions, *p = &j->paths;
	if (!f->n && !p->n)
		return false;
	bool is_path = !f->n || (p->n && p->v[p->n - 1].weight < f->v[f->n - 1].weight);
	if (is_path)
		p->n--;
	else
		f->n--;
	return true;
}

/* A budget too small for anything is an error. */
static bool fit(struct json *j, struct buf *out, struct err *err)
{
	struct buf head;
	uint64_t most = j->options->budget;
	bool ok = true;
	buf_init(&head);
	add_head(j, &head);
	add_document(j, out, &head);
	while (ok && most && out->len > most) {
		size_t rest = out->len - end_of(&j->functions) - end_of(&j->paths);
		ok = take_off(j);
		while (ok && rest + end_of(&j->functions) + end_of(&j->paths) > most)
			ok = take_off(j);
		add_document(j, out, &head);
	}
	if (!ok)
		fail(err, "--budget: even without any function the output takes %zu bytes", out->len);
	buf_deinit(&head);
	return ok;
}

/* Are the lines of functions asked for? */
static bool wants_lines(const struct json *j)
{
	return j->view->shown.view == SHOWN_LINES || j->options->has_hot_lines;
}

static void deinit_items(struct json_items *items)
{
	buf_deinit(&items->text);
	free(items->v);
	*items = (struct json_items){.n = 0};
	buf_init(&items->text);
}

static bool make_items(struct json *j, struct err *err)
{
	deinit_items(&j->functions);
	deinit_items(&j->paths);
	return (json_make_paths(j) && json_make_functions(j)) || fail(err, "cancelled");
}

/* A budget with room for few functions leaves out details of each. */
static bool make(struct json *j, struct buf *out, struct err *err)
{
	const struct view *v = j->view;
	if (wants_lines(j) && !(j->reader = lines_begin(v, j->options, err)))
		return false;
	if (json_joins_names(j))
		line_reader_join_names(j->reader);
	if (j->is_diff)
		diff_table_make(&j->changes, v->profile, &v->recipe, &v->tree, v->zoom, j->options->progress);
	bool ok = make_items(j, err) && fit(j, out, err);
	if (ok && j->options->budget && j->functions.n < FEW && j->functions.n < j->passed.n) {
		j->is_brief = true;
		ok = make_items(j, err) && fit(j, out, err);
	}
	return ok;
}

static bool json_write(const struct view *of, const struct export_options *o, struct output *out, struct err *err)
{
	struct view v = *of;
	struct json j = {.view = &v, .options = o, .is_diff = view_is_diff(of)};
	struct buf text;
	set_names(&v, of);
	if (v.shown.view == SHOWN_LINES || v.shown.view == SHOWN_SANDWICH) { /* of all stacks, whatever the zoom */
		v.zoom = NODE_ALL;
		if (v.search.pattern)
			v.search.matched = search_of_all(&v.search, &v.tree).matched;
	}
	j.clean = o->ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8;
	j.whole = tree_total(&v.tree, j.is_diff ? NODE_ALL : v.zoom);
	buf_init(&text);
	buf_init(&j.functions.text);
	buf_init(&j.paths.text);
	bool ok = make(&j, &text, err);
	if (ok)
		output_flush_buf(out, &text);
	display_deinit(&v.display);
	if (j.is_diff)
		diff_table_deinit(&j.changes);
	line_reader_free(j.reader);
	deinit_items(&j.functions);
	deinit_items(&j.paths);
	buf_deinit(&text);
	return ok; /* a failed write shows when the output is committed */
}

const struct export_kind export_json = {
	.name = "json",
	.bit = EXPORT_JSON,
	.help = "functions, their callers and callees, and the heaviest stacks, for scripts and programs",
	.holds = EXPORT_HOLDS(FLAME) | EXPORT_HOLDS(TABLE) | EXPORT_HOLDS(SANDWICH) | EXPORT_HOLDS(LINES),
	.write = json_write,
};
