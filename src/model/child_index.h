/*
 * child_index.h - finds children of a node by their symbols, as tree_find_child() does, for more than one look-up.
 */
#ifndef MODEL_CHILD_INDEX_H
#define MODEL_CHILD_INDEX_H

#include <stdint.h>

#include "base/idmap.h"
#include "tree.h"

/* Zeroed: of no node. Valid as long as the tree is. */
struct child_index {
	const struct tree *tree; /* not owned; NULL: of no node */
	uint32_t parent;
	unsigned n_scans;
	struct idmap by_sym; /* symbol -> child; empty: not needed yet */
};

/* Forgets the node before. */
void child_index_begin(struct child_index *, const struct tree *, uint32_t parent);
void child_index_deinit(struct child_index *);
/* NO_NODE: there is none. */
uint32_t child_index_find(struct child_index *, uint32_t sym);

#endif
