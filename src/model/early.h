/*
 * early.h - the wide frames of a caller tree, long before the rest of it is made.
 *
 * Private to the fold, as folding.h is.
 */
#ifndef MODEL_EARLY_H
#define MODEL_EARLY_H

#include <stdbool.h>

#include "folding.h"
#include "tree.h"

/*
 * Makes a tree of the fold's stacks from their leaves, with siblings as the recipe says. Its weights and positions
 * are those of the whole tree, and so is its first row. Frames that are narrower than any cell of a screen have no
 * callers, nor do the last rows of a tree in which too many stacks climb. The sums of the weights must fit 64 bits.
 * false: there is no weight, or the fold was cancelled.
 */
bool early_callers(const struct folding *, struct tree *);

#endif
