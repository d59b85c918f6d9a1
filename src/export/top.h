/*
 * top.h - what the tables of functions share, plain text and Markdown.
 */
#ifndef EXPORT_TOP_H
#define EXPORT_TOP_H

#include "export.h"
#include "model/diff.h"

#define TOP_ROWS 40u /* unless --top says otherwise */

struct top_row {
	struct name_sum sum;
	const struct symbol *name;
};

/* Every function below the zoom, by self weight; free() the array. */
struct top_row *top_rows(const struct view *, size_t *n);

/* A weight as it is shown: times --factor. */
uint64_t top_scaled(const struct export_options *, uint64_t v);
/* " (new)", " (vanished)" or "". */
const char *top_remark(const struct diff_change *total);
/*
 * "diff of shares: 3 functions grew and 2 shrank beyond noise, 1 is new, 1 vanished; 1,430 samples before, 1,640
 * after"
 */
void top_add_summary(struct buf *out, const struct diff_table *);
/* Before, after or change of one number in a table: "12.50", "+2.50"; weights in full, times --factor. */
enum top_part { TOP_BEFORE, TOP_AFTER, TOP_DELTA };
void top_add_part(struct buf *out, const struct view *, const struct export_options *, const struct diff_change *,
                  enum top_part);
/* Which parts of the profile the view is without, and its zoom, each between these two; nothing if it is whole. */
void top_add_notes(struct buf *out, const struct view *, const struct export_options *, const char *before,
                   const char *after);
/*
 * What the readers of the inputs left out because it waits, a line each between `before` and `after`; nothing if
 * nothing.
 */
void top_add_idle(struct buf *out, const struct view *, const struct export_options *, const char *before,
                  const char *after);

/* A line that says so where rows are left out of the tree, whose frames are not counted then. */
void top_add_left_out(struct buf *, const struct view *);

#endif
