/*
 * lines_make.h - makes the page of a function's lines or instructions, for a thread in the background.
 */
#ifndef TUI_LINES_MAKE_H
#define TUI_LINES_MAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"
#include "model/line_page.h"

struct page_order {
	uint32_t symbol;
	bool wants_code; /* instructions, not lines */
	const struct line_finder *finder;
	struct page_wish wish;
};

/*
 * The profile may get new symbols. false: cancelled, or err is set; the page is empty then. Whoever uses the finder
 * must wait.
 */
bool lines_make(struct profile *, const struct recipe *, const struct page_order *, struct progress *,
                struct line_page *, struct err *);

#endif
