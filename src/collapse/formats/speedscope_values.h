/*
 * speedscope_values.h - numbers and units of speedscope files.
 */
#ifndef COLLAPSE_FORMATS_SPEEDSCOPE_VALUES_H
#define COLLAPSE_FORMATS_SPEEDSCOPE_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "collapse/text/decimal.h"

/* The number of a frame, in a stack or an event; UINT32_MAX: it is none. */
uint32_t speedscope_frame(const struct decimal *);
/* 0: unknown. */
uint32_t speedscope_line(const struct decimal *);
/*
 * Is it a whole number, or one that number_add_fixed() would write, with at most six decimals and no zeros at the
 * end? Such fractions are kept, as in folded stacks.
 */
bool speedscope_is_exact(struct slice text);
/* 't'ime, 'b'ytes or 'n'one. *places: the unit is 10^*places nanoseconds, bytes or pieces. */
char speedscope_unit(struct slice unit, unsigned *places);

#endif
