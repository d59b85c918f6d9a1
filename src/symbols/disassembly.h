/*
 * disassembly.h - the instructions of a function, from objdump (binutils).
 *
 * objdump knows all instructions that the assembler does. It runs as a child, for the code of one function, and its
 * output is bounded in size and time. Code from the dump of a JIT compiler goes to it without the dump.
 */
#ifndef SYMBOLS_DISASSEMBLY_H
#define SYMBOLS_DISASSEMBLY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define NO_TARGET UINT64_MAX

struct instruction {
	uint64_t address;
	uint64_t target;  /* of a jump or call to a fixed address; else NO_TARGET */
	const char *text; /* clean of control characters: "mov    %rax,0x8(%rsp)" */
};

struct disassembly {
	char *function;      /* its name in the file, mangled */
	uint64_t start, end; /* addresses in the file; of a dump, offsets */
	struct instruction *list;
	size_t n;
	char *text;  /* of all instructions */
	bool is_cut; /* the function is longer than what is shown of it */
};

/*
 * Disassembles the function that holds the address in the ELF file at `path`, or the offset in the dump of a JIT
 * compiler (symbols/jit_code.h). debug: a separate file with its
 * symbols, NULL: none. *stop, if set meanwhile, ends it (NULL: never). false with err: no function is there, or
 * objdump is not installed or failed. The caller ends it by disassembly_deinit() in either case.
 */
bool disassemble(struct disassembly *, const char *path, const char *debug, uint64_t address,
                 const atomic_bool *stop, struct err *);
void disassembly_deinit(struct disassembly *);

#endif
