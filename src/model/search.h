/*
 * search.h - the frames of a tree that match a pattern: which, how many, and their weight.
 *
 * A search runs in steps, so that the long one can run on another thread: the thread that owns the tree calls
 * search_begin() and takes the result; search_run() only reads names and tree, which must not change meanwhile.
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
	struct symset hits;   /* symbols: of tree.origin if the search is for modules and the like, else of tree.sym */
	struct symset names;  /* plain symbols of matching nodes, if hits are not about tree.sym */
	struct match_in in;   /* private: the symbols that hits tell about */
	struct symset within; /* private: symbols that hits are limited to while searching; n is 0: no limit */
	uint64_t *node_bits;  /* one bit per node of the tree: its symbol is a hit */
	uint32_t n_limited; /* private: until it has run, all its matches are among node_bits of so many nodes; 0: no */
	uint32_t *node_ranks; /* bits before each block of 512 nodes */
	struct outer *outers; /* private: weight of the outermost matches that begin before each block */
	/* Private; both are NULL if no rows are left out: */
	uint32_t *tail_hits; /* number of matching tails before each */
	uint64_t *tail_sums; /* weight of those matching tails without a matching frame in the tree */
	uint32_t *by_weight; /* the heaviest matches, see search_order() */
	size_t n_by_weight;
	uint64_t frames;      /* matching nodes in the whole tree; left-out rows only have a known weight */
	uint32_t zoom;        /* zoom of the counts below */
	bool is_counted;      /* false: matched is unknown, see view.most_counted */
	uint64_t frames_zoom; /* matching nodes at or below the zoom */
	uint64_t matched;     /* weight of the outermost matches at or below the zoom (each stack counted once) */
};

/*
 * Overwrites *s with a new search. `before` (may be NULL), a complete search in the same profile, can shorten it.
 * false: a bad pattern (err says why), *s is unchanged.
 */
bool search_begin(struct search *s, const char *pattern, enum match_mode, const struct search *before,
                  struct err *err);
/*
 * For a search that has begun with `before`, which was run in the tree in which this one will: if it can only match
 * less, nodes that did not match are not looked at.
 */
void search_limit(struct search *s, const struct search *before, const struct tree *);
/*
 * Finds the matches in a tree and counts those below `zoom`; also for a new tree or after new symbols. false:
 * cancelled.
 */
bool search_run(struct search *s, const struct symtab *, const struct tree *, uint32_t zoom, struct progress *);
/*
 * Counts below another zoom of the same tree. Inside a match this visits each match, at most `most` (0: any number;
 * otherwise is_counted may become false); elsewhere it is quick. false: cancelled.
 */
bool search_count(struct search *, const struct tree *, uint32_t zoom, size_t most, struct progress *);
/* Counts of a search: matching nodes, and the weight of the outermost ones. */
struct search_sum {
	uint64_t frames, matched;
};
/* Those of the whole tree, whatever the zoom is. */
struct search_sum search_of_all(const struct search *, const struct tree *);
void search_clear(struct search *s); /* ends the search, also one that has only begun */

/* Does the node's own name or label match? */
bool search_is_hit(const struct search *, const struct tree *, uint32_t node);

/* Does a node of this name match? */
bool search_has_name(const struct search *, uint32_t sym);

/* The functions below read a search that was run in this tree. */
uint32_t search_rank(const struct search *, uint32_t node);               /* number of matches before this node */
uint32_t search_first(const struct search *, uint32_t from, uint32_t to); /* match in [from, to); NO_NODE: none */
uint32_t search_last(const struct search *, uint32_t from, uint32_t to);
/*
 * The next matches from a node on, at most SEARCH_AT_ONCE. What their totals are made of is fetched into the cache
 * together, since memory answers slowly. Returns their number.
 */
#define SEARCH_AT_ONCE 32u
unsigned search_fetch(const struct search *, const struct tree *, uint32_t from, uint32_t *hits);
bool search_has_between(const struct search *, uint32_t from, uint32_t to); /* is there one in [from, to)? */
/* Weight of the outermost matches of the tree that begin before this node. */
uint64_t search_outer_weight(const struct search *, const struct tree *, uint32_t node);
/* Does an ancestor of the node match? Takes constant time. */
bool search_lies_in_match(const struct search *, const struct tree *, uint32_t node);

/*
 * The end of the path below `from` that has most matched weight in each step (search_path.c): a match; or a frame
 * of which no child has a tenth of the matched weight. NO_NODE: no match has weight, or one is `from` or above it.
 */
uint32_t search_heaviest_path(const struct search *, const struct tree *, uint32_t from);

/*
 * Matches by weight (search_order.c). Only the heaviest 32,768 of a tree are put in order; equal ones stay in that
 * of the tree. Ranges are of nodes, [from, to).
 */

/* Puts the matches of a search that was run in this tree in order. false: cancelled. */
bool search_order(struct search *, const struct tree *, struct progress *);
/* The heaviest match in the range; NO_NODE: none, or none of those that are in order. */
uint32_t search_heaviest(const struct search *, uint32_t from, uint32_t to);
/*
 * The match in the range that is next lighter than `node` (heavier if backwards); after the last one follows the
 * first. NO_NODE as above.
 */
uint32_t search_next_lighter(const struct search *, const struct tree *, uint32_t node, uint32_t from, uint32_t to,
                             bool backwards);
/* How many matches in the range come before `node` in this order; UINT64_MAX: it is none of those in order. */
uint64_t search_place(const struct search *, const struct tree *, uint32_t node, uint32_t from, uint32_t to);

#endif
