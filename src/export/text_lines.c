/*
 * text_lines.c - the lines of functions, with their weight.
 *
 *	hot: self 1.35 s 67.2%, total 2.01 s 100.0%
 *	    self    total    line  /home/me/hot.c
 *	                       14  for (i = 0; i < n; i++)
 *	   67.2%    93.4%      15          sum += table[i] / (i + 3);
 *
 * Text of the source is written only on request (--with-source): a profile may name any file.
 */
#include "lines.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "model/line_page.h"
#include "model/lines.h"
#include "model/words.h"

#define USUAL_FUNCTIONS 10u
#define CONTEXT_LINES 3u

static void add_share(struct text *x, uint64_t weight)
{
	x->label.len = 0;
	if (weight) {
		number_add_percent(&x->label, weight, view_total(x->view), 1);
		buf_addc(&x->label, '%');
	}
	buf_addf(&x->line, "%8s", buf_str(&x->label));
}

/* The weight before and after as one: "  12.5%   +2.1 ". */
static void add_weight(struct text *x, const uint64_t weight[2])
{
	add_share(x, weight[0]);
	if (!x->is_diff)
		return;
	struct diff_change c = diff_of(&x->basis, weight[0], weight[1]);
	x->label.len = 0;
	if (weight[0] || weight[1])
		text_add_gain(x, c, &x->label);
	buf_addf(&x->line, "%9s", buf_str(&x->label));
}

static void add_heading(struct text *x, const struct page_section *s)
{
	buf_addf(&x->line, "    self%s   total%s    line  ", x->is_diff ? "   change" : "",
	         x->is_diff ? "   change" : "");
	const char *file = page_section_file(s);
	if (file)
		utf8_clean(&x->line, file, strlen(file), text_clean_mode(x));
	x->label.len = 0;
	page_section_add_remark(&x->label, s, text_clean_mode(x));
	if (x->label.len)
		buf_addf(&x->line, " (%s)", buf_str(&x->label));
	buf_addc(&x->line, '\n');
}

static void add_gap(struct text *x, uint32_t lines)
{
	buf_addf(&x->line, "%*s... %u line%s without samples\n", x->is_diff ? 44 : 26, "", lines,
	         lines == 1 ? "" : "s");
}

static void add_line(struct text *x, const struct line_page *p, size_t i)
{
	static const uint64_t nothing[2] = {0, 0};
	const struct page_row *r = &p->rows[i];
	size_t len;
	const char *text = line_page_text(p, i, &len);
	add_weight(x, r->row ? r->row->self : nothing);
	add_weight(x, r->row ? r->row->total : nothing);
	if (r->line)
		buf_addf(&x->line, " %7u", r->line);
	else
		buf_adds(&x->line, "       -  line unknown");
	if (text && len) {
		buf_adds(&x->line, "  ");
		page_text_add(&x->line, text, len, text_clean_mode(x));
	}
	buf_addc(&x->line, '\n');
}

static void add_function(struct text *x, uint32_t sym, const struct line_sums *l)
{
	const struct name_sum sum = {
		.sym = sym, .self = l->self[0], .total = l->total[0], .base_self = l->self[1], .base_total = l->total[1]};
	struct display_name name = text_name(x, sym);
	lines_add_name(&x->line, x->view->profile, name.text, name.len);
	buf_adds(&x->line, ": ");
	words_add_sums(&x->line, x->view, &sum, x->options->factor);
	buf_addc(&x->line, '\n');
}

static bool write_function(struct text *x, struct line_reader *reader, uint32_t sym)
{
	struct page_wish wish = {
		.places = x->options->with_source ? x->options->sources : NULL, .reader = reader, .context = CONTEXT_LINES};
	struct line_page page;
	struct line_sums lines;
	if (!line_reader_read(reader, sym, &lines)) {
		line_sums_deinit(&lines);
		return false;
	}
	add_function(x, sym, &lines);
	wish.why_unknown = line_reader_why(reader, &lines);
	line_page_make(&page, &lines, &wish);
	for (size_t i = 0; i < page.n; i++) {
		if (page.rows[i].kind == PAGE_HEADING)
			add_heading(x, &page.sections[page.rows[i].section]);
		else if (page.rows[i].kind == PAGE_GAP)
			add_gap(x, page.rows[i].line);
		else
			add_line(x, &page, i);
		text_flush(x);
	}
	line_page_deinit(&page);
	return true;
}

/* Keeps the first of those that are one function. */
static size_t drop_same(const struct line_reader *r, size_t n_symbols, struct name_sum *chosen, size_t n)
{
	bool *is_kept = mem_zalloc(n_symbols, sizeof *is_kept);
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		bool *seen = &is_kept[line_reader_function(r, chosen[i].sym)];
		if (!*seen)
			chosen[kept++] = chosen[i];
		*seen = true;
	}
	free(is_kept);
	return kept;
}

struct name_sum *lines_choose(const struct view *v, const struct export_options *o, const struct line_reader *r,
                              size_t *n)
{
	size_t most = o->top ? o->top : USUAL_FUNCTIONS, n_sums;
	struct name_sum *chosen = mem_alloc(most * sizeof *chosen);
	*n = v->shown.function != NO_SYMBOL;
	chosen[0] = (struct name_sum){.sym = v->shown.function};
	if (*n)
		return chosen;
	struct name_sum *sums = tree_sums(&v->tree, NODE_ALL, v->profile->symtab.n, &n_sums, o->progress);
	*n = tree_heaviest(&v->profile->symtab, sums, n_sums, chosen, most);
	*n = r ? drop_same(r, v->profile->symtab.n, chosen, *n) : *n;
	free(sums);
	return chosen;
}

struct line_reader *lines_begin(const struct view *v, const struct export_options *o, struct err *err)
{
	if (lines_are_known(v->profile))
		return line_reader_new(v->profile, &v->recipe, o->finder, o->progress, err);
	struct buf name;
	buf_init(&name);
	profile_add_input(v->profile, &name);
	fail(err, "%s%s", buf_str(&name), lines_why_none(v->profile));
	buf_deinit(&name);
	return NULL;
}

bool text_write_lines(struct text *x, struct err *err)
{
	size_t n;
	struct line_reader *reader = lines_begin(x->view, x->options, err);
	if (!reader)
		return false;
	text_add_header(x);
	line_reader_join_names(reader);
	struct name_sum *chosen = lines_choose(x->view, x->options, reader, &n);
	bool ok = true;
	for (size_t i = 0; i < n && ok; i++) {
		buf_adds(&x->line, i ? "\n" : "");
		ok = write_function(x, reader, chosen[i].sym);
	}
	if (n == 0)
		buf_adds(&x->line, "no samples\n");
	if (x->is_diff)
		text_add_legend(x);
	free(chosen);
	line_reader_free(reader);
	return ok;
}
