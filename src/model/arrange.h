/*
 * arrange.h - the fold step that turns the trie into a tree: siblings sorted, nodes in preorder.
 */
#ifndef MODEL_ARRANGE_H
#define MODEL_ARRANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "folding.h"
#include "tree.h"

#define ARRANGE_STEPS 9 /* of its progress, for each path of the trie */

/*
 * Orders siblings by recipe->sort. places[] (may be NULL) gets the node of each path of the trie; without it, the
 * trie may lose its weights. Cuts weights of the trie if their sum overflows (tree_build.h). false: cancelled, *t
 * is empty.
 */
bool arrange(struct folding *, struct tree *t, uint32_t *places);

#endif
