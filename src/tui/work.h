/*
 * work.h - folding, searching and sorting in the background, and sums over a tree.
 */
#ifndef TUI_WORK_H
#define TUI_WORK_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "model/diff.h"
#include "model/fold.h"
#include "model/tree.h"
#include "model/tree_sums.h"
#include "model/view.h"
#include "tui/halves.h"
#include "tui/table.h"

#define NO_SUM UINT32_MAX

/* Sums over a whole tree, so that moving the cursor needs no walk. */
struct totals {
	struct name_sum *sums; /* one for every name that occurs */
	size_t n_sums;
	uint32_t *index; /* by symbol: place in sums, NO_SUM: does not occur */
	size_t n_symbols;
	double diff_most; /* diff_most(); 0 without a baseline */
	struct diff_basis basis;
	struct diff_counts counts; /* functions that changed */
};

void totals_init(struct totals *);
void totals_deinit(struct totals *);
/* progress may be NULL; if it is cancelled, they are worth nothing. */
void totals_make(struct totals *, const struct profile *, const struct recipe *, const struct tree *,
                 struct progress *);
/* NULL: the name does not occur. */
const struct name_sum *totals_of(const struct totals *, uint32_t sym);

/* One thing that goes on on a thread of its own. It writes one byte to a file descriptor when it is done. */
struct work;

bool work_is_done(const struct work *);
double work_share_done(const struct work *); /* 0..1 */
/* Waits so long for it, in milliseconds; WORK_FOREVER: as long as it takes. true: it is done. */
#define WORK_FOREVER UINT_MAX
bool work_wait(struct work *, unsigned ms);
/* It ends early, and its result is worth nothing; work_cancel() has to follow. */
void work_stop(struct work *);
/* Throws the result away and waits for the thread. NULL is allowed. */
void work_cancel(struct work *);

/*
 * Folds a copy of the recipe. The profile must neither change nor go away before work_end_fold() or work_cancel().
 * NULL: there is no thread to be had.
 */
struct work *work_fold(struct profile *, const struct recipe *, int wake_fd);
/*
 * Waits for the thread and frees. true: the tree, its totals and what the filters took out are handed over, and the
 * profile has the names that were made. false: cancelled (err empty) or failed. Nothing else may read the symbols
 * meanwhile.
 */
bool work_end_fold(struct work *, struct tree *, struct totals *, struct recipe *recipe, struct err *);

/*
 * Runs a search that was begun, which is emptied. Symbols and tree must stay as they are before work_end_search()
 * or work_cancel(). Without a thread to be had, or with a negative wake_fd, it is done when this returns.
 */
struct work *work_search(struct search *begun, const struct symtab *, const struct tree *, uint32_t zoom,
                         int wake_fd);
/* Waits for the thread, hands the search over, which is complete then, and frees. */
void work_end_search(struct work *, struct search *);

/* Makes the rows of the table; the recipe is emptied. Otherwise as work_search(). */
struct work *work_table(struct table_recipe *, int wake_fd);
void work_end_table(struct work *, struct table *);
/*
 * Makes halves of a sandwich, out of the frames of the function where *known has them, which it loses. As
 * work_search().
 */
struct work *work_halves(const struct halves_recipe *, struct halves *known, int wake_fd);
void work_end_halves(struct work *, struct halves *);
/* As table_deinit() and tree_deinit(), but freeing hundreds of megabytes does not delay the caller. */
void work_free_table(struct table *);
void work_free_tree(struct tree *);

#endif
