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

static inline bool top_is_diff(const struct view *v) { return v->tree.base && v->diff != DIFF_OFF; }

/* A weight as it is shown: times --factor. */
uint64_t top_scaled(const struct export_options *, uint64_t v);
/* " (new)", " (vanished)" or "". */
const char *top_remark(const struct diff_change *total);
/* "3 functions grew and 2 shrank beyond noise, 1 is new, 1 vanished; 1,430 samples before, 1,640 after" */
void top_add_summary(struct buf *out, const struct diff_table *);

#endif
