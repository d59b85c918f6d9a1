/*
 * small_loader.h - compiles the loader into the test with small sizes: define BLOCK, RANGE_MIN or MOST_ORDERED
 * first.
 */
#ifndef TESTS_UNIT_SMALL_LOADER_H
#define TESTS_UNIT_SMALL_LOADER_H

#include "collapse/load/ahead.c"
#include "collapse/load/feeder.c"
#include "collapse/load/inputs.c"
#include "collapse/load/loader.c"
#include "collapse/load/message.c"
#include "collapse/load/ranges.c"

#endif
