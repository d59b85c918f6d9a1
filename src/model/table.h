/*
 * table.h - selects and sorts the rows of the table of functions.
 *
 * There may be millions of functions, so rows are made in the background (work.h): nothing here touches struct app.
 */
#ifndef MODEL_TABLE_H
#define MODEL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "diff.h"
#include "match.h"
#include "profile.h"
#include "recipe.h"
#include "symtab.h"
#include "tree.h"
#include "tree_sums.h"

#define NO_ROW UINT32_MAX

/* SELF to FRAMES are in the plain table, those from SELF_BEFORE on in the table of differences. */
enum top_column {
	TOP_SELF,
	TOP_TOTAL,
	TOP_FRAMES,
	TOP_SELF_BEFORE,
	TOP_SELF_AFTER,
	TOP_SELF_CHANGE,
	TOP_SELF_PERCENT,
	TOP_TOTAL_BEFORE,
	TOP_TOTAL_AFTER,
	TOP_TOTAL_CHANGE,
	TOP_TOTAL_PERCENT,
	TOP_NAME,
	N_TOP_COLUMNS
};

/* The input for the rows. Tree, symbols and sums belong to others and must not change while it is in use. */
struct table_recipe {
	const struct tree *tree;
	uint32_t zoom;
	const struct symtab *symtab;
	bool demangles;
	/* With a zoom in time: fold is owned, else NULL; only what lies within span counts. */
	struct profile *profile;
	struct recipe *fold;
	struct span span;
	const struct name_sum *sums; /* sums below the zoom, n_sums; NULL: to be added up */
	size_t n_sums;
	const uint32_t *order;   /* table.order for the same sums, n_sums; NULL: to be computed */
	struct diff_basis basis; /* below the zoom */
	enum top_column sort;
	bool is_ascending;
	struct match *filter; /* owned; NULL: none */
	/*
	 * Rows of the same sums in the same order, with no filter or one that `filter` narrows (match_narrows()):
	 * others do not pass. NULL: unknown.
	 */
	const struct table *within;
};

struct table {
	struct name_sum *rows; /* owned, sorted; those that pass the filter */
	size_t n_rows, n_all;
	uint64_t given_up; /* names on which the filter exceeded its limit: they do not pass */
	uint32_t *places;  /* owned, n_places, by symbol: its row, NO_ROW: none */
	size_t n_places;
	struct name_sum *sums; /* owned, n_sums; if they were to be added up, else NULL */
	size_t n_sums;
	uint32_t *order; /* owned; indexes into all sums, ordered by self, total and symbol; NULL: it was given */
};

void table_recipe_deinit(struct table_recipe *);
void table_deinit(struct table *);
/* Fills the table; false: cancelled. Equal rows are ordered by self, total and symbol. */
bool table_make(struct table *, const struct table_recipe *, struct progress *);

/* The change of self or total in a column of differences, and the change relative to the baseline, in percent. */
struct diff_change table_change(const struct diff_basis *, const struct name_sum *, enum top_column);
double table_relative(const struct diff_change *);

#endif
