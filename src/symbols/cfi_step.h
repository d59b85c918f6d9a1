/*
 * cfi_step.h - from the registers of a function to those of its caller.
 */
#ifndef SYMBOLS_CFI_STEP_H
#define SYMBOLS_CFI_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/cfi_row.h"

/* Registers of a machine that have a part in calls. */
struct cfi_machine {
	uint16_t elf; /* EM_... */
	uint8_t stack, frame,
		link; /* link: holds the return address of a function that calls none; or that of the program counter */
	uint64_t kept;      /* those that a call leaves as they are */
	uint64_t code_mask; /* what of a signed return address is the address */
};

/* NULL: a machine that is not known here. */
const struct cfi_machine *cfi_machine(uint16_t elf);

enum cfi_step {
	CFI_STEP,   /* *to and *pc are the caller's */
	CFI_BOTTOM, /* there is no caller */
	CFI_LOST    /* they cannot be found out */
};

/* bias: what is added to addresses of the file. */
enum cfi_step cfi_step(const struct cfi_row *, const struct cfi_machine *, const struct cfi_memory *,
                       const struct cfi_registers *from, uint64_t bias, struct cfi_registers *to, uint64_t *pc);

/* Where no information covers the code (that of a JIT compiler): by the frame pointer, if it is one. */
bool cfi_step_by_frame(const struct cfi_machine *, const struct cfi_memory *, const struct cfi_registers *from,
                       struct cfi_registers *to, uint64_t *pc);

#endif
