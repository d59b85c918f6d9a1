/*
 * cfi_index.h - the functions that a section of call frame information describes, by address.
 *
 * Used by cfi.c only.
 */
#ifndef SYMBOLS_CFI_INDEX_H
#define SYMBOLS_CFI_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/cfi_image.h"

/* The data that functions share (CIE). Offsets count from the section's beginning. */
struct cfi_common {
	size_t offset;
	size_t program, program_end;
	uint64_t code_align;
	int64_t data_align;
	uint8_t return_register;
	uint8_t encoding; /* of addresses */
	bool has_augmentation, is_signal;
};

struct cfi_function {
	uint64_t start, end;
	uint32_t program, program_end;
	uint32_t common;
};

struct cfi_index {
	const struct cfi_section *section;
	bool is_debug_frame;
	struct cfi_common *commons; /* by offset */
	size_t n_commons, cap_commons;
	struct cfi_function *functions; /* by start */
	size_t n_functions, cap_functions;
};

/* Takes the valid entries; the section must outlive the index. */
void cfi_index_init(struct cfi_index *, const struct cfi_section *, bool is_debug_frame);
void cfi_index_deinit(struct cfi_index *);

/* NULL: no function there. */
const struct cfi_function *cfi_index_at(const struct cfi_index *, uint64_t vaddr);

/* Reads an address in the section's encoding; 0 and is_bad: its value cannot be known. */
struct cfi_cursor;
uint64_t cfi_index_address(const struct cfi_index *, struct cfi_cursor *, uint8_t encoding);

#endif
