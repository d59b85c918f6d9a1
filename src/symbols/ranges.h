/*
 * ranges.h - finds which of many ranges of addresses holds an address; ranges may overlap.
 *
 * The caller adds ranges in any order and then settles them: settling resolves overlaps once, so that a look-up is
 * a search among disjoint ranges. An index of blocks of addresses leaves few of them to search. Each range takes at
 * most RANGES_EACH bytes until they are settled, and 32 afterwards.
 */
#ifndef SYMBOLS_RANGES_H
#define SYMBOLS_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANGES_NONE UINT32_MAX
#define RANGES_EACH UINT64_C(56)

struct range {
	uint64_t start, end; /* [start, end) */
	uint32_t value;      /* not RANGES_NONE */
	uint32_t rank;       /* where two overlap, the higher rank wins; equal ranks: either */
};

struct ranges {
	struct range *items; /* until they are settled */
	size_t n_items, cap_items;
	uint64_t *starts; /* settled: rising; values[i] holds from starts[i] to starts[i + 1] */
	uint32_t *values;
	size_t n;
	uint32_t *firsts; /* how many starts are below block number i; one more than there are blocks */
	size_t n_blocks;
	unsigned shift; /* a block has 2^shift addresses; the first one begins at starts[0] */
};

void ranges_init(struct ranges *);
void ranges_deinit(struct ranges *);
/* Makes room for n ranges in all. */
void ranges_reserve(struct ranges *, size_t n);
/* Empty ranges are ignored. */
void ranges_add(struct ranges *, const struct range *);
/* Call once, after the last range. Takes n log n steps for any ranges. */
void ranges_settle(struct ranges *);
/* The value that holds the address, or RANGES_NONE. */
uint32_t ranges_find(const struct ranges *, uint64_t address);

#endif
