/*
 * cfi_step.c - applies a row to registers, or follows the frame pointer.
 *
 * Registers that a function may change without saying so (argument registers) are unknown in its caller.
 */
#include "symbols/cfi_step.h"

#include "symbols/cfi_expression.h"
#include "symbols/elf_file.h"

#define BIT(n) (UINT64_C(1) << (n))

static const struct cfi_machine machines[] = {
	/* rbx, rbp, rsp, r12 to r15 */
	{ELF_MACHINE_X86_64, 7, 6, 16, BIT(3) | BIT(6) | BIT(7) | 0xf000u, UINT64_MAX},
	/* x19 to x30, sp; pointers of user space have 48 bits */
	{ELF_MACHINE_AARCH64, 31, 29, 30, UINT64_C(0xfff80000), UINT64_C(0xffffffffffff)},
};

const struct cfi_machine *cfi_machine(uint16_t elf)
{
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		if (machines[i].elf == elf)
			return &machines[i];
	return NULL;
}

static void set(struct cfi_registers *r, unsigned reg, uint64_t value)
{
	r->value[reg] = value;
	r->known |= BIT(reg);
}

static bool get(const struct cfi_registers *r, unsigned reg, uint64_t *value)
{
	*value = r->value[reg];
	return r->known >> reg & 1;
}

/* What is needed to work out a caller's registers. */
struct frame {
	const struct cfi_registers *registers;
	const struct cfi_memory *memory;
	uint64_t bias;
	uint64_t address; /* CFA */
};

static bool frame_address(struct frame *f, const struct cfi_rule *rule)
{
	if (rule->kind == CFI_VALUE_EXPRESSION)
		return cfi_evaluate(rule->expression, rule->n, NULL, f->bias, f->registers, f->memory, &f->address);
	if (!get(f->registers, rule->reg, &f->address))
		return false;
	f->address += (uint64_t)rule->offset;
	return true;
}

static bool by_rule(const struct frame *f, const struct cfi_rule *rule, uint64_t *value)
{
	uint64_t address;
	switch ((enum cfi_rule_kind)rule->kind) {
	case CFI_OFFSET:
		return f->memory->word(f->memory->arg, f->address + (uint64_t)rule->offset, value);
	case CFI_VALUE_OFFSET:
		*value = f->address + (uint64_t)rule->offset;
		return true;
	case CFI_REGISTER:
		return rule->source < CFI_REGISTERS && get(f->registers, rule->source, value);
	case CFI_EXPRESSION:
		return cfi_evaluate(rule->expression, rule->n, &f->address, f->bias, f->registers, f->memory, &address) &&
		       f->memory->word(f->memory->arg, address, value);
	case CFI_VALUE_EXPRESSION:
		return cfi_evaluate(rule->expression, rule->n, &f->address, f->bias, f->registers, f->memory, value);
	case CFI_SAME:
	case CFI_UNDEFINED:
		return false;
	}
	return false;
}

static enum cfi_step take_return(const struct cfi_row *row, const struct cfi_machine *machine,
                                 const struct cfi_registers *to, bool is_bottom, uint64_t *pc)
{
	if (is_bottom)
		return CFI_BOTTOM;
	if (!get(to, row->return_register, pc))
		return CFI_LOST;
	if (row->is_signed)
		*pc &= machine->code_mask;
	return *pc ? CFI_STEP : CFI_BOTTOM;
}

enum cfi_step cfi_step(const struct cfi_row *row, const struct cfi_machine *machine,
                       const struct cfi_memory *memory, const struct cfi_registers *from, uint64_t bias,
                       struct cfi_registers *to, uint64_t *pc)
{
	struct frame f = {.registers = from, .memory = memory, .bias = bias};
	bool is_bottom = false;
	if (!frame_address(&f, &row->frame))
		return CFI_LOST;
	*to = *from;
	to->known &= machine->kept;
	set(to, machine->stack, f.address);
	for (size_t i = 0; i < row->n_rules; i++) {
		const struct cfi_rule *rule = &row->rules[i];
		uint64_t value;
		if (!cfi_take_step(memory))
			return CFI_LOST;
		if (by_rule(&f, rule, &value)) {
			set(to, rule->reg, value);
			continue;
		}
		to->known &= ~BIT(rule->reg);
		is_bottom |= rule->kind == CFI_UNDEFINED && rule->reg == row->return_register;
	}
	return take_return(row, machine, to, is_bottom, pc);
}

/*
 * Reads a record of two words: the caller's frame pointer and the return address. On aarch64 the innermost function
 * may not have made one; its return address is in the link register.
 */
bool cfi_step_by_frame(const struct cfi_machine *machine, const struct cfi_memory *memory,
                       const struct cfi_registers *from, struct cfi_registers *to, uint64_t *pc)
{
	uint64_t frame, stack, caller, address;
	bool is_linked = machine->elf == ELF_MACHINE_AARCH64;
	if (!get(from, machine->frame, &frame) || !get(from, machine->stack, &stack))
		return false;
	bool has_record = frame && memory->word(memory->arg, frame + 8, &address);
	if (!has_record && !is_linked)
		return false;
	if (!memory->word(memory->arg, frame, &caller))
		caller = 0;
	*to = (struct cfi_registers){0};
	set(to, machine->frame, caller);
	set(to, machine->stack, has_record ? frame + 16 : stack);
	if (is_linked) {
		if (!get(from, machine->link, pc))
			return false;
		*pc &= machine->code_mask;
		if (has_record)
			set(to, machine->link, address);
	} else {
		*pc = address;
	}
	return *pc && (!has_record || frame + 16 > stack);
}
