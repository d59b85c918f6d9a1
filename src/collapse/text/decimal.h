/*
 * decimal.h - reads decimal numbers exactly, as integers of a smaller unit.
 */
#ifndef COLLAPSE_TEXT_DECIMAL_H
#define COLLAPSE_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads all of s[0..n) as a decimal number ("12", "-1.5", ".25", "1.5e3") times 10^places, rounded half away from
 * zero. false: not a number, or beyond 63 bits.
 */
bool decimal_scaled(const char *s, size_t n, unsigned places, int64_t *v);

#endif
