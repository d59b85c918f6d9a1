/*
 * sort.c - a bottom-up merge sort; insertion sort makes the first runs.
 */
#include "base/sort.h"

#include <string.h>

#define RUN 16

static bool in_order(const struct sort_item *a, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (sort_less(&a[i], &a[i - 1]))
			return false;
	return true;
}

static void sort_run(struct sort_item *a, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct sort_item x = a[i];
		size_t j = i;
		for (; j && sort_less(&x, &a[j - 1]); j--)
			a[j] = a[j - 1];
		a[j] = x;
	}
}

/* Stable: of equal items, a's come first. */
static void merge(struct sort_item *to, const struct sort_item *a, const struct sort_item *b,
                  const struct sort_item *end)
{
	const struct sort_item *a_end = b;
	while (a < a_end && b < end)
		*to++ = sort_less(b, a) ? *b++ : *a++;
	memcpy(to, a, (size_t)(a_end - a) * sizeof *a);
	memcpy(to + (a_end - a), b, (size_t)(end - b) * sizeof *b);
}

void sort_items(struct sort_item *items, size_t n, struct sort_item *scratch)
{
	struct sort_item *from = items, *to = scratch;
	if (in_order(items, n))
		return;
	for (size_t i = 0; i < n; i += RUN)
		sort_run(items + i, n - i < RUN ? n - i : RUN);
	for (size_t run = RUN; run < n; run *= 2) {
		struct sort_item *swap = from;
		for (size_t i = 0; i < n; i += 2 * run) {
			size_t middle = n - i < run ? n : i + run, end = n - i < 2 * run ? n : i + 2 * run;
			merge(to + i, from + i, from + middle, from + end);
		}
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, n * sizeof *items);
}
