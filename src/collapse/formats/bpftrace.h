/*
 * bpftrace.h - what both forms of bpftrace's output have in common.
 */
#ifndef COLLAPSE_FORMATS_BPFTRACE_H
#define COLLAPSE_FORMATS_BPFTRACE_H

#include <stdint.h>

#include "collapse/collapse.h"

/* Counts n events that bpftrace lost; number: of the line that tells. */
void bpftrace_lost(struct sink *, uint64_t n, uint64_t number);

#endif
