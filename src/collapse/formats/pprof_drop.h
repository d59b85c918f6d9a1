/*
 * pprof_drop.h - finds the functions that a profile asks to leave out: drop_frames and keep_frames of
 * profile.proto.
 */
#ifndef COLLAPSE_FORMATS_PPROF_DROP_H
#define COLLAPSE_FORMATS_PPROF_DROP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "collapse/text/lines.h"

struct pprof_drop;

/* Compiles both patterns; `keep` may be empty. NULL with err: one of them is not a valid pattern. */
struct pprof_drop *pprof_drop_new(struct slice drop, struct slice keep, struct err *err);
void pprof_drop_free(struct pprof_drop *);
/* Is the function of this name left out, with all that it calls? */
bool pprof_drops(struct pprof_drop *, struct slice name);
/* Names on which a pattern took too long; they counted as no match. */
uint64_t pprof_drop_exceeded(const struct pprof_drop *);

#endif
