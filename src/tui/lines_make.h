/*
 * lines_make.h - makes the page of a function's lines or instructions, for a thread in the background.
 */
#ifndef TUI_LINES_MAKE_H
#define TUI_LINES_MAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"
#include "lib/cells.h"

enum page_kind {
	PAGE_LINES,
	PAGE_INSTRUCTIONS,
	PAGE_HOTTEST, /* no page, only the hottest line */
};

struct page_order {
	uint32_t symbol;
	enum page_kind kind;
	const struct line_finder *finder;
	struct page_wish wish;
};

/* The hottest line of a function. */
struct hottest {
	char *file; /* owned; NULL: unknown */
	uint32_t line;
	uint64_t self, total;
};

/* What all pages of one tree have in common. */
struct page_source;

/* The profile must neither change nor go away as long as there is the source, but may get new symbols. */
struct page_source *page_source_new(struct profile *, const struct recipe *);
void page_source_free(struct page_source *); /* NULL: nothing */

/*
 * false: cancelled, or err is set; the page is empty then. Of a page of lines the hottest one is set, too. Whoever
 * uses the finder must wait. The caller frees hottest->file.
 */
bool lines_make(struct page_source *, const struct page_order *, struct progress *, struct line_page *,
                struct hottest *, struct err *);

#endif
