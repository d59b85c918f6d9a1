/*
 * perf_runtimes.h - tells how a runtime is made to write the names of the functions that it compiles, where a
 * recording lacks them.
 *
 * The advice is given once for each runtime, if more than 5 % of the samples of one of its processes lie in code
 * that a program made, and the process has neither map nor dump.
 */
#ifndef COLLAPSE_PERF_RUNTIMES_H
#define COLLAPSE_PERF_RUNTIMES_H

#include "base/err.h"
#include "collapse/perf/perf_symbols.h"
#include "perfdata/perfdata.h"

struct perf_runtimes;

/* All must outlive it. */
struct perf_runtimes *perf_runtimes_new(struct perfdata *, struct perf_symbols *, struct report *);
/* Looks at the samples that have come since the last look, and frees. NULL is fine. */
void perf_runtimes_free(struct perf_runtimes *);

void perf_runtimes_map(struct perf_runtimes *, const struct perfdata_process *, const struct perfdata_map *);
void perf_runtimes_fork(struct perf_runtimes *, int32_t pid, int32_t parent);
/* Another program runs in the process from now on. */
void perf_runtimes_exec(struct perf_runtimes *, int32_t pid);
/* has_functions: compiled code without a name is that of a known function of a language. */
void perf_runtimes_sample(struct perf_runtimes *, const struct perfdata_sample *, bool has_functions);

#endif
