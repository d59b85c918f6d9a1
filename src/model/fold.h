/*
 * fold.h - from a profile and a recipe to a tree.
 *
 * The recipe (recipe.h) selects samples and changes their stacks; folding merges the rest. Every view, on the
 * screen or in a file, goes through here.
 */
#ifndef MODEL_FOLD_H
#define MODEL_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"
#include "profile.h"
#include "recipe.h"
#include "tree.h"

/*
 * Will fold() create names beyond those of the profile (split frames, stripped names)? If other threads read the
 * profile meanwhile, it then needs a copy of the symbols: symtab_copy(), symtab_take().
 */
bool fold_makes_names(const struct recipe *);

/* Are the stacks so deep that reversing them, or making a chart of them, takes too long for one key press? */
bool fold_is_long(const struct profile *, const struct recipe *);

/*
 * Builds the tree into *out, overwriting it without freeing. Adds only symbols to the profile, and updates
 * recipe->filters[].excluded and matched_none. progress may be NULL. false: cancelled (err empty) or a bad pattern
 * (err names it).
 */
bool fold(struct profile *, struct recipe *, struct tree *out, struct progress *, struct err *err);

/*
 * Takes over the early tree of a long fold, on the thread of the fold: the wide frames of a caller tree, with the
 * weights and positions that they have in the whole tree. All other frames are without callers, and the first row
 * is complete. Not called if the whole tree takes no longer.
 */
typedef void fold_early_fn(void *arg, struct tree *early);
bool fold_with_early(struct profile *, struct recipe *, struct tree *out, struct progress *, struct err *err,
                     fold_early_fn *, void *arg);

#endif
