/*
 * weigh.h - the first fold step: sums the selected samples by path.
 */
#ifndef MODEL_WEIGH_H
#define MODEL_WEIGH_H

#include <stdbool.h>

#include "folding.h"

/* Makes the folding's trie. Adds unselected weight to `excluded`. false: cancelled. */
bool weigh(struct folding *);

#endif
