/*
 * folded_head.h - comments at the beginning of folded stacks.
 */
#ifndef EXPORT_FOLDED_HEAD_H
#define EXPORT_FOLDED_HEAD_H

#include <stdbool.h>

#include "model/view.h"

/* How much of the input was read, if not all. Not as the first line, which announces escapes. Updates *is_clear. */
void folded_head_add_so_far(struct buf *out, const struct view *, bool *is_clear);
/* The same for what the profile lacks: "# 12 samples lost". */
void folded_head_add_missing(struct buf *out, const struct view *, bool *is_clear);
/* What counts times `factor` count, if not samples. */
void folded_head_add_unit(struct buf *out, const struct view *, double factor);

#endif
