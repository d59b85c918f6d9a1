/*
 * cfi_row.h - the call frame information for one address, with the registers and memory that it refers to.
 */
#ifndef SYMBOLS_CFI_ROW_H
#define SYMBOLS_CFI_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CFI_REGISTERS 33u /* x86_64: 0 to 16 (the return address); aarch64: x0 to x30, sp, pc */

enum cfi_rule_kind {
	CFI_SAME,         /* the caller's value is unchanged if the machine's calls preserve it */
	CFI_UNDEFINED,    /* lost; for the return address: the stack begins here */
	CFI_OFFSET,       /* in memory at the frame's address + offset */
	CFI_VALUE_OFFSET, /* the frame's address + offset */
	CFI_REGISTER,     /* in another register; for the frame's address: register + offset */
	CFI_EXPRESSION,   /* in memory at the address that the expression gives */
	CFI_VALUE_EXPRESSION
};

struct cfi_rule {
	uint8_t kind;
	uint8_t reg;     /* the rule's register; for a frame's address, its base register */
	uint16_t source; /* of CFI_REGISTER */
	uint32_t n;      /* bytes of the expression */
	union {
		int64_t offset;
		const unsigned char *expression; /* in the file's section */
	};
};

struct cfi_row {
	struct cfi_rule frame; /* of the frame's address (CFA): CFI_REGISTER or CFI_VALUE_EXPRESSION */
	const struct cfi_rule *rules;
	uint8_t n_rules;
	uint8_t return_register;
	bool is_signal; /* the caller was interrupted; it made no call */
	bool is_signed; /* the return address carries a signature (aarch64) */
};

/* Indexed by DWARF number. */
struct cfi_registers {
	uint64_t value[CFI_REGISTERS];
	uint64_t known; /* a bit each */
};

/* What a row is applied to besides registers. */
struct cfi_memory {
	bool (*word)(void *arg, uint64_t address, uint64_t *word); /* of the process; false: it is unknown */
	void *arg;
	uint64_t *steps; /* left: each rule and each operation of an expression takes one; NULL: no limit */
};

/* false: none is left. */
static inline bool cfi_take_step(const struct cfi_memory *memory)
{
	if (!memory->steps)
		return true;
	return *memory->steps > 0 && (*memory->steps)-- > 0;
}

#endif
