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
	uint64_t whole; /* all weight before decay */
};

/*
 * What is left of a weight of this entry of the profile's log; all of it if the entry has no time or the recipe no
 * half-life.
 */
double decay_left(const struct selection *, const struct sample_log *, size_t i, uint64_t weight);
/* Rounds the next of a series of fractions. *carry holds the remainder so far; start with one half. */
uint64_t decay_whole(double left, double *carry);

/* Adds an entry of this weight, of which `left` remains. A zeroed decay is empty. */
void decay_add(struct decay *, uint32_t path, uint64_t weight, double left);
/* Adds the sums to weights[], by path, and frees them; returns the weight lost by decay. */
uint64_t decay_settle(struct decay *, uint64_t *weights);

#endif
