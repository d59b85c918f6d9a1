/*
 * plain_axis.h - a chart with a time axis for files that cannot show lanes: the same samples one after the other.
 */
#ifndef EXPORT_PLAIN_AXIS_H
#define EXPORT_PLAIN_AXIS_H

#include <stdbool.h>

#include "base/err.h"
#include "model/view.h"

/*
 * Makes a view of a time (to: 0: all) and its tree; it shares the rest with `of`. Without lanes, the samples of all
 * threads follow each other as in the input, and equal neighbours are one frame. false: err is set or
 * it was cancelled (progress may be NULL), nothing to free.
 */
bool plain_axis_make(struct view *, const struct view *of, struct span, bool keeps_lanes, struct progress *,
                     struct err *);
void plain_axis_free(struct view *, const struct view *of);

#endif
