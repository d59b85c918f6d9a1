/*
 * estimate.h - weight whose paths are estimated, and the words for it.
 *
 *	62.0% of all weight is on paths that are certain; the others are estimated from a call graph
 *
 * If there are several events, "of all weight of Ir". A call graph tells who calls whom, but not on which path. All
 * places that report this (standard error, the header, the text outputs) use these words. Filters and zoom do not
 * change it.
 */
#ifndef MODEL_ESTIMATE_H
#define MODEL_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/profile.h"

/* The paths of so much more weight of a series, which samples of the log carry, are estimated. */
void estimate_add(struct profile *, unsigned side, uint32_t series, uint64_t weight);
/*
 * Adds the estimated weight of src, whose series have the numbers series[] in dst; dst has at least as many
 * decimals. For profile_append().
 */
void estimate_append(struct profile *dst, const struct profile *src, const uint32_t *series);
/* Converts estimated weights from profile->decimals to `to` decimals. */
void estimate_scale(struct profile *, unsigned to);

/*
 * Appends the words for a series (-1: the first with estimated paths); those for a baseline begin with "before: ".
 * false: all paths are certain.
 */
bool estimate_add_words(const struct profile *, int32_t series, unsigned side, struct buf *out);
/* A short form, of the profile only: "paths estimated, 62.0% of all certain". */
bool estimate_add_share(const struct profile *, int32_t series, struct buf *out);

#endif
