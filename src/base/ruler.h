/*
 * ruler.h - round marks on an axis, up to 2^64 - 1.
 */
#ifndef BASE_RULER_H
#define BASE_RULER_H

#include <stdbool.h>
#include <stdint.h>

#include "number.h"

/* The smallest of 1, 2, 5, 10, ... times a power of ten that is at least v; at most 10^19. */
static inline uint64_t ruler_step(uint64_t v)
{
	uint64_t unit = 1;
	while (unit < UINT64_MAX / 10 && unit * 10 < v)
		unit *= 10;
	if (unit > UINT64_MAX / 10 || v <= unit)
		return unit;
	return v <= 2 * unit ? 2 * unit : v <= 5 * unit ? 5 * unit : 10 * unit;
}

/* Sets *at to the first multiple of `step` from `from` on, or to the next one; false: there is none before `to`. */
static inline bool ruler_first(uint64_t from, uint64_t step, uint64_t to, uint64_t *at)
{
	*at = u64_sum(from / step * step, from % step ? step : 0);
	return *at < to;
}

static inline bool ruler_next(uint64_t step, uint64_t to, uint64_t *at)
{
	*at = u64_sum(*at, step);
	return *at < to;
}

#endif
