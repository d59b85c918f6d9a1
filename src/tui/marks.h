/*
 * marks.h - the frames of one function in a tree.
 */
#ifndef TUI_MARKS_H
#define TUI_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/cells.h"

struct marks {
	uint32_t *nodes; /* rising; owned */
	size_t n, cap;
	uint32_t symbol;
	unsigned stamp; /* of the tree that they are in; 0: none */
};

void marks_deinit(struct marks *);
/* Finds the frames, unless the last ones are those. The stamp, above 0, stands for the tree. */
void marks_find(struct marks *, const struct tree *, uint32_t symbol, unsigned stamp);
/* Is one of them in [from, to)? */
bool marks_any(const struct marks *, uint32_t from, uint32_t to);

#endif
