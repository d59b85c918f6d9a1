/*
 * decay.h - weights that halve with the age of their samples (--decay).
 */
#ifndef MODEL_DECAY_H
#define MODEL_DECAY_H

#include <stddef.h>
#include <stdint.h>

#include "samples.h"
#include "selection.h"

/*
 * Weights by path, summed before they are rounded: neighbours in the log have different stacks, and a carry between
 * samples would move weight from one stack to another.
 */
struct decay {
	double *sum; /* by path of the trie, n entries */
	size_t n, cap;
	uint64_t grain; /* sums are rounded to a multiple of this; 0: 1 */
	uint64_t whole; /* all weight before decay */
};

/*
 * What is left of a weight of this entry of the profile's log; all of it if the entry has no time or the recipe no
 * half-life.
 */
double decay_left(const struct selection *, const struct sample_log *, size_t i, uint64_t weight);
/* Adds an entry of this weight, of which `left` remains. A zeroed decay is empty. */
void decay_add(struct decay *, uint32_t path, uint64_t weight, double left);
/* Adds the sums, rounded, to weights[], by path; returns the weight lost by decay. */
uint64_t decay_settle(struct decay *, uint64_t *weights);
void decay_deinit(struct decay *);

/* The rounded weight of each path, divided among its entries. */
struct decay_parts {
	const double *all;       /* by path: what remains of all its entries, added up in their order */
	const uint64_t *weights; /* the same, rounded: what decay_settle() made of zeros */
	double *met;             /* what remains of the entries so far */
	uint64_t *given;         /* what they got */
	uint64_t grain;          /* as that of the sums, but at least 1 */
};

/* Both arrays have n entries and must outlive it. */
void decay_parts_init(struct decay_parts *, const double *all, const uint64_t *weights, size_t n, uint64_t grain);
/* The part of the next entry of this path, of which `left` remains. With the last one, all is given. */
uint64_t decay_part(struct decay_parts *, uint32_t path, double left);
void decay_parts_deinit(struct decay_parts *);

#endif
