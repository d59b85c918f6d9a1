/*
 * cfi_expression.h - DWARF expressions, as call frame information has them (DWARF 5, section 2.5).
 */
#ifndef SYMBOLS_CFI_EXPRESSION_H
#define SYMBOLS_CFI_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/cfi_row.h"

/*
 * `first` (may be NULL) lies on the stack to begin with. `bias` is added to addresses that are written down.
 * false: it needs something unknown, or makes no sense, or takes too long.
 */
bool cfi_evaluate(const unsigned char *expression, size_t n, const uint64_t *first, uint64_t bias,
                  const struct cfi_registers *, const struct cfi_memory *, uint64_t *result);

#endif
