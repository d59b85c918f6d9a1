/*
 * merge.h - the fold step that makes one name of its variants (origin.h), or of all functions of a module
 * (group.h).
 */
#ifndef MODEL_MERGE_H
#define MODEL_MERGE_H

#include <stdbool.h>

#include "folding.h"

/* Does the step need names that the profile may lack? merge_make_names() adds them. false: cancelled. */
bool merge_makes_names(const struct recipe *);
bool merge_make_names(struct folding *);

/* After the filters, before stacks are reversed. false: cancelled. */
bool merge_names(struct folding *);
/* Once the tree is made: gives its nodes plain names. */
void merge_end(const struct folding *, struct tree *);

#endif
