/*
 * perf_stacks.h - callers out of the copies of the stack that `perf record --call-graph dwarf` keeps.
 */
#ifndef COLLAPSE_PERF_STACKS_H
#define COLLAPSE_PERF_STACKS_H

#include "collapse/perf/perf_symbols.h"

struct perf_stacks;

/* All of them must outlive it; the report gets a note of stacks that are cut. */
struct perf_stacks *perf_stacks_new(struct perfdata *, struct perf_symbols *, struct report *);
void perf_stacks_free(struct perf_stacks *); /* NULL is fine */

/* Are stacks of the recording's machine unwound? One that does not say is taken for one of this machine. */
bool perf_stacks_can(const struct perfdata *);

/*
 * Where the functions of user space are, the innermost first: of callers the last byte of the call, not where it
 * returns to. *addresses is valid until the next call. Returns how many; 0: there is no dump, or it is of no use.
 */
size_t perf_stacks_unwind(struct perf_stacks *, const struct perfdata_sample *, const uint64_t **addresses);

#endif
