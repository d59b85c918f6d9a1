/*
 * trie.h - call paths under construction: the intermediate results between a profile's paths and a tree.
 *
 * A path is a number larger than its parent's; it carries the weight of the samples that end in it. Unlike a tree
 * (tree.h) a trie has no order, and can grow.
 *
 * Loops over paths check for cancellation with TRIE_STOPS(). A cancelled loop leaves an incomplete result that is
 * safe to free; callers check trie_is_stopped() before they read it.
 */
#ifndef MODEL_TRIE_H
#define MODEL_TRIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"

#define DROPPED UINT32_MAX
#define EVERY(i) (((i)&0xffff) == 0xffff)

/* Path 0 is the root, parent[i] < i. */
struct trie {
	uint32_t n;
	size_t cap;
	uint32_t *parent, *sym;
	bool is_borrowed;    /* parent and sym belong to the profile and must not change */
	uint64_t *weight[2]; /* self; [1] only with a baseline */
	double *squares[2];  /* sums of squared sample weights, as weight; NULL: not needed */
	uint32_t *origin;    /* owned; by path, as in a tree (tree.h); NULL: not kept */
	uint8_t *is_used;    /* a sample, maybe of weight 0, ends here: bit 0: of the profile, bit 1: of the baseline */
	/* The first sample that ends here, counted back from 2^64 - 1, 0: none. NULL: the order does not matter */
	uint64_t *age;
	uint32_t *slots; /* index over (parent, sym): path numbers, 0 free; NULL: not needed yet */
	size_t n_slots;
	struct progress *progress; /* not owned; NULL: cannot be cancelled */
};

static inline bool trie_is_stopped(const struct trie *s)
{
	return !progress_step(s->progress, 0);
}
#define TRIE_STOPS(s, i) (EVERY(i) && trie_is_stopped(s))
/* Likewise; counts `steps` for each path as done. */
#define TRIE_COUNTS(s, i, steps) (EVERY(i) && !progress_step((s)->progress, (steps)*UINT64_C(0x10000)))

void trie_init(struct trie *, size_t cap, bool has_base, struct progress *); /* only the root */
void trie_init_like(struct trie *, const struct trie *like); /* only the root, room for as many paths */
/* Takes over the n paths; weights and the like as in `like`, starting at 0. */
void trie_init_from(struct trie *, uint32_t n, uint32_t *parent, uint32_t *sym, const struct trie *like);
/* Uses paths of the caller, which must outlive the trie; weights start at 0. */
void trie_borrow(struct trie *, uint32_t n, uint32_t *parent, uint32_t *sym, bool has_base, struct progress *);
void trie_deinit(struct trie *);
void trie_forget_weights(struct trie *);                                /* and in which paths samples end */
uint32_t trie_child(struct trie *, uint32_t parent, uint32_t sym);      /* added if it is new */
uint32_t trie_find(const struct trie *, uint32_t parent, uint32_t sym); /* DROPPED: none */
void trie_want_ages(struct trie *);
void trie_want_squares(struct trie *); /* on each side that has weights */
/* The greater one counts; nothing without ages. */
static inline void trie_add_age(struct trie *s, uint32_t path, uint64_t age)
{
	if (s->age && age > s->age[path])
		s->age[path] = age;
}
uint32_t *trie_depths(const struct trie *); /* by path, 0 for the root; the caller frees it */

#endif
