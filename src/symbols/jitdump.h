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
	uint64_t offset; /* of the address's instruction in the dump; 0: the dump does not have the code */
};

#define JITDUMP_ANY_TIME UINT64_MAX

/*
 * Reads bytes in either byte order, and does not keep them. It drops everything after a damaged record. NULL with
 * err: it is not a dump.
 */
struct jitdump *jitdump_parse(const unsigned char *bytes, size_t n, struct err *err);
/* Bytes of memory that a dump takes at most once it is parsed, which takes about as many more meanwhile. */
uint64_t jitdump_memory(const unsigned char *bytes, size_t n);
void jitdump_free(struct jitdump *); /* NULL is fine */
/*
 * Finds the code that was at the address at that time (CLOCK_MONOTONIC), or the last code there. Addresses are used
 * again, so an instruction is known by its offset in the dump.
 */
bool jitdump_find(const struct jitdump *, uint64_t address, uint64_t time, struct jitdump_function *);

/* The code of a function: `size` bytes at an offset in the dump, loaded to `start`. */
struct jitdump_code {
	const char *name;
	uint64_t start, offset, size;
};

/* Finds the code that holds an offset in the dump. */
bool jitdump_code(const struct jitdump *, uint64_t offset, struct jitdump_code *);
/* The source file and line of an instruction, by its offset in the dump. NULL and 0: unknown. */
const char *jitdump_line(const struct jitdump *, uint64_t offset, uint32_t *line);
/* The processor, as in an ELF header (ELF_MACHINE_X86_64). */
uint32_t jitdump_machine(const struct jitdump *);

#endif
