/*
 * markdown_lines.c - the lines of functions as tables for a ticket or a pull request.
 *
 *	**`hot`**: self 1.35 s 67.2%, total 2.01 s 100.0%
 *
 *	| self % | total % | line | hot.c |
 *	|---:|---:|---:|:---|
 *	| 67.2 | 93.4 | 15 | `sum += table[i] / (i + 3);` |
 */
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "markdown.h"
#include "model/diff.h"
#include "model/line_page.h"
#include "model/words.h"

struct sheet {
	struct buf *out;
	const struct view *view;
	const struct export_options *options;
	struct diff_basis basis;
	bool is_diff;
};

static enum utf8_clean_mode clean_mode(const struct sheet *t)
{
	return t->options->ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8;
}

static void add_clean_code(struct sheet *t, const char *text, size_t len)
{
	struct buf clean;
	buf_init(&clean);
	page_text_add(&clean, text, len, clean_mode(t));
	if (clean.len)
		markdown_add_code(t->out, buf_str(&clean));
	buf_deinit(&clean);
}

static void add_weight(struct sheet *t, const uint64_t weight[2])
{
	number_add_percent(t->out, weight[0], view_total(t->view), 2);
	buf_adds(t->out, " | ");
	if (!t->is_diff)
		return;
	struct diff_change c = diff_of(&t->basis, weight[0], weight[1]);
	const char *mark = c.is_noise ? "" : "**";
	buf_adds(t->out, mark);
	words_add_gain(t->out, t->view, &c, t->options->factor, 2);
	buf_addf(t->out, "%s | ", mark);
}

static void add_remark(struct sheet *t, const struct page_section *s)
{
	struct buf remark;
	buf_init(&remark);
	page_section_add_remark(&remark, s, UTF8_CLEAN_UTF8);
	if (remark.len) {
		buf_adds(t->out, " (");
		add_clean_code(t, remark.data, remark.len);
		buf_addc(t->out, ')');
	}
	buf_deinit(&remark);
}

static void add_head(struct sheet *t, const struct page_section *s)
{
	const char *change = t->is_diff ? " change |" : "", *rule = t->is_diff ? "---:|" : "";
	buf_addf(t->out, "\n| self %% |%s total %% |%s line | ", change, change);
	const char *file = page_section_file(s);
	if (file)
		add_clean_code(t, file, strlen(file));
	add_remark(t, s);
	buf_addf(t->out, " |\n|---:|%s---:|%s---:|:---|\n", rule, rule);
}

static void add_row(struct sheet *t, const struct line_page *p, size_t i)
{
	const struct page_row *r = &p->rows[i];
	size_t len;
	const char *text = line_page_text(p, i, &len);
	buf_adds(t->out, "| ");
	add_weight(t, r->row->self);
	add_weight(t, r->row->total);
	if (r->line)
		buf_addf(t->out, "%u | ", r->line);
	else
		buf_adds(t->out, "unknown | ");
	while (text && len && (*text == ' ' || *text == '\t'))
		text++, len--;
	if (text)
		add_clean_code(t, text, len);
	buf_adds(t->out, " |\n");
}

static bool add_function(struct sheet *t, struct line_reader *reader, uint32_t sym)
{
	struct page_wish wish = {.places = t->options->with_source ? t->options->sources : NULL, .reader = reader};
	struct line_page page;
	struct line_sums lines;
	bool ok = line_reader_read(reader, sym, &lines);
	const struct name_sum sum = {.sym = sym, .self = lines.self[0], .total = lines.total[0]};
	const struct display_name *name = display_name((struct display *)&t->view->display, sym);
	buf_adds(t->out, t->out->len ? "\n**" : "**");
	struct buf function;
	buf_init(&function);
	lines_add_name(&function, t->view->profile, name->text, name->len);
	add_clean_code(t, function.data, function.len);
	buf_deinit(&function);
	buf_adds(t->out, "**: ");
	words_add_sums(t->out, t->view, &sum, t->options->factor);
	buf_addc(t->out, '\n');
	wish.why_unknown = ok ? line_reader_why(reader, &lines) : NULL;
	line_page_make(&page, &lines, &wish);
	for (size_t i = 0; i < page.n && ok; i++) {
		if (page.rows[i].kind == PAGE_HEADING)
			add_head(t, &page.sections[page.rows[i].section]);
		else if (page.rows[i].row)
			add_row(t, &page, i);
	}
	line_page_deinit(&page);
	return ok;
}

bool markdown_add_lines(struct buf *out, const struct view *v, const struct export_options *o, struct err *err)
{
	size_t n;
	struct sheet t = {.out = out, .view = v, .options = o, .is_diff = view_is_diff(v)};
	struct line_reader *reader = lines_begin(v, o, err);
	if (!reader)
		return false;
	if (t.is_diff)
		diff_basis_make(&t.basis, v->profile, &v->recipe, &v->tree);
	line_reader_join_names(reader);
	struct name_sum *chosen = lines_choose(v, o, reader, &n);
	bool ok = true;
	for (size_t i = 0; i < n && ok; i++)
		ok = add_function(&t, reader, chosen[i].sym);
	free(chosen);
	line_reader_free(reader);
	return ok;
}
