/*
 * clashes.h - one file for two purposes.
 */
#ifndef CLASHES_H
#define CLASHES_H

#include <stdbool.h>

#include "base/err.h"
#include "options.h"

/*
 * false with err: two options write the same file, or one writes a file that another reads. --output may replace a
 * profile, which is read before; --cp reads and writes one file.
 */
bool clashes_check(const struct options *, struct err *err);

#endif
