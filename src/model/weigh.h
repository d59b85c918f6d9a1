/*
 * weigh.h - the first step of a fold: the weights of the samples that take part are added up by path.
 */
#ifndef MODEL_WEIGH_H
#define MODEL_WEIGH_H

#include <stdbool.h>

#include "folding.h"

/* Makes the folding's trie. What takes no part is added to `excluded`. false: cancelled. */
bool weigh(struct folding *);

#endif
