/*
 * calls.h - the call tree.
 */
#ifndef TUI_CALLS_H
#define TUI_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/call_rows.h"
#include "tui/app.h"

struct calls {
	struct call_rows list;
	size_t scroll;
	int height;
	unsigned stamp; /* app.stamp when made; 0: never, or the nodes of the rows belong to another tree */
	bool is_due;    /* scrolls as view.shown says at the next preparation */
};

/* Opens the heaviest path below the cursor. */
void calls_hot_path(struct app *);

#endif
