/*
 * cfi_expression.c - a stack machine for the few lines of assembler that need one: PLT stubs, signal trampolines.
 */
#include "symbols/cfi_expression.h"

#include "symbols/cfi_cursor.h"

#define MOST_STEPS 100u
#define MOST_DEPTH 64u

enum {
	OP_ADDR = 0x03,
	OP_DEREF = 0x06,
	OP_CONST1U = 0x08,
	OP_CONSTU = 0x10,
	OP_CONSTS,
	OP_DUP,
	OP_DROP,
	OP_OVER,
	OP_PICK,
	OP_SWAP,
	OP_ROT,
	OP_ABS = 0x19,
	OP_AND,
	OP_MINUS = 0x1c,
	OP_MUL = 0x1e,
	OP_NEG,
	OP_NOT,
	OP_OR,
	OP_PLUS,
	OP_PLUS_UCONST,
	OP_SHL,
	OP_SHR,
	OP_SHRA,
	OP_XOR,
	OP_BRA,
	OP_EQ,
	OP_GE,
	OP_GT,
	OP_LE,
	OP_LT,
	OP_NE,
	OP_SKIP,
	OP_LIT0,
	OP_BREG0 = 0x70,
	OP_BREGX = 0x92,
	OP_DEREF_SIZE = 0x94,
	OP_NOP = 0x96,
};

struct machine {
	struct cfi_cursor c;
	const unsigned char *start;
	uint64_t stack[MOST_DEPTH];
	size_t n;
	uint64_t bias;
	const struct cfi_registers *registers;
	const struct cfi_memory *memory;
	bool is_bad;
};

static void push(struct machine *m, uint64_t v)
{
	if (m->n < MOST_DEPTH)
		m->stack[m->n++] = v;
	else
		m->is_bad = true;
}

static uint64_t pop(struct machine *m)
{
	if (m->n)
		return m->stack[--m->n];
	m->is_bad = true;
	return 0;
}

static void pick(struct machine *m, uint64_t from_top)
{
	if (from_top < m->n)
		push(m, m->stack[m->n - 1 - from_top]);
	else
		m->is_bad = true;
}

static void push_register(struct machine *m, uint64_t reg, int64_t offset)
{
	if (reg < CFI_REGISTERS && (m->registers->known >> reg & 1))
		push(m, m->registers->value[reg] + (uint64_t)offset);
	else
		m->is_bad = true;
}

static void dereference(struct machine *m, uint64_t bytes)
{
	uint64_t word, address = pop(m);
	if (m->is_bad || bytes < 1 || bytes > 8 || !m->memory->word(m->memory->arg, address, &word))
		m->is_bad = true;
	else
		push(m, bytes == 8 ? word : word & ((UINT64_C(1) << (8 * bytes)) - 1));
}

static void jump(struct machine *m, bool is_taken)
{
	int64_t distance = cfi_signed(&m->c, 2);
	if (!is_taken || m->c.is_bad)
		return;
	if (distance < m->start - m->c.p || distance > m->c.end - m->c.p)
		m->is_bad = true;
	else
		m->c.p += distance;
}

/* Constants. true: it was one. */
static bool run_constant(struct machine *m, unsigned op)
{
	static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8};
	if (op >= OP_LIT0 && op < OP_LIT0 + 32)
		push(m, op - OP_LIT0);
	else if (op == OP_CONSTU)
		push(m, cfi_uleb(&m->c));
	else if (op == OP_CONSTS)
		push(m, (uint64_t)cfi_sleb(&m->c));
	else if (op == OP_ADDR)
		push(m, cfi_fixed(&m->c, 8) + m->bias);
	else if (op >= OP_CONST1U && op < OP_CONSTU)
		push(m, op & 1 ? (uint64_t)cfi_signed(&m->c, sizes[op - OP_CONST1U])
		               : cfi_fixed(&m->c, sizes[op - OP_CONST1U]));
	else
		return false;
	return true;
}

/* Registers and memory, and the order of what is on the stack. */
static bool run_stack(struct machine *m, unsigned op)
{
	uint64_t a, b, c;
	switch (op) {
	case OP_DEREF:
		dereference(m, 8);
		return true;
	case OP_DEREF_SIZE:
		dereference(m, cfi_fixed(&m->c, 1));
		return true;
	case OP_BREGX:
		a = cfi_uleb(&m->c);
		push_register(m, a, cfi_sleb(&m->c));
		return true;
	case OP_DUP:
		pick(m, 0);
		return true;
	case OP_OVER:
		pick(m, 1);
		return true;
	case OP_PICK:
		pick(m, cfi_fixed(&m->c, 1));
		return true;
	case OP_DROP:
		pop(m);
		return true;
	case OP_SWAP:
		a = pop(m);
		b = pop(m);
		push(m, a);
		push(m, b);
		return true;
	case OP_ROT:
		a = pop(m);
		b = pop(m);
		c = pop(m);
		push(m, a);
		push(m, c);
		push(m, b);
		return true;
	default:
		return false;
	}
}

static bool run_unary(struct machine *m, unsigned op)
{
	uint64_t v;
	switch (op) {
	case OP_NEG:
		push(m, 0 - pop(m));
		return true;
	case OP_NOT:
		push(m, ~pop(m));
		return true;
	case OP_ABS:
		v = pop(m);
		push(m, v >> 63 ? 0 - v : v);
		return true;
	case OP_PLUS_UCONST:
		push(m, pop(m) + cfi_uleb(&m->c));
		return true;
	case OP_BRA:
		jump(m, pop(m) != 0);
		return true;
	case OP_SKIP:
		jump(m, true);
		return true;
	case OP_NOP:
		return true;
	default:
		return false;
	}
}

static bool compare(unsigned op, int64_t a, int64_t b)
{
	switch (op) {
	case OP_EQ:
		return a == b;
	case OP_NE:
		return a != b;
	case OP_LT:
		return a < b;
	case OP_LE:
		return a <= b;
	case OP_GT:
		return a > b;
	default:
		return a >= b;
	}
}

static uint64_t shifted(unsigned op, uint64_t a, uint64_t by)
{
	if (op == OP_SHL)
		return by < 64 ? a << by : 0;
	if (op == OP_SHR)
		return by < 64 ? a >> by : 0;
	by = by < 64 ? by : 63;
	return a >> by | (a >> 63 ? ~(UINT64_MAX >> by) : 0);
}

static bool run_binary(struct machine *m, unsigned op)
{
	uint64_t b = pop(m), a = pop(m);
	switch (op) {
	case OP_AND:
		push(m, a & b);
		return true;
	case OP_OR:
		push(m, a | b);
		return true;
	case OP_XOR:
		push(m, a ^ b);
		return true;
	case OP_PLUS:
		push(m, a + b);
		return true;
	case OP_MINUS:
		push(m, a - b);
		return true;
	case OP_MUL:
		push(m, a * b);
		return true;
	case OP_SHL:
	case OP_SHR:
	case OP_SHRA:
		push(m, shifted(op, a, b));
		return true;
	case OP_EQ:
	case OP_GE:
	case OP_GT:
	case OP_LE:
	case OP_LT:
	case OP_NE:
		push(m, compare(op, (int64_t)a, (int64_t)b));
		return true;
	default:
		return false;
	}
}

static bool run_one(struct machine *m, unsigned op)
{
	if (op >= OP_BREG0 && op < OP_BREG0 + 32) {
		push_register(m, op - OP_BREG0, cfi_sleb(&m->c));
		return true;
	}
	return run_constant(m, op) || run_stack(m, op) || run_unary(m, op) || run_binary(m, op);
}

bool cfi_evaluate(const unsigned char *expression, size_t n, const uint64_t *first, uint64_t bias,
                  const struct cfi_registers *registers, const struct cfi_memory *memory, uint64_t *result)
{
	struct machine m;
	m.c = (struct cfi_cursor){expression, expression + n, false};
	m.start = expression;
	m.n = 0;
	m.bias = bias;
	m.registers = registers;
	m.memory = memory;
	m.is_bad = false;
	if (first)
		push(&m, *first);
	for (unsigned steps = 0; cfi_left(&m.c); steps++)
		if (steps == MOST_STEPS || !cfi_take_step(memory) || !run_one(&m, (unsigned)cfi_fixed(&m.c, 1)) ||
		    m.is_bad || m.c.is_bad)
			return false;
	*result = pop(&m);
	return !m.is_bad;
}
