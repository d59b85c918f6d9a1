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
 * Reads bytes, in this machine's byte order or the other; they are not kept. What follows a damaged record is left
 * out. NULL with err: it is no dump.
 */
struct jitdump *jitdump_parse(const unsigned char *bytes, size_t n, struct err *err);
void jitdump_free(struct jitdump *); /* NULL is fine */
/* What was at the address at that time (CLOCK_MONOTONIC), or at last. */
bool jitdump_find(const struct jitdump *, uint64_t address, uint64_t time, struct jitdump_function *);

#endif
