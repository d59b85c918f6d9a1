/*
 * diff.h - what changed between two profiles, function by function, and whether chance explains it.
 *
 * The recipe chooses the quantity: shares or weights; diff_basis_make() takes it over. Every colour, sign, number
 * and word for a change comes from diff_of() and its relatives, so that all show the same direction. Shares are
 * percentages of the whole tree, even when zoomed, so profiles of different length compare.
 *
 * A profile is a sample: run the same program twice, and every share moves a little. The standard error says how
 * large a change to expect by chance.
 *
 * "Before" is the baseline and "after" the profile, whichever side the widths come from.
 */
#ifndef MODEL_DIFF_H
#define MODEL_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "palette.h"
#include "profile.h"
#include "recipe.h"
#include "sides.h"
#include "tree.h"
#include "tree_sums.h"

/* One change, of a share or of a weight. */
struct diff_change {
	enum diff_quantity quantity;
	double before, after; /* percent, or weights rounded to a double; words_add_side() has all their digits */
	double delta;         /* after - before: percentage points, or weight; the sign is exact */
	double error;         /* standard error of delta; 0: unknown, shares of a side without samples */
	bool is_noise;        /* |delta| is at most DIFF_SIGMAS standard errors, or they are unknown */
	uint64_t weight_before, weight_after; /* as recorded, for either quantity */
};

/* Exact absolute difference of the weights. */
static inline uint64_t diff_weight(const struct diff_change *c)
{
	return c->weight_after > c->weight_before ? c->weight_after - c->weight_before
	                                          : c->weight_before - c->weight_after;
}

/* Chance exceeds this many standard errors about 1 time in 20. */
#define DIFF_SIGMAS 2.0

/*
 * The basis of a comparison: its quantity, the weight that is 100 percent, and the number of independent samples.
 */
struct diff_basis {
	enum diff_quantity quantity;
	double weight_before, weight_after;
	double samples_before, samples_after;
	unsigned decimals;    /* of both, where samples are weights, not estimates */
	bool is_swapped;      /* the widths come from the baseline */
	bool has_other_units; /* counts and nanoseconds, say: only shares are compared */
	struct sides sides;   /* does only one side know what the recipe sums by? */
};

/* Functions whose self grew or shrank beyond noise, that exist on one side only, or show nothing beyond noise. */
struct diff_counts {
	size_t grown, shrunk, added, gone, noise;
};

struct diff_row {
	uint32_t sym;
	struct name_sum sum;
	struct diff_change self, total;
};

/*
 * All functions: first those whose self grew, then those whose self shrank, then those with only a changed total,
 * then noise. Within each group the greatest change comes first, equal ones by name.
 */
struct diff_table {
	struct diff_row *rows;
	size_t n;
	struct diff_basis basis;
	enum group_by group;       /* what the rows are */
	struct diff_counts counts; /* rows are ordered grown, shrunk, others, noise */
};

/*
 * Estimates the number of independent samples in log `side` of this series (-1: all). If entries are samples (with
 * times, or a unit other than a count), it counts entries, discounted for unequal weights: (sum w)^2 / sum w^2.
 * Otherwise weights are counts, unless all are multiples of a sampling period of 10000 or more, or the median is
 * that large. All of this is about the numbers in the unit that files have them in (series.grain).
 */
double diff_samples(const struct profile *, unsigned side, int32_t series);

/* The unit (a symbol, 0: samples) that the numbers of this side are taken to have. */
uint32_t diff_unit(const struct profile *, const struct recipe *, unsigned side);
/* Did the numbers of this side come without a unit, and are they compared with some that have one? */
bool diff_is_bare(const struct profile *, const struct recipe *, unsigned side);
/* Do the weights of the two sides seem to have different units? Walks the log. */
bool diff_has_other_units(const struct profile *, const struct recipe *);
/* Makes the basis for a tree folded from the profile by this recipe; walks the log. Zeroed without a baseline. */
void diff_basis_make(struct diff_basis *, const struct profile *, const struct recipe *, const struct tree *);
/* The change between two weights of the tree: its own and its baseline's. */
struct diff_change diff_of(const struct diff_basis *, uint64_t weight, uint64_t base_weight);
/*
 * The change that a frame's colour and sign show: that of its self weight, so that colour leads to the cause. In a
 * caller tree only totals point to the cause, so there it is the total's.
 */
struct diff_change diff_of_frame(const struct diff_basis *, const struct tree *, uint32_t node);

/* The greatest change of any frame, up or down: the scale of colours, above 0. 0: no baseline. */
double diff_most(const struct diff_basis *, const struct tree *);

/* Colours of a comparison, but for two columns in an SVG (palette_diff()). */
struct diff_colors {
	double most;     /* diff_most() */
	bool is_negated; /* swaps red and blue */
	bool is_few;     /* sixteen colours only */
};

struct rgb diff_color(const struct diff_colors *, const struct diff_change *);

void diff_count(struct diff_counts *, const struct diff_basis *, const struct name_sum *, size_t n);

/*
 * Makes rows for all names below `zoom` of a tree with a baseline; shares are of the whole tree. If the progress,
 * which may be NULL, is cancelled, the rows are unusable.
 */
void diff_table_make(struct diff_table *, const struct profile *, const struct recipe *, const struct tree *,
                     uint32_t zoom, struct progress *);
void diff_table_deinit(struct diff_table *);

enum diff_order {
	DIFF_BY_CHANGE, /* the greatest first, whether self grew or shrank; then totals, then noise */
	DIFF_BY_RANK,   /* as in the table */
};
/* Copies the `most` rows that changed most, in the order DIFF_BY_CHANGE. Returns how many there are. */
size_t diff_table_most(const struct diff_table *, size_t most, enum diff_order, struct diff_row *rows);

/* Functions of one kind; one that is new has mostly grown, too. */
enum diff_kind { DIFF_GREW, DIFF_SHRANK, DIFF_ADDED, DIFF_GONE, N_DIFF_KINDS };

/* Of each kind those that changed most: by self, as in the table, or those on one side only by total. */
#define DIFF_LEADERS 10u
struct diff_leaders {
	struct diff_row rows[N_DIFF_KINDS][DIFF_LEADERS];
	size_t n[N_DIFF_KINDS];    /* rows */
	struct diff_counts counts; /* of all functions */
	struct diff_basis basis;
};

/*
 * Finds them below `zoom`, in one pass without a table. The basis is the tree's. After a cancellation (progress may
 * be NULL) they are unusable.
 */
void diff_leaders_make(struct diff_leaders *, const struct diff_basis *, const struct symtab *, const struct tree *,
                       uint32_t zoom, struct progress *);

static inline bool diff_is_new(const struct diff_change *c)
{
	return c->weight_before == 0 && c->weight_after > 0;
}
static inline bool diff_is_gone(const struct diff_change *c)
{
	return c->weight_before > 0 && c->weight_after == 0;
}

/* Growth in percentage points: of the share, or for weights relative to the whole baseline. */
double diff_points(const struct diff_table *, const struct diff_change *);
/*
 * Did self or total grow by more than `points`, and more than chance explains? Among n functions some exceed two
 * standard errors by chance alone, so the bound grows with n: sqrt(2 ln 100 n). Fewer than one in a hundred
 * comparisons of a program with itself exceed that.
 */
bool diff_grew(const struct diff_table *, const struct diff_change *, double points);
double diff_gate_sigmas(const struct diff_table *);

#endif
