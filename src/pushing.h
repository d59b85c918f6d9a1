/*
 * pushing.h - sends what was recorded to a store of profiles.
 */
#ifndef PUSHING_H
#define PUSHING_H

#include <flametop.h>
#include <stdbool.h>

#include "base/err.h"
#include "options.h"

/* Is the profile sent, and written nowhere? */
bool pushing_is_all(const struct options *);
/* Sends the view as a pprof to the address of --push, and says so. false: err. */
bool pushing_send(struct options *, struct flametop_view *, struct err *err);

#endif
