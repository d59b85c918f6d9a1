/*
 * marks.c - the frames of one function in a tree.
 *
 * One pass over the symbols of a tree of ten million frames takes some milliseconds, once for each function that
 * the cursor is on. The nodes are in order, so that any range of them is looked up in logarithmic time.
 */
#include "tui/marks.h"

#include <stdlib.h>

#include "base/mem.h"

void marks_deinit(struct marks *m)
{
	free(m->nodes);
	*m = (struct marks){.nodes = NULL};
}

void marks_find(struct marks *m, const struct tree *t, uint32_t symbol, unsigned stamp)
{
	if (m->stamp == stamp && m->symbol == symbol)
		return;
	m->stamp = stamp;
	m->symbol = symbol;
	m->n = 0;
	for (uint32_t i = 1; symbol != NO_SYMBOL && i < t->n; i++)
		if (t->sym[i] == symbol && !tree_is_gap(t, i))
			mem_push(m->nodes, m->n, m->cap, i);
}

bool marks_any(const struct marks *m, uint32_t from, uint32_t to)
{
	size_t lo = 0, hi = m->n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (m->nodes[mid] < from)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < m->n && m->nodes[lo] < to;
}
