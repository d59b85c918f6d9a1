/*
 * sort.c - bottom-up merge sorts; insertion sort makes the first runs. Many items are sorted digit by digit, if
 * their keys have few digits: a wrong guess of the processor for every other comparison costs more.
 */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define RUN 16
#define MANY_ITEMS 4096u
#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)

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

/* ---- digits -------------------------------------------------------------------------------------------------- */

/* What is to be sorted by: the places of the bits in which the items differ. */
struct digits {
	uint64_t key;
	uint32_t tie; /* 0: ties ascend already */
};

static struct digits digits_of(const struct sort_item *a, size_t n)
{
	struct digits d = {0, 0};
	bool ascend = true;
	for (size_t i = 1; i < n; i++) {
		d.key |= a[i].key ^ a[0].key;
		d.tie |= a[i].tie ^ a[0].tie;
		ascend &= a[i].tie >= a[i - 1].tie;
	}
	if (ascend)
		d.tie = 0;
	return d;
}

/* The lowest digit in which the items differ begins at this bit. */
static unsigned next_digit(uint64_t bits)
{
	return (unsigned)__builtin_ctzll(bits);
}

static uint64_t without_digit(uint64_t bits)
{
	unsigned end = next_digit(bits) + DIGIT_BITS;
	return end < 64 ? bits >> end << end : 0;
}

static unsigned count_digits(uint64_t bits)
{
	unsigned n = 0;
	for (; bits; bits = without_digit(bits))
		n++;
	return n;
}

/* Puts items into `to` by the digit at this bit of keys or ties; those with equal digits keep their order. */
static void sort_digit(struct sort_item *to, const struct sort_item *from, size_t n, unsigned shift, bool by_tie)
{
	size_t start[DIGITS + 1] = {0};
	for (size_t i = 0; i < n; i++)
		start[((by_tie ? from[i].tie : from[i].key) >> shift & (DIGITS - 1)) + 1]++;
	for (size_t d = 0; d < DIGITS; d++)
		start[d + 1] += start[d];
	for (size_t i = 0; i < n; i++)
		to[start[(by_tie ? from[i].tie : from[i].key) >> shift & (DIGITS - 1)]++] = from[i];
}

/* Sorts by all digits that differ, the lowest first. Returns where the items are. */
static struct sort_item *sort_digits(struct sort_item *from, struct sort_item *to, size_t n, uint64_t bits,
                                     bool by_tie, struct progress *progress)
{
	for (; bits && progress_step(progress, 0); bits = without_digit(bits)) {
		struct sort_item *swap = from;
		sort_digit(to, from, n, next_digit(bits), by_tie);
		from = to;
		to = swap;
	}
	return from;
}

/* false: merging takes fewer passes. */
static bool sort_by_digits(struct sort_item *items, size_t n, struct sort_item *scratch, struct progress *progress)
{
	struct digits d = digits_of(items, n);
	unsigned passes = count_digits(d.key) + count_digits(d.tie), merges = 0;
	for (size_t run = RUN; run < n; run *= 2)
		merges++;
	if (passes >= merges)
		return false;
	struct sort_item *at = sort_digits(items, scratch, n, d.tie, true, progress);
	at = sort_digits(at, at == items ? scratch : items, n, d.key, false, progress);
	if (at != items)
		memcpy(items, at, n * sizeof *items);
	return true;
}

static void sort_by_merging(struct sort_item *items, size_t n, struct sort_item *scratch, struct progress *progress)
{
	struct sort_item *from = items, *to = scratch;
	for (size_t i = 0; i < n; i += RUN)
		sort_run(items + i, n - i < RUN ? n - i : RUN);
	for (size_t run = RUN; run < n && progress_step(progress, 0); run *= 2) {
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

bool sort_items_until(struct sort_item *items, size_t n, struct sort_item *scratch, struct progress *progress)
{
	if (!in_order(items, n) && (n < MANY_ITEMS || !sort_by_digits(items, n, scratch, progress)))
		sort_by_merging(items, n, scratch, progress);
	return progress_step(progress, 0);
}

void sort_items(struct sort_item *items, size_t n, struct sort_item *scratch)
{
	sort_items_until(items, n, scratch, NULL);
}

/* ---- items of any kind --------------------------------------------------------------------------------------- */

struct order {
	size_t size; /* bytes of an item */
	sort_compare *compare;
	sort_compare_with *compare_with; /* NULL: compare is meant */
	void *arg;
	char *spare;               /* one item */
	struct progress *progress; /* asked whether to stop; NULL: sorts to the end */
	unsigned steps;            /* comparisons since it was asked */
	bool is_stopped;
};

#define STEPS_BETWEEN_LOOKS 4096u

static void look(struct order *o)
{
	o->steps = 0;
	o->is_stopped = !progress_step(o->progress, 0);
}

static int compared(struct order *o, const char *a, const char *b)
{
	if (++o->steps == STEPS_BETWEEN_LOOKS)
		look(o);
	return o->compare_with ? o->compare_with(a, b, o->arg) : o->compare(a, b);
}

static bool any_in_order(struct order *o, const char *items, size_t n)
{
	for (size_t i = 1; i < n && !o->is_stopped; i++)
		if (compared(o, items + (i - 1) * o->size, items + i * o->size) > 0)
			return false;
	return true;
}

static void insert_any(struct order *o, char *items, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		size_t j = i;
		while (j && compared(o, items + (j - 1) * o->size, items + i * o->size) > 0)
			j--;
		if (j == i)
			continue;
		memcpy(o->spare, items + i * o->size, o->size);
		memmove(items + (j + 1) * o->size, items + j * o->size, (i - j) * o->size);
		memcpy(items + j * o->size, o->spare, o->size);
	}
}

static void merge_any(struct order *o, char *to, const char *a, const char *b, const char *end)
{
	const char *a_end = b;
	while (a < a_end && b < end && !o->is_stopped) {
		const char **from = compared(o, a, b) > 0 ? &b : &a;
		memcpy(to, *from, o->size);
		*from += o->size;
		to += o->size;
	}
	memcpy(to, a, (size_t)(a_end - a));
	memcpy(to + (a_end - a), b, (size_t)(end - b));
}

/* Returns where the sorted items are, or all items in some order if it stopped: `items` or `scratch`. */
static char *sort_any(struct order *o, char *items, size_t n, char *scratch)
{
	size_t all = n * o->size;
	for (size_t i = 0; i < n && !o->is_stopped; i += RUN)
		insert_any(o, items + i * o->size, n - i < RUN ? n - i : RUN);
	for (size_t run = RUN * o->size; run < all; run *= 2) {
		char *from = items;
		for (size_t i = 0; i < all; i += 2 * run) {
			size_t middle = all - i < run ? all : i + run, end = all - i < 2 * run ? all : i + 2 * run;
			merge_any(o, scratch + i, from + i, from + middle, from + end);
			if (o->is_stopped)
				return items;
		}
		items = scratch;
		scratch = from;
	}
	return items;
}

static void sort_ordered(struct order *o, char *items, size_t n)
{
	if (n < 2 || any_in_order(o, items, n))
		return;
	char *scratch = mem_alloc((n + 1) * o->size);
	o->spare = scratch + n * o->size;
	char *sorted = sort_any(o, items, n, scratch);
	if (sorted != items)
		memcpy(items, sorted, n * o->size);
	free(scratch);
}

void sort_array(void *items, size_t n, size_t size, sort_compare *compare)
{
	sort_ordered(&(struct order){.size = size, .compare = compare}, items, n);
}

void sort_by(void *items, size_t n, size_t size, sort_compare_with *compare, void *arg)
{
	sort_ordered(&(struct order){.size = size, .compare_with = compare, .arg = arg}, items, n);
}

bool sort_by_until(void *items, size_t n, size_t size, sort_compare_with *compare, void *arg,
                   struct progress *progress)
{
	struct order o = {.size = size, .compare_with = compare, .arg = arg, .progress = progress};
	look(&o);
	if (!o.is_stopped)
		sort_ordered(&o, items, n);
	return !o.is_stopped;
}
