/*
 * chart.h - the step of a fold that makes a flame chart: samples in the order of the input, equal neighbours
 * joined.
 */
#ifndef MODEL_CHART_H
#define MODEL_CHART_H

#include <stdbool.h>

#include "folding.h"
#include "tree.h"

/* In place of arrange(): needs folding->wants_map from the start. false: cancelled, *t is empty. */
bool chart_make(struct folding *, struct tree *t);

#endif
