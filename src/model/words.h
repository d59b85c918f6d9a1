/*
 * words.h - the words of headers and changes, the same on the screen and in every export.
 */
#ifndef MODEL_WORDS_H
#define MODEL_WORDS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "diff.h"
#include "halves.h"
#include "view.h"

/* Appends "1,430 samples before, 1,640 after". */
void words_add_samples(struct buf *out, const struct diff_basis *);
/* "diff of shares" or "diff of weights". */
void words_add_quantity(struct buf *out, enum diff_quantity);
/* The same for pictures: "diff of shares, widths from before". */
void words_add_comparison(struct buf *out, const struct diff_basis *);

/*
 * "callers 12.5%, callees 30.0% of all": the parts of a sandwich that match the view's search, as shares of the
 * weight `all`.
 */
void words_add_hits(struct buf *out, const struct view *, const struct halves *, uint64_t all);
/* "3 frames narrower than 5% are left out; 1 vanished frame has no width"; nothing if there are none. */
void words_add_light(struct buf *out, const struct view *, const struct tree_light *, double percent);
/* "12 ms to 40 ms", "1 s to the end" (to = 0): ns, both ends as exact as their distance needs. */
void words_add_range(struct buf *out, uint64_t from, uint64_t to);
/*
 * Append what is left out, with `before` before each part: "  worker  1.000 s to 2.500 s  12.3% excluded
 * 5.0% is in no function  only malloc".
 */
void words_add_task(struct buf *out, const struct view *, const char *before, enum utf8_clean_mode);
void words_add_times(struct buf *out, const struct view *, const char *before);
/* "3 samples without a time are left out"; nothing for 0. */
void words_add_untimed(struct buf *out, uint64_t n);
/* "12 samples lost", "before: sampling paused for 3 s", "callers dropped by --skip-after": what its sides lack. */
void words_add_missing(struct buf *out, const struct view *, const char *before);
/* The same without what the user asked to drop. */
void words_add_lost(struct buf *out, const struct view *, const char *before);
/* "the baseline names no unit: its numbers are taken as cycles", if weights are compared. false: nothing to say. */
bool words_add_taken(struct buf *out, const struct view *, unsigned side);
/*
 * "the two profiles count different events or units, cpu in ns and before samples"; false: they do not, or nothing
 * is compared.
 */
bool words_add_counted(struct buf *out, const struct view *, enum utf8_clean_mode);
/*
 * "before: page-faults", "before: cpu in ns", if the side without the widths has another event or unit; and
 * words_add_taken() of both sides.
 */
void words_add_base_event(struct buf *out, const struct view *, const char *before, enum utf8_clean_mode);
/* Names filters until out->len exceeds room, then counts the rest: "+2 filters". */
void words_add_filters(struct buf *out, const struct view *, const char *before, enum utf8_clean_mode, size_t room);
/*
 * " (1 name beyond the limit)": names on which a pattern exceeded a limit, so that their match is unknown. Nothing
 * for 0.
 */
void words_add_given_up(struct buf *out, uint64_t names);
/* "stacks after the first 2,991,928 frames are without theirs": of a tree that is_shortened. */
void words_add_shortened(struct buf *out, const struct view *);
/* What a filter of this kind matches: "function" or "label". */
const char *words_filtered(enum filter_kind);
/* Appends " (labels: bytes, user)" for a filter of labels. */
void words_add_labels(struct buf *, const struct profile *);
/* Appends a warning if the split is by a label that no sample has; false: it is not. */
bool words_add_unknown_label(struct buf *, const struct profile *, const struct split *);
/* The pattern of a filter; it must have one. */
void words_add_pattern(struct buf *out, const struct filter *, enum utf8_clean_mode);
/* "  without the baseline": for a flame chart, which shows one profile. */
void words_add_baseless(struct buf *out, const struct view *, const char *before);
/*
 * All of these, separated by "; ", for an output without a header, plus the event if there are others and a word
 * on mixed units; nothing if nothing is left out.
 */
void words_add_left_out(struct buf *out, const struct view *, enum utf8_clean_mode);
/* The same without the event, for an output that has the others as well. */
void words_add_left_out_of_event(struct buf *out, const struct view *, enum utf8_clean_mode);
/*
 * Appends "0.9 of 107 MB read so far", for a pipe "18 MB read so far", or that an input is cut off; nothing for a
 * complete profile.
 */
void words_add_so_far(struct buf *out, const struct view *);
/* "only the new profile has modules: by module, frames cannot be compared"; false: the sides are alike. */
bool words_add_uneven(struct buf *out, const struct view *);
/* Is an input of a side that the view shows cut off? */
bool words_are_cut_off(const struct view *);
/* "'cycles' is shown; 2 other events: faults, cs"; nothing without other events. Not cleaned. */
void words_add_events(struct buf *out, const struct view *);
/* "1.5 s to 2.25 s of 8.5 s": the visible part of a chart with a time axis; nothing if all is visible. */
void words_add_span(struct buf *out, const struct view *, bool names_whole);
/* The thread of a lane: "worker  thread 12". */
void words_add_lane(struct buf *out, const struct view *, uint32_t lane, enum utf8_clean_mode);
/* What the colours of a comparison mean: "red grew, blue shrank", negated the other way round. */
const char *words_of_colors(bool is_negated);
#define WORDS_OF_ALL " of all"
/* What shares are of: WORDS_OF_ALL, or " of shown" if filters left something out. */
const char *words_of_whole(const struct view *);
/* " of zoom", " of visible time" in files of a part of a chart, else nothing: what shares in a table are of. */
const char *words_of_zoom(const struct view *);
/* "zoom: main;parse  30.0% of all", a weight; nothing without a zoom. */
void words_add_zoom(struct buf *out, const struct view *, uint64_t all, enum utf8_clean_mode);

/*
 * "+15.5" for a share (with `places` decimals), "+1.20 s" or "+300" for a weight times factor (0: unscaled).
 * words_has_gain(): does it read as a change?
 */
void words_add_gain(struct buf *out, const struct view *, const struct diff_change *, double factor, int places);
bool words_has_gain(const struct diff_change *, int places);
/* The value before, or after: "37.2%", "8.05 s", "1.20 k". */
void words_add_side(struct buf *out, const struct view *, const struct diff_change *, bool is_after, double factor,
                    int places);
/* The size of `sigmas` standard errors: "3.3" or "50.0 ms". */
void words_add_error(struct buf *out, const struct view *, const struct diff_change *, double sigmas, double factor,
                     int places);
/* "self 15 20.5%, total 45 61.6%" of a function, with shares of all; weights times factor. */
void words_add_sums(struct buf *out, const struct view *, const struct name_sum *, double factor);

#endif
