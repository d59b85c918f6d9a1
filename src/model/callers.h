/*
 * callers.h - the step of a fold that turns stacks around, so that callers grow out of the functions that did the
 * work.
 *
 * Private to the folding, as folding.h is; what it leaves out of a tree stands in cut.h.
 */
#ifndef MODEL_CALLERS_H
#define MODEL_CALLERS_H

#include <stdbool.h>
#include <stdint.h>

#include "folding.h"
#include "tree.h"

/* Turns the stacks of the trie around. false: stopped. */
bool callers_first(struct folding *);
/* A sample of this path of the first trie was added to a chart, in which its stack ends in this node. */
void callers_add_to_chart(struct folding *, uint32_t path, uint32_t node, uint64_t weight);
/* Once the trie has become a tree: hands it what was left out. */
void callers_end(struct folding *, struct tree *);

#endif
