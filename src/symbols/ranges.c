/*
 * ranges.c - which of many ranges of addresses holds an address.
 *
 *	added      a |-----------------|          settled    a |-----
 *	           b       |----|                            b       |----
 *	                                                     a            |------
 *	                                                     none                |
 *
 * Settling walks over the starts in rising order. A heap holds the ranges that have started, the highest rank on
 * top; one that has ended leaves it when it comes to the top. Ranges of functions seldom overlap, so the heap
 * mostly has one.
 */
#include "symbols/ranges.h"

#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

struct heap {
	const struct range **items;
	size_t n, cap;
};

void ranges_init(struct ranges *r)
{
	*r = (struct ranges){0};
}

void ranges_deinit(struct ranges *r)
{
	free(r->items);
	free(r->starts);
	free(r->values);
	free(r->firsts);
	ranges_init(r);
}

void ranges_reserve(struct ranges *r, size_t n)
{
	if (n <= r->cap_items)
		return;
	r->items = mem_realloc(r->items, n, sizeof *r->items);
	r->cap_items = n;
}

void ranges_add(struct ranges *r, const struct range *range)
{
	if (range->start < range->end && r->n_items < UINT32_MAX)
		mem_push(r->items, r->n_items, r->cap_items, *range);
}

static void heap_push(struct heap *h, const struct range *range)
{
	mem_push(h->items, h->n, h->cap, range);
	size_t i = h->n - 1;
	for (; i > 0 && h->items[(i - 1) / 2]->rank < range->rank; i = (i - 1) / 2)
		h->items[i] = h->items[(i - 1) / 2];
	h->items[i] = range;
}

static void heap_pop(struct heap *h)
{
	const struct range *last = h->items[--h->n];
	size_t i = 0;
	for (size_t child; (child = 2 * i + 1) < h->n; i = child) {
		if (child + 1 < h->n && h->items[child + 1]->rank > h->items[child]->rank)
			child++;
		if (h->items[child]->rank <= last->rank)
			break;
		h->items[i] = h->items[child];
	}
	h->items[i] = last;
}

/* Sets the value from `start` on. */
static void emit(struct ranges *r, uint64_t start, uint32_t value)
{
	if (r->n > 0 && r->starts[r->n - 1] == start)
		r->n--; /* nothing is left of what was there */
	if (r->n > 0 ? r->values[r->n - 1] == value : value == RANGES_NONE)
		return;
	r->starts[r->n] = start;
	r->values[r->n++] = value;
}

/* Emits the values between the started ranges and `until`, where the next one starts. */
static void advance(struct ranges *r, struct heap *h, uint64_t until)
{
	while (h->n > 0 && h->items[0]->end <= until) {
		uint64_t end = h->items[0]->end;
		do {
			heap_pop(h);
		} while (h->n > 0 && h->items[0]->end <= end);
		emit(r, end, h->n > 0 ? h->items[0]->value : RANGES_NONE);
	}
}

static bool is_sorted(const struct ranges *r)
{
	for (size_t i = 1; i < r->n_items; i++)
		if (r->items[i].start < r->items[i - 1].start)
			return false;
	return true;
}

/* Moves the ranges into the order, without a second array of them: along each cycle of moves. */
static void reorder(struct range *items, struct sort_item *order, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct range first = items[i];
		size_t at = i;
		for (uint32_t from; (from = order[at].value) != i; at = from) {
			items[at] = items[from];
			order[at].value = (uint32_t)at;
		}
		order[at].value = (uint32_t)at;
		items[at] = first;
	}
}

static void sort_by_start(struct ranges *r)
{
	if (is_sorted(r))
		return;
	struct sort_item *order = mem_alloc(r->n_items * sizeof *order);
	struct sort_item *scratch = mem_alloc(r->n_items * sizeof *scratch);
	for (size_t i = 0; i < r->n_items; i++)
		order[i] = (struct sort_item){r->items[i].start, 0, (uint32_t)i};
	sort_items(order, r->n_items, scratch);
	free(scratch);
	reorder(r->items, order, r->n_items);
	free(order);
}

/* Chooses blocks so that there is about one for each start. */
static void index_blocks(struct ranges *r)
{
	uint64_t span = r->n > 0 ? r->starts[r->n - 1] - r->starts[0] : 0;
	size_t next = 0;
	for (r->shift = 0; span >> r->shift > r->n; r->shift++)
		;
	r->n_blocks = (size_t)(span >> r->shift) + 1;
	r->firsts = mem_alloc((r->n_blocks + 1) * sizeof *r->firsts);
	for (size_t i = 0; i < r->n; i++)
		for (size_t block = (size_t)((r->starts[i] - r->starts[0]) >> r->shift); next <= block; next++)
			r->firsts[next] = (uint32_t)i;
	for (; next <= r->n_blocks; next++)
		r->firsts[next] = (uint32_t)r->n;
}

void ranges_settle(struct ranges *r)
{
	struct heap heap = {0};
	size_t most = r->n_items * 2; /* each begins and ends once */
	sort_by_start(r);
	r->starts = mem_alloc(most * sizeof *r->starts);
	r->values = mem_alloc(most * sizeof *r->values);
	for (size_t i = 0; i < r->n_items; i++) {
		const struct range *range = &r->items[i];
		advance(r, &heap, range->start);
		heap_push(&heap, range);
		emit(r, range->start, heap.items[0]->value);
	}
	advance(r, &heap, UINT64_MAX);
	free(heap.items);
	free(r->items);
	r->items = NULL;
	r->n_items = r->cap_items = 0;
	r->starts = mem_realloc(r->starts, r->n, sizeof *r->starts);
	r->values = mem_realloc(r->values, r->n, sizeof *r->values);
	index_blocks(r);
}

uint32_t ranges_find(const struct ranges *r, uint64_t address)
{
	if (r->n == 0 || address < r->starts[0])
		return RANGES_NONE;
	uint64_t block = (address - r->starts[0]) >> r->shift;
	if (block >= r->n_blocks)
		return r->values[r->n - 1];
	size_t low = r->firsts[block], high = r->firsts[block + 1]; /* starts[low - 1] <= address < starts[high] */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (r->starts[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return r->values[low - 1];
}
