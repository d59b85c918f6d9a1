/*
 * calls.h - the call tree.
 */
#ifndef TUI_CALLS_H
#define TUI_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/cells.h"
#include "tui/app.h"

struct calls {
	struct call_rows list;
	size_t scroll;
	int height;
	struct call_rows before; /* before a search; none: no search is being typed */
	unsigned before_tree;    /* app.tree_stamp */
	unsigned stamp;          /* app.stamp when made; 0: never, or the nodes of the rows belong to another tree */
	bool is_due;             /* scrolls as view.shown says at the next preparation */
};

/*
 * Opens the path with most of the weight that matches the search, and moves the cursor to its end. false: there is
 * none, for a match without weight or in a chart.
 */
bool calls_show_matches(struct app *);
/* Keeps the rows as they are, for calls_show_matches() to begin with; or opens those alone that were open then. */
void calls_keep(struct app *);
void calls_restore(struct app *);
void calls_forget_kept(struct app *);
/* Opens the heaviest path below the cursor. */
void calls_hot_path(struct app *);

#endif
