/*
 * ranges.h - a large plain file on several threads, for formats whose records are independent of each other.
 */
#ifndef COLLAPSE_LOAD_RANGES_H
#define COLLAPSE_LOAD_RANGES_H

#include "collapse/load/feeder.h"

/* Can this input be read by several threads, and is it large enough for two? */
bool ranges_are_worth_it(const struct collapse_format *, const struct input *, unsigned jobs);
/*
 * Reads all of such an input on at most `jobs` threads, starts and finishes the feeder's format on each. The
 * profile is the same for any number of threads; lines in messages count from the beginning of the file. The feeder
 * is one that was not started.
 */
bool ranges_read(struct feeder *, struct input *, const struct head *, unsigned jobs, struct err *);

#endif
