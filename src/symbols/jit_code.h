/*
 * jit_code.h - the code that a JIT compiler has put into its dump (jit-PID.dump).
 *
 * An instruction is known by the offset of its bytes in the dump: addresses in memory are used again.
 */
#ifndef SYMBOLS_JIT_CODE_H
#define SYMBOLS_JIT_CODE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "symbols/jitdump.h"

struct jit_code;

/*
 * Reads a dump, which the user or the owner of the process chose when symbols were looked up (symbols/jits.h). NULL
 * with err: it is not a dump, or cannot be read.
 */
struct jit_code *jit_code_open(const char *path, struct err *err);
void jit_code_free(struct jit_code *); /* NULL: nothing */

/* The source file and line of an instruction; the text lives as long as the code. NULL and 0: unknown. */
const char *jit_code_line(const struct jit_code *, uint64_t offset, uint32_t *line);

/* Finds the function that holds an instruction, and its bytes. false: there is none. */
bool jit_code_function(const struct jit_code *, uint64_t offset, struct jitdump_code *, const char **bytes);
/*
 * Appends the name of what was at an address in memory, "run" or "run+0x1c"; of the name at most so many bytes, and
 * "..." for the rest. false: nothing that the dump has.
 */
bool jit_code_name(const struct jit_code *, uint64_t address, size_t most, struct buf *);
/* The processor as objdump's -m names it; NULL: unknown. */
const char *jit_code_machine(const struct jit_code *);

#endif
