/*
 * bundle.h - `flametop bundle`: packs a recording with the files that its names come from.
 */
#ifndef BUNDLE_H
#define BUNDLE_H

#include <stdbool.h>

#include "base/err.h"
#include "options.h"

/*
 * Writes the bundle that the options ask for, and says on standard error what is in it and what is missing. false
 * with err: there is none.
 */
bool bundle_write(const struct options *, struct err *err);

#endif
