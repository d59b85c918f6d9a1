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
 * Weights by path. They are summed up before they are rounded: neighbours in the log are of different stacks, and
 * would get each other's shares.
 */
struct decay {
	double *sum; /* by path of the trie, n of them */
	size_t n, cap;
	uint64_t whole; /* what all of it was before */
};

/*
 * What is left of the weight of this entry of the profile's log; all of it, if it has no time or the recipe no
 * half-life.
 */
double decay_left(const struct selection *, const struct sample_log *, size_t i);
/*
 * The next whole number of a row of fractions. *carry has what the numbers before left over; begin with one half.
 */
uint64_t decay_whole(double left, double *carry);

/* A zeroed decay is empty. Adds what is left of an entry of this weight. */
void decay_add(struct decay *, uint32_t path, uint64_t weight, double left);
/* Adds the sums to weights[], by path, and frees them; returns what is lost. */
uint64_t decay_settle(struct decay *, uint64_t *weights);

#endif
