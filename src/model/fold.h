/*
 * fold.h - from a profile and a recipe to a tree.
 *
 * The recipe (recipe.h) says which samples take part and how their stacks are changed on the way; folding merges
 * what is left. Everything that a view shows, on the screen or in a file, went through here.
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
 * Will fold() make names beyond those of the profile (split frames, stripped names)? Where others read the profile
 * meanwhile it then needs a copy of the symbols: symtab_copy(), symtab_take().
 */
bool fold_makes_names(const struct profile *, const struct recipe *);

/* Few stacks, but of so many frames that turning them around, or a chart of them, takes longer than a key may? */
bool fold_is_long(const struct profile *, const struct recipe *);

/*
 * Builds the tree; *out is overwritten, not freed. The profile is not changed but for new symbols; progress
 * may be NULL. false: cancelled (err empty) or a bad pattern (err says which).
 * recipe->filters[].excluded and matched_none are updated.
 */
bool fold(struct profile *, struct recipe *, struct tree *out, struct progress *, struct err *err);

#endif
