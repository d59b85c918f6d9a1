/*
 * layout.c - lays out any tree on any number of columns. Two bytes are the width, one the smallest share, one the
 * zoom, then three describe each frame (how many levels up its parent is, and its self weight). Boxes of a row must
 * not overlap, each must lie within its parent, and every frame must be somewhere.
 */
#include <stdint.h>
#include <stdlib.h>

#include "model/layout.h"
#include "tests/unit/stacks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void tree_of(struct tree *t, const uint8_t *data, uint32_t n)
{
	tree_room(t, n, false);
	for (uint32_t i = 1; i < n; i++, data += 3) {
		uint32_t parent = i - 1;
		for (unsigned up = data[0] & 63; parent > 0 && up > 0; up--)
			parent = t->parent[parent];
		t->parent[i] = parent;
		t->sym[i] = i;
		t->pos[i] = (uint64_t)data[1] << (data[0] >> 6) * 14 | data[2];
	}
	tree_finish(t);
}

static void check_row(const struct layout *l, size_t row)
{
	const struct box *up = row > 0 ? &l->boxes[l->row_start[row - 1]] : NULL;
	uint32_t col = 0;
	for (size_t i = l->row_start[row]; i < l->row_start[row + 1]; i++) {
		const struct box *b = &l->boxes[i];
		if (b->col < col || b->end <= b->col || b->end > l->width || b->eighths > 7)
			abort();
		if (b->first > b->node || b->node > b->last || b->last > b->final || b->final >= l->tree->n ||
		    b->x0 > b->x1)
			abort();
		if (up != NULL && (up[b->parent].col > b->col || up[b->parent].end < b->end))
			abort();
		for (uint32_t c = b->col; c < b->end; c += 1 + (b->end - b->col) / 8)
			if (layout_at(l, row, c) != i)
				abort();
		col = b->end;
	}
}

static void check(const struct layout *l)
{
	for (size_t row = 0; row < l->rows; row++)
		check_row(l, row);
	for (uint32_t i = 0; i < l->tree->n; i++) {
		size_t at = layout_find(l, i);
		if ((at != SIZE_MAX) != tree_is_below(l->tree, i, l->zoom) || (at != SIZE_MAX && at >= l->n))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 7)
		return 0;
	struct tree t;
	struct layout l;
	char why[256];
	uint32_t n = (uint32_t)((size - 4) / 3) + 1, width = 1 + (data[0] | (data[1] & 3u) << 8);
	tree_of(&t, data + 4, n);
	if (!tree_check(&t, why, sizeof why))
		abort();
	layout_init(&l);
	layout_make(&l, &t, 0, width, 0, 0);
	check(&l);
	layout_make(&l, &t, data[3] % n, width, tree_total(&t, 0) / 1000 * data[2], data[1] >> 6);
	for (size_t row = 0; row < l.rows; row++)
		check_row(&l, row);
	layout_deinit(&l);
	tree_deinit(&t);
	return 0;
}
