/*
 * sort.h - sorting by numbers; replaces qsort() where sorting dominates.
 *
 * A stable merge sort without calls for comparisons: n log n steps for any input, n steps for sorted input.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sort_item {
	uint64_t key;
	uint32_t tie;   /* decides between equal keys */
	uint32_t value; /* the payload */
};

static inline bool sort_less(const struct sort_item *a, const struct sort_item *b)
{
	return a->key != b->key ? a->key < b->key : a->tie < b->tie;
}

/* Sorts by ascending key, then tie. scratch has room for n items. */
void sort_items(struct sort_item *, size_t n, struct sort_item *scratch);

#endif
