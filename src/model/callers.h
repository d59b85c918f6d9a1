/*
 * callers.h - the fold step that reverses stacks, so that callers grow out of the functions that did the work.
 *
 * Private to the fold, as folding.h is; cut.h describes the rows it leaves out.
 */
#ifndef MODEL_CALLERS_H
#define MODEL_CALLERS_H

#include <stdbool.h>
#include <stdint.h>

#include "folding.h"
#include "tree.h"

/* Do the weights of each side fit 64 bits, so that none has to be cut? */
bool callers_sum_fits(const struct folding *);
/* Reverses the stacks of the trie. false: cancelled. */
bool callers_first(struct folding *);
/*
 * A sample of this path of the first trie went into a chart and ends in this node: keeps its tail, if it has one.
 */
void callers_add_to_chart(struct folding *, uint32_t path, uint32_t node, uint64_t weight);
/* Gives the finished tree its tails. */
void callers_end(struct folding *, struct tree *);

#endif
