/*
 * change_json.h - the facts of a comparison for the scripts of the page and of the SVG: with them, viewer_change.js
 * compares weights, and colours changes, as diff.c does.
 */
#ifndef EXPORT_CHANGE_JSON_H
#define EXPORT_CHANGE_JSON_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/diff.h"

#define CHANGE_RAMP 120u /* steps of a ramp of colours, less one: as many as palette_change() has */

/* Appends a colour as six digits of hex. */
void change_json_color(struct buf *, struct rgb);
/*
 * Appends an object that its caller ends: "of", "swapped", the samples "before" and "after", and the colours of
 * growth ("up") and of the opposite ("down") by the square root of their part of the greatest change; "noise" has
 * two more, for what may be chance. is_classic: the colours of palette_diff(), which has none for chance.
 */
void change_json_begin(struct buf *, const struct diff_basis *, bool is_negated, bool is_classic);

#endif
