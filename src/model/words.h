/*
 * words.h - what a header says of a view, and how a change is put into words, the same on the screen and in every
 * export.
 */
#ifndef MODEL_WORDS_H
#define MODEL_WORDS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "diff.h"
#include "view.h"

/*
 * Samples of one side of a comparison: "1,000", "less than 1" of what has faded or is a part of them, "0" of
 * nothing.
 */
void words_add_samples(struct buf *out, double samples);
/* "diff of shares" or "diff of weights". */
void words_add_quantity(struct buf *out, enum diff_quantity);
/* The same for a picture: "diff of shares, widths from before". */
void words_add_comparison(struct buf *out, const struct diff_basis *);

/*
 * What is left out, with `before` each part: "  worker  1.000 s to 2.500 s  12.3% excluded  5.0% is in no function
 * only malloc".
 */
void words_add_task(struct buf *out, const struct view *, const char *before, enum utf8_clean_mode);
void words_add_times(struct buf *out, const struct view *, const char *before);
/* Filters are named until out->len passes room; the rest is counted, "+2 filters". */
void words_add_filters(struct buf *out, const struct view *, const char *before, enum utf8_clean_mode, size_t room);
/*
 * " (1 name beyond the limit)": on these a pattern ran into a limit, so that nothing is known of them. Nothing if
 * there are none.
 */
void words_add_given_up(struct buf *out, uint64_t names);
/* The pattern of a filter that has one. */
void words_add_pattern(struct buf *out, const struct filter *, enum utf8_clean_mode);
/* "  without the baseline": in a flame chart, which shows one profile. */
void words_add_baseless(struct buf *out, const struct view *, const char *before);
/*
 * All of these with "; " between them, for an output that has no header of its own, and the event if there are
 * others; nothing if nothing is left out.
 */
void words_add_left_out(struct buf *out, const struct view *, enum utf8_clean_mode);
/* "0.9 of 107 MB read so far", of a pipe "18 MB read so far"; nothing of a profile that is whole. */
void words_add_so_far(struct buf *out, const struct profile *);
/* "'cycles' is shown; 2 other events: faults, cs"; nothing if there are no others. Not cleaned. */
void words_add_events(struct buf *out, const struct view *);
/* "zoom: main;parse  30.0% of all", nothing without a zoom. */
void words_add_zoom(struct buf *out, const struct view *, enum utf8_clean_mode);

/*
 * "+15.5" of a share with so many places, "+1.20 s" or "+300" of a weight, which is multiplied by factor (0: as it
 * is). words_has_gain() is false if it reads as no change at all.
 */
void words_add_gain(struct buf *out, const struct view *, const struct diff_change *, double factor, int places);
bool words_has_gain(const struct diff_change *, int places);
/* What it was before, or is after: "37.2%", "8.05 s", "1.20 k". */
void words_add_side(struct buf *out, const struct view *, const struct diff_change *, bool is_after, double factor,
                    int places);
/* So many standard errors of it, as "3.3" or "50.0 ms". */
void words_add_error(struct buf *out, const struct view *, const struct diff_change *, double sigmas, double factor,
                     int places);

#endif
