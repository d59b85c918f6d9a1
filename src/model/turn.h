/*
 * turn.h - reverses every stack of a fold.
 *
 * Private to the fold, as folding.h is.
 */
#ifndef MODEL_TURN_H
#define MODEL_TURN_H

#include <stdint.h>

#include "folding.h"
#include "tree.h"

enum turn { TURN_DONE, TURN_STOPPED, TURN_TOO_MANY };

/*
 * Makes a tree of the stacks of the fold's trie, from their leaves to their roots, with siblings as the recipe
 * says. The sum of the weights must fit 64 bits; if it does not, positions are wrong. map[] (may be NULL) leads
 * from each path in which samples end to its node, the others are DROPPED. Ends early if the fold is cancelled, or
 * there are more than `most` nodes: then there is no tree, and map[] is incomplete.
 */
enum turn turn_stacks(struct folding *, struct tree *, uint32_t *map, uint64_t most);

#endif
