/*
 * lines_make.c - makes the page of a function's lines or instructions.
 *
 * Instructions are those of the function whose code has most of the samples: a function that is inlined has none of
 * its own.
 */
#include "tui/lines_make.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "symbols/disassembly.h"

struct making {
	const struct profile *profile;
	const struct page_order *order;
	struct line_reader *reader;
	struct progress *progress;
	struct line_page *page;
	struct err *err;
};

static const char *path_of(const struct making *m, uint32_t sym)
{
	return sym ? m->profile->symtab.symbols[sym].name : NULL;
}

static const struct code_file *file_of(const struct making *m, uint32_t code)
{
	return &m->profile->sites->codes[code - 1];
}

/* When the program was written, which its sources should not be newer than. */
static int64_t built(const struct making *m, uint32_t code)
{
	struct stat st;
	const char *path = code == NO_CODE ? NULL : path_of(m, file_of(m, code)->path);
	return path && stat(path, &st) == 0 ? st.st_mtime : 0;
}

static struct page_code *find_lines(const struct making *m, const struct disassembly *d,
                                    const struct code_file *file)
{
	const char *const paths[3] = {path_of(m, file->path), path_of(m, file->debug), path_of(m, file->alt)};
	const struct line_finder *f = m->order->finder;
	struct page_code *codes = mem_alloc((d->n ? d->n : 1) * sizeof *codes);
	for (size_t i = 0; i < d->n; i++) {
		codes[i] = (struct page_code){d->list[i].address, d->list[i].target, d->list[i].text, NULL, 0};
		codes[i].file = f->find(f->arg, paths, d->list[i].address, UINT32_MAX, &codes[i].line);
	}
	return codes;
}

static bool make_code(struct making *m, const struct line_sums *of, struct page_wish *wish)
{
	struct disassembly d;
	struct line_sums sums = {.rows = NULL};
	if (of->code == NO_CODE)
		return fail(m->err, "the samples of this function have no addresses: there are no instructions to show");
	const struct code_file *file = file_of(m, of->code);
	bool ok = disassemble(&d, path_of(m, file->path), path_of(m, file->debug), of->address, &m->progress->cancel,
	                      m->err) &&
	          line_reader_addresses(m->reader, of->code, d.start, d.end, &sums);
	if (ok) {
		struct page_code *codes = find_lines(m, &d, file);
		line_page_make_code(m->page, &sums, codes, d.n, d.start, wish);
		m->page->function = mem_strdup(d.function);
		free(codes);
	}
	line_sums_deinit(&sums);
	disassembly_deinit(&d);
	return ok;
}

static bool make(struct making *m)
{
	struct line_sums sums = {.rows = NULL};
	struct page_wish wish = m->order->wish;
	bool ok = line_reader_read(m->reader, m->order->symbol, &sums);
	wish.built = built(m, sums.code);
	if (ok && m->order->wants_code)
		ok = make_code(m, &sums, &wish);
	else if (ok)
		line_page_make(m->page, &sums, &wish);
	line_sums_deinit(&sums);
	return ok;
}

bool lines_make(struct profile *p, const struct recipe *recipe, const struct page_order *order,
                struct progress *progress, struct line_page *page, struct err *err)
{
	struct making m = {.profile = p, .order = order, .progress = progress, .page = page, .err = err};
	*page = (struct line_page){.rows = NULL};
	m.reader = line_reader_new(p, recipe, order->finder, progress, err);
	bool ok = m.reader && make(&m);
	line_reader_free(m.reader);
	return ok;
}
