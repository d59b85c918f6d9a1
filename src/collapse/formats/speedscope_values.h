/*
 * speedscope_values.h - numbers, lines and units of speedscope files.
 */
#ifndef COLLAPSE_FORMATS_SPEEDSCOPE_VALUES_H
#define COLLAPSE_FORMATS_SPEEDSCOPE_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "collapse/collapse.h"
#include "collapse/text/decimal.h"
#include "model/sites.h"

/* A decimal in 12 bytes, for files that have very many. All of its digits are kept. */
struct small_decimal {
	uint32_t low, high; /* halves of the digits */
	int16_t exponent;
	bool is_negative;
};

/* Exponents beyond +-1000 are cut, which makes no difference to decimal_times(). */
struct small_decimal small_decimal(const struct decimal *);
/* As amount_of(); but a number that is not 0 is at least the smallest amount. */
decimal_whole small_decimal_amount(const struct small_decimal *, unsigned places);

/* Reads a number. false: it is none, which is told; -1 stands in its place. */
bool speedscope_number(struct sink *, struct slice text, struct decimal *);
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
char speedscope_unit(struct slice unit, unsigned char *places);
/*
 * Are these the names of the two sides of a comparison, "cycles after" and "cycles before"? What follows
 * ("; 10% excluded") is the same in both; what precedes may be another event. *name becomes that of `after`.
 */
bool speedscope_are_sides(struct slice after, struct slice before, struct slice *name);
/* What is wrong with the number of weights of so many samples; NULL: nothing. */
const char *speedscope_weights_note(size_t n_weights, size_t n_samples, char unit);
/*
 * Are the lines of frames those that were executed? A line may as well be that where the function begins; then no
 * function has two.
 */
bool speedscope_has_executed(const struct site *, size_t n, size_t n_symbols);

#endif
