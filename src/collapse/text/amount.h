/*
 * amount.h - sums and differences of decimals, exact to 12 places: as whole numbers of 10^-12.
 */
#ifndef COLLAPSE_TEXT_AMOUNT_H
#define COLLAPSE_TEXT_AMOUNT_H

#include "collapse/text/decimal.h"

#define AMOUNT_PLACES 12
#define AMOUNT_ONE ((decimal_whole)1000000000000)

/* A number in units of 10^places: 3 for microseconds, if the amount is one of nanoseconds. */
static inline decimal_whole amount_of(const struct decimal *d, unsigned places)
{
	return decimal_times(d, places + AMOUNT_PLACES);
}

static inline decimal_whole amount_magnitude(decimal_whole v)
{
	return v < 0 ? -v : v;
}

/* To a whole number, half away from zero. */
decimal_whole amount_rounded(decimal_whole);
/* That whole number unless it is 0, if the amount differs from it only by the precision of its writer's doubles. */
decimal_whole amount_repaired(decimal_whole);
/* The integer part of an amount >= 0; from 2^64 on, 2^64 - 1. */
uint64_t amount_weight(decimal_whole);
/* Adds an amount >= 0; the sum is at most DECIMAL_MOST. */
void amount_add(decimal_whole *sum, decimal_whole v);

#endif
