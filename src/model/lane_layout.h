/*
 * lane_layout.h - assigns the frames of one lane of a chart with a time axis to cells.
 *
 * Columns are floor((time - from) * width / (to - from)): every lane has the same axis, and a cell in which no
 * frame lasts stays empty. A frame at least as wide as a cell has a box of its own. Thinner ones that begin in the
 * same cell share it: the longest is drawn alone, so that its tower goes on, if it lasts longer than the others
 * together or all are calls of one function (of more than 32 frames, those at regular times are looked at); else
 * they are an aggregate. Boxes of a row never overlap; what finds no cell lies within the edge of a neighbour
 * (`first`, `final` of struct box). Work is proportional to the cells, not to the frames: binary search by time
 * skips the rest.
 *
 * The result is a struct layout whose row 0 has the lane's frames on the root; box.x0 and x1 are times.
 */
#ifndef MODEL_LANE_LAYOUT_H
#define MODEL_LANE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "layout.h"
#include "tree.h"

/* What to lay out of a lane. */
struct lane_part {
	uint32_t lane;
	struct span span;  /* to > from */
	uint32_t width;    /* columns, > 0 */
	uint64_t min_time; /* shorter frames are left out, 0: none */
	size_t max_rows;   /* > 0 */
};

/* The layout is overwritten. */
void lane_layout_make(struct layout *, const struct tree *, const struct lane_part *);
/* Percent of the time of all lanes. */
uint64_t lane_layout_share(const struct tree *, double percent);
/* The column of a time, at most width. */
uint32_t lane_layout_column(struct span, uint32_t width, uint64_t time);

#endif
