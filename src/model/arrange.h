/*
 * arrange.h - the step of a fold that makes a tree of the trie: siblings in order, nodes in preorder.
 */
#ifndef MODEL_ARRANGE_H
#define MODEL_ARRANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "folding.h"
#include "tree.h"

/*
 * Siblings stand as recipe->sort says. places[] (may be NULL) gets the node of each path of the trie. Weights of
 * the trie are cut if their sum does not fit (tree_build.h). false: cancelled, *t is empty.
 */
bool arrange(struct folding *, struct tree *t, uint32_t *places);

#endif
