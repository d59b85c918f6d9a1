/*
 * amount.c - sums and differences of decimals, exact to 12 places.
 */
#include "collapse/text/amount.h"

/* The precision of doubles, with some of it lost by calculation. */
#define DOUBLES_PRECISION ((decimal_whole)1000000000000000)

decimal_whole amount_rounded(decimal_whole v)
{
	decimal_whole whole = (amount_magnitude(v) + AMOUNT_ONE / 2) / AMOUNT_ONE * AMOUNT_ONE;
	return v < 0 ? -whole : whole;
}

decimal_whole amount_repaired(decimal_whole v)
{
	decimal_whole whole = amount_rounded(v), precision = amount_magnitude(v) / DOUBLES_PRECISION;
	decimal_whole least = AMOUNT_ONE / 1000000;
	if (!whole) /* or a small number would vanish */
		return v;
	return amount_magnitude(v - whole) <= (precision > least ? precision : least) ? whole : v;
}

uint64_t amount_weight(decimal_whole v)
{
	return v / AMOUNT_ONE < UINT64_MAX ? (uint64_t)(v / AMOUNT_ONE) : UINT64_MAX;
}

void amount_add(decimal_whole *sum, decimal_whole v)
{
	*sum = v < DECIMAL_MOST - *sum ? *sum + v : DECIMAL_MOST;
}
