/*
 * tree_sums.h - a table of functions: the weight of each name in a tree.
 */
#ifndef MODEL_TREE_SUMS_H
#define MODEL_TREE_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "symtab.h"
#include "tree.h"

/*
 * Sums over all nodes of a name; `total` counts a name inside itself once. Weights include rows that were left out;
 * frames are those of the tree.
 */
struct name_sum {
	uint32_t sym;
	uint32_t frames;      /* nodes with this name */
	uint64_t self, total; /* tree_own(), tree_total() */
	uint64_t base_self, base_total;
};
/*
 * Sums every symbol below `zoom`; the caller frees the array, whose order is undefined. After a cancellation
 * (progress may be NULL) the sums are unusable.
 */
struct name_sum *tree_sums(const struct tree *, uint32_t zoom, size_t n_symbols, size_t *n, struct progress *);

/* Orders sums for qsort(): by self weight, the heaviest first, then by total, then by name. */
int tree_sums_order(const struct symtab *, const struct name_sum *, const struct name_sum *);
/*
 * Copies the `most` sums with the most self weight to out, in that order; none without self weight. Returns their
 * number. One pass: `most` should be small.
 */
size_t tree_heaviest(const struct symtab *, const struct name_sum *sums, size_t n, struct name_sum *out,
                     size_t most);

/* How many with self weight come after this one in that order (equal ones by symbol); NULL: all of them. */
size_t tree_sums_count_after(const struct symtab *, const struct name_sum *sums, size_t n,
                             const struct name_sum *after);
/* Of these, the one with that many before it; NULL: there are fewer. */
const struct name_sum *tree_sums_after(const struct symtab *, const struct name_sum *sums, size_t n,
                                       const struct name_sum *after, size_t before);

#endif
