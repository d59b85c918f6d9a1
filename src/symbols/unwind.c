/*
 * unwind.c - walks up a stack, frame by frame.
 *
 * A frame costs one hash probe if the same process was seen at the same address before; else a look-up of its map
 * and of the file's row. libdwfl finds the same frames, but reads each file anew for each process.
 */
#include "symbols/unwind.h"

#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/hash.h"
#include "base/mem.h"
#include "symbols/cfi_step.h"
#include "symbols/unwind_dwfl.h"
#include "symbols/unwind_files.h"

#define MEMO ((size_t)1 << 14)
#define MOST_CONSTANTS 64u              /* words of files that a sample may read: each comes from the disk */
#define MOST_STACK ((uint64_t)64 << 20) /* addresses up to this far above count as stack */

/*
 * Of a copy of a stack, by its size. A caller's return address is a word of it; only the innermost function and
 * one that a signal interrupted may have it in a register. Of 70 recordings, the largest stacks took 6 steps for a
 * frame, and a step for 25 bytes. The longest program of gcc's own frames has 20 KiB.
 */
#define MORE_FRAMES 16u /* than words */
#define MORE_STEPS 16384u
#define STEPS_PER_BYTE 8u
#define BYTES_PER_STEP 2u /* of the program that makes a row */

/* The cached facts about an address of a process. */
struct memo {
	uint64_t pc, generation, bias;
	const struct cfi_row *row; /* NULL: nothing covers it */
	uint64_t cost;             /* steps for the row */
	int32_t pid;
	bool is_used;
};

struct unwinder {
	unwind_map_at map_at;
	void *arg;
	struct unwind_files *files;
	struct unwind_dwfl *dwfl; /* NULL: not needed yet */
	bool has_given_up;
	struct memo memos[MEMO];
};

/* The machines unwound are all little-endian. */
bool unwind_can(uint16_t machine)
{
	return machine && (cfi_machine(machine) || unwind_dwfl_is_built());
}

struct unwinder *unwinder_new(unwind_map_at map_at, void *arg)
{
	struct unwinder *u = mem_zalloc(1, sizeof *u);
	u->map_at = map_at;
	u->arg = arg;
	u->files = unwind_files_new();
	return u;
}

void unwinder_free(struct unwinder *u)
{
	if (!u)
		return;
	unwind_files_free(u->files);
	unwind_dwfl_free(u->dwfl);
	free(u);
}

const char *unwind_trouble(const struct unwinder *u)
{
	return unwind_files_trouble(u->files);
}

bool unwind_has_given_up(const struct unwinder *u)
{
	return u->has_given_up;
}

/* A sample during unwinding. */
struct walk {
	struct unwinder *unwinder;
	const struct unwind_input *in;
	uint64_t stack; /* where the copy begins */
	uint64_t pc;
	bool is_exact; /* pc is a running instruction, not a return address */
	bool is_cut;
	unsigned n_constants;
	uint64_t steps; /* left */
};

static struct cfi *file_at(struct walk *w, uint64_t address, uint64_t *bias)
{
	struct unwind_map map;
	if (!w->unwinder->map_at(w->unwinder->arg, w->in->process, address, &map))
		return NULL;
	struct cfi *cfi = unwind_files_get(w->unwinder->files, &map);
	return cfi && unwind_files_bias(cfi, &map, bias) ? cfi : NULL;
}

/* Constants come from the file. */
static bool read_word(void *arg, uint64_t address, uint64_t *word)
{
	struct walk *w = arg;
	uint64_t bias, at = address - w->stack;
	if (address >= w->stack && at < w->in->n_stack && w->in->n_stack - at >= sizeof *word) {
		memcpy(word, w->in->stack + at, sizeof *word);
		*word = little64(*word);
		return true;
	}
	struct cfi *cfi = file_at(w, address, &bias);
	if (cfi)
		return w->n_constants++ < MOST_CONSTANTS && cfi_image_word(cfi_image(cfi), address - bias, word);
	w->is_cut |= address >= w->stack && at < MOST_STACK;
	return false;
}

static const struct memo *memo_at(struct walk *w, uint64_t pc)
{
	const struct unwind_input *in = w->in;
	uint64_t hash =
		hash_mix(pc ^ hash_seed[0], ((uint64_t)(uint32_t)in->pid << 32 ^ in->generation) + (hash_seed[1] | 1));
	struct memo *m = &w->unwinder->memos[hash & (MEMO - 1)];
	if (m->is_used && m->pc == pc && m->pid == in->pid && m->generation == in->generation)
		return m;
	*m = (struct memo){.pc = pc, .pid = in->pid, .generation = in->generation, .is_used = true};
	struct cfi *cfi = file_at(w, pc, &m->bias);
	if (cfi && cfi_image(cfi)->machine == unwind_code(in)) {
		m->row = cfi_at(cfi, pc - m->bias);
		m->cost = cfi_cost(cfi, pc - m->bias) / BYTES_PER_STEP;
	}
	return m;
}

/* Steps to the caller; false: there is none, or it is lost. */
static bool walk_up(struct walk *w, const struct cfi_machine *machine, struct cfi_registers *registers)
{
	const struct cfi_memory memory = {read_word, w, &w->steps};
	const struct memo *m = memo_at(w, w->is_exact ? w->pc : w->pc - 1);
	struct cfi_registers caller;
	w->steps -= m->cost < w->steps ? m->cost : w->steps;
	if (w->steps == 0)
		return false;
	if (m->row) {
		bool is_signal = m->row->is_signal;
		if (cfi_step(m->row, machine, &memory, registers, m->bias, &caller, &w->pc) != CFI_STEP)
			return false;
		w->is_exact = is_signal;
	} else {
		if (!cfi_step_by_frame(machine, &memory, registers, &caller, &w->pc))
			return false;
		w->is_exact = false;
	}
	*registers = caller;
	return true;
}

/* A signal's trampoline was not called: its address is that of its first instruction. */
static bool is_trampoline(struct walk *w)
{
	const struct memo *m = memo_at(w, w->pc - 1);
	return m->row && m->row->is_signal;
}

static size_t unwind(struct unwinder *u, const struct unwind_input *in, uint16_t code, uint64_t *out, size_t most,
                     bool *is_cut)
{
	const struct cfi_machine *machine = cfi_machine(code);
	struct cfi_registers registers;
	struct walk w = {.unwinder = u, .in = in, .is_exact = true};
	size_t n = 0;
	w.steps = MORE_STEPS + (uint64_t)in->n_stack * STEPS_PER_BYTE;
	if (!unwind_registers(in, code, &registers, &w.pc, &w.stack))
		return 0;
	while (n < most) {
		out[n++] = w.is_exact || is_trampoline(&w) ? w.pc : w.pc - 1;
		w.is_cut = false;
		if (n == most || !walk_up(&w, machine, &registers))
			break;
	}
	u->has_given_up |= w.steps == 0;
	*is_cut = w.is_cut;
	return n;
}

static size_t unwind_with(struct unwinder *u, const struct unwind_input *in, uint16_t code, uint64_t *out,
                          size_t most, bool *is_cut)
{
	if (cfi_machine(code))
		return unwind(u, in, code, out, most, is_cut);
	if (!u->dwfl)
		u->dwfl = unwind_dwfl_new(u->map_at, u->arg);
	return unwind_dwfl_stack(u->dwfl, in, out, most, is_cut);
}

size_t unwind_stack(struct unwinder *u, const struct unwind_input *in, uint64_t *out, size_t most, bool *is_cut)
{
	uint16_t code = unwind_code(in);
	size_t room = in->n_stack / (in->abi == 2 ? 8 : 4) + MORE_FRAMES;
	*is_cut = false;
	if (!code || !most)
		return 0;
	size_t n = unwind_with(u, in, code, out, most < room ? most : room, is_cut);
	u->has_given_up |= n == room && room < most;
	return n;
}
