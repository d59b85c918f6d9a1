/*
 * unwind.h - from registers and a copy of the stack, as `perf record --call-graph dwarf` keeps them, to the
 * callers.
 *
 * By call frame information of the files that the process had mapped. x86_64 and aarch64 are unwound here, with
 * what was found out of a file shared by all processes; 32-bit x86 and arm by libdwfl, where that was there at
 * build time.
 *
 * One thread per unwinder; threads may have one each.
 */
#ifndef SYMBOLS_UNWIND_H
#define SYMBOLS_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/unwind_input.h"

struct unwinder;

/* Are stacks of that machine (unwind_machine()) unwound? Some are by libdwfl alone. */
bool unwind_can(uint16_t machine);

struct unwinder *unwinder_new(unwind_map_at, void *arg);
void unwinder_free(struct unwinder *);

/*
 * Writes addresses to out, the innermost first and at most `most`: where each function was, which of a caller is
 * the last byte of its call. Returns how many, 0: the machine or the registers are of no use. *is_cut: the copy of
 * the stack ends before the stack does.
 */
size_t unwind_stack(struct unwinder *, const struct unwind_input *, uint64_t *out, size_t most, bool *is_cut);

/* The first file that could not be read though code of it was met, with the reason; NULL: there is none. */
const char *unwind_trouble(const struct unwinder *);

#endif
