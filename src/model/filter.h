/*
 * filter.h - the fold step that takes stacks out of the trie, or frames out of stacks.
 */
#ifndef MODEL_FILTER_H
#define MODEL_FILTER_H

#include <stdbool.h>

#include "base/err.h"
#include "folding.h"

/*
 * Takes frames out by their kind (recipe.frames), applies the filters of the recipe in order, and sets their
 * excluded weights. false: cancelled, or a bad pattern (err).
 */
bool filter_all(struct folding *, struct err *err);

#endif
