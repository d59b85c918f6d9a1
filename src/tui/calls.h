/*
 * calls.h - the call tree.
 */
#ifndef TUI_CALLS_H
#define TUI_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/app.h"

struct call_row {
	uint32_t node;
	uint32_t sym; /* identifies the frame in another tree */
	uint32_t depth;
	bool is_open;
};

struct calls {
	struct call_row *rows;
	size_t n, cap;
	size_t scroll;
	int height;
	unsigned stamp; /* app.stamp when made; 0: never, or the nodes of the rows belong to another tree */
};

/* Opens the heaviest path below the cursor. */
void calls_hot_path(struct app *);

#endif
