/*
 * write_order.h - a view that is to be written to a file, on any thread.
 *
 * It shares tree, search and samples with the viewer, which must not change meanwhile. Names for display, and names
 * that are made while a tree is folded once more, are its own.
 */
#ifndef TUI_WRITE_ORDER_H
#define TUI_WRITE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "lib/cells.h"
#include "options.h"

struct write_order {
	const struct options *options;
	const struct export_kind *kind;
	char *path; /* owned */
	struct export_options export_;
	struct view view;       /* only its display is owned */
	struct profile profile; /* only its symbols are owned, with has_symtab */
	bool has_symtab;
	bool is_part_of_two; /* the file has the graph alone, not the table beside it */
	uint32_t frames;     /* drawn */
};

/* The caller sets the rest. */
struct write_order *write_order_new(const struct options *, const struct view *, const struct export_kind *,
                                    const char *path);
void write_order_free(struct write_order *);
/* false: cancelled, or err is set; there is no new file. progress may be NULL. */
bool write_order_run(struct write_order *, struct progress *, struct err *);

#endif
