/*
 * tar_writer.h - writes a tar archive: ustar, with pax headers where a name or a size needs them.
 *
 *	tar_writer_begin(w, "root/usr/bin/x", size)
 *	tar_writer_data(w, bytes, n)                    until all `size` bytes are there
 *	tar_writer_end(w)
 *	...
 *	tar_writer_finish(w)
 */
#ifndef BASE_TAR_WRITER_H
#define BASE_TAR_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compress.h"

struct tar_writer {
	struct compressor *out;
	int64_t time;  /* of all members, seconds since 1970 */
	uint64_t size; /* of the present member */
	uint64_t left; /* of it, not written yet */
};

/* The results are those of compressor_write(). */
void tar_writer_init(struct tar_writer *, struct compressor *out, int64_t time);
/* A regular file that everyone may read, of no particular owner. */
bool tar_writer_begin(struct tar_writer *, const char *name, uint64_t size);
bool tar_writer_data(struct tar_writer *, const void *bytes, size_t n); /* n: at most what is left */
bool tar_writer_end(struct tar_writer *);
/* Ends the archive, not the compressor. */
bool tar_writer_finish(struct tar_writer *);

#endif
