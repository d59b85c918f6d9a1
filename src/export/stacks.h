/*
 * stacks.h - the stacks of a view, one after the other, for files that list them.
 */
#ifndef EXPORT_STACKS_H
#define EXPORT_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "model/view.h"

/*
 * syms: the names from the root of the tree on, which is the leaf of the calls in a tree merged from the leaves;
 * symbols of origins in a view_parted(). They last until the next stack. same: the stack before has the first
 * `same` of them, too, in the same frames; a taker that begins there takes time for frames, not for the length of
 * each stack. weight: of the view, and of the baseline, or the other way round with recipe.swap_sides, as in a
 * tree; not both are 0.
 */
typedef void stacks_take(void *arg, const uint32_t *syms, size_t n, size_t same, const uint64_t weight[2]);

/*
 * Calls take() for each stack at or below the zoom, in the order of the tree, rows that it leaves out included. A
 * chart has a stack several times. It stops early if the progress, which may be NULL, is cancelled.
 */
void stacks_each(const struct view *, stacks_take *, void *arg, struct progress *);

#endif
