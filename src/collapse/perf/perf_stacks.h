/*
 * perf_stacks.h - finds callers in the copies of the stack that `perf record --call-graph dwarf` keeps.
 */
#ifndef COLLAPSE_PERF_STACKS_H
#define COLLAPSE_PERF_STACKS_H

#include "collapse/perf/perf_symbols.h"

struct perf_stacks;

/* All of them must outlive it; the report gets notes about stacks, such as those that are cut. */
struct perf_stacks *perf_stacks_new(struct perfdata *, struct perf_symbols *, struct report *);
void perf_stacks_free(struct perf_stacks *); /* NULL is fine */

/* Can stacks of the recording's machine be unwound? A recording that names none counts as one of this machine. */
bool perf_stacks_can(const struct perfdata *);
/* The same for recordings of this machine. */
bool perf_stacks_can_here(void);

/*
 * Finds addresses in the functions of user space, innermost first. A caller's address is the last byte of its call,
 * not the return address. *addresses is valid until the next call. Returns how many; 0: there is no dump, or it is
 * useless.
 */
size_t perf_stacks_unwind(struct perf_stacks *, const struct perfdata_sample *, const uint64_t **addresses);

#endif
