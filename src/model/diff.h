/*
 * diff.h - what changed between two profiles, function by function, and whether chance explains it.
 *
 * The recipe says which quantity is compared, shares or weights, and diff_basis_make() takes that over: all that
 * shows a change, by colour, sign, number or word, asks diff_of() and its like, so that one direction is seen
 * everywhere. Shares are in percent of the whole tree, zoomed or not, so that profiles of different length compare.
 *
 * A profile is a sample: run the same program twice, and every share moves a little. The standard error says how
 * much of a change is to be expected without any cause.
 *
 * "Before" is the baseline and "after" the profile, whichever of the two a tree has its widths from.
 */
#ifndef MODEL_DIFF_H
#define MODEL_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "palette.h"
#include "profile.h"
#include "recipe.h"
#include "tree.h"
#include "tree_sums.h"

/* One change, of a share or of a weight. */
struct diff_change {
	enum diff_quantity quantity;
	double before,
		after;     /* percent, or weights as far as a double has them: words_add_side() has all their digits */
	double delta;  /* after - before: percentage points, or weight; of the right sign, however large the weights */
	double error;  /* standard error of delta */
	bool is_noise; /* |delta| is at most DIFF_SIGMAS standard errors */
	uint64_t weight_before, weight_after; /* as recorded, whatever the quantity */
};

/* How far apart the weights are, to the last digit. */
static inline uint64_t diff_weight(const struct diff_change *c)
{
	return c->weight_after > c->weight_before ? c->weight_after - c->weight_before
	                                          : c->weight_before - c->weight_after;
}

/* A change beyond this many standard errors has a chance of about 1 in 20 to be one by accident. */
#define DIFF_SIGMAS 2.0

/* What a comparison rests on: of what it is, 100 percent, and how many independent samples that is. */
struct diff_basis {
	enum diff_quantity quantity;
	double weight_before, weight_after;
	double samples_before, samples_after;
	bool is_swapped;      /* the tree has its widths from the baseline */
	bool has_other_units; /* counts and nanoseconds, say: shares are compared, whatever the recipe says */
};

/* Functions: whose self grew or shrank beyond noise, that only one side has, and that show nothing beyond noise. */
struct diff_counts {
	size_t grown, shrunk, added, gone, noise;
};

struct diff_row {
	uint32_t sym;
	struct name_sum sum;
	struct diff_change self, total;
};

/*
 * Every function. Order: self grew; self shrank; only total changed; within noise. The greatest change first in
 * each, equal ones by name.
 */
struct diff_table {
	struct diff_row *rows;
	size_t n;
	struct diff_basis basis;
	struct diff_counts counts; /* the rows stand in the order grown, shrunk, others, noise */
};

/*
 * How many independent samples stand behind log `side` of this series (-1: all). Where an entry is a sample (it has
 * a time, or a unit that is no count), entries are counted, with unequal weights fewer: (sum w)^2 / sum w^2.
 * Elsewhere weights are counts, unless all are multiples of a sampling period of 10000 or more, or the median is as
 * large.
 */
double diff_samples(const struct profile *, unsigned side, int32_t series);

/* Are the weights of the two sides of different units, as far as one can see? Walks the log. */
bool diff_has_other_units(const struct profile *, const struct recipe *);
/* For a tree that this recipe made of the profile; walks the log. Without a baseline nothing is left of it. */
void diff_basis_make(struct diff_basis *, const struct profile *, const struct recipe *, const struct tree *);
/* What changed between two weights of the tree: its own, and its baseline's. */
struct diff_change diff_of(const struct diff_basis *, uint64_t weight, uint64_t base_weight);
/*
 * The change that a frame's colour and sign show: that of its own stack, so that colour leads to the cause. Where
 * callers are merged from the leaves, nothing stands for the cause but what a frame takes as a whole, so it is the
 * total there.
 */
struct diff_change diff_of_frame(const struct diff_basis *, const struct tree *, uint32_t node);

/* The greatest change of a frame, up or down: the scale of colours, above 0. 0: no baseline. */
double diff_most(const struct diff_basis *, const struct tree *);

/* How a comparison is coloured where characters make the picture. */
struct diff_colors {
	double most;     /* diff_most() */
	bool is_negated; /* red and blue change places */
	bool is_few;     /* of sixteen colours */
};

struct rgb diff_color(const struct diff_colors *, const struct diff_change *);

void diff_count(struct diff_counts *, const struct diff_basis *, const struct name_sum *, size_t n);

/* Every name below `zoom` of a tree with a baseline; shares are those of the whole tree. */
void diff_table_make(struct diff_table *, const struct profile *, const struct recipe *, const struct tree *,
                     uint32_t zoom);
void diff_table_deinit(struct diff_table *);

static inline bool diff_is_new(const struct diff_change *c)
{
	return c->weight_before == 0 && c->weight_after > 0;
}
static inline bool diff_is_gone(const struct diff_change *c)
{
	return c->weight_before > 0 && c->weight_after == 0;
}

/* By how much it grew, in percentage points: of its share, or in weights by which part of the whole baseline. */
double diff_points(const struct diff_table *, const struct diff_change *);
/*
 * Did it, self or total, grow by more than `points`, and more than chance explains? Where many functions are looked
 * at some exceed two standard errors by chance alone, so the bound grows with their number n: sqrt(2 ln 100 n),
 * beyond which there is not one in a hundred such comparisons of a program with itself.
 */
bool diff_grew(const struct diff_table *, const struct diff_change *, double points);
double diff_gate_sigmas(const struct diff_table *);

#endif
