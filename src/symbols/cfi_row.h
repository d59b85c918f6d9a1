/*
 * cfi_row.h - what call frame information says of one address, and the registers and memory that it speaks of.
 */
#ifndef SYMBOLS_CFI_ROW_H
#define SYMBOLS_CFI_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CFI_REGISTERS 33u /* of x86_64: 0 to 16 (the return address); of aarch64: x0 to x30, sp, pc */

enum cfi_rule_kind {
	CFI_SAME,         /* the caller's is what it is here, if the machine's calls keep it */
	CFI_UNDEFINED,    /* lost; for the return address: this is where the stack begins */
	CFI_OFFSET,       /* in memory at the frame's address + offset */
	CFI_VALUE_OFFSET, /* the frame's address + offset */
	CFI_REGISTER,     /* in another register; for the frame's address: register + offset */
	CFI_EXPRESSION,   /* in memory at what the expression gives */
	CFI_VALUE_EXPRESSION
};

struct cfi_rule {
	uint8_t kind;
	uint8_t reg;     /* whose rule it is; in a frame's address the register it is relative to */
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
	bool is_signal; /* the caller was interrupted, it did not call */
	bool is_signed; /* the return address carries a signature (aarch64) */
};

/* By DWARF's numbers. */
struct cfi_registers {
	uint64_t value[CFI_REGISTERS];
	uint64_t known; /* a bit each */
};

/* Memory of the process. false: it is not known. */
struct cfi_memory {
	bool (*word)(void *arg, uint64_t address, uint64_t *word);
	void *arg;
};

#endif
