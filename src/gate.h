/*
 * gate.h - --fail-above: did something get slower?
 */
#ifndef GATE_H
#define GATE_H

#include <stdbool.h>

#include "model/view.h"

enum gate_words {
	GATE_QUIET, /* not a word about growth that may be chance */
	GATE_BRIEF,
	GATE_ALL, /* also lists callers of functions that grew */
};

enum gate_result {
	GATE_PASSES,
	GATE_TRIPS,   /* some functions grew too much */
	GATE_NOTHING, /* there is nothing to judge; a message said why */
};

/*
 * Lists on standard error the functions whose self or total share grew by more than `points` percentage points (or,
 * when weights are compared, whose weight grew by more than that percentage of the baseline's total) and by more
 * than chance explains (model/diff.h). Weights are listed times `factor` (0: 1). For a flame
 * chart, which shows one profile, it judges the flame graph.
 */
enum gate_result gate_judge(struct view *, double points, double factor, enum gate_words);

#endif
