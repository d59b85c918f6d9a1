/*
 * unwind_input.c - puts registers in order: the number of lower registers in the mask is a register's place in the
 * sample.
 */
#include "symbols/unwind_input.h"

#include <string.h>

#include "symbols/elf_file.h"

/* perf's numbers (asm/perf_regs.h) in DWARF's order. */
static const uint8_t x86_64[] = {0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8};
static const uint8_t i386[] = {0, 2, 3, 1, 7, 6, 4, 5, 8};
static const uint8_t arm[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const uint8_t aarch64[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                                  17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

static const struct code {
	uint16_t elf;
	uint8_t n, pc, stack; /* perf's numbers */
	const uint8_t *order;
} codes[] = {
	{ELF_MACHINE_X86_64, sizeof x86_64, 8, 7, x86_64},
	{ELF_MACHINE_AARCH64, sizeof aarch64, 32, 31, aarch64},
	{ELF_MACHINE_386, sizeof i386, 8, 7, i386},
	{ELF_MACHINE_ARM, sizeof arm, 15, 13, arm},
};

uint16_t unwind_machine(const char *uname)
{
	if (strcmp(uname, "x86_64") == 0)
		return ELF_MACHINE_X86_64;
	if (strcmp(uname, "aarch64") == 0 || strcmp(uname, "arm64") == 0)
		return ELF_MACHINE_AARCH64;
	if (uname[0] == 'i' && strcmp(uname + 1 + (uname[1] != '\0'), "86") == 0)
		return ELF_MACHINE_386;
	return strncmp(uname, "arm", 3) == 0 ? ELF_MACHINE_ARM : 0;
}

uint16_t unwind_code(const struct unwind_input *in)
{
	if (in->abi == 2)
		return in->machine == ELF_MACHINE_X86_64 || in->machine == ELF_MACHINE_AARCH64 ? in->machine : 0;
	if (in->abi != 1)
		return 0;
	return in->machine == ELF_MACHINE_X86_64 || in->machine == ELF_MACHINE_386 ? ELF_MACHINE_386 : ELF_MACHINE_ARM;
}

static bool value_of(const struct unwind_input *in, unsigned reg, uint64_t *value)
{
	if (!(in->mask >> reg & 1))
		return false;
	*value = in->regs[__builtin_popcountll(in->mask & ((UINT64_C(1) << reg) - 1))];
	return true;
}

bool unwind_registers(const struct unwind_input *in, uint16_t code, struct cfi_registers *registers, uint64_t *pc,
                      uint64_t *stack)
{
	const struct code *c = codes, *end = codes + sizeof codes / sizeof *codes;
	while (c < end && c->elf != code)
		c++;
	*registers = (struct cfi_registers){0};
	if (c == end || !value_of(in, c->pc, pc) || !value_of(in, c->stack, stack))
		return false;
	for (unsigned i = 0; i < c->n; i++)
		if (value_of(in, c->order[i], &registers->value[i]))
			registers->known |= UINT64_C(1) << i;
	return true;
}
