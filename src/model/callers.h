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
#include "turn.h"

/* Do the weights of each side fit 64 bits, so that none has to be cut? */
bool callers_sum_fits(const struct folding *);
/* Reverses the stacks of the trie, unless they would have too many frames; then the trie is as it was. */
enum turn callers_at_once(struct folding *);
/* Reverses them as far as rows fit. false: cancelled. */
bool callers_by_rows(struct folding *);
/*
 * A sample of this path of the first trie went into a chart and ends in this node: keeps its tail, if it has one.
 */
void callers_add_to_chart(struct folding *, uint32_t path, uint32_t node, uint64_t weight);
/* Gives the finished tree its tails. */
void callers_end(struct folding *, struct tree *);

#endif
