/*
 * folding.h - what the steps of a fold hand to one another: the trie, and the way to it from the profile's paths.
 *
 * Private to the folding. Loops over paths ask on the way whether to go on, see trie.h.
 */
#ifndef MODEL_FOLDING_H
#define MODEL_FOLDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "profile.h"
#include "recipe.h"
#include "tree.h"
#include "trie.h"

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
	uint32_t *place;   /* by path of `trie`: its node; NULL for a chart, which has these instead: */
	uint32_t *tail_of; /* by path of the first trie: its tail plus one, 0: none */
	struct tail *chart_tails;
	uint64_t *chart_weights;
	size_t n_chart_tails, cap_chart_tails, cap_chart_weights;
	uint64_t excluded[2];
	uint64_t samples;
};

/* Counts so many steps. false: the fold was cancelled. */
static inline bool folding_goes_on(struct folding *w, uint64_t steps)
{
	return progress_step(w->progress, steps);
}
/*
 * Replaces the trie by `to`, into which map[] leads from every old path; weights move along, those without a way
 * are excluded. The map is taken.
 */
void folding_replace(struct folding *, struct trie *to, uint32_t *map, uint64_t *excluded);
/* Paths below which no sample ends are not part of the tree. */
void folding_prune(struct folding *);

#endif
