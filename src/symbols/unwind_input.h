/*
 * unwind_input.h - a sample's input for unwinding: registers, a copy of the stack, and the maps of its process.
 */
#ifndef SYMBOLS_UNWIND_INPUT_H
#define SYMBOLS_UNWIND_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/cfi_row.h"

struct unwind_map {
	uint64_t start, end, pgoff;
	const char *path;        /* path to open here; "[vdso]" is this machine's */
	const uint8_t *build_id; /* as recorded; a file with another one is not used */
	size_t n_build_id;       /* 0: not recorded */
};

/*
 * Finds the map of a process that holds the address; false: there is none. Texts need to last until the next call
 * only.
 */
typedef bool (*unwind_map_at)(void *arg, const void *process, uint64_t address, struct unwind_map *map);

struct unwind_input {
	const void *process; /* handed to map_at */
	int32_t pid;
	uint64_t generation;  /* changes when maps of the pid have changed */
	uint16_t machine;     /* unwind_machine() */
	uint64_t abi;         /* of the registers: PERF_SAMPLE_REGS_ABI_32 (1) or _64 (2) */
	uint64_t mask;        /* the registers present, by perf's numbers */
	const uint64_t *regs; /* one for each bit in mask */
	const unsigned char *stack;
	size_t n_stack; /* valid bytes from the stack pointer on */
};

/* Converts a name from `uname -m` to ELF_MACHINE_X86_64 and the like; 0: unknown. */
uint16_t unwind_machine(const char *uname);

/* Of the code, ELF_MACHINE_...: a 64-bit kernel also runs 32-bit programs. 0: unknown, or no registers. */
uint16_t unwind_code(const struct unwind_input *);

/*
 * Converts the registers to DWARF's numbering. false: the program counter or stack pointer is missing, or the code
 * is of another machine.
 */
bool unwind_registers(const struct unwind_input *, uint16_t code, struct cfi_registers *, uint64_t *pc,
                      uint64_t *stack);

#endif
