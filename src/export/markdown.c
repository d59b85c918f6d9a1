/*
 * markdown.c - the most expensive functions, or the changes, as a table for a pull request.
 *
 *	| self | self % | total | total % | frames | function |
 *	|---:|---:|---:|---:|---:|:---|
 *	| 4,210 | 31.2 | 4,210 | 31.2 | 7 | `memcpy` |
 *
 * With a baseline, only changes beyond noise have a row; a line below the table counts the others:
 *
 *	**2 functions grew and 1 shrank beyond noise; 1,430 samples before, 1,640 after**
 *
 *	| self % before | after | change | total % before | after | change | function |
 *	|---:|---:|---:|---:|---:|---:|:---|
 *	| 10.00 | 12.50 | **+2.50** | 10.00 | 12.50 | **+2.50** | `memcpy` |
 *
 *	12 functions changed by no more than 2 standard errors, which may be chance.
 */
#include "markdown.h"

#include "lines.h"
#include "top.h"

#include "model/cut.h"
#include "model/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* Inside HTML code only these characters are markup; '|' would end the cell even in code. */
static void add_html_code(struct buf *out, const char *s)
{
	buf_adds(out, "<code>");
	for (; *s; s++) {
		if (strchr("&<>|`*_~[]\\#!", *s))
			buf_addf(out, "&#%u;", (unsigned)(unsigned char)*s);
		else
			buf_addc(out, *s);
	}
	buf_adds(out, "</code>");
}

/* Plain code if possible; names with a bar, a backtick or outer blanks need HTML. */
void markdown_add_code(struct buf *out, const char *s)
{
	size_t n = strlen(s);
	if (n == 0 || strpbrk(s, "|`\\") || s[0] == ' ' || s[n - 1] == ' ')
		add_html_code(out, s);
	else
		buf_addf(out, "`%s`", s);
}

static void add_name(struct buf *out, const struct view *v, uint32_t sym, bool ascii)
{
	const struct display_name *d = display_name((struct display *)&v->display, sym);
	struct buf clean;
	buf_init(&clean);
	utf8_clean(&clean, d->text, d->len, ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8);
	markdown_add_code(out, buf_str(&clean));
	buf_deinit(&clean);
}

/* Matches of a search are bold. */
static void end_row(struct buf *out, const struct view *v, uint32_t sym, bool ascii, const char *remark)
{
	const char *mark = v->search.pattern && search_has_name(&v->search, sym) ? "**" : "";
	buf_adds(out, mark);
	add_name(out, v, sym, ascii);
	buf_addf(out, "%s%s |\n", mark, remark);
}

static void add_rest(struct buf *out, const struct view *v, size_t n, const char *what)
{
	if (n)
		buf_addf(out, "\n%zu %s%s not shown.\n", n, what, group_noun(v->tree.group, n));
}

/* Appends lines as code, since patterns and names may hold anything. */
static void add_as_code(struct buf *out, struct buf *lines)
{
	for (const char *line = buf_str(lines); *line;) {
		size_t n = strcspn(line, "\n");
		struct buf text;
		buf_init(&text);
		buf_add(&text, line, n);
		buf_addc(out, '\n');
		markdown_add_code(out, buf_str(&text));
		buf_addc(out, '\n');
		buf_deinit(&text);
		line += n + 1;
	}
}

static void add_filter(struct buf *out, const struct view *v, const struct export_options *o,
                       const struct top_passed *passed)
{
	struct buf line;
	buf_init(&line);
	top_add_filter(&line, v, o, passed, o->ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8);
	add_as_code(out, &line);
	buf_deinit(&line);
}

/* ---- plain ------------------------------------------------------------------------------------------------- */

static void add_weight(struct buf *out, const struct view *v, const struct export_options *o, uint64_t weight)
{
	view_add_full_weight(v, out, top_scaled(o, weight));
	buf_adds(out, " | ");
	number_add_percent(out, weight, tree_total(&v->tree, v->zoom), 2);
	buf_adds(out, " | ");
}

static void add_plain(struct buf *out, const struct view *v, const struct export_options *o, size_t most)
{
	struct top_passed passed;
	struct name_sum *rows = top_rows(v, &passed, o->progress);
	size_t n = passed.n < most ? passed.n : most;
	const char *zoom = words_of_zoom(v);
	buf_addf(out, "| self | self %%%s | total | total %%%s | frames | %s |\n|---:|---:|---:|---:|---:|:---|\n",
	         zoom, zoom, group_name(v->tree.group));
	for (size_t i = 0; i < n && export_goes_on(o); i++) {
		buf_adds(out, "| ");
		add_weight(out, v, o, rows[i].self);
		add_weight(out, v, o, rows[i].total);
		buf_addf(out, "%u | ", rows[i].frames);
		end_row(out, v, rows[i].sym, o->ascii, "");
	}
	add_rest(out, v, passed.n - n, "more ");
	add_filter(out, v, o, &passed);
	if (tree_rows_left_out(&v->tree, v->zoom))
		buf_addc(out, '\n');
	top_add_left_out(out, v);
	free(rows);
}

/* ---- differences ------------------------------------------------------------------------------------------- */

static void add_change(struct buf *out, const struct view *v, const struct export_options *o,
                       const struct diff_change *c)
{
	const char *mark = c->is_noise ? "" : "**";
	top_add_part(out, v, o, c, TOP_BEFORE);
	buf_adds(out, " | ");
	top_add_part(out, v, o, c, TOP_AFTER);
	buf_addf(out, " | %s", mark);
	top_add_part(out, v, o, c, TOP_DELTA);
	buf_addf(out, "%s | ", mark);
}

static void add_heads(struct buf *out, const struct view *v, enum diff_quantity quantity)
{
	const char *percent = quantity == DIFF_OF_WEIGHTS ? "" : " %";
	const char *of = *percent && v->zoom != NODE_ALL ? words_of_whole(v) : "";
	buf_addf(out,
	         "\n| self%s%s before | after | change | total%s%s before | after | change | %s |\n"
	         "|---:|---:|---:|---:|---:|---:|:---|\n",
	         percent, of, percent, of, group_name(v->tree.group));
}

static void add_noise(struct buf *out, const struct view *v, size_t n)
{
	if (n)
		buf_addf(out, "\n%zu %s changed by no more than %g standard errors, which may be chance.\n", n,
		         group_noun(v->tree.group, n), DIFF_SIGMAS);
}

/* A table that was sorted and filtered has rows for noise, too, as on the screen. */
static void add_diff(struct buf *out, const struct view *v, const struct export_options *o, size_t most)
{
	struct diff_table t;
	bool is_table = top_is_sorted(v);
	struct top_passed passed;
	diff_table_make(&t, v->profile, &v->recipe, &v->tree, v->zoom, o->progress);
	size_t n, changed = t.n - t.counts.noise;
	if (!is_table && most > changed)
		most = changed;
	struct diff_row *rows = top_diff_rows(v, &t, most, DIFF_BY_RANK, &n, &passed, o->progress);
	size_t all = is_table ? passed.n : changed;
	buf_adds(out, "**");
	top_add_summary(out, &t);
	buf_adds(out, "**\n");
	if (n)
		add_heads(out, v, t.basis.quantity);
	for (size_t i = 0; i < n && export_goes_on(o); i++) {
		buf_adds(out, "| ");
		add_change(out, v, o, &rows[i].self);
		add_change(out, v, o, &rows[i].total);
		end_row(out, v, rows[i].sym, o->ascii, top_remark(&rows[i].total));
	}
	add_rest(out, v, all - n, is_table ? "more " : "more changed ");
	add_filter(out, v, o, &passed);
	if (is_table)
		buf_addf(out, "\nChanges within %g standard errors, which may be chance, are not bold.\n", DIFF_SIGMAS);
	else
		add_noise(out, v, t.counts.noise);
	free(rows);
	diff_table_deinit(&t);
}

static void add_notes(struct buf *out, const struct view *v, const struct export_options *o)
{
	struct buf notes;
	buf_init(&notes);
	top_add_notes(&notes, v, o, "", "\n");
	add_as_code(out, &notes);
	buf_deinit(&notes);
}

static bool markdown_write(const struct view *of, const struct export_options *o, struct output *out,
                           struct err *err)
{
	struct view v = *of;
	bool is_lines = v.shown.view == SHOWN_LINES, ok = true;
	struct buf text;
	buf_init(&text);
	if (is_lines) /* those of all stacks, whatever the zoom */
		v.zoom = NODE_ALL;
	if (is_lines)
		ok = markdown_add_lines(&text, &v, o, err);
	else if (view_is_diff(&v))
		add_diff(&text, &v, o, top_most(&v, o));
	else
		add_plain(&text, &v, o, top_most(&v, o));
	add_notes(&text, &v, o);
	top_add_idle(&text, &v, o, "\n", ".\n");
	view_return_names(of, &v);
	if (ok)
		output_flush_buf(out, &text);
	buf_deinit(&text);
	return ok; /* a failed write shows when the output is committed */
}

const struct export_kind export_markdown = {
	.name = "markdown",
	.bit = EXPORT_MARKDOWN,
	.help = "functions or lines as a table in Markdown, for a ticket; with a baseline what changed beyond noise",
	.holds = EXPORT_HOLDS(FLAME) | EXPORT_HOLDS(TABLE) | EXPORT_HOLDS(LINES),
	.write = markdown_write,
};
