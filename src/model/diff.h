/*
 * diff.h - what changed between two profiles, function by function, and whether chance explains it.
 *
 * Shares are in percent of the whole tree (or of the zoomed frame), so that profiles of different length compare.
 * A profile is a sample: run the same program twice, and every share moves a little. The standard error says how much
 * of a change is to be expected without any cause.
 *
 * "Before" is the baseline and "after" the profile, whichever of the two a tree has its widths from.
 */
#ifndef MODEL_DIFF_H
#define MODEL_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fold.h"
#include "palette.h"
#include "profile.h"
#include "tree.h"

/* The change of one share. */
struct diff_change {
	double before, after; /* percent */
	double delta;         /* after - before, percentage points */
	double error;         /* standard error of delta, percentage points */
	bool is_noise;        /* |delta| is at most DIFF_SIGMAS standard errors */

	/* The same in weights; the baseline's are scaled in a tree that is normalised. Set by diff_of(). */
	double weight_before, weight_after, weight_delta, weight_error;
	bool is_weight_noise;
};

/* A change beyond this many standard errors has a chance of about 1 in 20 to be one by accident. */
#define DIFF_SIGMAS 2.0

/* What the shares of a tree, or of a part of it, rest on: 100 percent, and how many independent samples that is. */
struct diff_basis {
	double weight_before, weight_after;
	double samples_before, samples_after;
	bool is_swapped; /* the tree has its widths from the baseline */
};

/* Functions: whose self share grew or shrank beyond noise, that only one side has, and that show nothing beyond noise. */
struct diff_counts {
	size_t grown, shrunk, added, gone, noise;
};

struct diff_row {
	uint32_t sym;
	struct name_sum sum;
	struct diff_change self, total;
};

/*
 * Every function. Order: self grew; self shrank; only total changed; within noise. The greatest change first in each,
 * equal ones by name.
 */
struct diff_table {
	struct diff_row *rows;
	size_t n;
	struct diff_basis basis;
	struct diff_counts counts; /* the rows stand in the order grown, shrunk, others, noise */
};

/*
 * How many independent samples stand behind log `side` of this series (-1: all). Where an entry is a sample (it has a
 * time, or a unit that is no count), entries are counted, with unequal weights fewer: (sum w)^2 / sum w^2. Elsewhere
 * weights are counts, unless all are multiples of a sampling period of 10000 or more, or the median is as large.
 */
double diff_samples(const struct profile *, unsigned side, int32_t series);

/* One change out of weights and totals. */
struct diff_change diff_change(uint64_t before, uint64_t before_total, double before_samples, uint64_t after,
                               uint64_t after_total, double after_samples);

/* For a whole tree that this recipe made of the profile; walks the log. Without a baseline nothing is left of it. */
void diff_basis_make(struct diff_basis *, const struct profile *, const struct recipe *, const struct tree *);
/* The same for the part of the tree below `zoom`, in constant time. */
struct diff_basis diff_basis_below(const struct diff_basis *, const struct tree *, uint32_t zoom);
/* What changed between two weights of the tree: its own, and its baseline's. */
struct diff_change diff_of(const struct diff_basis *, uint64_t weight, uint64_t base_weight);

/* The greatest change of a frame's self weight, up or down, at least 1: the scale of colours. 0: no baseline. */
uint64_t diff_most(const struct tree *);

/* How a comparison is coloured where characters make the picture. */
struct diff_colors {
	const struct diff_basis *basis; /* of the whole tree */
	uint64_t most;                  /* diff_most() of it */
	bool is_of_weights; /* they are compared as they are: what may be chance is asked of them, not of shares */
	bool is_negated;    /* red and blue change places */
	bool is_few;        /* of sixteen colours */
};

/* A frame has the colour of what its own stack gained or lost, as in an SVG, so that colour leads to the cause. */
struct rgb diff_color(const struct diff_colors *, const struct tree *, uint32_t node);

void diff_count(struct diff_counts *, const struct diff_basis *, const struct name_sum *, size_t n);

/* Every name below `zoom` of a tree with a baseline. */
void diff_table_make(struct diff_table *, const struct profile *, const struct recipe *, const struct tree *,
                     uint32_t zoom);
void diff_table_deinit(struct diff_table *);

static inline bool diff_is_new(const struct diff_change *c)
{
	return c->weight_before <= 0 && c->weight_after > 0;
}
static inline bool diff_is_gone(const struct diff_change *c)
{
	return c->weight_before > 0 && c->weight_after <= 0;
}

/*
 * Did the share, self or total, grow by more than `points`, and more than chance explains? Where many functions are
 * looked at some exceed two standard errors by chance alone, so the bound grows with their number n: sqrt(2 ln 100 n),
 * beyond which there is not one in a hundred such comparisons of a program with itself.
 */
bool diff_grew(const struct diff_table *, const struct diff_change *, double points);
double diff_gate_sigmas(const struct diff_table *);

#endif
