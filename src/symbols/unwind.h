/*
 * unwind.h - finds the callers from registers and a stack copy, as `perf record --call-graph dwarf` records them.
 *
 * It uses the call frame information of the files that the process had mapped. It unwinds x86_64 and aarch64
 * itself, and all processes share what it learned about a file; libdwfl unwinds 32-bit x86 and arm, if it was there
 * at build time.
 *
 * Use each unwinder in one thread; several threads may have one each.
 */
#ifndef SYMBOLS_UNWIND_H
#define SYMBOLS_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/unwind_input.h"

struct unwinder;

/* Can it unwind stacks of that machine (unwind_machine())? Some need libdwfl. */
bool unwind_can(uint16_t machine);

struct unwinder *unwinder_new(unwind_map_at, void *arg);
void unwinder_free(struct unwinder *);

/*
 * Writes at most `most` addresses to out, innermost first: the place in each function, which for a caller is the
 * last byte of its call. Returns how many; 0: the machine or the registers are unusable. *is_cut: the copy of the
 * stack ends before the stack does.
 */
size_t unwind_stack(struct unwinder *, const struct unwind_input *, uint64_t *out, size_t most, bool *is_cut);

/*
 * Did a stack end because its walk took more steps, or found more frames, than a copy of its size can need, or
 * because the rows of a file cost too much? Then call frame information is wrong.
 */
bool unwind_has_given_up(const struct unwinder *);

/* The first file that could not be read although the stack has code of it, with the reason; NULL: there is none. */
const char *unwind_trouble(const struct unwinder *);

#endif
