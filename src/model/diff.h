/*
 * diff.h - what changed between two profiles, function by function, and whether chance explains it.
 *
 * Shares are in percent of the whole tree (or of the zoomed frame), so that profiles of different length compare.
 * A profile is a sample: run the same program twice, and every share moves a little. The standard error says how much of
 * a change is to be expected without any cause.
 */
#ifndef MODEL_DIFF_H
#define MODEL_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile.h"
#include "tree.h"

/* The change of one share. */
struct diff_change {
	double before, after; /* percent */
	double delta;         /* after - before, percentage points */
	double error;         /* standard error of delta, percentage points */
	bool is_noise;        /* |delta| is at most DIFF_SIGMAS standard errors */
};

/* A change beyond this many standard errors has a chance of about 1 in 20 to be one by accident. */
#define DIFF_SIGMAS 2.0

struct diff_row {
	uint32_t sym;
	struct name_sum sum;
	struct diff_change self, total;
};

struct diff_table {
	struct diff_row *rows; /* by the greater of both |delta|, largest first; equal ones by name */
	size_t n;
	double samples[2];     /* how many independent samples the shares rest on: [0] the profile, [1] the baseline */
};

/*
 * How many samples stand behind log `side` of this series (-1: all): where every log entry is one sample (it has a
 * time), entries are counted; elsewhere weights are counts, unless all are multiples of a period of 10000 or more.
 */
double diff_samples(const struct profile *, unsigned side, int32_t series);

/* One change out of weights and totals. */
struct diff_change diff_change(uint64_t before, uint64_t before_total, double before_samples, uint64_t after,
                               uint64_t after_total, double after_samples);

/* Every name below `zoom` of a tree with a baseline. series is the recipe's. */
void diff_table_make(struct diff_table *, const struct profile *, const struct tree *, uint32_t zoom, int32_t series);
void diff_table_deinit(struct diff_table *);

/*
 * Did the share, self or total, grow by more than `points`, and more than chance explains? With many names looked at
 * some exceed two standard errors by chance alone, so the bound grows with their number n: sqrt(2 ln n), at least 2.
 */
bool diff_grew(const struct diff_table *, const struct diff_change *, double points);

#endif
