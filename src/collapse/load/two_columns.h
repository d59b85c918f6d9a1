/*
 * two_columns.h - inputs whose stacks have two counts (before and now), or mix these with stacks of one.
 */
#ifndef COLLAPSE_LOAD_TWO_COLUMNS_H
#define COLLAPSE_LOAD_TWO_COLUMNS_H

#include "model/profile.h"

/* Adds notes about the last file of the profile. */
void two_columns_say(struct profile *);
/* Adds notes about its files together. */
void two_columns_say_mixed(struct profile *);
/* Do those of a file come from a comparison of shares? */
bool two_columns_are_shares(const struct profile *);

#endif
