/*
 * lines.h - which functions the exports of lines show; private to them.
 */
#ifndef EXPORT_LINES_H
#define EXPORT_LINES_H

#include "export.h"
#include "model/tree_sums.h"

/*
 * The function of the view, or the heaviest ones, those that the reader (NULL: none) joins only once: their
 * symbols. The caller frees the list, which is never NULL.
 */
struct name_sum *lines_choose(const struct view *, const struct export_options *, const struct line_reader *,
                              size_t *n);
/* Starts reading lines. NULL with err: the profile has none, or without: cancelled. */
struct line_reader *lines_begin(const struct view *, const struct export_options *, struct err *);

/* The same as a table in Markdown; the view is that of lines. */
bool markdown_add_lines(struct buf *, const struct view *, const struct export_options *, struct err *);

#endif
