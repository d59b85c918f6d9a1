/*
 * cfi_program.c - runs the instructions of DWARF 5, section 6.4.2, and those of GNU and aarch64.
 *
 * Each takes time in proportion to its bytes, and none jumps back: a run ends however damaged the file is.
 */
#include "symbols/cfi_program.h"

#include "symbols/cfi_cursor.h"

#define MOST_REMEMBERED 16u
#define STATE_WORK 32u /* of an instruction that copies all rules, compared with a byte of any other */
#define MOST_PROGRAM ((size_t)1 << 16) /* gcc itself has one of some 20 KiB */

enum {
	ADVANCE = 1, /* two-bit opcodes, shifted down */
	OFFSET = 2,
	RESTORE = 3,
};

enum {
	NOP = 0x00,
	SET_LOC,
	ADVANCE_1,
	ADVANCE_2,
	ADVANCE_4,
	OFFSET_EXTENDED,
	RESTORE_EXTENDED,
	UNDEFINED,
	SAME_VALUE,
	REGISTER,
	REMEMBER,
	RECALL,
	DEF_CFA,
	DEF_CFA_REGISTER,
	DEF_CFA_OFFSET,
	DEF_CFA_EXPRESSION,
	EXPRESSION,
	OFFSET_EXTENDED_SF,
	DEF_CFA_SF,
	DEF_CFA_OFFSET_SF,
	VAL_OFFSET,
	VAL_OFFSET_SF,
	VAL_EXPRESSION,
	NEGATE_RA_STATE_WITH_PC = 0x2c,
	NEGATE_RA_STATE = 0x2d,
	ARGS_SIZE = 0x2e,
	NEGATIVE_OFFSET = 0x2f,
};

struct run {
	const struct cfi_index *index;
	const struct cfi_common *common;
	struct cfi_cursor c;
	uint64_t place, until;
	struct cfi_state now, first; /* first: the state that RESTORE returns to */
	struct cfi_state remembered[MOST_REMEMBERED];
	size_t n_remembered;
	uint64_t work;
};

/* Reads and drops rules of registers that no call preserves (vectors). */
static void set_rule(struct run *r, uint64_t reg, struct cfi_rule rule)
{
	if (reg >= CFI_REGISTERS)
		return;
	rule.reg = (uint8_t)reg;
	r->now.rules[reg] = rule;
}

static void set_offset(struct run *r, uint64_t reg, uint8_t kind, int64_t offset)
{
	set_rule(r, reg, (struct cfi_rule){.kind = kind, .offset = offset});
}

static void restore(struct run *r, uint64_t reg)
{
	if (reg < CFI_REGISTERS)
		r->now.rules[reg] = r->first.rules[reg];
}

static int64_t scaled(const struct run *r, int64_t v)
{
	return (int64_t)((uint64_t)v * (uint64_t)r->common->data_align);
}

static struct cfi_rule expression(struct run *r, uint8_t kind)
{
	uint64_t n = cfi_uleb(&r->c);
	struct cfi_rule rule = {.kind = kind, .n = (uint32_t)n, .expression = r->c.p};
	cfi_skip(&r->c, n);
	return rule;
}

static void set_frame(struct run *r, uint64_t reg, int64_t offset)
{
	if (reg >= CFI_REGISTERS)
		r->c.is_bad = true;
	else
		r->now.frame = (struct cfi_rule){.kind = CFI_REGISTER, .reg = (uint8_t)reg, .offset = offset};
}

/* true: the instruction moves on to the next address. */
static bool run_location(struct run *r, unsigned op)
{
	switch (op) {
	case SET_LOC:
		r->place = cfi_index_address(r->index, &r->c, r->common->encoding);
		return true;
	case ADVANCE_1:
		r->place += cfi_fixed(&r->c, 1) * r->common->code_align;
		return true;
	case ADVANCE_2:
		r->place += cfi_fixed(&r->c, 2) * r->common->code_align;
		return true;
	case ADVANCE_4:
		r->place += cfi_fixed(&r->c, 4) * r->common->code_align;
		return true;
	default:
		return false;
	}
}

/* The frame's address. */
static bool run_frame(struct run *r, unsigned op)
{
	uint64_t reg;
	switch (op) {
	case DEF_CFA:
		reg = cfi_uleb(&r->c);
		set_frame(r, reg, (int64_t)cfi_uleb(&r->c));
		return true;
	case DEF_CFA_SF:
		reg = cfi_uleb(&r->c);
		set_frame(r, reg, scaled(r, cfi_sleb(&r->c)));
		return true;
	case DEF_CFA_REGISTER:
		set_frame(r, cfi_uleb(&r->c), r->now.frame.kind == CFI_REGISTER ? r->now.frame.offset : 0);
		return true;
	case DEF_CFA_OFFSET:
		set_frame(r, r->now.frame.reg, (int64_t)cfi_uleb(&r->c));
		return true;
	case DEF_CFA_OFFSET_SF:
		set_frame(r, r->now.frame.reg, scaled(r, cfi_sleb(&r->c)));
		return true;
	case DEF_CFA_EXPRESSION:
		r->now.frame = expression(r, CFI_VALUE_EXPRESSION);
		return true;
	default:
		return false;
	}
}

/* Rules that begin with a register. */
static bool run_rule(struct run *r, unsigned op)
{
	uint64_t reg = cfi_uleb(&r->c);
	switch (op) {
	case OFFSET_EXTENDED:
		set_offset(r, reg, CFI_OFFSET, scaled(r, (int64_t)cfi_uleb(&r->c)));
		return true;
	case OFFSET_EXTENDED_SF:
		set_offset(r, reg, CFI_OFFSET, scaled(r, cfi_sleb(&r->c)));
		return true;
	case NEGATIVE_OFFSET:
		set_offset(r, reg, CFI_OFFSET, scaled(r, -(int64_t)(cfi_uleb(&r->c) & INT64_MAX)));
		return true;
	case VAL_OFFSET:
		set_offset(r, reg, CFI_VALUE_OFFSET, scaled(r, (int64_t)cfi_uleb(&r->c)));
		return true;
	case VAL_OFFSET_SF:
		set_offset(r, reg, CFI_VALUE_OFFSET, scaled(r, cfi_sleb(&r->c)));
		return true;
	case RESTORE_EXTENDED:
		restore(r, reg);
		return true;
	case UNDEFINED:
		set_offset(r, reg, CFI_UNDEFINED, 0);
		return true;
	case SAME_VALUE:
		set_offset(r, reg, CFI_SAME, 0);
		return true;
	case REGISTER:
		set_rule(r, reg, (struct cfi_rule){.kind = CFI_REGISTER, .source = (uint16_t)(cfi_uleb(&r->c) & 0xffff)});
		return true;
	case EXPRESSION:
		set_rule(r, reg, expression(r, CFI_EXPRESSION));
		return true;
	case VAL_EXPRESSION:
		set_rule(r, reg, expression(r, CFI_VALUE_EXPRESSION));
		return true;
	default:
		return false;
	}
}

static bool run_state(struct run *r, unsigned op)
{
	switch (op) {
	case NOP:
		return true;
	case REMEMBER:
		if (r->n_remembered == MOST_REMEMBERED)
			return false;
		r->remembered[r->n_remembered++] = r->now;
		r->work += STATE_WORK;
		return true;
	case RECALL:
		if (!r->n_remembered)
			return false;
		r->now = r->remembered[--r->n_remembered];
		r->work += STATE_WORK;
		return true;
	case NEGATE_RA_STATE:
	case NEGATE_RA_STATE_WITH_PC:
		r->now.is_signed = !r->now.is_signed;
		return true;
	case ARGS_SIZE:
		cfi_uleb(&r->c);
		return true;
	default:
		return false;
	}
}

static bool run_one(struct run *r, unsigned op)
{
	switch (op >> 6) {
	case ADVANCE:
		r->place += (op & 63) * r->common->code_align;
		return true;
	case OFFSET:
		set_offset(r, op & 63, CFI_OFFSET, scaled(r, (int64_t)cfi_uleb(&r->c)));
		return true;
	case RESTORE:
		restore(r, op & 63);
		return true;
	default:
		return run_location(r, op) || run_frame(r, op) || run_state(r, op) || run_rule(r, op);
	}
}

/* false: they make no sense. */
static bool run_each(struct run *r)
{
	while (cfi_left(&r->c) && !r->c.is_bad && r->place <= r->until) {
		uint64_t place = r->place;
		if (!run_one(r, (unsigned)cfi_fixed(&r->c, 1)))
			return false;
		if (r->place < place)
			return false;
	}
	return !r->c.is_bad;
}

static bool run_all(struct run *r, size_t start, size_t end)
{
	const unsigned char *bytes = r->index->section->bytes;
	if (start > end || end - start > MOST_PROGRAM)
		return false;
	r->c = (struct cfi_cursor){bytes + start, bytes + end, false};
	bool is_good = run_each(r);
	r->work += (uint64_t)(r->c.p - (bytes + start));
	return is_good;
}

static bool run_both(struct run *r, const struct cfi_function *f)
{
	if (!run_all(r, r->common->program, r->common->program_end))
		return false;
	r->first = r->now;
	r->place = f->start;
	return run_all(r, f->program, f->program_end) && r->now.frame.kind;
}

bool cfi_program_run(const struct cfi_index *index, const struct cfi_function *f, uint64_t vaddr,
                     struct cfi_state *state, uint64_t *work)
{
	struct run r = {.index = index, .common = &index->commons[f->common], .place = vaddr, .until = vaddr};
	bool is_good = run_both(&r, f);
	*work += r.work;
	if (is_good)
		*state = r.now;
	return is_good;
}
