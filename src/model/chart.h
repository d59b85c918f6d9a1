/*
 * chart.h - the fold step that makes a flame chart: samples in input order, equal neighbours joined.
 */
#ifndef MODEL_CHART_H
#define MODEL_CHART_H

#include <stdbool.h>

#include "folding.h"
#include "tree.h"

/* Replaces arrange(); folding->wants_map must be set from the start. false: cancelled, *t is empty. */
bool chart_make(struct folding *, struct tree *t);

#endif
