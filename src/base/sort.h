/*
 * sort.h - sorting by numbers, in place of qsort() where it takes most of the time.
 *
 * A stable merge sort that compares without a call: n log n steps whatever the input, and n where it is in order
 * already.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sort_item {
	uint64_t key;
	uint32_t tie;   /* decides between equal keys */
	uint32_t value; /* what is sorted */
};

static inline bool sort_less(const struct sort_item *a, const struct sort_item *b)
{
	return a->key != b->key ? a->key < b->key : a->tie < b->tie;
}

/* Rising keys. scratch has room for n items. */
void sort_items(struct sort_item *, size_t n, struct sort_item *scratch);

#endif
