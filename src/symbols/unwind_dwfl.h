/*
 * unwind_dwfl.h - unwinds by libdwfl, for machines that cfi.c does not know.
 *
 * Without libdw it unwinds nothing. Used by unwind.c only.
 */
#ifndef SYMBOLS_UNWIND_DWFL_H
#define SYMBOLS_UNWIND_DWFL_H

#include "symbols/unwind_input.h"

struct unwind_dwfl;

bool unwind_dwfl_is_built(void);
struct unwind_dwfl *unwind_dwfl_new(unwind_map_at, void *arg);
void unwind_dwfl_free(struct unwind_dwfl *);

/* As unwind_stack(); handles x86_64 and aarch64, too, for comparison. */
size_t unwind_dwfl_stack(struct unwind_dwfl *, const struct unwind_input *, uint64_t *out, size_t most,
                         bool *is_cut);

#endif
