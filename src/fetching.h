/*
 * fetching.h - connects addresses among the inputs (sources/) with the loader.
 */
#ifndef FETCHING_H
#define FETCHING_H

#include "lib/inside.h"
#include "options.h"

/*
 * Makes sources of the addresses that were given. Call it before other threads run. false: err; *is_usage: the
 * address is wrong, rather than something missing. fetching_end() after any result, before options_deinit().
 */
bool fetching_begin(struct options *, bool *is_usage, struct err *err);
/* Says on standard error that answers came of which --save keeps none. */
void fetching_say_unsaved(const struct options *);
void fetching_end(struct options *); /* also if nothing has begun */
/* What a user should know about --listen; NULL: nothing. Static. */
const char *fetching_note(const struct options *);
/* If the input's path is the name of a source, or of the receiver, it comes from there. */
void fetching_connect(struct load_input *, struct options *);

#endif
