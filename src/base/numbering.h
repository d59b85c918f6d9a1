/*
 * numbering.h - numbers of a list whose items are kept once where they repeat the one before.
 *
 *	numbers  0 1 2 3 4 5 6        items  a b c      repeats  2 from 1 on, 3 from 5 on
 *	         a a a b c c c
 *
 * A number's place among the items that are kept is found by the repeats before it. A list without repeats takes no
 * memory here, and one with many takes 16 bytes for each row of them.
 */
#ifndef BASE_NUMBERING_H
#define BASE_NUMBERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"

/* Numbers in a row that repeat the item before them. */
struct repeats {
	uint64_t first; /* number */
	uint64_t upto;  /* all repeats up to the last one of the row */
};

/* Zeroed is empty. */
struct numbering {
	uint64_t n; /* numbers so far */
	struct repeats *rows;
	size_t n_rows, cap_rows;
};

static inline void numbering_deinit(struct numbering *x)
{
	free(x->rows);
	*x = (struct numbering){0};
}

/* The repeats before a row. */
static inline uint64_t repeats_before(const struct numbering *x, size_t row)
{
	return row ? x->rows[row - 1].upto : 0;
}

/* The number after those of a row. */
static inline uint64_t repeats_end(const struct numbering *x, size_t row)
{
	return x->rows[row].first + x->rows[row].upto - repeats_before(x, row);
}

/* Gives a number to an item, which repeats the one before, or is kept. The first one is no repeat. */
static inline void numbering_add(struct numbering *x, bool is_repeat)
{
	uint64_t number = x->n++;
	if (!is_repeat)
		return;
	if (x->n_rows && repeats_end(x, x->n_rows - 1) == number) {
		x->rows[x->n_rows - 1].upto++;
		return;
	}
	const struct repeats row = {number, repeats_before(x, x->n_rows) + 1};
	mem_push(x->rows, x->n_rows, x->cap_rows, row);
}

/* The place of a number, which is below n, among the items that are kept. */
static inline uint64_t numbering_place(const struct numbering *x, uint64_t number)
{
	size_t from = 0, to = x->n_rows;
	while (from < to) {
		size_t mid = from + (to - from) / 2;
		if (x->rows[mid].first <= number)
			from = mid + 1;
		else
			to = mid;
	}
	if (!from)
		return number;
	if (number < repeats_end(x, from - 1))
		return x->rows[from - 1].first - 1 - repeats_before(x, from - 1);
	return number - x->rows[from - 1].upto;
}

#endif
