/*
 * folding.h - a trie in the making: what the steps of a fold hand to one another.
 *
 * Private to the folding (fold.c, callers.c). Loops over paths ask on the way whether to go on, by TRIE_STOPS(); what a
 * loop that was stopped leaves is worth nothing but safe to free, and its caller asks trie_is_stopped() before it reads it.
 */
#ifndef MODEL_FOLDING_H
#define MODEL_FOLDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "fold.h"
#include "profile.h"
#include "tree.h"

#define DROPPED UINT32_MAX
#define EVERY(i) (((i)&0xffff) == 0xffff)

/* Path 0 is the root, parent[i] < i. */
struct trie {
	uint32_t n;
	size_t cap;
	uint32_t *parent, *sym;
	bool is_borrowed;    /* these two are the profile's and stay as they are */
	uint64_t *weight[2]; /* self; [1] only with a baseline */
	uint8_t
		*is_used; /* a sample ends here, maybe of weight 0: bit 0 for one of the profile, bit 1 of the baseline */
	uint32_t *slots; /* index over (parent, sym): path numbers, 0 free; NULL while not needed */
	size_t n_slots;
	struct progress *progress; /* NULL: nobody waits */
};

struct folding {
	struct profile *profile;
	struct recipe *recipe;
	struct progress *progress;
	bool has_base;
	struct trie trie;
	/* Only for a chart, which replays the log: */
	bool wants_map;
	uint32_t n_first;      /* paths of the first trie, before any filter */
	uint32_t *map;         /* from those to the paths of `trie`, or DROPPED; NULL: the same numbers */
	uint32_t *sample_path; /* path of each sample in the first trie; NULL: that of the profile */
	/* Only where rows are left out: */
	struct cut *cut;
	uint32_t
		*place; /* nodes that the paths of `trie` became; not for a chart, where tails are met sample by sample: */
	uint32_t *tail_of; /* by path of the first trie: its tail plus one, 0: none */
	struct tail *chart_tails;
	uint64_t *chart_weights;
	size_t n_chart_tails, cap_chart_tails, cap_chart_weights;
	uint64_t excluded[2];
	uint64_t samples;
	struct {
		uint64_t number;
		uint32_t sym;
		bool is_known;
	} split[6]; /* by place in the recipe: the frame of the sample before */
};

static inline bool trie_is_stopped(const struct trie *s)
{
	return !progress_step(s->progress, 0);
}
#define TRIE_STOPS(s, i) (EVERY(i) && trie_is_stopped(s))

void trie_init(struct trie *, size_t cap, const struct folding *);
void trie_deinit(struct trie *);
uint32_t trie_child(struct trie *, uint32_t parent, uint32_t sym);      /* made if it is not there */
uint32_t trie_find(const struct trie *, uint32_t parent, uint32_t sym); /* DROPPED: it is not there */
/*
 * Replaces the trie by `to`, into which map[] leads from every old path; weights move along, those without a way are
 * excluded. The map is taken.
 */
void folding_replace(struct folding *, struct trie *to, uint32_t *map, uint64_t *excluded);
/* Paths below which no sample ends are not part of the tree. */
void folding_prune(struct folding *);
/* The trie as a tree; *place (may be NULL) tells the nodes that paths became. false: stopped, *t is empty. */
bool arrange(struct folding *, struct tree *t, uint32_t *place);
/* A name as it stands on the root: without blanks before it. */
uint32_t names_trimmed(const struct symtab *, uint32_t sym);

#endif
