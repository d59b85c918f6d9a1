/*
 * sort.h - stable sorting: the same order on every system, for any input in n log n steps, for sorted input in n.
 *
 * qsort() leaves the order of equal items to the system, and qsort_r() has other arguments on some.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"

struct sort_item {
	uint64_t key;
	uint32_t tie;   /* decides between equal keys */
	uint32_t value; /* the payload */
};

static inline bool sort_less(const struct sort_item *a, const struct sort_item *b)
{
	return a->key != b->key ? a->key < b->key : a->tie < b->tie;
}

/* Sorts by ascending key, then tie, without calls for comparisons. scratch has room for n items. */
void sort_items(struct sort_item *, size_t n, struct sort_item *scratch);
/* The same, and asks between passes whether to go on. false: it stopped; the order is undefined. */
bool sort_items_until(struct sort_item *, size_t n, struct sort_item *scratch, struct progress *);

/* Below 0: a comes before b; above 0: after; 0: they stay as they are. */
typedef int sort_compare(const void *a, const void *b);
typedef int sort_compare_with(const void *a, const void *b, void *arg);

/* Sorts n items of `size` bytes. items may be NULL if n is 0. */
void sort_array(void *items, size_t n, size_t size, sort_compare *);
/* The same; the function gets `arg`, too. */
void sort_by(void *items, size_t n, size_t size, sort_compare_with *compare, void *arg);
/* The same, and asks every few thousand comparisons whether to go on. false: it stopped; the order is undefined. */
bool sort_by_until(void *items, size_t n, size_t size, sort_compare_with *compare, void *arg, struct progress *);

#endif
