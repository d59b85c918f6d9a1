/*
 * lines_make.c - makes the page of a function's lines or instructions.
 *
 * The reader of lines is kept: adding up the samples takes longer than one function.
 *
 * Instructions are those of the function whose code has most of the samples: a function that is inlined has none of
 * its own.
 */
#include "tui/lines_make.h"

#include <stdlib.h>

#include "base/mem.h"
#include "lib/cells.h"

struct page_source {
	struct profile *profile;
	struct profile own; /* the same with symbols of its own, if the fold makes some */
	bool has_own;
	struct recipe recipe;
	struct line_reader *reader; /* NULL: not yet */
};

struct making {
	const struct profile *profile;
	const struct page_order *order;
	struct line_reader *reader;
	struct progress *progress;
	struct line_page *page;
	struct hottest *hottest;
	struct err *err;
};

static bool locate(const struct making *m, uint32_t code, struct code_place *place)
{
	const struct line_finder *f = m->order->finder;
	if (code == NO_CODE)
		return false;
	const struct code_name name = code_name_of(m->profile, code);
	return f->locate(f->arg, &name, place);
}

static struct page_code *find_lines(const struct making *m, const struct disassembly *d,
                                    const struct code_place *place)
{
	const struct code_name file = {place->path, place->debug, place->alt, NULL, 0};
	const struct line_finder *f = m->order->finder;
	struct page_code *codes = mem_alloc((d->n ? d->n : 1) * sizeof *codes);
	for (size_t i = 0; i < d->n; i++) {
		codes[i] = (struct page_code){d->list[i].address, d->list[i].target, d->list[i].text, NULL, 0};
		codes[i].file = f->find(f->arg, &file, d->list[i].address, UINT32_MAX, &codes[i].line);
	}
	return codes;
}

static bool make_code(struct making *m, const struct line_sums *of, struct page_wish *wish)
{
	struct disassembly d;
	struct line_sums sums = {.rows = NULL};
	struct code_place place;
	if (of->code == NO_CODE)
		return fail(m->err, "the samples of this function have no addresses: there are no instructions to show");
	if (!locate(m, of->code, &place))
		return fail(m->err, "%s: the function is not in this file, or the file is not here",
		            code_name_of(m->profile, of->code).path);
	bool ok = disassemble(&d, place.path, place.debug, of->address + place.base, &m->progress->cancel, m->err) &&
	          line_reader_addresses(m->reader, of->code, d.start - place.base, d.end - place.base, &sums);
	if (ok) {
		for (size_t i = 0; i < sums.n; i++)
			sums.rows[i].address += place.base;
		struct page_code *codes = find_lines(m, &d, &place);
		line_page_make_code(m->page, &sums, codes, d.n, d.start, wish);
		m->page->function = mem_strdup(d.function);
		if (of->self[0] > m->page->lines.self[0])
			m->page->elsewhere = of->self[0] - m->page->lines.self[0];
		free(codes);
	}
	line_sums_deinit(&sums);
	disassembly_deinit(&d);
	return ok;
}

static void find_hottest(struct making *m, const struct line_sums *sums)
{
	const struct line_row *row;
	if (line_sums_hottest(sums, &row, 1))
		*m->hottest = (struct hottest){mem_strdup(row->file), row->line, row->self[0], row->total[0]};
}

static bool make(struct making *m)
{
	struct line_sums sums = {.rows = NULL};
	struct page_wish wish = m->order->wish;
	bool ok = line_reader_read(m->reader, m->order->symbol, &sums);
	wish.reader = m->reader;
	wish.why_unknown = ok ? line_reader_why(m->reader, &sums) : NULL;
	if (ok)
		find_hottest(m, &sums);
	if (ok && m->order->kind == PAGE_INSTRUCTIONS)
		ok = make_code(m, &sums, &wish);
	else if (ok && m->order->kind == PAGE_LINES)
		line_page_make(m->page, &sums, &wish);
	line_sums_deinit(&sums);
	return ok;
}

struct page_source *page_source_new(struct profile *p, const struct recipe *recipe)
{
	struct page_source *s = mem_zalloc(1, sizeof *s);
	s->profile = p;
	recipe_copy(&s->recipe, recipe);
	return s;
}

void page_source_free(struct page_source *s)
{
	if (!s)
		return;
	line_reader_free(s->reader);
	recipe_deinit(&s->recipe);
	if (s->has_own)
		symtab_deinit(&s->own.symtab);
	free(s);
}

static void make_reader(struct page_source *s, const struct line_finder *finder, struct progress *progress,
                        struct err *err)
{
	if (!s->has_own && fold_makes_names(&s->recipe)) {
		s->own = *s->profile;
		symtab_copy(&s->own.symtab, &s->profile->symtab);
		s->has_own = true;
	}
	s->reader = line_reader_new(s->has_own ? &s->own : s->profile, &s->recipe, finder, progress, err);
	if (s->reader)
		line_reader_join_names(s->reader);
}

bool lines_make(struct page_source *s, const struct page_order *order, struct progress *progress,
                struct line_page *page, struct hottest *hottest, struct err *err)
{
	struct making m = {s->profile, order, s->reader, progress, page, hottest, err};
	*page = (struct line_page){.rows = NULL};
	*hottest = (struct hottest){.file = NULL};
	if (!s->reader)
		make_reader(s, order->finder, progress, err);
	m.reader = s->reader;
	if (m.reader)
		line_reader_follow(m.reader, progress);
	bool ok = m.reader && make(&m);
	if (m.reader)
		line_reader_follow(m.reader, NULL);
	return ok;
}
