/*
 * pprof_drop.h - which functions a profile says to leave out: drop_frames and keep_frames of profile.proto.
 */
#ifndef COLLAPSE_FORMATS_PPROF_DROP_H
#define COLLAPSE_FORMATS_PPROF_DROP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "collapse/text/lines.h"

struct pprof_drop;

/* From the two patterns, `keep` perhaps empty. NULL with err: one of them is none. */
struct pprof_drop *pprof_drop_new(struct slice drop, struct slice keep, struct err *err);
void pprof_drop_free(struct pprof_drop *);
/* Is the function of this name left out, with everything that it calls? */
bool pprof_drops(struct pprof_drop *, struct slice name);
/* Names on which a pattern took too long; they counted as no match. */
uint64_t pprof_drop_exceeded(const struct pprof_drop *);

#endif
