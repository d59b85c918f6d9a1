/*
 * cfi_step.h - steps from the registers of a function to those of its caller.
 */
#ifndef SYMBOLS_CFI_STEP_H
#define SYMBOLS_CFI_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/cfi_row.h"

/* A machine's registers that take part in calls. */
struct cfi_machine {
	uint16_t elf; /* ELF_MACHINE_X86_64, ... */
	uint8_t stack, frame,
		link; /* link: holds the return address of a function that calls none; or that of the program counter */
	uint64_t kept;      /* registers that a call preserves */
	uint64_t code_mask; /* the address bits of a signed return address */
};

/* NULL: an unknown machine. */
const struct cfi_machine *cfi_machine(uint16_t elf);

enum cfi_step {
	CFI_STEP,   /* *to and *pc are the caller's */
	CFI_BOTTOM, /* there is no caller */
	CFI_LOST    /* the caller's registers cannot be found */
};

/* bias: added to the file's addresses. */
enum cfi_step cfi_step(const struct cfi_row *, const struct cfi_machine *, const struct cfi_memory *,
                       const struct cfi_registers *from, uint64_t bias, struct cfi_registers *to, uint64_t *pc);

/* For code that no information covers (a JIT compiler's): steps by the frame pointer, if the register holds one. */
bool cfi_step_by_frame(const struct cfi_machine *, const struct cfi_memory *, const struct cfi_registers *from,
                       struct cfi_registers *to, uint64_t *pc);

#endif
