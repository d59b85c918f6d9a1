/*
 * table.h - the rows of the table of functions: which, and in which order.
 *
 * Functions can be millions, so rows are made in the background (work.h): nothing here touches struct app.
 */
#ifndef TUI_TABLE_H
#define TUI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "model/diff.h"
#include "model/match.h"
#include "model/symtab.h"
#include "model/tree.h"
#include "model/tree_sums.h"

#define NO_ROW UINT32_MAX

/* SELF to FRAMES stand in the plain table, those from SELF_BEFORE on in one of differences. */
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

/* What the rows are made of. Tree, symbols and sums belong to others and have to stay as they are meanwhile. */
struct table_recipe {
	const struct tree *tree;
	uint32_t zoom;
	const struct symtab *symtab;
	bool demangles;
	const struct name_sum *sums; /* below the zoom, n_sums; NULL: still to be added up */
	size_t n_sums;
	const uint32_t *order;   /* table.order of the same sums, n_sums; NULL: still to be found */
	struct diff_basis basis; /* below the zoom */
	enum top_column sort;
	bool is_ascending;
	struct match *filter; /* owned; NULL: none */
};

struct table {
	struct name_sum *rows; /* owned; in order, what the filter lets through */
	size_t n_rows, n_all;
	uint32_t *places; /* owned; by symbol, n_places: its row, NO_ROW: none */
	size_t n_places;
	struct name_sum *sums; /* owned; what had to be added up, n_sums; NULL: nothing */
	size_t n_sums;
	uint32_t *order; /* owned; places in the sums, all of them, by self, total and symbol; NULL: it was known */
};

void table_recipe_deinit(struct table_recipe *);
void table_deinit(struct table *);
/* Fills it; false: cancelled. Equal rows stand by self, total and symbol. */
bool table_make(struct table *, const struct table_recipe *, struct progress *);

/* The change of self or total that a column of differences is about, and relative to what was there, in percent. */
struct diff_change table_change(const struct diff_basis *, const struct name_sum *, enum top_column);
double table_relative(const struct diff_change *);

#endif
