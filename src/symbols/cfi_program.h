/*
 * cfi_program.h - runs the instructions of call frame information up to an address.
 *
 * Used by cfi.c only.
 */
#ifndef SYMBOLS_CFI_PROGRAM_H
#define SYMBOLS_CFI_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/cfi_index.h"
#include "symbols/cfi_row.h"

struct cfi_state {
	struct cfi_rule frame;
	struct cfi_rule rules[CFI_REGISTERS];
	bool is_signed;
};

/*
 * Computes the state at an address within the function; false: its instructions make no sense. *work grows by the
 * bytes that were run, and more for those that take longer.
 */
bool cfi_program_run(const struct cfi_index *, const struct cfi_function *, uint64_t vaddr, struct cfi_state *,
                     uint64_t *work);

#endif
