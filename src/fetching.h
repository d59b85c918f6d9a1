/*
 * fetching.h - connects addresses among the inputs (sources/) with the loader.
 */
#ifndef FETCHING_H
#define FETCHING_H

#include "collapse/load/load.h"
#include "options.h"

/*
 * Makes sources of the addresses that were given. Call it before other threads run. false: err; *is_usage: the
 * address is wrong, rather than something missing.
 */
bool fetching_begin(struct options *, bool *is_usage, struct err *err);
/* A crash leaves no copy of our memory, which holds credentials; neither does one of programs that we start. */
void fetching_forbid_core(void);
/* If the input's path is the name of a source, it is fetched from there. */
void fetching_connect(struct load_input *, struct options *);

#endif
