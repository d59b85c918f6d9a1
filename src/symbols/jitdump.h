/*
 * jitdump.h - functions of a JIT compiler, from the dump that it writes for perf (jit-PID.dump).
 */
#ifndef SYMBOLS_JITDUMP_H
#define SYMBOLS_JITDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct jitdump;

struct jitdump_function {
	const char *name; /* these live as long as the dump */
	uint64_t start;
	const char *file; /* of the source; NULL: unknown */
	uint32_t line;
};

#define JITDUMP_ANY_TIME UINT64_MAX

/*
 * Reads bytes in either byte order, and does not keep them. It drops everything after a damaged record. NULL with
 * err: it is not a dump.
 */
struct jitdump *jitdump_parse(const unsigned char *bytes, size_t n, struct err *err);
void jitdump_free(struct jitdump *); /* NULL is fine */
/* Finds the code that was at the address at that time (CLOCK_MONOTONIC), or the last code there. */
bool jitdump_find(const struct jitdump *, uint64_t address, uint64_t time, struct jitdump_function *);

#endif
