/*
 * search.h - which frames of a tree match a pattern, how many there are, and what they weigh.
 *
 * A search is done in steps, so that the long one can run on another thread: search_begin() and whatever takes the
 * result belong to the thread that has the tree; search_run() reads names and tree only, which have to stay as they
 * are meanwhile.
 */
#ifndef MODEL_SEARCH_H
#define MODEL_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"
#include "match.h"
#include "symtab.h"
#include "tree.h"

struct search {
	char *pattern; /* owned; NULL: no search */
	enum match_mode mode;
	struct match *match;
	struct symset hits;
	struct symset within; /* private: where hits can be, while it is being made; n is 0: anywhere */
	uint64_t *node_bits;  /* one bit per node of the tree: its symbol is in hits */
	uint32_t *node_ranks; /* bits before each block of 512 nodes */
	struct outer *outers; /* private: what the outermost matches weigh that begin before each block */
	uint32_t
		*tail_hits; /* private, as the next, and NULL where no rows are left out: tails before each that match */
	uint64_t *tail_sums; /* what those of them weigh of which no frame of the tree matches */
	uint32_t *by_weight; /* the heaviest matches, see search_order.h */
	size_t n_by_weight;
	uint64_t frames; /* nodes that match, in the whole tree; of rows that are left out only the weight is known */
	uint32_t zoom;   /* for which the following were counted */
	bool is_counted; /* false: matched is not known, see view.most_counted */
	uint64_t frames_zoom; /* nodes that match at or below the zoom */
	uint64_t matched;     /* weight of the outermost matches at or below the zoom (no double counting) */
};

/*
 * Fills *s, which is overwritten. `before` (may be NULL) is a complete search in the same profile, which can make
 * this one shorter. false: a bad pattern (err says why), *s is as it was.
 */
bool search_begin(struct search *s, const char *pattern, enum match_mode, const struct search *before,
                  struct err *err);
/*
 * Finds the matches in the tree, also if it or the symbols are new, and counts those below `zoom`. false:
 * cancelled.
 */
bool search_run(struct search *s, const struct symtab *, const struct tree *, uint32_t zoom, struct progress *);
/*
 * Counts below another zoom of the same tree. Below a match this looks at each match, at most at `most` of them (0:
 * any number; else is_counted may be false afterwards); else it is quick. false: cancelled.
 */
bool search_count(struct search *, const struct tree *, uint32_t zoom, size_t most, struct progress *);
void search_clear(struct search *s); /* also one that was begun only; there is no search then */

/* The rest reads a search that was run in this tree. */
uint32_t search_rank(const struct search *, uint32_t node);               /* how many nodes before this one match */
uint32_t search_first(const struct search *, uint32_t from, uint32_t to); /* match in [from, to); NO_NODE: none */
uint32_t search_last(const struct search *, uint32_t from, uint32_t to);
/* Does the node stand on one that matches? In constant time. */
bool search_lies_in_match(const struct search *, const struct tree *, uint32_t node);

#endif
