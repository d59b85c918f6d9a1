/*
 * turn.h - reverses every stack of a fold.
 *
 * Private to the fold, as folding.h is.
 */
#ifndef MODEL_TURN_H
#define MODEL_TURN_H

#include <stdint.h>

#include "folding.h"
#include "trie.h"

enum turn { TURN_DONE, TURN_STOPPED, TURN_TOO_MANY };

/*
 * Puts the stacks of the fold's trie into `to`, an empty trie, from their leaves to their roots; its paths are in
 * preorder. map[] leads from each path in which samples end to its new one, the others are DROPPED. Ends early if
 * the fold is cancelled, or there are more than `most` paths: then `to` and map[] are incomplete.
 */
enum turn turn_stacks(const struct folding *, struct trie *to, uint32_t *map, uint64_t most);

#endif
