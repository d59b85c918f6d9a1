/*
 * folding.h - the state that the steps of a fold share: the trie, and the map from the profile's paths to it.
 *
 * Private to the fold. Loops over paths check for cancellation, see trie.h.
 */
#ifndef MODEL_FOLDING_H
#define MODEL_FOLDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"
#include "profile.h"
#include "recipe.h"
#include "tree.h"
#include "trie.h"

struct symset;

struct folding {
	struct profile *profile;
	struct recipe *recipe;
	struct progress *progress;
	bool has_base;
	struct trie trie;
	bool wants_sets;     /* for line_filters.c: */
	struct symset *sets; /* by filter of the recipe: what it matches; of several --base, that of the last */
	uint8_t *is_split;   /* by path of `trie`: a frame of --split; NULL: no filter needs to know */
	/* Only for a chart, which replays the log: */
	bool wants_map;
	uint32_t n_first;      /* paths of the first trie, before any filter */
	uint32_t *map;         /* from the first trie's paths to those of `trie`, or DROPPED; NULL: equal numbers */
	bool leaves_zeros;     /* stacks of two columns that are only in the baseline, which is left out */
	uint64_t *part;        /* weight to count of each sample, or WHOLLY_OUT; NULL: all of it */
	uint64_t *faded;       /* what decay leaves of each sample, for a chart; NULL: all of its weight */
	uint32_t *sample_path; /* see folding_first_path(); NULL: log->path */
	struct tree *turned;   /* the tree, if reversing stacks has made it; else NULL */
	/* Only if rows are left out: */
	struct cut *cut;
	uint32_t *place;   /* node of each path of `trie`; NULL for a chart, which uses tail_of */
	uint32_t *tail_of; /* by path of the first trie: its tail plus one, 0: none */
	struct tail *chart_tails;
	uint64_t *chart_weights;
	size_t n_chart_tails, cap_chart_tails, cap_chart_weights;
	uint32_t *labels;    /* by symbol, if the recipe groups: the symbol of its label (merge.c) */
	bool is_shortened;   /* as in the tree */
	uint64_t *functions; /* as in the tree */
	uint32_t n_functions;
	bool keeps_origins; /* symbols of the trie may be variants (origin.h) to its end */
	uint64_t excluded[2];
	uint64_t samples, untimed; /* as in the tree */
	double squares[2];         /* as in the tree */
};

#define WHOLLY_OUT UINT64_MAX

/* Does nothing of this sample of log[0] count? */
static inline bool folding_leaves_out(const struct folding *w, size_t i)
{
	return (w->part && w->part[i] == WHOLLY_OUT) || (w->leaves_zeros && !w->profile->log[0].weight[i]);
}
static inline uint64_t folding_weight(const struct folding *w, size_t i)
{
	return w->part ? w->part[i] : w->profile->log[0].weight[i];
}
/*
 * The path of a selected sample of log[0] in the first trie. DROPPED: nothing of it counts, and with --split it has
 * none.
 */
static inline uint32_t folding_first_path(const struct folding *w, size_t i)
{
	if (folding_leaves_out(w, i))
		return DROPPED;
	return w->sample_path ? w->sample_path[i] : w->profile->log[0].path[i];
}
/* That in `trie`, for those who want a map. DROPPED: filters have left its stack out, or nothing of it counts. */
static inline uint32_t folding_path(const struct folding *w, size_t i)
{
	uint32_t first = folding_first_path(w, i);
	return first == DROPPED || !w->map ? first : w->map[first];
}

/*
 * The steps up to the trie of the recipe, stacks from the root on: for a fold, and for those who look at samples
 * themselves. profile, recipe and progress are set, and wants_map if the map is needed. false: cancelled, or err is
 * set; folding_deinit() is needed in either case.
 */
bool folding_run(struct folding *, struct err *);
void folding_deinit(struct folding *);
/* Frees what is known of single samples: the map, and how much of each counts. The trie and the labels stay. */
void folding_forget_samples(struct folding *);

/* Counts `steps` as done. false: the fold was cancelled. */
static inline bool folding_goes_on(struct folding *w, uint64_t steps)
{
	return progress_step(w->progress, steps);
}
/*
 * Replaces the trie by `to`; map[] leads there from every old path. Weights move along; weights of dropped paths
 * are added to *excluded. Takes ownership of map.
 */
void folding_replace(struct folding *, struct trie *to, uint32_t *map, uint64_t *excluded);
/* Removes paths below which no sample ends. */
void folding_prune(struct folding *);

#endif
