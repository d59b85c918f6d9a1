/*
 * work.h - folds, searches and sorts in the background, and adds up sums over a tree.
 */
#ifndef TUI_WORK_H
#define TUI_WORK_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "lib/cells.h"
#include "tui/lines_make.h"
#include "tui/pick_make.h"
#include "tui/write_order.h"

#define NO_SUM UINT32_MAX

/* Sums over a whole tree, so that moving the cursor needs no walk. */
struct totals {
	struct name_sum *sums; /* one for each name that occurs */
	size_t n_sums;
	uint32_t *index; /* by symbol: index into sums, NO_SUM: does not occur */
	size_t n_symbols;
	double diff_most; /* diff_most(); 0 without a baseline */
	struct diff_basis basis;
	struct diff_counts counts; /* functions that changed */
};

void totals_init(struct totals *);
void totals_deinit(struct totals *);
/* progress may be NULL; if it is cancelled, the totals are invalid. */
void totals_make(struct totals *, const struct profile *, const struct recipe *, const struct tree *,
                 struct progress *);
/* The sum for a name; NULL: it does not occur. */
const struct name_sum *totals_of(const struct totals *, uint32_t sym);

/* A task on its own thread. It writes one byte to a file descriptor when it is done. */
struct work;

bool work_is_done(const struct work *);
double work_share_done(const struct work *); /* 0..1 */
/*
 * Waits at most this many milliseconds; WORK_FOREVER: as long as it takes; 0: not at all, even if it is
 * done. true: it is done.
 */
#define WORK_FOREVER UINT_MAX
bool work_wait(struct work *, unsigned ms);
/* Makes it end early with an invalid result; work_cancel() must follow. */
void work_stop(struct work *);
bool work_is_stopped(const struct work *);
/* Discards the result and waits for the thread. NULL is allowed. */
void work_cancel(struct work *);

/*
 * Folds a copy of the recipe. The profile must neither change nor go away before work_end_fold() or work_cancel().
 * NULL: no thread could be started.
 */
struct work *work_fold(struct profile *, const struct recipe *, int wake_fd);
/* Hands over the early tree of a fold (fold.h), once; false: there is none, or not yet. */
bool work_take_early(struct work *, struct tree *);
bool work_has_early(const struct work *);
/*
 * Waits for the thread and frees the work. true: hands over the tree, its totals and the weights that filters took
 * out, and adds new names to the profile. false: cancelled (err empty) or failed. Nothing else may read the symbols
 * meanwhile.
 */
bool work_end_fold(struct work *, struct tree *, struct totals *, struct recipe *recipe, struct err *);

/*
 * Runs a search that was begun, and empties it. Symbols and tree must not change before work_end_search() or
 * work_cancel(). If no thread can be started, or wake_fd is negative, the search is done when this returns.
 */
struct work *work_search(struct search *begun, const struct symtab *, const struct tree *, uint32_t zoom,
                         int wake_fd);
/* Waits for the thread, hands over the complete search, and frees the work. */
void work_end_search(struct work *, struct search *);

/* Makes the rows of the table; empties the recipe. Otherwise like work_search(). */
struct work *work_table(struct table_recipe *, int wake_fd);
void work_end_table(struct work *, struct table *);
/*
 * Makes the halves of a sandwich, and takes over the frames of the function from *known if it has them. Otherwise
 * like work_search().
 */
struct work *work_halves(const struct halves_recipe *, struct halves *known, int wake_fd);
void work_end_halves(struct work *, struct halves *);
/*
 * Lights made halves for another search of the view. Both must not change before work_end_light() or work_cancel().
 * Otherwise like work_search().
 */
struct work *work_light(const struct halves *made, const struct view *, int wake_fd);
void work_end_light(struct work *, struct halves *made);
/* Of which comparison the functions that changed most are wanted. */
struct changes_order {
	struct diff_basis basis;
	const struct symtab *symtab;
	const struct tree *tree;
	uint32_t zoom;
};
/* Finds them. Symbols and tree must not change before. Otherwise like work_search(). */
struct work *work_changes(const struct changes_order *, int wake_fd);
void work_end_changes(struct work *, struct diff_leaders *);
/*
 * Chooses lines for the list of threads; takes over the order. The profile must not change before. Otherwise like
 * work_search().
 */
struct work *work_pick(const struct pick_order *, int wake_fd);
void work_end_pick(struct work *, struct pick_lines *);
/* false: cancelled, or err is set; the page is empty. The caller ends page and hottest.file. */
struct page_result {
	bool ok;
	struct line_page page;
	struct hottest hottest;
	struct err err;
};
/*
 * Makes the page of a function's lines or instructions, or finds its hottest line. Takes the source over, which
 * work_end_page() returns. The profile must neither change nor go away before, and no one else may use the finder.
 */
struct work *work_page(struct page_source *, const struct page_order *, int wake_fd);
struct page_source *work_end_page(struct work *, struct page_result *);
/*
 * Writes a file; takes the order over. NULL: no thread could be started, and nothing is taken over. What the order
 * shares with the viewer must not change before work_end_write() or work_cancel(); both leave no half of a file.
 */
struct work *work_write(struct write_order *, int wake_fd);
/* Returns the order. ok: the file is written; else err is empty if that was stopped. */
struct write_order *work_end_write(struct work *, bool *ok, struct err *);
/* Like table_deinit() and tree_deinit(), but freeing hundreds of megabytes does not delay the caller. */
void work_free_table(struct table *);
void work_free_tree(struct tree *);

#endif
