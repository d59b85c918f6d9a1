/*
 * ksymbols.c - functions that the kernel generates and removes during the recording.
 *
 * They come between the samples, usually a few dozen, but a recording may hold any number. A linear search covers
 * the last few hundred; earlier ones are settled (symbols/ranges.h), again whenever too many are not.
 */
#include "symbols/ksymbols.h"

#include "base/mem.h"

#define LOOSE_MIN ((size_t)256)

void ksymbols_init(struct ksymbols *k)
{
	*k = (struct ksymbols){.low = UINT64_MAX};
	ranges_init(&k->settled);
}

void ksymbols_deinit(struct ksymbols *k)
{
	free(k->items);
	ranges_deinit(&k->settled);
}

void ksymbols_add(struct ksymbols *k, const struct ksymbol *symbol)
{
	if (symbol->start >= symbol->end || k->n >= RANGES_NONE)
		return;
	mem_push(k->items, k->n, k->cap, *symbol);
	k->low = symbol->start < k->low ? symbol->start : k->low;
	k->high = symbol->end > k->high ? symbol->end : k->high;
}

static void settle(struct ksymbols *k)
{
	ranges_deinit(&k->settled);
	for (size_t i = 0; i < k->n; i++)
		ranges_add(&k->settled, &(struct range){k->items[i].start, k->items[i].end, (uint32_t)i, (uint32_t)i});
	ranges_settle(&k->settled);
	k->n_settled = k->n;
}

const struct ksymbol *ksymbols_find(struct ksymbols *k, uint64_t address)
{
	if (address < k->low || address >= k->high)
		return NULL;
	if (k->n - k->n_settled > LOOSE_MIN + k->n / 16)
		settle(k);
	const struct ksymbol *found = NULL;
	for (size_t i = k->n; i > k->n_settled && !found; i--)
		if (k->items[i - 1].start <= address && address < k->items[i - 1].end)
			found = &k->items[i - 1];
	uint32_t i = found ? RANGES_NONE : ranges_find(&k->settled, address);
	found = i != RANGES_NONE ? &k->items[i] : found;
	return found && found->name ? found : NULL;
}
