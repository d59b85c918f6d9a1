/*
 * trie.h - call paths that are being made: what a fold turns the paths of a profile into, step by step.
 *
 * A path is a number, its parent's is smaller, and it carries the weight of the samples that end in it. Unlike a
 * tree (tree.h) a trie has no order, and grows.
 *
 * Loops over paths ask on the way whether to go on, by TRIE_STOPS(). What a stopped loop leaves is incomplete, but
 * safe to free; its caller asks trie_is_stopped() before it reads it.
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
	bool is_borrowed;    /* these two are the profile's and stay as they are */
	uint64_t *weight[2]; /* self; [1] only with a baseline */
	uint8_t *is_used;    /* a sample ends here, maybe of weight 0: bit 0: of the profile, bit 1: of the baseline */
	uint32_t *slots;     /* index over (parent, sym): path numbers, 0 free; NULL while not needed */
	size_t n_slots;
	struct progress *progress; /* not owned; NULL: it is never stopped */
};

static inline bool trie_is_stopped(const struct trie *s)
{
	return !progress_step(s->progress, 0);
}
#define TRIE_STOPS(s, i) (EVERY(i) && trie_is_stopped(s))

void trie_init(struct trie *, size_t cap, bool has_base, struct progress *); /* the root alone */
void trie_init_like(struct trie *, const struct trie *like); /* the root alone, room for as many paths */
/* These paths, which stay the caller's and must outlive the trie, without weights. */
void trie_borrow(struct trie *, uint32_t n, uint32_t *parent, uint32_t *sym, bool has_base, struct progress *);
void trie_deinit(struct trie *);
uint32_t trie_child(struct trie *, uint32_t parent, uint32_t sym);      /* made if it is not there */
uint32_t trie_find(const struct trie *, uint32_t parent, uint32_t sym); /* DROPPED: it is not there */
uint32_t *trie_depths(const struct trie *); /* by path, the root's is 0; the caller frees */

#endif
