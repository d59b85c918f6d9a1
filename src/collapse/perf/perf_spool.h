/*
 * perf_spool.h - a recording that came through a pipe, in a file without a name, so that its end can be read first.
 */
#ifndef COLLAPSE_PERF_SPOOL_H
#define COLLAPSE_PERF_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct perf_spool {
	int fd;        /* -1: nothing was added yet */
	uint64_t size; /* bytes */
	uint64_t room; /* bytes that may be taken from the file system: half of what is free */
};

void perf_spool_init(struct perf_spool *);
void perf_spool_deinit(struct perf_spool *);
/* false: there is no room, err says where. */
bool perf_spool_add(struct perf_spool *, const void *bytes, size_t n, struct err *);
/* A perfdata_read_at whose argument is the spool. */
bool perf_spool_read_at(void *spool, uint64_t offset, void *into, size_t n);

#endif
