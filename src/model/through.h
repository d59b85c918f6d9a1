/*
 * through.h - the stacks through a function.
 */
#ifndef MODEL_THROUGH_H
#define MODEL_THROUGH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"
#include "symtab.h"
#include "tree.h"

/*
 * Overwrites *out with the whole stacks of a tree that contain the function, merged from the root, whichever way
 * the tree was merged. They make the same sandwich as the tree does. The weights of both sides are kept. is_apart:
 * frames of one name and different origins stay apart, if the tree knows origins. progress may be NULL; false:
 * cancelled, the result is empty.
 */
bool through_make(struct tree *out, const struct tree *, const struct symtab *, uint32_t symbol, bool is_apart,
                  struct progress *);

#endif
