/*
 * two_columns.h - warns of inputs that mix stacks with one count and with two (before and now).
 */
#ifndef COLLAPSE_LOAD_TWO_COLUMNS_H
#define COLLAPSE_LOAD_TWO_COLUMNS_H

#include "model/profile.h"

/* Adds notes about the last file of the profile. */
void two_columns_say(struct profile *);
/* Adds notes about its files together. */
void two_columns_say_mixed(struct profile *);

#endif
