/*
 * compress.h - writes an output compressed by gzip or zstd, or as it is.
 */
#ifndef BASE_COMPRESS_H
#define BASE_COMPRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "output.h"

enum compression { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_ZSTD };

struct compressor;

/* The output must outlive it, and is not committed by it. The same bytes always become the same bytes. */
struct compressor *compressor_new(enum compression, struct output *);
/* As output_write(): output_commit() reports a failed write. */
bool compressor_write(struct compressor *, const void *bytes, size_t n);
/* Writes the end, and frees the compressor. */
bool compressor_finish(struct compressor *);

#endif
