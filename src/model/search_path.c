/*
 * search_path.c - follows the weight of all matches down a tree.
 *
 * A function that is called from many places has many light frames. The heaviest of them may be in an odd corner,
 * sixty calls deep, while most of its weight is elsewhere. So a path goes to the child with most matched weight,
 * until it comes to a match. It ends earlier where the matches spread: where no child has a tenth of them.
 */
#include "search.h"

/* Matches in left-out rows are not on any path. */
static uint64_t matched_below(const struct search *s, const struct tree *t, uint32_t node)
{
	return search_outer_weight(s, t, t->end[node]) - search_outer_weight(s, t, node);
}

/* The child with most matched weight, the first of equal ones; NO_NODE: none has any. */
static uint32_t heaviest_child(const struct search *s, const struct tree *t, uint32_t node, uint64_t *matched)
{
	uint32_t best = NO_NODE;
	*matched = 0;
	for (uint32_t i = tree_first_child(t, node); i != NO_NODE; i = tree_next_sibling(t, i)) {
		if (tree_total(t, i) <= *matched)
			continue;
		uint64_t weight = matched_below(s, t, i);
		best = weight > *matched ? i : best;
		*matched = weight > *matched ? weight : *matched;
	}
	return best;
}

uint32_t search_heaviest_path(const struct search *s, const struct tree *t, uint32_t from)
{
	uint64_t all = matched_below(s, t, from), matched;
	uint32_t node = from;
	if (!all || search_first(s, from, from + 1) == from || search_lies_in_match(s, t, from))
		return NO_NODE;
	do {
		uint32_t child = heaviest_child(s, t, node, &matched);
		if (child == NO_NODE || matched < all / 10)
			return node;
		node = child;
	} while (search_first(s, node, node + 1) != node);
	return node;
}
