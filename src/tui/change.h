/*
 * change.h - what a comparison shows in the viewer: verdicts, the footer's lines, and the list of what changed most.
 */
#ifndef TUI_CHANGE_H
#define TUI_CHANGE_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/diff.h"
#include "model/layout.h"
#include "model/view.h"

struct app;

/* Is there a baseline, and is it shown? */
bool change_is_shown(const struct view *);
/*
 * May chance explain it? Where weights are compared as they are (D: differences), that is asked of weights, elsewhere of
 * shares.
 */
bool change_is_noise(const struct view *, const struct diff_change *);
/* Above 0: it grew, below 0: it shrank, in the terms of change_is_noise(); noise or not. */
double change_sign(const struct view *, const struct diff_change *);
/* "grew", "within noise", "vanished" ...; "more" and "less" of weights. */
const char *change_verdict(const struct view *, const struct diff_change *);
/* "+15.5" points, or "+300" where weights are compared; nothing if it rounds to 0. */
void change_add_number(struct buf *out, const struct view *, const struct diff_change *);

/* "7 grew, 4 shrank, 11 new, 1 vanished", for the header. */
void change_add_counts(struct buf *out, const struct app *);
/* "  (1 vanished below: gone 8.4%)": children of the selected frame that have no width on this side. */
void change_add_unseen(struct app *, struct buf *out);
/*
 * What changed of the frame or function under the cursor, in one line for its self weight and one for its total.
 * Nothing if nothing is selected. aggregate: the frames in that place instead, which have only a total; or NULL.
 */
void change_add_line(struct app *, struct buf *out, bool is_total, const struct box *aggregate);

/* The list behind `d`. */
void change_open_list(struct app *);

#endif
