/*
 * trie_tree.h - turns a small trie into a tree.
 */
#ifndef MODEL_TRIE_TREE_H
#define MODEL_TRIE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"
#include "symtab.h"
#include "tree.h"
#include "trie.h"

/*
 * Overwrites the tree; siblings are ordered by name or by weight. Fills place[], one entry for each path, with the
 * nodes of the paths. false: cancelled, the tree is empty.
 */
bool trie_to_tree(const struct trie *, struct tree *, uint32_t *place, const struct symtab *, bool is_by_weight,
                  struct progress *);

#endif
