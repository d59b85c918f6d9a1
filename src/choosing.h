/*
 * choosing.h - asks in the viewer what an address leaves to be chosen.
 */
#ifndef CHOOSING_H
#define CHOOSING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct options;
struct session;
struct load_input;

/*
 * If the only input is an address that leaves a choice, and a viewer will ask for it: fetches what there is to
 * choose, and prepares the question. Later the input is fetched from the chosen address. false: err.
 */
bool choosing_prepare(struct options *, struct session *, struct load_input *, size_t n, struct err *err);

#endif
