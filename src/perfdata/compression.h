/*
 * compression.h - unpacks the records that `perf record -z` compressed (PERF_RECORD_COMPRESSED and COMPRESSED2).
 */
#ifndef PERFDATA_COMPRESSION_H
#define PERFDATA_COMPRESSION_H

#include "base/err.h"
#include "perfdata/records.h"

struct perfdata_compression;

struct perfdata_compression *perfdata_compression_new(bool is_swapped);
void perfdata_compression_free(struct perfdata_compression *); /* NULL is fine */

/* Hands on the records in a piece. A piece may end within a record, which continues in the next piece. */
bool perfdata_compression_feed(struct perfdata_compression *, struct perfdata_bytes piece, perfdata_take *take,
                               void *arg, struct err *err);
/* Bytes that came out so far. */
uint64_t perfdata_compression_made(const struct perfdata_compression *);
/* Did the last piece end within a record? */
bool perfdata_compression_is_cut(const struct perfdata_compression *);

#endif
