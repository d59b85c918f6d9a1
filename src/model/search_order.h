/*
 * search_order.h - the matches of a search by weight: where "next" leads, and which of them a frame is.
 *
 * Only the heaviest SEARCH_ORDERED matches of a tree are put in order; equal ones stay in that of the tree. Ranges
 * are of nodes, [from, to).
 */
#ifndef MODEL_SEARCH_ORDER_H
#define MODEL_SEARCH_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"
#include "search.h"
#include "tree.h"

#ifndef SEARCH_ORDERED
#define SEARCH_ORDERED 32768u
#endif

/* Puts the matches of a search that was run in this tree in order. false: cancelled. */
bool search_order(struct search *, const struct tree *, struct progress *);
/* The heaviest match in the range; NO_NODE: none, or none of those that are in order. */
uint32_t search_heaviest(const struct search *, uint32_t from, uint32_t to);
/*
 * The match in the range that is next lighter than `node` (heavier if backwards); behind the last one follows the
 * first. NO_NODE as above.
 */
uint32_t search_next_lighter(const struct search *, const struct tree *, uint32_t node, uint32_t from, uint32_t to,
                             bool backwards);
/* How many matches in the range come before `node` in this order; UINT64_MAX: it is none of those in order. */
uint64_t search_place(const struct search *, const struct tree *, uint32_t node, uint32_t from, uint32_t to);

#endif
