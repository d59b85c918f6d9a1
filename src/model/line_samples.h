/*
 * line_samples.h - the samples of a fold by path and site, for the weight of lines.
 */
#ifndef MODEL_LINE_SAMPLES_H
#define MODEL_LINE_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "folding.h"

/* Samples of one path and one site together, so that a function costs no walk over the log. */
struct line_entry {
	uint32_t raw;  /* path as recorded */
	uint32_t path; /* path of the fold */
	uint32_t node; /* of the trie of sites */
	uint64_t weight[2], samples;
	double left; /* of weight[0], which decays; not rounded */
};

struct line_samples {
	struct line_entry *v;
	size_t n, cap;
};

/*
 * The fold has run, and has a map. What it knows of single samples is freed. false: cancelled;
 * line_samples_deinit() is needed in either case.
 */
bool line_samples_gather(struct line_samples *, struct folding *);
void line_samples_deinit(struct line_samples *);

#endif
