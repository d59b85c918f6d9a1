/*
 * ranges.h - reads a large plain file on several threads, for formats with independent records.
 */
#ifndef COLLAPSE_LOAD_RANGES_H
#define COLLAPSE_LOAD_RANGES_H

#include "collapse/load/feeder.h"

/* Can several threads read this input, and is it large enough for two? */
bool ranges_are_worth_it(const struct collapse_format *, const struct input *, unsigned jobs);
/*
 * Reads all of such an input on at most `jobs` threads, and starts and finishes the format on each. The profile is
 * the same for any number of threads; lines in messages count from the beginning of the file. The feeder must not
 * be started.
 */
bool ranges_read(struct feeder *, struct input *, const struct head *, unsigned jobs, struct err *);

#endif
