/*
 * cfi_expression.h - evaluates the DWARF expressions in call frame information (DWARF 5, section 2.5).
 */
#ifndef SYMBOLS_CFI_EXPRESSION_H
#define SYMBOLS_CFI_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/cfi_row.h"

/*
 * The stack starts with `first` (may be NULL). The evaluator adds `bias` to literal addresses. false: the
 * expression needs an unknown value, makes no sense, or takes too long.
 */
bool cfi_evaluate(const unsigned char *expression, size_t n, const uint64_t *first, uint64_t bias,
                  const struct cfi_registers *, const struct cfi_memory *, uint64_t *result);

#endif
