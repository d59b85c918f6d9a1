/*
 * gate.h - --fail-above: does a comparison show that something got worse?
 */
#ifndef GATE_H
#define GATE_H

#include <stdbool.h>

#include "model/view.h"

/*
 * Lists on standard error the functions whose share, self or total, grew by more than `points` percentage points,
 * or where weights are compared, whose weight grew by so many percent of all of the baseline; and by more than
 * chance explains (see model/diff.h). true: there are some. Growth that may be chance is counted there, too, unless
 * is_quiet. Of a flame chart, which shows one profile, the flame graph is judged.
 */
bool gate_trips(struct view *, double points, bool is_quiet);

#endif
