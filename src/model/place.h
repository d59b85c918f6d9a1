/*
 * place.h - a frame, to be found again in another tree.
 *
 * Node numbers mean nothing in the next tree. So before a refold a view saves zoom, cursor and earlier zooms as
 * call paths, and finds them again:
 *
 *	same stacks                by path, as deep as it still exists
 *	frames were taken out      by path, skipping frames that are gone; when they come back, the widest frame of the
 *	                           same name below the part that was found
 *	reversed (--reverse)       the widest frame of the same name; a zoom only to a frame on the root, where merging
 *	                           from the leaves starts
 *
 * In a flame chart many frames share a path. The view takes the one at the same position or, if filters moved
 * positions, at the same time, if samples have times.
 */
#ifndef MODEL_PLACE_H
#define MODEL_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tree.h"

/* A node, independent of any tree. */
struct place {
	uint32_t *syms;    /* root first */
	uint32_t *origins; /* NULL: the tree has none */
	size_t n;
	uint64_t at; /* in a chart: the frame's start */
};

/* How to tell apart frames of one path in the old and the new tree. */
enum told_by { TOLD_BY_NOTHING, TOLD_BY_POSITION, TOLD_BY_TIME };

enum told_by place_told_by(const struct tree *before, const struct tree *now);
struct place place_of(const struct tree *, uint32_t node, enum told_by);
void place_deinit(struct place *);

/* The deepest frame found; may_pass_over: skips frames of the place that are gone. */
uint32_t place_find(const struct tree *, const struct place *, enum told_by, bool may_pass_over);
/* The widest frame with the place's last name at or below `below`; `below` if there is none. */
uint32_t place_find_function(const struct tree *, uint32_t below, const struct place *);
/* The same for a zoom after a tree was turned around. */
uint32_t place_find_zoomed(const struct tree *, const struct place *);

#endif
