/*
 * top.h - code shared by the tables of functions, plain text and Markdown.
 */
#ifndef EXPORT_TOP_H
#define EXPORT_TOP_H

#include "base/utf8.h"
#include "export.h"
#include "model/diff.h"
#include "model/tree_sums.h"

/* How many rows to write. */
size_t top_most(const struct view *, const struct export_options *);
/* Are the rows those of the table on the screen? */
bool top_is_sorted(const struct view *);
/* What the filter of the table leaves. */
struct top_passed {
	size_t n, all;     /* rows, and those without the filter */
	uint64_t given_up; /* names on which the filter exceeded its limit: they do not pass */
};
/*
 * The functions below the zoom, in the table's order and through its filter if it has some, else by self weight.
 * The caller frees the array, which may be NULL. If the progress (NULL: none) is cancelled, there are some rows or
 * none, as in top_diff_rows().
 */
struct name_sum *top_rows(const struct view *, struct top_passed *, struct progress *);
/*
 * The `most` functions of a comparison that changed most, in the given order; *n: how many. If the table has an
 * order or a filter: those that come first there.
 */
struct diff_row *top_diff_rows(const struct view *, const struct diff_table *, size_t most, enum diff_order,
                               size_t *n, struct top_passed *, struct progress *);
/*
 * Appends a line if the table has a filter: "3 of 120 functions match /malloc/". Sets the names beyond the limit in
 * options->loss.
 */
void top_add_filter(struct buf *out, const struct view *, const struct export_options *, const struct top_passed *,
                    enum utf8_clean_mode);

/* A weight times --factor, for display. */
uint64_t top_scaled(const struct export_options *, uint64_t v);
/* " (new)", " (vanished)" or "". */
const char *top_remark(const struct diff_change *total);
/*
 * "diff of shares: 3 functions grew and 2 shrank beyond noise, 1 is new, 1 vanished; 1,430 samples before, 1,640
 * after"
 */
void top_add_summary(struct buf *out, const struct diff_table *);
/* One number of a table, before, after or change: "12.50", "+2.50"; weights in full, times --factor. */
enum top_part { TOP_BEFORE, TOP_AFTER, TOP_DELTA };
void top_add_part(struct buf *out, const struct view *, const struct export_options *, const struct diff_change *,
                  enum top_part);
/* Appends the parts of the profile that the view leaves out, and its zoom, each between `before` and `after`. */
void top_add_notes(struct buf *out, const struct view *, const struct export_options *, const char *before,
                   const char *after);
/*
 * Appends a line for each idle weight that readers left out, and one if paths are estimated, each between `before`
 * and `after`.
 */
void top_add_idle(struct buf *out, const struct view *, const struct export_options *, const char *before,
                  const char *after);

/* Appends a line if the tree leaves out rows, whose frames are then not counted. */
void top_add_left_out(struct buf *, const struct view *);

#endif
