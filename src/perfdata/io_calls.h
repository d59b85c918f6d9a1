/*
 * io_calls.h - the system calls that read and write, by name and by number.
 */
#ifndef PERFDATA_IO_CALLS_H
#define PERFDATA_IO_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* Bits: what calls do. */
enum io_kind {
	IO_READ = 1,
	IO_WRITE = 2,
	IO_OPEN = 4,
	IO_ALL = IO_READ | IO_WRITE | IO_OPEN,
};

/* "read", "write", "all"; 0: another word. */
unsigned io_kinds(const char *word);
const char *io_kinds_word(unsigned kinds);

struct io_call {
	const char *name;   /* as the kernel's tracepoints have it */
	int16_t number[2];  /* of x86_64, and of processors with the common numbering; -1: there is none */
	unsigned char kind; /* bits of io_kind */
	bool is_bytes;      /* it returns a number of bytes */
};

#define IO_CALLS 24u
extern const struct io_call io_calls[IO_CALLS];

/* NULL: it does no I/O. */
const struct io_call *io_call_named(const char *name);
/* arch: as `uname -m` prints it. NULL: it does no I/O, or the numbers of such a processor are unknown. */
const struct io_call *io_call_numbered(int64_t number, const char *arch);
/* Appends the filter for tracepoints of all calls: "id == 0 || id == 17". false: as above. */
bool io_calls_filter(unsigned kinds, const char *arch, struct buf *out);

#endif
