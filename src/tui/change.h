/*
 * change.h - a comparison in the viewer: verdicts, the footer's lines, and the list of the largest changes.
 */
#ifndef TUI_CHANGE_H
#define TUI_CHANGE_H

#include <stdbool.h>

#include "base/buf.h"
#include "lib/cells.h"

struct app;

/* "7 grew, 4 shrank, 11 new, 1 vanished", for the header. */
void change_add_counts(struct buf *out, const struct app *);
/* "  +0.53 points": the change of all frames with this name. */
void change_add_gain(struct buf *out, const struct app *, const struct name_sum *);
/* "  (1 vanished below: gone 8.4%)": children of the selected frame without width on this side. */
void change_add_unseen(struct app *, struct buf *out);
/*
 * Appends the change of the frame or function under the cursor, one line for its self weight and one for its total.
 * Nothing if nothing is selected. aggregate: frames in one place to report instead, which only have a total; or
 * NULL.
 */
void change_add_line(struct app *, struct buf *out, bool is_total, const struct box *aggregate);

/* true: there is nothing to compare, and the footer says why. */
bool change_say_nothing(struct app *);
/* true: only one side knows the modules that frames now are, and the footer says so. */
bool change_say_uneven(struct app *);
/* Opens the list of changes (`d`); of very many functions later (listing.h). */
void change_open_list(struct app *);

#endif
